/* SPDX-License-Identifier: MIT */
/*
 * A child writes by a descriptor that it has from its parent, at the common position: the next
 * execution finds the file, and the position, as they were.  So it does where the file was opened
 * after the first thread, with the argument `late`.
 *
 * RUN    plait test -s random -n 15
 * EXPECT clean executions=15 restart=fork
 *
 * RUN    plait test -s random -n 15 -- late
 * EXPECT clean executions=15 restart=fork
 *
 * RUN    plait test -s random -n 15 --carrier thread
 * EXPECT clean executions=15
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5 restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/plait-written-XXXXXX";
static int fd = -1;

static void *start(void *arg)
{
    int status, own = fd >= 0 ? fd : open(path, O_RDWR);
    struct stat st;

    assert(fstat(own, &st) == 0 && st.st_size == 2);
    assert(lseek(own, 0, SEEK_CUR) == (fd >= 0 ? 2 : 0));
    pid_t child = fork();

    if (child == 0)
        _exit(write(own, "child", 5) != 5);
    assert(waitpid(child, &status, 0) == child && status == 0);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    struct stat st;

    (void)argv;
    fd = mkstemp(path);
    assert(fd >= 0 && write(fd, "ab", 2) == 2);
    if (argc > 1) {
        close(fd);
        fd = -1;
    }
    pthread_create(&t, NULL, start, NULL);
    pthread_create(&u, NULL, idle, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(stat(path, &st) == 0 && st.st_size == (fd >= 0 ? 7 : 5));
    assert(unlink(path) == 0);
    return 0;
}
