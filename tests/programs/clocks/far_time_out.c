/* SPDX-License-Identifier: MIT */
/*
 * A time-out of a hundred years, or at the end of all time, is how programs say that there is none:
 * it never comes, not early either.  Who waits so and is woken by nobody waits for ever.
 *
 * RUN    plait test -n 200
 * EXPECT clean
 *
 * RUN    plait test -s dpor
 * EXPECT clean
 *
 * RUN    plait test -s dfs
 * EXPECT clean
 *
 * RUN    -DLOST plait test -n 50
 * EXPECT deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t told;

static void *waits(void *a)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 100L * 365 * 86400;
    assert(sem_timedwait(&told, &until) == 0);
    return a;
}

int main(void)
{
    pthread_t t;

    sem_init(&told, 0, 0);
    pthread_create(&t, NULL, waits, NULL);
    sleep(1);
#ifndef LOST
    sem_post(&told);
#endif
    pthread_join(t, NULL);
    return 0;
}
