/* SPDX-License-Identifier: MIT */
/*
 * C11 mutexes: plain, recursive, timed, with their results.
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
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static int counter;

static int thread(void *arg)
{
    struct timespec deadline;
    int rc;

    assert(mtx_lock(&plain) == thrd_success);
    counter++;
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_unlock(&plain) == thrd_success);

    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    counter++;
    for (int i = 0; i < 3; i++)
        assert(mtx_unlock(&recursive) == thrd_success);

    timespec_get(&deadline, TIME_UTC);
    deadline.tv_nsec = deadline.tv_nsec < 998000000 ? deadline.tv_nsec + 2000000 : 999999999;
    rc = mtx_timedlock(&timed, &deadline);
    assert(rc == (arg ? thrd_timedout : thrd_success));
    return 0;
}

int main(void)
{
    thrd_t t;
    int result;

    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_lock(&timed) == thrd_success);
    assert(thrd_create(&t, thread, &t) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success);
    assert(mtx_unlock(&timed) == thrd_success);
    thread(NULL);
    assert(mtx_unlock(&timed) == thrd_success);
    assert(counter == 4);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    mtx_destroy(&plain);
    return 0;
}
