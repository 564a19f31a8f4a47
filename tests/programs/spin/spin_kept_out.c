/* SPDX-License-Identifier: MIT */
/*
 * Who wants the lock can go on at one place of a loop only.  That it is starved shows although it
 * is kept out at most moments at which somebody looks: the loop does not end by itself.
 *
 * RUN    plait test -s dpor -n 15
 * EXPECT clean incomplete classes=4 exit=0
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static volatile long rounds;

static void *work(void *arg)
{
    for (int done = 0; !done;) {
        pthread_mutex_lock(&lock);
        done = stop;
        rounds++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
