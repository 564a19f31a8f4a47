/* SPDX-License-Identifier: MIT */
/*
 * A thread opens a FIFO.  Whoever has the other end is a child, which comes late and may be gone
 * before anybody looks; with the argument `nobody` there is none.
 *
 * RUN    plait test -s random -n 1 --no-minimize -- nobody
 * EXPECT deadlock
 *
 * RUN    plait test -s random -n 2
 * EXPECT clean
 *
 * RUN    plait test -s random -n 2 -- write
 * EXPECT clean
 *
 * RUN    plait test --follow-children -n 5
 * EXPECT clean executions=5
 *
 * RUN    plait test --follow-children -n 5 -- write
 * EXPECT clean executions=5
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void give(void)
{
    int fd = open("fifo", O_WRONLY);

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
}

static void take(void)
{
    int fd = open("fifo", O_RDONLY);
    char c;

    assert(fd >= 0 && read(fd, &c, 1) == 1 && c == 'x');
    assert(read(fd, &c, 1) == 0);
    close(fd);
}

static void *thread(void *arg)
{
    if (*(bool *)arg)
        give();
    else
        take();
    return NULL;
}

int main(int argc, char **argv)
{
    bool nobody = argc > 1 && strcmp(argv[1], "nobody") == 0;
    bool writes = argc > 1 && !nobody;
    pid_t child = -1;
    pthread_t t;

    unlink("fifo");
    assert(mkfifo("fifo", 0600) == 0);
    pthread_create(&t, NULL, thread, &writes);
    if (!nobody && (child = fork()) == 0) {
        usleep(100000);
        if (writes)
            take();
        else
            give();
        _exit(0);
    }
    pthread_join(t, NULL);
    int status;

    assert(nobody || (waitpid(child, &status, 0) == child && status == 0));
    return unlink("fifo");
}
