/* SPDX-License-Identifier: MIT */
/*
 * indexer(N): N threads insert four messages each into a hash table of 128 entries, with
 * compare-exchange and linear probing.  Below twelve threads no two of them meet in an entry.
 *
 * Described in: Flanagan, Godefroid, "Dynamic partial-order reduction for model checking software"
 * (POPL 2005), figure 1; the classes in Abdulla et al. (POPL 2014).
 *
 * KIND: growing
 * CLASSES: 11=1 12=8 13=64 15=4096
 */
#include "threads.h"

#include <stdatomic.h>

#ifndef N
#define N 12
#endif

enum { ENTRIES = 128, MESSAGES = 4 };

static atomic_int table[ENTRIES];

static void insert(int message)
{
    int entry = message * 7 % ENTRIES, none = 0;

    while (!atomic_compare_exchange_strong(&table[entry], &none, message)) {
        entry = (entry + 1) % ENTRIES;
        none = 0;
    }
}

static void *indexer(void *arg)
{
    for (int m = 1; m <= MESSAGES; m++)
        insert(11 * m + thread_number(arg));
    return NULL;
}

int main(void)
{
    threads_start(N, indexer);
    threads_join();
    return 0;
}
