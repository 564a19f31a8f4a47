/* SPDX-License-Identifier: MIT */
/*
 * A mutex is initialised anew while its owner has it: whether the owner finds it locked depends on
 * when.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dpor:source
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_init(&m, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    int found;

    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&m);
    found = pthread_mutex_trylock(&m);
    pthread_join(t, NULL);
    assert(found == EBUSY);
    return 0;
}
