/* SPDX-License-Identifier: MIT */
/*
 * file_transport: a transport that is suspended holds its own lock and asks the service to take it
 * off its list.  The service holds the lock of the list and asks each transport whether it is done.
 *
 * Described as: `filetransport` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: each has its lock and wants the other's
 * TYPE: deadlock
 * FINDS: deadlock
 * INPUTS: 1 2
 */
#include "guided.h"

static pthread_mutex_t service = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t transport = PTHREAD_MUTEX_INITIALIZER;
static int listed = 1;
static int done;

static void *suspend(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    pthread_mutex_lock(&service);
    pthread_mutex_lock(&transport);
#else
    pthread_mutex_lock(&transport);
    pthread_mutex_lock(&service);
#endif
    done = 1;
    listed = 0;
    pthread_mutex_unlock(&service);
    pthread_mutex_unlock(&transport);
    return NULL;
}

static void *process(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        tally();
        pthread_mutex_lock(&service);
        if (listed) {
            pthread_mutex_lock(&transport);
            listed = !done;
            pthread_mutex_unlock(&transport);
        }
        pthread_mutex_unlock(&service);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(suspend, 0);
    threads_start(size_given(argc, argv, 1, 16), process);
    threads_join();
    return 0;
}
