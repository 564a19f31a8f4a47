/* SPDX-License-Identifier: MIT */
/*
 * A signal reaches a thread that waits for a child, which may end before or after it: waitpid()
 * fails with EINTR, unless it starts over.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@taken
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@taken
 *
 * RUN    -DAGAIN=1 plait test -s dpor
 * EXPECT clean
 *
 * RUN    -DFLAGS=SA_RESTART plait test -s dpor
 * EXPECT clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef AGAIN
#define AGAIN 0
#endif
#ifndef FLAGS
#define FLAGS 0
#endif

static pid_t child;

static void nothing(int signo)
{
    (void)signo;
}

static void *wait_for_child(void *arg)
{
    pid_t got;

    do
        got = waitpid(child, NULL, 0);
    while (AGAIN && got < 0 && errno == EINTR);
    assert(got == child); /* @taken */
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = nothing, .sa_flags = FLAGS};
    pthread_t t;

    sigaction(SIGUSR1, &action, NULL);
    child = fork();
    assert(child >= 0);
    if (child == 0)
        _exit(0);
    pthread_create(&t, NULL, wait_for_child, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
