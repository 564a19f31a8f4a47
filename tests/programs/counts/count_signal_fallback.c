/* SPDX-License-Identifier: MIT */
/*
 * The thread that an alarm was to go to may have ended by then: it goes to another, but what it
 * would have been before that end is known, so that no class is executed twice.
 *
 * RUN    plait test -s dpor --time-outs any
 * EXPECT clean complete classes=22 executions=23
 *
 * RUN    plait test -s dfs --time-outs any
 * EXPECT clean complete classes=22
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/time.h>

static sem_t rung;

static void ring(int number)
{
    (void)number;
    sem_post(&rung);
}

static void *limits(void *arg)
{
    struct rlimit limit;

    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = 2;
    setrlimit(RLIMIT_CORE, &limit);
    return arg;
}

int main(void)
{
    struct itimerval soon = {.it_value.tv_usec = 100};
    struct rlimit limit;
    pthread_t thread;

    signal(SIGALRM, ring);
    sem_init(&rung, 0, 0);
    pthread_create(&thread, NULL, limits, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    getrlimit(RLIMIT_CORE, &limit);
    while (sem_wait(&rung) != 0)
        ;
    pthread_join(thread, NULL);
    return 0;
}
