/* SPDX-License-Identifier: MIT */
/*
 * Keys: a value per thread, NULL at first, destructors in several rounds.
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
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_key_t counted, plain, deleted;
static atomic_int destroyed;

static void destroy(void *value)
{
    intptr_t left = (intptr_t)value;

    assert(pthread_getspecific(counted) == NULL);
    destroyed++;
    if (left > 1) /* a destructor may set the value again: another round */
        pthread_setspecific(counted, (void *)(left - 1));
}

static void never(void *value)
{
    (void)value;
    assert(!"a deleted key has no destructor");
}

static void *thread(void *arg)
{
    assert(pthread_getspecific(counted) == NULL && pthread_getspecific(plain) == NULL);
    assert(pthread_setspecific(counted, arg) == 0);
    assert(pthread_setspecific(plain, &plain) == 0);
    sched_yield();
    assert(pthread_getspecific(counted) == arg);
    assert(pthread_getspecific(plain) == &plain);
    return NULL;
}

int main(void)
{
    pthread_t t, u;

    assert(pthread_key_create(&counted, destroy) == 0);
    assert(pthread_key_create(&plain, NULL) == 0);
    assert(pthread_key_create(&deleted, never) == 0);
    assert(pthread_setspecific(deleted, &plain) == 0);
    assert(pthread_key_delete(deleted) == 0);
    assert(pthread_create(&t, NULL, thread, (void *)1) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(destroyed == 1);
    assert(pthread_create(&t, NULL, thread, (void *)2) == 0);
    assert(pthread_create(&u, NULL, thread, (void *)2) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_join(u, NULL) == 0);
    assert(destroyed == 1 + 2 + 2);
    return 0;
}
