/* SPDX-License-Identifier: MIT */
/*
 * C11 <threads.h>: create, join, detach, exit, current, equal, yield, sleep.
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
#include <time.h>

static atomic_int done;
static thrd_t self;

static int with_result(void *arg)
{
    self = thrd_current();
    return *(int *)arg;
}

static int with_exit(void *arg)
{
    thrd_yield();
    thrd_exit(*(int *)arg + 1);
}

static int detached(void *arg)
{
    (void)arg;
    done = 1;
    return 0;
}

int main(void)
{
    thrd_t t;
    int value = 41, result;

    assert(thrd_create(&t, with_result, &value) == thrd_success);
    assert(!thrd_equal(t, thrd_current()));
    assert(thrd_join(t, &result) == thrd_success && result == 41);
    assert(thrd_equal(t, self));
    assert(thrd_create(&t, with_exit, &value) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success && result == 42);
    assert(thrd_create(&t, detached, NULL) == thrd_success);
    assert(thrd_detach(t) == thrd_success);
    while (!done)
        assert(thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL) == 0);
    return 0;
}
