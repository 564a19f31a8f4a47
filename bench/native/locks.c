/* SPDX-License-Identifier: MIT */
/* Critical sections of a few instructions: two threads, a lock each, and one they share. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, SECTIONS = 100000, SHARED_EVERY = 64 };

struct account {
    pthread_mutex_t lock;
    long balance;
    char apart[128]; /* no two accounts in one cache line */
};

static struct account own[THREADS], common;
static long rounds = 1;

static void add(struct account *to, long amount)
{
    pthread_mutex_lock(&to->lock);
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
}

static void *work(void *arg)
{
    for (long i = 0; i < rounds * SECTIONS; i++)
        add(i % SHARED_EVERY == 0 ? &common : arg, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    if (argc > 1)
        rounds = atol(argv[1]);
    pthread_mutex_init(&common.lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_init(&own[i].lock, NULL);
        pthread_create(&threads[i], NULL, work, &own[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", own[0].balance + own[1].balance + common.balance);
    return 0;
}
