/* SPDX-License-Identifier: MIT */
/*
 * A thread that goes round until it is told to stop uses what was freed too early.  A search lets
 * it make three rounds in a row; the schedule that shows it is made simpler all the same.
 *
 * RUN    plait test -s dpor
 * EXPECT use-after-free exit=1 minimal=proven preemptions=1
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop;
static int *ticks;

static void *tick(void *arg)
{
    for (;;) {
        usleep(1000);
        pthread_mutex_lock(&lock);
        int told = stop;
        pthread_mutex_unlock(&lock);
        if (told)
            return arg;
        ticks[0]++;
    }
}

int main(void)
{
    pthread_t t;

    ticks = calloc(1, sizeof(*ticks));
    pthread_create(&t, NULL, tick, NULL);
    usleep(5000);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    free(ticks);
    return pthread_join(t, NULL);
}
