/* SPDX-License-Identifier: MIT */
/*
 * timer_thread: the thread of the timers looks whether it is to end, and waits for the next timer
 * if not.  Who ends it sets the flag and notifies, without the lock.
 *
 * Described as: `timerthread` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: flag and notification come between the look and the wait
 * TYPE: deadlock
 * FINDS: deadlock
 * INPUTS: 1 2
 */
#include "guided.h"

#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool end;
static int rounds;

static void *timers(void *arg)
{
    (void)arg;
    tally();
    pthread_mutex_lock(&lock);
    while (!end) {
        rounds++;
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *shut_down(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    end = true;
    pthread_cond_broadcast(&changed);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    threads_start(size_given(argc, argv, 1, 16), timers);
    thread_start(shut_down, 0);
    threads_join();
    return 0;
}
