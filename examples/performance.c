/* SPDX-License-Identifier: MIT */
/*
 * No bug, only work for the tester: `performance K N` starts K threads, each of which takes N locks
 * one after the other.  They share no data, so what matters is how many orders are not tried.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 64, LOCKS_MAX = 1024 };

static pthread_mutex_t locks[LOCKS_MAX];
static int n_locks;

static void *take_each(void *arg)
{
    for (int i = 0; i < n_locks; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MAX];
    int n_threads = argc == 3 ? atoi(argv[1]) : 0;

    n_locks = argc == 3 ? atoi(argv[2]) : 0;
    if (n_threads < 1 || n_threads > THREADS_MAX || n_locks < 1 || n_locks > LOCKS_MAX) {
        fprintf(stderr, "usage: performance THREADS LOCKS\n");
        return 2;
    }
    for (int i = 0; i < n_locks; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int i = 0; i < n_threads; i++)
        pthread_create(&threads[i], NULL, take_each, NULL);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
