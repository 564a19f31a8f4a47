/* SPDX-License-Identifier: MIT */
/*
 * open_stream: who opens a stream holds the lock of the cache and waits until the worker has opened
 * the file.  The worker cleans the cache from time to time, between two files.
 *
 * Described as: `openinputstr` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: the worker cleans while somebody waits for it with the lock of the cache
 * TYPE: deadlock
 * FINDS: deadlock
 * INPUTS: 1 2
 */
#include "guided.h"

#include <stdbool.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool opened;
static int entries = 1;

static void await_worker(void)
{
    pthread_mutex_lock(&lock);
    while (!opened)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *open_stream(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    await_worker();
    pthread_mutex_lock(&cache);
#else
    pthread_mutex_lock(&cache);
    await_worker();
#endif
    entries++;
    pthread_mutex_unlock(&cache);
    return NULL;
}

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&cache);
    entries = 0;
    pthread_mutex_unlock(&cache);
    tally();
    pthread_mutex_lock(&lock);
    opened = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(work, 0);
    threads_start(size_given(argc, argv, 1, 16), open_stream);
    threads_join();
    return 0;
}
