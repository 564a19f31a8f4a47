/* SPDX-License-Identifier: MIT */
/*
 * The place is passed many times; the race is at the last visit only.
 *
 * RUN plait test --detect race -s random -n 1 --drive 2000
 * EXPECT race confirmed=yes effect=value
 */
#include <pthread.h>

enum { ROUNDS = 4 };

static int cells[ROUNDS + 1], shared;

static void write(int *to, int value)
{
    *to = value;
}

static void *one(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        write(i == ROUNDS - 1 ? &shared : &cells[i], i);
    return unused;
}

static void *two(void *unused)
{
    shared = 77;
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
