/* SPDX-License-Identifier: MIT */
/*
 * download: workers fetch a segment of a file each, in two pieces, and add what they have written
 * to a counter, under a lock.  A progress thread shows the counter.  When it starts it adds what an
 * earlier download has left, without the lock: a piece that arrives meanwhile is forgotten.
 *
 * Described in: Wang, Said, Gupta, "Coverage guided systematic concurrency testing", ICSE 2011,
 * aget and its bwritten.
 *
 * BUG: a worker adds between the progress thread's read of the counter and its write
 * TYPE: race
 * FINDS: assertion
 * INPUTS: 2 5
 * SIZES: 2 3 4 5 6 7 8 9 10
 */
#include "guided.h"

#include <assert.h>
#include <stdatomic.h>

enum { PIECES = 2, PIECE = 512, EARLIER = 4096, MOST = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int written;

static void add(int bytes)
{
    pthread_mutex_lock(&lock);
    int before = written;
    written = before + bytes;
    pthread_mutex_unlock(&lock);
}

static void *fetch(void *arg)
{
    (void)arg;
    for (int i = 0; i < PIECES; i++)
        add(PIECE);
    return NULL;
}

static void *progress(void *arg)
{
    (void)arg;
#ifdef FIXED
    add(EARLIER);
#else
    int before = written;
    written = before + EARLIER;
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    int workers = size_given(argc, argv, 2, MOST);

    thread_start(progress, 0);
    threads_start(workers, fetch);
    threads_join();
    assert(written == EARLIER + workers * PIECES * PIECE);
    return 0;
}
