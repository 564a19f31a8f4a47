/* SPDX-License-Identifier: MIT */
/*
 * A lock is tried in a loop, with and (-DYIELD=1) without handing over the
 * processor.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DYIELD=1 plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DYIELD=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg)
{
    while (pthread_mutex_trylock(&lock) != 0) {
#ifdef YIELD
        sched_yield();
#endif
    }
    counter++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
