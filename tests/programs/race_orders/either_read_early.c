/* SPDX-License-Identifier: MIT */
/*
 * The reader sees another value, and does nothing with it that could go wrong.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=value
 */
#include <pthread.h>

static int x;
static volatile int seen;

static void *one(void *unused)
{
    x = 5;
    return unused;
}

static void *two(void *unused)
{
    seen = x;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return seen == 6;
}
