/* SPDX-License-Identifier: MIT */
/*
 * What every program of the scoreboard does and no program is about: start
 * threads, wait for all of them.  Only main calls it, so nothing in it is shared.
 */
#ifndef SCOREBOARD_THREADS_H
#define SCOREBOARD_THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS_MAX 128

/* Apart from the program's variables: plait tells shared memory from private by pieces of 8 bytes.
 */
static struct {
    _Alignas(64) pthread_t started[THREADS_MAX];
    int n;
} threads;

/* The number that a thread was started with. */
static inline int thread_number(void *arg)
{
    return (int)(intptr_t)arg;
}

static inline void thread_start(void *(*body)(void *), int number)
{
    pthread_t *t = &threads.started[threads.n];

    if (threads.n == THREADS_MAX || pthread_create(t, NULL, body, (void *)(intptr_t)number) != 0)
        abort();
    threads.n++;
}

/* Threads that differ in nothing but their numbers, from 0. */
static inline void threads_start(int n, void *(*body)(void *))
{
    for (int i = 0; i < n; i++)
        thread_start(body, i);
}

/* Wait for all; returns how many of them returned something else than NULL. */
static inline int threads_join(void)
{
    int n = 0;

    while (threads.n > 0) {
        void *result = NULL;

        pthread_join(threads.started[--threads.n], &result);
        n += result != NULL;
    }
    return n;
}

#endif /* SCOREBOARD_THREADS_H */
