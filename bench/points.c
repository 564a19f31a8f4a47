/* SPDX-License-Identifier: MIT */
/*
 * Two threads with as many points as wanted; each could go on at each of them.
 * usage: points lock|atomic|plain ROUNDS
 * The difference between two numbers of rounds is what the points cost.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_long word;
static long value;
static char kind;
static long rounds;

static void step(void)
{
    switch (kind) {
    case 'l':
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        break;
    case 'a':
        atomic_fetch_add(&word, 1);
        break;
    default:
        value++;
    }
}

static void *work(void *arg)
{
    value++; /* shared from the first execution on, whatever the kind */
    for (long i = 0; i < rounds; i++)
        step();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[2];

    if (argc != 3)
        return 2;
    kind = argv[1][0];
    rounds = atol(argv[2]);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
