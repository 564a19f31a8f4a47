/* SPDX-License-Identifier: MIT */
/*
 * read_write: a reader starts an operation, notes that it is under way, and waits for the note to
 * go away.  The callback that ends the operation takes the note away, which may be before the
 * reader has made it.
 *
 * Described in: Lu, Park, Seo, Zhou, "Learning from mistakes", ASPLOS 2008, and as `readwriteproc`
 * in Wang, Said, Gupta, ICSE 2011 (Mozilla, io_pending).
 *
 * BUG: the callback comes before the note
 * TYPE: order
 * FINDS: deadlock
 * INPUTS: 1 2
 */
#include "guided.h"

#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool started, pending;

static void start(void)
{
    pthread_mutex_lock(&lock);
    started = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void note(bool state)
{
    pthread_mutex_lock(&lock);
    pending = state;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void await(const bool *what, bool wanted)
{
    pthread_mutex_lock(&lock);
    while (*what != wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    note(true);
    start();
#else
    start();
    note(true);
#endif
    await(&pending, false);
    return NULL;
}

static void *callback(void *arg)
{
    await(&started, true);
    for (int i = 0; i < thread_number(arg); i++)
        tally();
    note(false);
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(reader, 0);
    thread_start(callback, size_given(argc, argv, 1, 16));
    threads_join();
    return 0;
}
