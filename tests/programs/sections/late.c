/* SPDX-License-Identifier: MIT */
/*
 * The part to be explored comes late: after a costly set-up with threads of its
 * own, one of which is still there, and before a long end.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion message~stock location~@bug
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 plait test -s random -n 200
 * EXPECT clean
 *
 * RUN    -DFIXED=1 -DBUYERS=1 plait test -s dfs --restart fork
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 -DBUYERS=1 plait test -s dpor --restart exec
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 -DBUYERS=1 plait test -s random -n 100 --carrier thread
 * EXPECT clean
 *
 * RUN    -DFIXED=1 plait test -s dfs -j 2
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <plait.h>

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif
#ifndef BUYERS
#define BUYERS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static int wishes, stock, prepared;

static void *prepare(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    prepared++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Waits from before plait_begin() until somebody wishes. */
static void *supply(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (wishes == 0)
            pthread_cond_wait(&wanted, &lock);
        wishes--;
        stock++;
    }
    return NULL;
}

static void *buy(void *arg)
{
    int seen;

    (void)arg;
    pthread_mutex_lock(&lock);
    wishes++;
    pthread_cond_signal(&wanted);
    seen = stock;
    pthread_mutex_unlock(&lock);
    if (!FIXED)
        plait_assert(stock == seen || seen == 0); /* @bug */
    return NULL;
}

int main(void)
{
    pthread_t t[3], supplier;

    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 3; i++)
            assert(pthread_create(&t[i], NULL, prepare, NULL) == 0);
        for (int i = 0; i < 3; i++)
            assert(pthread_join(t[i], NULL) == 0);
    }
    assert(prepared == 60);
    assert(pthread_create(&supplier, NULL, supply, NULL) == 0);

    plait_begin();
    assert(stock == 0 && wishes == 0 && prepared == 60);
    prepared = 0;
    for (int i = 0; i < BUYERS; i++)
        assert(pthread_create(&t[i], NULL, buy, NULL) == 0);
    for (int i = 0; i < BUYERS; i++)
        assert(pthread_join(t[i], NULL) == 0);
    plait_end();

    /* Natively only. */
    assert(!plait_active());
    return 0;
}
