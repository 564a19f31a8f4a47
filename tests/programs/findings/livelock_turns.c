/* SPDX-License-Identifier: MIT */
/*
 * Two threads hand a turn to each other for ever, since nobody tells them to stop.  Which of them
 * goes round and which one stands still when that is found out is chance: the finding is the same.
 *
 * RUN    plait test -n 4
 * EXPECT livelock executions=1
 *
 * RUN    plait test -s pct -n 4
 * EXPECT livelock executions=1
 *
 * RUN    plait test -s random -n 4
 * EXPECT livelock executions=1
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn, stop;

static void *hand_over(void *a)
{
    int me = a != NULL;

    while (atomic_load(&stop) == 0) {
        if (atomic_load(&turn) == me)
            atomic_store(&turn, !me);
        else
            sched_yield();
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, hand_over, NULL);
    pthread_create(&t[1], NULL, hand_over, &turn);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
