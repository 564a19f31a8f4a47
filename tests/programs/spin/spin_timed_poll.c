/* SPDX-License-Identifier: MIT */
/*
 * One thread polls until another one is done, and looks at the clock in every round.  A round
 * changes nothing but the time, so the thread is parked after some of them; a search that planned
 * for it to go round once more does without that, and repeats itself all the same.  How many rounds
 * it has seen depends on what a compiler keeps on the stack.
 *
 * RUN    -DROUND=1 plait test -s dpor
 * EXPECT clean incomplete ended~with\sat\smost\s2\searly exit=0
 *
 * RUN    -DROUND=1 plait test -s dpor --time-outs never
 * EXPECT clean incomplete ended~without\stime-outs exit=0
 *
 * RUN    -DROUND=1 plait test -s dpor:source --time-outs any
 * EXPECT clean incomplete ended~three\stimes exit=0
 *
 * RUN    -DROUND=2 plait test -s dpor
 * EXPECT clean incomplete ended~with\sat\smost\s2\searly exit=0
 *
 * RUN    -DROUND=2 plait test -s dpor --time-outs never
 * EXPECT clean incomplete ended~without\stime-outs exit=0
 *
 * RUN    -DROUND=3 plait test -s dpor
 * EXPECT clean incomplete ended~with\sat\smost\s2\searly exit=0
 *
 * RUN    -DROUND=3 plait test -s dpor --time-outs never
 * EXPECT clean incomplete ended~without\stime-outs exit=0
 *
 * RUN    -DROUND=4 plait test -s dpor
 * EXPECT clean incomplete ended~at\smost|the\sclock|without\stime exit=0
 *
 * RUN    -DROUND=5 plait test -s dpor
 * EXPECT clean incomplete ended~at\smost|the\sclock|without\stime exit=0
 *
 * RUN    -DROUND=6 plait test -s dpor
 * EXPECT clean incomplete ended~at\smost|the\sclock|without\stime exit=0
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static atomic_int done;
static int full;

static struct timespec in_a_millisecond(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

/* One round: whether the other thread is done. */
static int go_round(void)
{
    struct timespec t = in_a_millisecond();

#if ROUND == 1 /* a queue that gives up */
    int got;

    pthread_mutex_lock(&m);
    while (!full && pthread_cond_timedwait(&c, &m, &t) == 0)
        ;
    got = full;
    pthread_mutex_unlock(&m);
    return got;
#elif ROUND == 2 /* asleep until a moment */
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
    return done;
#elif ROUND == 3 /* a semaphore */
    return sem_timedwait(&sem, &t) == 0;
#elif ROUND == 4 /* a lock that the other one holds */
    if (pthread_mutex_timedlock(&m, &t) != 0)
        return 0;
    pthread_mutex_unlock(&m);
    return done;
#elif ROUND == 5 /* a flag, and a pause */
    usleep(1000);
    return done || t.tv_sec < 0;
#else            /* no pause at all */
    sched_yield();
    return done || t.tv_sec < 0;
#endif
}

static void *work(void *arg)
{
    usleep(2000);
    pthread_mutex_lock(&m);
    full = 1;
    done = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    sem_post(&sem);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    while (!go_round())
        ;
    pthread_join(t, NULL);
    return 0;
}
