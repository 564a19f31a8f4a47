/* SPDX-License-Identifier: MIT */
/*
 * Functions of <threads.h>: each with one that depends on it, in both orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=20
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=20
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <stdbool.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t cond;
static once_flag flag;
static tss_t key;
static thrd_t third;
static int result;
static long value;

static struct timespec soon(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    t.tv_sec++;
    return t;
}

/* ---- mutexes ---- */

static void have_mutex(void)
{
    value = 0;
    MUST(mtx_init(&mutex, mtx_timed) == thrd_success);
}

static void see_mutex(void)
{
    mtx_t fresh;

    mtx_init(&fresh, mtx_timed);
    seen = memcmp(&fresh, &mutex, sizeof(fresh)) == 0;
}

static long count_in(int taken)
{
    if (taken != thrd_success)
        return -taken;
    long before = value++;

    mtx_unlock(&mutex);
    return before;
}

static long count_in_mutex(void)
{
    return count_in(mtx_lock(&mutex));
}

static long make_mutex(void)
{
    return mtx_init(&mutex, mtx_timed);
}

static long destroy_mutex(void)
{
    mtx_destroy(&mutex);
    return 0;
}

ORDER(mtx_lock, have_mutex(), return count_in_mutex(), return count_in_mutex())
ORDER(mtx_trylock, have_mutex(), return count_in(mtx_trylock(&mutex)), return count_in_mutex())
ORDER(mtx_timedlock, have_mutex(), struct timespec t = soon();
      return count_in(mtx_timedlock(&mutex, &t)), return count_in_mutex())
ORDER(mtx_unlock, have_mutex(), return count_in_mutex(), return count_in(mtx_trylock(&mutex)))
ORDER(mtx_init, have_mutex(); after = see_mutex, return make_mutex(), return destroy_mutex())
ORDER(mtx_destroy, have_mutex(); after = see_mutex, return destroy_mutex(), return make_mutex())

/* ---- conditions ---- */

static void have_cond(void)
{
    have_mutex();
    MUST(cnd_init(&cond) == thrd_success);
}

static void see_cond(void)
{
    cnd_t fresh;

    cnd_init(&fresh);
    seen = memcmp(&fresh, &cond, sizeof(fresh)) == 0;
}

static long wait_for_value(bool timed)
{
    struct timespec t = soon();
    long waits = 0;
    int rc = thrd_success;

    mtx_lock(&mutex);
    for (; value == 0 && rc == thrd_success; waits++)
        rc = timed ? cnd_timedwait(&cond, &mutex, &t) : cnd_wait(&cond, &mutex);
    mtx_unlock(&mutex);
    return waits + 10 * rc;
}

static long set_value(int (*wake)(cnd_t *))
{
    mtx_lock(&mutex);
    value = 1;
    mtx_unlock(&mutex);
    return wake(&cond);
}

static long destroy_cond(void)
{
    cnd_destroy(&cond);
    return 0;
}

ORDER(cnd_wait, have_cond(), return wait_for_value(false), return set_value(cnd_signal))
ORDER(cnd_timedwait, have_cond(), return wait_for_value(true), return set_value(cnd_signal))
ORDER(cnd_signal, have_cond(), return set_value(cnd_signal), return wait_for_value(false))
ORDER(cnd_broadcast, have_cond(), return set_value(cnd_broadcast), return wait_for_value(false))
ORDER(cnd_init, have_cond(); after = see_cond, return cnd_init(&cond), return destroy_cond())
ORDER(cnd_destroy, have_cond(); after = see_cond, return destroy_cond(), return cnd_init(&cond))

/* ---- once, keys ---- */

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
    call_once(&flag, set);
    return value;
}

static void have_key(void)
{
    MUST(tss_create(&key, NULL) == thrd_success);
}

static long create_key(void)
{
    tss_t created;

    MUST(tss_create(&created, NULL) == thrd_success);
    return (long)created;
}

static long keep(void)
{
    return tss_set(key, &value) != thrd_success ? 2 : tss_get(key) == NULL;
}

static long delete_key(void)
{
    tss_delete(key);
    return 0;
}

ORDER(call_once, flag = (once_flag)ONCE_FLAG_INIT, return run_once(set_to_one),
      return run_once(set_to_two))
ORDER(tss_create, ;, return create_key(), return create_key())
ORDER(tss_delete, have_key(), return delete_key(), return keep())
ORDER(tss_set, have_key(), return keep(), return delete_key())
ORDER(tss_get, have_key(), return keep(), return delete_key())

/* ---- threads ---- */

static int set_first(void *arg)
{
    (void)arg;
    value = 1;
    thrd_exit(7);
}

static void join_third(void)
{
    thrd_join(third, NULL);
}

static long create(void)
{
    value = 0;
    after = join_third;
    return thrd_create(&third, set_first, NULL);
}

static void start(void)
{
    value = result = 0;
    MUST(thrd_create(&third, set_first, NULL) == thrd_success);
}

ORDER(thrd_create, ;, return create(), return value)
ORDER(thrd_join, start(), thrd_join(third, &result); return result, result = 1; return value)
ORDER(thrd_exit, start(); after = join_third, return value, return 0)

ORDERS(&order_mtx_lock, &order_mtx_trylock, &order_mtx_timedlock, &order_mtx_unlock,
       &order_mtx_init, &order_mtx_destroy, &order_cnd_wait, &order_cnd_timedwait,
       &order_cnd_signal, &order_cnd_broadcast, &order_cnd_init, &order_cnd_destroy,
       &order_call_once, &order_tss_create, &order_tss_delete, &order_tss_set, &order_tss_get,
       &order_thrd_create, &order_thrd_join, &order_thrd_exit)
