/* SPDX-License-Identifier: MIT */
/*
 * pthread spin locks exclude, and tell who tries.
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
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *add(void *arg)
{
    assert(pthread_spin_lock(&lock) == 0);
    counter++;
    assert(pthread_spin_trylock(&lock) == EBUSY);
    assert(pthread_spin_unlock(&lock) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_create(&t, NULL, add, NULL) == 0);
    add(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(counter == 2);
    assert(pthread_spin_trylock(&lock) == 0);
    assert(pthread_spin_unlock(&lock) == 0);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
