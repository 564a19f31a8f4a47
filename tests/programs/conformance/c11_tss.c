/* SPDX-License-Identifier: MIT */
/*
 * C11 thread-specific storage with destructors, and call_once.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static atomic_int made, destroyed;

static void destroy(void *value)
{
    destroyed += *(int *)value;
}

static void make(void)
{
    made++;
    assert(tss_create(&key, destroy) == thrd_success);
}

static int thread(void *arg)
{
    call_once(&once, make);
    assert(tss_get(key) == NULL);
    assert(tss_set(key, arg) == thrd_success);
    thrd_yield();
    assert(tss_get(key) == arg);
    return 0;
}

int main(void)
{
    int one = 1, two = 2;
    thrd_t t, u;

    assert(thrd_create(&t, thread, &one) == thrd_success);
    assert(thrd_create(&u, thread, &two) == thrd_success);
    assert(thrd_join(t, NULL) == thrd_success);
    assert(thrd_join(u, NULL) == thrd_success);
    assert(made == 1);
    assert(destroyed == 3);
    tss_delete(key);
    return 0;
}
