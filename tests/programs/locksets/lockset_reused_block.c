/* SPDX-License-Identifier: MIT */
/*
 * Memory that is given back and allocated again begins anew, whoever had it before.
 * Giving it back is not an access: locks are not asked for.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use(void)
{
    volatile int *block = malloc(24);

    block[0] = 1;
    block[5] = 2;
    free((void *)block);
}

static void *work(void *arg)
{
    /* One after the other: the allocator gives the second one what the first gave back. */
    pthread_mutex_lock(&lock);
    use();
    pthread_mutex_unlock(&lock);
    use();
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
