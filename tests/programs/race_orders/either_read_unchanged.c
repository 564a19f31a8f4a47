/* SPDX-License-Identifier: MIT */
/*
 * What is written is what was there already: the reader sees the same either way.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=none
 */
#include <pthread.h>

static int flag = 1;
static volatile int seen;

static void *one(void *unused)
{
    flag = 1;
    return unused;
}

static void *two(void *unused)
{
    seen = flag;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return seen - 1;
}
