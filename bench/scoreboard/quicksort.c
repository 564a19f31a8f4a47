/* SPDX-License-Identifier: MIT */
/*
 * quicksort, multi-threaded: a pool of workers that hand the left part of what they sort to
 * whoever is idle.  A worker waits, under its own lock, until its state says work; the one who
 * hands it work sets that state under the lock of the pool and takes the worker's lock only then.
 *
 * Described in: the benchmarks of Inspect, qsort_mt, after Spinellis' parallel qsort(3).
 *
 * BUG: the worker sees that there is work before it is told which, sorts what it was given last,
 * and is idle again when its work arrives: that part stays as it is
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 1
 * ORDER: @state before @wait and @wait before @told
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { ELEMENTS = 32, FORK = 3, WORKERS = 3 };
enum { IDLE, WORK, END };

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_int state, from, n;
};

static atomic_int element[ELEMENTS];
static struct worker pool[WORKERS];
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static int idle = WORKERS - 1; /* the first one has all the work at first */

/* An idle worker, which now has work, with its lock held; NULL when all are busy. */
static struct worker *allocate(void)
{
    struct worker *found = NULL;

    pthread_mutex_lock(&pool_lock);
    for (int i = 0; i < WORKERS && found == NULL; i++) {
        if (atomic_load(&pool[i].state) != IDLE)
            continue;
        found = &pool[i];
        idle--;
#ifdef FIXED
        pthread_mutex_lock(&found->lock);
        atomic_store(&found->state, WORK);
#else
        atomic_store(&found->state, WORK); /* @state */
        pthread_mutex_lock(&found->lock);  /* @told */
#endif
    }
    pthread_mutex_unlock(&pool_lock);
    return found;
}

static void exchange(int i, int j)
{
    int kept = atomic_load(&element[i]);

    atomic_store(&element[i], atomic_load(&element[j]));
    atomic_store(&element[j], kept);
}

/* Smaller ones first; returns the place of the middle one. */
static int partition(int from, int n)
{
    int pivot = atomic_load(&element[from + n - 1]), next = from;

    for (int i = from; i < from + n - 1; i++) {
        if (atomic_load(&element[i]) < pivot)
            exchange(i, next++);
    }
    exchange(next, from + n - 1);
    return next;
}

static void sort(int from, int n);

/* Leave a part to another worker, or do it now. */
static void hand_out(int from, int n)
{
    struct worker *w = n > FORK ? allocate() : NULL;

    if (w == NULL) {
        sort(from, n);
        return;
    }
    atomic_store(&w->from, from);
    atomic_store(&w->n, n);
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void sort(int from, int n)
{
    while (n > 1) {
        int middle = partition(from, n);

        hand_out(from, middle - from);
        n = from + n - (middle + 1);
        from = middle + 1;
    }
}

static void end_all(void)
{
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_lock(&pool[i].lock);
        atomic_store(&pool[i].state, END);
        pthread_cond_signal(&pool[i].changed);
        pthread_mutex_unlock(&pool[i].lock);
    }
}

/* Done with a part.  The last one to be so ends everybody. */
static void become_idle(struct worker *w)
{
    pthread_mutex_lock(&pool_lock);
    atomic_store(&w->state, IDLE);
    if (++idle == WORKERS)
        end_all();
    pthread_mutex_unlock(&pool_lock);
}

static void *work(void *arg)
{
    struct worker *w = &pool[thread_number(arg)];

    for (;;) {
        pthread_mutex_lock(&w->lock); /* @wait */
        while (atomic_load(&w->state) == IDLE)
            pthread_cond_wait(&w->changed, &w->lock);
        int state = atomic_load(&w->state);

        pthread_mutex_unlock(&w->lock);
        if (state == END)
            return NULL;
        sort(atomic_load(&w->from), atomic_load(&w->n));
        become_idle(w);
    }
}

int main(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        element[i] = (i * 7 + 3) % ELEMENTS;
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_init(&pool[i].lock, NULL);
        pthread_cond_init(&pool[i].changed, NULL);
    }
    pool[0].state = WORK;
    pool[0].n = ELEMENTS;
    threads_start(WORKERS, work);
    threads_join();
    for (int i = 0; i < ELEMENTS; i++)
        assert(element[i] == i);
    return 0;
}
