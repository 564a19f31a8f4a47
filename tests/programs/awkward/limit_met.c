/* SPDX-License-Identifier: MIT */
/*
 * A file would become larger than the limit says: the thread that writes has got the signal when
 * the call returns.
 *
 * RUN    plait test
 * EXPECT clean complete
 *
 * RUN    plait test --carrier thread -n 10 -s random
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static pthread_t writer;

static void handle(int signo)
{
    got = pthread_equal(pthread_self(), writer) ? signo : -1;
}

static void *run(void *arg)
{
    char path[] = "/tmp/plait-limit-XXXXXX", b[200] = "";
    int fd = mkstemp(path);

    assert(fd >= 0 && unlink(path) == 0);
    writer = pthread_self();
    assert(write(fd, b, 200) == 100);
    assert(write(fd, b, 1) < 0 && errno == EFBIG && got == SIGXFSZ);
    close(fd);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    struct rlimit limit;
    pthread_t t, u;

    signal(SIGXFSZ, handle);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 100;
    assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, idle, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
