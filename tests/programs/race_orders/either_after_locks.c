/* SPDX-License-Identifier: MIT */
/*
 * The accesses come after other things that the threads do with locks, which order nothing.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=value
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x, y, z; /* not static: what nobody reads would be left out */

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    y++;
    pthread_mutex_unlock(&a);
    x = 1;
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&b);
    z++;
    pthread_mutex_unlock(&b);
    x = 2;
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
