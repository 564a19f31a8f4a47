/* SPDX-License-Identifier: MIT */
/*
 * A daemon's way to begin: a child makes another one and ends.  Nobody's child can still write to
 * a pipe, so who reads there does not wait for ever.
 *
 * RUN    plait test -s random -n 8
 * EXPECT clean executions=8
 *
 * RUN    plait test -s random -n 4 --restart exec
 * EXPECT clean executions=4
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *start(void *arg)
{
    int ends[2];
    char c;

    assert(pipe(ends) == 0);
    pid_t child = fork();

    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        usleep(20000);
        _exit(write(ends[1], "x", 1) != 1);
    }
    close(ends[1]);
    assert(waitpid(child, NULL, 0) == child);
    assert(read(ends[0], &c, 1) == 1 && read(ends[0], &c, 1) == 0);
    close(ends[0]);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, start, NULL);
    pthread_create(&u, NULL, start, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
