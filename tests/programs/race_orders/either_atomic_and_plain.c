/* SPDX-License-Identifier: MIT */
/*
 * An atomic write and a plain read of the same variable.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=value
 * RUN -DFAILS plait test --detect +race -s pcb -n 1
 * EXPECT race confirmed=yes effect=failure
 */
#include <pthread.h>
#include <stdlib.h>

static int x;
static volatile int seen;

static void *one(void *unused)
{
    __atomic_store_n(&x, 3, __ATOMIC_RELEASE);
    return unused;
}

static void *two(void *unused)
{
    seen = x;
#ifdef FAILS
    if (seen == 3)
        abort();
#endif
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
