/* SPDX-License-Identifier: MIT */
/*
 * readers(N): one thread writes x, N threads read it once each.  Reads commute, so all that counts
 * is which of them come before the write: 2^N classes.
 *
 * Described in: Abdulla, Aronsson, Jonsson, Sagonas, "Optimal dynamic partial order reduction"
 * (POPL 2014), where it separates algorithms that are optimal from those that are not.
 *
 * KIND: growing
 * CLASSES: 2=4 4=16 8=256 13=8192
 */
#include "threads.h"

#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    thread_start(writer, 0);
    threads_start(N, reader);
    threads_join();
    return 0;
}
