/* SPDX-License-Identifier: MIT */
/*
 * Two additions whose results nobody uses still differ in what they order: only when the
 * release came first does the acquire know of it.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int count;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    atomic_fetch_add_explicit(&count, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_acquire);
    return seen(arg, data); /* @here */
}

int main(void)
{
    return both(writer, reader);
}
