/* SPDX-License-Identifier: MIT */
/*
 * A program that takes long before its threads start.
 * usage: setup STEPS
 * Steps, and no clock: under plait a clock shows no time that has passed.
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned value;

/* Registers only, so that hooks do not count. */
static unsigned prepare(unsigned long steps)
{
    unsigned state = 1;

    while (steps-- > 0)
        state = state * 1664525u + 1013904223u;
    return state;
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[2];

    value = prepare(argc > 1 ? strtoul(argv[1], NULL, 10) : 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
