/* SPDX-License-Identifier: MIT */
/*
 * Two threads send their child different signals, by kill() or, with the argument `queued`, by
 * sigqueue(): it ends by the first.  With `treated` they give it priorities, and the last one
 * stays.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- queued
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- treated
 * EXPECT assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool queued, treated;
static pid_t child;

static void end(int signo)
{
    _exit(signo == SIGUSR1);
}

static void *tell(void *arg)
{
    int signo = arg != NULL ? SIGUSR2 : SIGUSR1;

    if (treated)
        setpriority(PRIO_PROCESS, (id_t)child, arg != NULL ? 10 : 5);
    else if (queued)
        sigqueue(child, signo, (union sigval){.sival_int = 1});
    else
        kill(child, signo);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    int ends[2], status;
    char c;

    queued = argc > 1 && argv[1][0] == 'q';
    treated = argc > 1 && argv[1][0] == 't';
    signal(SIGUSR1, end);
    signal(SIGUSR2, end);
    assert(pipe(ends) == 0);
    child = fork();
    while (child == 0) {
        if (write(ends[1], "x", 1) != 1)
            _exit(2);
        pause();
    }
    assert(read(ends[0], &c, 1) == 1);
    pthread_create(&t[0], NULL, tell, NULL);
    pthread_create(&t[1], NULL, tell, t);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!treated || getpriority(PRIO_PROCESS, (id_t)child) == 10);
    kill(child, SIGUSR1);
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1);
    return 0;
}
