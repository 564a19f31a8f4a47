/* SPDX-License-Identifier: MIT */
/*
 * References are taken relaxed and dropped with acquire and release: who drops the last one
 * may free.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it knows nothing that atomic operations order
 */
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count = 1;
static int *item;

static void drop(void)
{
    if (atomic_fetch_sub_explicit(&count, 1, memory_order_acq_rel) == 1)
        free(item);
}

static void *work(void *arg)
{
    int value = *item;

    drop();
    return seen(arg, value);
}

int main(void)
{
    pthread_t t[2];

    item = calloc(1, sizeof(*item));
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
        pthread_create(&t[i], NULL, work, NULL);
    }
    drop();
    pthread_join(t[0], NULL);
    return pthread_join(t[1], NULL);
}
