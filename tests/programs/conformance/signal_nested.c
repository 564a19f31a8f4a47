/* SPDX-License-Identifier: MIT */
/*
 * A handler is interrupted by another one where neither touches memory that was known to be shared:
 * the schedule says where, so that it replays when each access is a point.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s random -n 1000
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test
 * EXPECT assertion location~@here exit=1
 *
 * RUN    -DMASKED=1 plait test -s dfs
 * EXPECT clean complete classes=9 exit=0
 *
 * RUN    -DMASKED=1 plait test -s dpor
 * EXPECT clean complete classes=9 exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

static volatile int depth, deepest;
static pthread_barrier_t meet;

static void handle(int signo)
{
    (void)signo;
    depth++;
    if (depth > deepest)
        deepest = depth;
    sched_yield();
    depth--;
}

static void *gets_both(void *arg)
{
    pthread_barrier_wait(&meet);
    pthread_barrier_wait(&meet);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t thread;

    pthread_barrier_init(&meet, NULL, 2);
#ifdef MASKED
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaddset(&action.sa_mask, SIGUSR2);
#endif
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    pthread_create(&thread, NULL, gets_both, NULL);
    pthread_barrier_wait(&meet);
    pthread_kill(thread, SIGUSR1);
    pthread_kill(thread, SIGUSR2);
    pthread_barrier_wait(&meet);
    pthread_join(thread, NULL);
    assert(deepest == 1); /* @here */
    return 0;
}
