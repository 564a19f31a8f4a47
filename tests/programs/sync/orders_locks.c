/* SPDX-License-Identifier: MIT */
/*
 * Functions of <pthread.h>, locks and what is like them: each with one that depends on it, in both
 * orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=41
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=41
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once;
static pthread_key_t key;
static long value;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_sec++;
    return t;
}

/* ---- mutexes ---- */

static void have_mutex(void)
{
    value = 0;
    pthread_mutex_init(&mutex, NULL);
}

static void *end_with_mutex(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

static void have_abandoned(void)
{
    pthread_mutexattr_t attr;
    pthread_t owner;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attr);
    pthread_create(&owner, NULL, end_with_mutex, NULL);
    pthread_join(owner, NULL);
}

static void have_ceiling(void)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 5);
    MUST(pthread_mutex_init(&mutex, &attr) == 0);
}

/* What was done to the value before; or why it could not be looked at. */
static long count_in(int taken)
{
    long before = value++;

    return taken != 0 ? -taken : (pthread_mutex_unlock(&mutex), before);
}

static long count_in_mutex(void)
{
    return count_in(pthread_mutex_lock(&mutex));
}

static long try_mutex(void)
{
    int rc = pthread_mutex_trylock(&mutex);

    if (rc == 0)
        pthread_mutex_unlock(&mutex);
    return rc;
}

static long make_consistent(void)
{
    int rc = pthread_mutex_lock(&mutex);

    if (rc == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    return rc;
}

static long make_mutex(void)
{
    return pthread_mutex_init(&mutex, NULL);
}

static void see_mutex(void)
{
    pthread_mutex_t fresh;

    pthread_mutex_init(&fresh, NULL);
    seen = memcmp(&fresh, &mutex, sizeof(fresh)) == 0;
}

static long ceiling(void)
{
    int now = 0;

    MUST(pthread_mutex_getprioceiling(&mutex, &now) == 0);
    return now;
}

static long raise_ceiling(void)
{
    int before = 0;
    int rc = pthread_mutex_setprioceiling(&mutex, 7, &before);

    return rc != 0 ? -rc : before;
}

ORDER(pthread_mutex_lock, have_mutex(), return count_in_mutex(), return count_in_mutex())
ORDER(pthread_mutex_unlock, have_mutex(), return count_in_mutex(), return try_mutex())
ORDER(pthread_mutex_trylock, have_mutex(), return try_mutex(), return count_in_mutex())
ORDER(pthread_mutex_timedlock, have_mutex(), struct timespec t = soon(CLOCK_REALTIME);
      return count_in(pthread_mutex_timedlock(&mutex, &t)), return count_in_mutex())
ORDER(pthread_mutex_clocklock, have_mutex(), struct timespec t = soon(CLOCK_MONOTONIC);
      return count_in(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &t)),
             return count_in_mutex())
ORDER(pthread_mutex_consistent, have_abandoned(), return make_consistent(),
      return make_consistent())
ORDER(pthread_mutex_init, have_mutex();
      after = see_mutex, return make_mutex(), return pthread_mutex_destroy(&mutex))
ORDER(pthread_mutex_destroy, have_mutex();
      after = see_mutex, return pthread_mutex_destroy(&mutex), return make_mutex())
ORDER(pthread_mutex_getprioceiling, have_ceiling(), return ceiling(), return raise_ceiling())
ORDER(pthread_mutex_setprioceiling, have_ceiling(), return raise_ceiling(), return ceiling())

/* ---- conditions ---- */

static void have_cond(void)
{
    have_mutex();
    pthread_cond_init(&cond, NULL);
}

static void see_cond(void)
{
    pthread_cond_t fresh;

    pthread_cond_init(&fresh, NULL);
    seen = memcmp(&fresh, &cond, sizeof(fresh)) == 0;
}

/* How often it waited. */
static long wait_for_value(int how)
{
    struct timespec t = soon(how == 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    long waits = 0;
    int rc = 0;

    pthread_mutex_lock(&mutex);
    for (; value == 0 && rc == 0; waits++) {
        if (how == 0)
            rc = pthread_cond_wait(&cond, &mutex);
        else if (how == 1)
            rc = pthread_cond_timedwait(&cond, &mutex, &t);
        else
            rc = pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &t);
    }
    pthread_mutex_unlock(&mutex);
    return waits + 10 * rc;
}

static long set_value(int (*wake)(pthread_cond_t *))
{
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_mutex_unlock(&mutex);
    return wake(&cond);
}

ORDER(pthread_cond_wait, have_cond(), return wait_for_value(0),
      return set_value(pthread_cond_signal))
ORDER(pthread_cond_timedwait, have_cond(), return wait_for_value(1),
      return set_value(pthread_cond_signal))
ORDER(pthread_cond_clockwait, have_cond(), return wait_for_value(2),
      return set_value(pthread_cond_signal))
ORDER(pthread_cond_signal, have_cond(), return set_value(pthread_cond_signal),
      return wait_for_value(0))
ORDER(pthread_cond_broadcast, have_cond(), return set_value(pthread_cond_broadcast),
      return wait_for_value(0))
ORDER(pthread_cond_init, have_cond();
      after = see_cond, return pthread_cond_init(&cond, NULL), return pthread_cond_destroy(&cond))
ORDER(pthread_cond_destroy, have_cond();
      after = see_cond, return pthread_cond_destroy(&cond), return pthread_cond_init(&cond, NULL))

/* ---- rwlocks ---- */

static void have_rwlock(void)
{
    value = 0;
    pthread_rwlock_init(&rwlock, NULL);
}

static void see_rwlock(void)
{
    pthread_rwlock_t fresh;

    pthread_rwlock_init(&fresh, NULL);
    seen = memcmp(&fresh, &rwlock, sizeof(fresh)) == 0;
}

static long count_once(int taken)
{
    long before = value;

    if (taken != 0)
        return -taken;
    value++;
    pthread_rwlock_unlock(&rwlock);
    return before;
}

static long look_locked(int taken)
{
    long now = value;

    return taken != 0 ? -taken : (pthread_rwlock_unlock(&rwlock), now);
}

static long count_in_rwlock(void)
{
    return count_once(pthread_rwlock_wrlock(&rwlock));
}

static long look_in_rwlock(void)
{
    return look_locked(pthread_rwlock_rdlock(&rwlock));
}

ORDER(pthread_rwlock_rdlock, have_rwlock(), return look_in_rwlock(), return count_in_rwlock())
ORDER(pthread_rwlock_wrlock, have_rwlock(), return count_in_rwlock(), return look_in_rwlock())
ORDER(pthread_rwlock_tryrdlock, have_rwlock(),
      return look_locked(pthread_rwlock_tryrdlock(&rwlock)), return count_in_rwlock())
ORDER(pthread_rwlock_trywrlock, have_rwlock(), return count_once(pthread_rwlock_trywrlock(&rwlock)),
      return look_in_rwlock())
ORDER(pthread_rwlock_timedrdlock, have_rwlock(), struct timespec t = soon(CLOCK_REALTIME);
      return look_locked(pthread_rwlock_timedrdlock(&rwlock, &t)), return count_in_rwlock())
ORDER(pthread_rwlock_timedwrlock, have_rwlock(), struct timespec t = soon(CLOCK_REALTIME);
      return count_once(pthread_rwlock_timedwrlock(&rwlock, &t)), return look_in_rwlock())
ORDER(pthread_rwlock_clockrdlock, have_rwlock(), struct timespec t = soon(CLOCK_MONOTONIC);
      return look_locked(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &t)),
             return count_in_rwlock())
ORDER(pthread_rwlock_clockwrlock, have_rwlock(), struct timespec t = soon(CLOCK_MONOTONIC);
      return count_once(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &t)),
             return look_in_rwlock())
ORDER(pthread_rwlock_unlock, have_rwlock(), return look_in_rwlock(),
      return count_once(pthread_rwlock_trywrlock(&rwlock)))
ORDER(pthread_rwlock_init, have_rwlock(); after = see_rwlock,
                                          return pthread_rwlock_init(&rwlock, NULL),
                                          return pthread_rwlock_destroy(&rwlock))
ORDER(pthread_rwlock_destroy, have_rwlock(); after = see_rwlock,
                                             return pthread_rwlock_destroy(&rwlock),
                                             return pthread_rwlock_init(&rwlock, NULL))

/* ---- spin locks, barriers, once ---- */

static void have_spin(void)
{
    value = 0;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
}

static void see_spin(void)
{
    pthread_spinlock_t fresh;

    pthread_spin_init(&fresh, PTHREAD_PROCESS_PRIVATE);
    seen = fresh == spin;
}

static long count_in_spin(int taken)
{
    if (taken != 0)
        return -taken;
    long before = value++;

    pthread_spin_unlock(&spin);
    return before;
}

static void have_barrier(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
}

static void see_barrier(void)
{
    pthread_barrier_t fresh;

    pthread_barrier_init(&fresh, NULL, 2);
    seen = memcmp(&fresh, &barrier, sizeof(fresh)) == 0;
}

static void set_to_one(void)
{
    value = 1;
}

static void set_to_two(void)
{
    value = 2;
}

static long run_once(void (*set)(void))
{
    pthread_once(&once, set);
    return value;
}

ORDER(pthread_spin_lock, have_spin(), return count_in_spin(pthread_spin_lock(&spin)),
      return count_in_spin(pthread_spin_lock(&spin)))
ORDER(pthread_spin_trylock, have_spin(), return count_in_spin(pthread_spin_trylock(&spin)),
      return count_in_spin(pthread_spin_lock(&spin)))
ORDER(pthread_spin_unlock, have_spin(), return count_in_spin(pthread_spin_lock(&spin)),
      return count_in_spin(pthread_spin_trylock(&spin)))
ORDER(pthread_spin_init, have_spin(); MUST(pthread_spin_lock(&spin) == 0),
                                      return pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE),
                                      return count_in_spin(pthread_spin_trylock(&spin)))
ORDER(pthread_spin_destroy, have_spin(); after = see_spin, return pthread_spin_destroy(&spin),
                                         return pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE))
ORDER(pthread_barrier_wait, have_barrier(), return pthread_barrier_wait(&barrier),
      return pthread_barrier_wait(&barrier))
ORDER(pthread_barrier_init, have_barrier(); after = see_barrier,
                                            return pthread_barrier_init(&barrier, NULL, 2),
                                            return pthread_barrier_destroy(&barrier))
ORDER(pthread_barrier_destroy, have_barrier(); after = see_barrier,
                                               return pthread_barrier_destroy(&barrier),
                                               return pthread_barrier_init(&barrier, NULL, 2))
ORDER(pthread_once, once = PTHREAD_ONCE_INIT, return run_once(set_to_one),
      return run_once(set_to_two))

/* ---- keys ---- */

static void have_key(void)
{
    MUST(pthread_key_create(&key, NULL) == 0);
}

static long create_key(void)
{
    pthread_key_t created;

    MUST(pthread_key_create(&created, NULL) == 0);
    return (long)created;
}

static long keep(void)
{
    int rc = pthread_setspecific(key, &value);

    return rc != 0 ? rc : pthread_getspecific(key) == NULL;
}

ORDER(pthread_key_create, ;, return create_key(), return create_key())
ORDER(pthread_key_delete, have_key(), return pthread_key_delete(key), return keep())
ORDER(pthread_setspecific, have_key(), return keep(), return pthread_key_delete(key))
ORDER(pthread_getspecific, have_key(), return keep(), return pthread_key_delete(key))

ORDERS(&order_pthread_mutex_lock, &order_pthread_mutex_unlock, &order_pthread_mutex_trylock,
       &order_pthread_mutex_timedlock, &order_pthread_mutex_clocklock,
       &order_pthread_mutex_consistent, &order_pthread_mutex_init, &order_pthread_mutex_destroy,
       &order_pthread_mutex_getprioceiling, &order_pthread_mutex_setprioceiling,
       &order_pthread_cond_wait, &order_pthread_cond_timedwait, &order_pthread_cond_clockwait,
       &order_pthread_cond_signal, &order_pthread_cond_broadcast, &order_pthread_cond_init,
       &order_pthread_cond_destroy, &order_pthread_rwlock_rdlock, &order_pthread_rwlock_wrlock,
       &order_pthread_rwlock_tryrdlock, &order_pthread_rwlock_trywrlock,
       &order_pthread_rwlock_timedrdlock, &order_pthread_rwlock_timedwrlock,
       &order_pthread_rwlock_clockrdlock, &order_pthread_rwlock_clockwrlock,
       &order_pthread_rwlock_unlock, &order_pthread_rwlock_init, &order_pthread_rwlock_destroy,
       &order_pthread_spin_lock, &order_pthread_spin_trylock, &order_pthread_spin_unlock,
       &order_pthread_spin_init, &order_pthread_spin_destroy, &order_pthread_barrier_wait,
       &order_pthread_barrier_init, &order_pthread_barrier_destroy, &order_pthread_once,
       &order_pthread_key_create, &order_pthread_key_delete, &order_pthread_setspecific,
       &order_pthread_getspecific)
