/* SPDX-License-Identifier: MIT */
/*
 * A limit for the size of files, set before the first thread, holds for the files of the program:
 * plait keeps what it needs all the same, and undoes what was written.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 1000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char path[] = "/tmp/plait-limit-XXXXXX";
static int *both; /* in memory that processes would share */

static void *append(void *arg)
{
    static char text[LIMIT / 2 + 1];
    int fd = open(path, O_WRONLY | O_APPEND);

    assert(fd >= 0);
    pthread_mutex_lock(&m);
    ssize_t n = write(fd, text, sizeof(text));

    assert(n == (*both == 0 ? LIMIT / 2 + 1 : LIMIT / 2 - 1));
    ++*both;
    pthread_mutex_unlock(&m);
    close(fd);
    return arg;
}

int main(void)
{
    struct rlimit limit = {LIMIT, LIMIT};
    pthread_t t;

    signal(SIGXFSZ, SIG_IGN);
    assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    close(mkstemp(path));
    pthread_create(&t, NULL, append, NULL);
    append(NULL);
    pthread_join(t, NULL);
    assert(*both == 2 && truncate(path, LIMIT + 1) == -1 && errno == EFBIG);
    unlink(path);
    return 0;
}
