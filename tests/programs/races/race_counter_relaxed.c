/* SPDX-License-Identifier: MIT */
/*
 * A relaxed counter that is read as a plain number after the joins.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int count;

static void *work(void *arg)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    both(work, work);
    return *(int *)&count != 2;
}
