/* SPDX-License-Identifier: MIT */
/*
 * A pointer that is read before it is there: a crash in one order.
 *
 * RUN plait test --detect +race -s pcb -n 1
 * EXPECT race confirmed=yes effect=failure
 */
#include <pthread.h>

static int value;
static int *pointer = &value;

static void *one(void *unused)
{
    pointer = NULL;
    return unused;
}

static void *two(void *unused)
{
    *pointer = 1;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, two, NULL);
    pthread_create(&u, NULL, one, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
