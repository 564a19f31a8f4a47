/* SPDX-License-Identifier: MIT */
/*
 * log_rotation: a statement is logged if the log is open.  Another thread rotates the log: it
 * closes the file and opens a new one.  For a moment the log looks switched off although it is not.
 *
 * Described in: Lu, Park, Seo, Zhou, "Learning from mistakes", ASPLOS 2008, and as `mysqllog` in
 * Wang, Said, Gupta, ICSE 2011 (MySQL).
 *
 * BUG: a statement comes between close and open and is not logged
 * TYPE: atomicity
 * FINDS: assertion
 * INPUTS: 2 3
 */
#include "guided.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { STATEMENTS = 2, MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool open_log = true;
static int logged;

static void write_entry(void)
{
    pthread_mutex_lock(&lock);
    if (open_log)
        logged++;
    pthread_mutex_unlock(&lock);
}

static void *client(void *arg)
{
    (void)arg;
    for (int i = 0; i < STATEMENTS; i++) {
        tally();
        write_entry();
    }
    return NULL;
}

static void close_file(void)
{
    open_log = false;
}

static void open_file(void)
{
    open_log = true;
}

static void *rotate(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    pthread_mutex_lock(&lock);
    close_file();
    open_file();
    pthread_mutex_unlock(&lock);
#else
    close_file();
    open_file();
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    int clients = size_given(argc, argv, 2, MOST);

    thread_start(rotate, 0);
    threads_start(clients, client);
    threads_join();
    assert(logged == clients * STATEMENTS);
    return 0;
}
