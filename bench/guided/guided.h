/* SPDX-License-Identifier: MIT */
/*
 * What the programs of this folder share and none of them is about: threads, the size that
 * stands on the command line, and a tally.  Every thread of a larger program passes some lock
 * that has nothing to do with the bug; tally() is that lock.
 */
#ifndef GUIDED_GUIDED_H
#define GUIDED_GUIDED_H

#include "../scoreboard/threads.h"

static struct {
    _Alignas(64) pthread_mutex_t lock;
    int n;
} tallied = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline void tally(void)
{
    pthread_mutex_lock(&tallied.lock);
    tallied.n++;
    pthread_mutex_unlock(&tallied.lock);
}

/* The first argument as a number from 1 to most; without one the usual. */
static inline int size_given(int argc, char **argv, int usual, int most)
{
    int n = argc > 1 ? atoi(argv[1]) : usual;

    return n < 1 ? 1 : n > most ? most : n;
}

#endif /* GUIDED_GUIDED_H */
