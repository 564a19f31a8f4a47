/* SPDX-License-Identifier: MIT */
/*
 * Threads that merely note the time, five times each: the orders of 15 stamps would be 756,756, so
 * only the first two of each thread are ordered: 6!/(2! 2! 2!) = 90 classes, and the search does
 * not claim to be complete.  Seconds are the same for all: nothing is to be ordered.  Nor is it if
 * only one looks, also where samples see each look as a point.
 *
 * RUN    plait test -s dpor -- fine
 * EXPECT clean incomplete classes=90 exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=1 exit=0
 *
 * RUN    plait test -- alone
 * EXPECT clean complete classes=1 exit=0
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static bool alone;

static void *note(void *arg)
{
    for (volatile int i = 0; i < 5; i++) {
        struct timespec now = {0};

        if (arg != NULL)
            clock_gettime(CLOCK_MONOTONIC, &now);
        else if (!alone)
            time(NULL);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[3];

    bool fine = argc > 1 && strcmp(argv[1], "fine") == 0;

    alone = argc > 1 && strcmp(argv[1], "alone") == 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, note, fine || (alone && i == 0) ? &t[i] : NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
