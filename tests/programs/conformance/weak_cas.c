/* SPDX-License-Identifier: MIT */
/*
 * A weak compare-exchange may fail although the values agree; who does not try
 * again has a bug that shows only with --weak-cas.  With -DFIXED=1 it tries
 * again, which it need not do for ever.  With -DALONE=1 nobody else uses the memory.
 *
 * RUN    plait test -s random -n 500
 * EXPECT clean exit=0
 *
 * RUN    [gcc] plait test -s random -n 500 --weak-cas
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    [gcc] plait test -s dfs --weak-cas
 * EXPECT assertion exit=1
 *
 * RUN    [gcc] -DALONE=1 plait test -s dpor --weak-cas
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    -DFIXED=1 plait test -s random -n 500 --weak-cas
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs --weak-cas
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s dpor --weak-cas
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 -DALONE=1 plait test -s dpor --weak-cas
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int owner;

static void *thread(void *arg)
{
#ifdef ALONE
    int seen = 0;
#else
    int seen = owner;
#endif

    return seen > 1 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    bool mine;
    int nobody = 0;

    pthread_create(&t, NULL, thread, NULL);
    mine = atomic_compare_exchange_weak(&owner, &nobody, 1);
#ifdef FIXED
    while (!mine && nobody == 0)
        mine = atomic_compare_exchange_weak(&owner, &nobody, 1);
#endif
    assert(mine); /* @bug */
    pthread_join(t, NULL);
    return 0;
}
