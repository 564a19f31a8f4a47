/* SPDX-License-Identifier: MIT */
/*
 * A lock made of an atomic_flag.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
int data;

static void *work(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    data = 1;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return arg;
}

int main(void)
{
    return both(work, work);
}
