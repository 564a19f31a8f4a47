/* SPDX-License-Identifier: MIT */
/*
 * lastzero(N): an array a[0..N] of zeros.  One thread looks for the last zero, from a[N] down;
 * thread i of 1..N sets a[i] to a[i-1] + 1.  What the search reads depends on what it has read.
 *
 * Described in: Abdulla, Aronsson, Jonsson, Sagonas, "Optimal dynamic partial order reduction"
 * (POPL 2014), figure 4.
 *
 * KIND: growing
 * CLASSES: 3=12 5=64 10=3328 15=147456
 */
#include "threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int a[N + 1];

static void *search(void *arg)
{
    int i = N;

    (void)arg;
    while (atomic_load(&a[i]) != 0)
        i--;
    return NULL;
}

static void *setter(void *arg)
{
    int i = thread_number(arg) + 1;

    atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
    return NULL;
}

int main(void)
{
    thread_start(search, 0);
    threads_start(N, setter);
    threads_join();
    return 0;
}
