/* SPDX-License-Identifier: MIT */
/*
 * C11 condition variables: signal, broadcast, timed wait.
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
#include <stdbool.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static int turn;

static void wait_for(int mine, bool all)
{
    assert(mtx_lock(&lock) == thrd_success);
    while (turn != mine)
        assert(cnd_wait(&changed, &lock) == thrd_success);
    turn++;
    assert((all ? cnd_broadcast(&changed) : cnd_signal(&changed)) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
}

static int other(void *arg)
{
    (void)arg;
    wait_for(1, false);
    return 0;
}

int main(void)
{
    struct timespec deadline;
    thrd_t t;

    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(mtx_lock(&lock) == thrd_success);
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_nsec = deadline.tv_nsec < 998000000 ? deadline.tv_nsec + 2000000 : 999999999;
    assert(cnd_timedwait(&changed, &lock, &deadline) == thrd_timedout);
    assert(mtx_unlock(&lock) == thrd_success);
    assert(thrd_create(&t, other, NULL) == thrd_success);
    wait_for(0, true);
    wait_for(2, false);
    assert(thrd_join(t, NULL) == thrd_success);
    assert(turn == 3);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
