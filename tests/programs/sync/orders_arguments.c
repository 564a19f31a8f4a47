/* SPDX-License-Identifier: MIT */
/*
 * What functions that synchronise threads read and write besides their objects: how long to wait,
 * and where results go.  Each with a thread that uses that memory, in both orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=15
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=15
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <semaphore.h>
#include <threads.h>
#include <time.h>

static struct timespec until;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_t third;
static void *result;
static int number;

/* ---- how long to wait ---- */

static void is_over(void)
{
    until = (struct timespec){0};
}

static long spoil(void)
{
    until.tv_nsec = -1;
    return 0;
}

static long wait_locked(int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&own);
    int rc = wait(&cond, &own, &until);

    pthread_mutex_unlock(&own);
    return rc;
}

static int clockwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
    return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, t);
}

static void unlock_both(void)
{
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&rwlock);
}

static void locked(void)
{
    is_over();
    MUST(pthread_mutex_lock(&mutex) == 0 && pthread_rwlock_wrlock(&rwlock) == 0);
    after = unlock_both;
}

#define WAITS(function, before, call) ORDER(function, before, return call, return spoil())

WAITS(sem_timedwait, is_over(), said(sem_timedwait(&semaphore, &until)))
WAITS(sem_clockwait, is_over(), said(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until)))
WAITS(pthread_cond_timedwait, is_over(), wait_locked(pthread_cond_timedwait))
WAITS(pthread_cond_clockwait, is_over(), wait_locked(clockwait))
WAITS(pthread_mutex_timedlock, locked(), pthread_mutex_timedlock(&mutex, &until))
WAITS(pthread_mutex_clocklock, locked(), pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until))
WAITS(pthread_rwlock_timedrdlock, locked(), pthread_rwlock_timedrdlock(&rwlock, &until))
WAITS(pthread_rwlock_timedwrlock, locked(), pthread_rwlock_timedwrlock(&rwlock, &until))
WAITS(pthread_rwlock_clockrdlock, locked(),
      pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &until))
WAITS(pthread_rwlock_clockwrlock, locked(),
      pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &until))

/* ---- where results go ---- */

static void *give(void *arg)
{
    return arg;
}

static int give_number(void *arg)
{
    (void)arg;
    return 7;
}

static void have_third(void)
{
    result = NULL;
    MUST(pthread_create(&third, NULL, give, &until) == 0);
}

static void have_numbered(void)
{
    number = 0;
    MUST(thrd_create(&third, give_number, NULL) == thrd_success);
}

static long join_until(clockid_t clock)
{
    struct timespec later;

    clock_gettime(clock, &later);
    later.tv_sec += 100;
    return clock == CLOCK_REALTIME ? pthread_timedjoin_np(third, &result, &later)
                                   : pthread_clockjoin_np(third, &result, clock, &later);
}

static long try_until_joined(void)
{
    while (pthread_tryjoin_np(third, &result) == EBUSY)
        ;
    return 0;
}

static void join_third(void)
{
    thrd_join(third, NULL);
}

static void have_none(void)
{
    third = 0;
    after = join_third;
}

ORDER(pthread_timedjoin_np, have_third(), return join_until(CLOCK_REALTIME), return result != NULL)
ORDER(pthread_clockjoin_np, have_third(), return join_until(CLOCK_MONOTONIC), return result != NULL)
ORDER(pthread_tryjoin_np, have_third(), return try_until_joined(), return result != NULL)
ORDER(thrd_join, have_numbered(), return thrd_join(third, &number), return number)
ORDER(thrd_create, have_none(), return thrd_create(&third, give_number, NULL), return third != 0)

ORDERS(&order_sem_timedwait, &order_sem_clockwait, &order_pthread_cond_timedwait,
       &order_pthread_cond_clockwait, &order_pthread_mutex_timedlock,
       &order_pthread_mutex_clocklock, &order_pthread_rwlock_timedrdlock,
       &order_pthread_rwlock_timedwrlock, &order_pthread_rwlock_clockrdlock,
       &order_pthread_rwlock_clockwrlock, &order_pthread_timedjoin_np, &order_pthread_clockjoin_np,
       &order_pthread_tryjoin_np, &order_thrd_join, &order_thrd_create)
