/* SPDX-License-Identifier: MIT */
/*
 * pool: a pool of workers and the thread that gives them five tasks each.  All of them wait on one
 * monitor: workers for a task, the giver for the end of the last one.
 *
 * A task is counted after it has been put where workers take it from.  A worker that is done with
 * it before that finds nothing to subtract from, and the count stays too high for good: in the end
 * the giver and all workers wait on the monitor.
 *
 * Described in: Wang, Said, Gupta, "Coverage guided systematic concurrency testing", ICSE 2011, the
 * Thrift thread pool.
 *
 * BUG: the last task is done before the giver counts it
 * TYPE: deadlock
 * FINDS: deadlock
 * INPUTS: 2 4
 * SIZES: 2 3 4 5 6
 */
#include "guided.h"

#include <stdbool.h>

enum { EACH = 5, MOST = 16 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int waiting; /* tasks that nobody has taken */
    int left;    /* tasks that are not done */
    int idle;    /* workers that wait for a task */
    bool stop;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void count_task(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.left++;
    pthread_mutex_unlock(&pool.lock);
}

static void add_task(void)
{
#ifdef FIXED
    count_task();
#endif
    pthread_mutex_lock(&pool.lock);
    pool.waiting++;
    if (pool.idle > 0)
        pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
#ifndef FIXED
    count_task();
#endif
}

static bool take_task(void)
{
    bool taken;

    pthread_mutex_lock(&pool.lock);
    while (pool.waiting == 0 && !pool.stop) {
        pool.idle++;
        pthread_cond_wait(&pool.changed, &pool.lock);
        pool.idle--;
    }
    taken = pool.waiting > 0;
    if (taken)
        pool.waiting--;
    pthread_mutex_unlock(&pool.lock);
    return taken;
}

static void task_done(void)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.left > 0 && --pool.left == 0)
        pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *arg)
{
    (void)arg;
    while (take_task())
        task_done();
    return NULL;
}

static void finish(void)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.left > 0)
        pthread_cond_wait(&pool.changed, &pool.lock);
    pool.stop = true;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

int main(int argc, char **argv)
{
    int workers = size_given(argc, argv, 2, MOST);

    threads_start(workers, worker);
    for (int i = 0; i < EACH * workers; i++)
        add_task();
    finish();
    threads_join();
    return 0;
}
