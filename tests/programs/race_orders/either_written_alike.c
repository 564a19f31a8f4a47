/* SPDX-License-Identifier: MIT */
/*
 * Both write the same: whoever comes last, nothing changes.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=none tries=10
 */
#include <pthread.h>

int x; /* not static: what nobody reads would be left out */

static void *one(void *unused)
{
    x = 7;
    return unused;
}

static void *two(void *unused)
{
    x = 7;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
