/* SPDX-License-Identifier: MIT */
/*
 * A thread tries to get a lock until it does, and may always come when the other has it.  With
 * -DFIXED=1 it tries three times and then waits for it.
 *
 * RUN    plait test -s random -n 500 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DFIXED=1 plait test -s random -n 200 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>
#include <sched.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *user(void *arg)
{
    for (int i = 0; i < 60; i++) {
        pthread_mutex_lock(&m);
        value++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *trier(void *arg)
{
    for (int i = 0; i < 60; i++) {
        int tries = 0;

        while (pthread_mutex_trylock(&m) != 0) { /* @wanted */
            if (FIXED && ++tries == 3) {
                pthread_mutex_lock(&m);
                break;
            }
            sched_yield(); /* @wanted */
        }
        value++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, user, NULL);
    pthread_create(&t[1], NULL, trier, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
