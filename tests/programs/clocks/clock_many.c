/* SPDX-License-Identifier: MIT */
/*
 * Threads that merely note the time, five times each: the orders of 15 stamps would be 756,756, so
 * only the first two of each thread are ordered: 6!/(2! 2! 2!) = 90 classes, and the search does
 * not claim to be complete.  Seconds are the same for all: nothing is to be ordered.
 *
 * RUN    plait test -s dpor -- fine
 * EXPECT clean incomplete classes=90 exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=1 exit=0
 */
#include <pthread.h>
#include <time.h>

static int fine;

static void *note(void *arg)
{
    for (volatile int i = 0; i < 5; i++) {
        struct timespec now = {0};

        if (fine)
            clock_gettime(CLOCK_MONOTONIC, &now);
        else
            time(NULL);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[3];

    (void)argv;
    fine = argc > 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, note, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
