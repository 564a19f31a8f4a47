/* SPDX-License-Identifier: MIT */
/*
 * scan: workers scan the files whose names main puts into a queue.  A worker that finds the queue
 * closed and empty counts itself out.  Main sets the number of workers after it has closed the
 * queue: who counted himself out before is counted as working for ever, and main waits for ever.
 *
 * Described in: Wang, Said, Gupta, "Coverage guided systematic concurrency testing", ICSE 2011,
 * pfscan and its aworkers.
 *
 * BUG: a worker counts itself out before main has set the count
 * TYPE: order
 * FINDS: deadlock
 * INPUTS: 2 3
 */
#include "guided.h"

#include <stdbool.h>

enum { FILES = 5, MOST = 16 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int files;
    bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int workers;
    int matches;
} active = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool next_file(void)
{
    bool any;

    pthread_mutex_lock(&queue.lock);
    while (queue.files == 0 && !queue.closed)
        pthread_cond_wait(&queue.changed, &queue.lock);
    any = queue.files > 0;
    if (any)
        queue.files--;
    pthread_mutex_unlock(&queue.lock);
    return any;
}

static void *worker(void *arg)
{
    (void)arg;
    while (next_file()) {
        pthread_mutex_lock(&active.lock);
        active.matches++;
        pthread_mutex_unlock(&active.lock);
    }
    pthread_mutex_lock(&active.lock);
    active.workers--;
    pthread_cond_signal(&active.changed);
    pthread_mutex_unlock(&active.lock);
    return NULL;
}

static void put_files(void)
{
    for (int i = 0; i < FILES; i++) {
        pthread_mutex_lock(&queue.lock);
        queue.files++;
        pthread_cond_signal(&queue.changed);
        pthread_mutex_unlock(&queue.lock);
    }
    pthread_mutex_lock(&queue.lock);
    queue.closed = true;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}

static void set_workers(int n)
{
    pthread_mutex_lock(&active.lock);
    active.workers = n;
    pthread_mutex_unlock(&active.lock);
}

static void await_workers(void)
{
    pthread_mutex_lock(&active.lock);
    while (active.workers > 0)
        pthread_cond_wait(&active.changed, &active.lock);
    pthread_mutex_unlock(&active.lock);
}

int main(int argc, char **argv)
{
    int workers = size_given(argc, argv, 3, MOST);

#ifdef FIXED
    set_workers(workers);
#endif
    threads_start(workers, worker);
    put_files();
#ifndef FIXED
    set_workers(workers);
#endif
    await_workers();
    threads_join();
    return active.matches == FILES ? 0 : 1;
}
