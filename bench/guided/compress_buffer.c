/* SPDX-License-Identifier: MIT */
/*
 * compress_buffer: a parallel compressor.  Consumers take numbers of blocks from a counter under a
 * lock and put what they have compressed into a table.  The writer looks into the table until the
 * next block is there, and writes it.  Nothing protects the table, and a consumer enters where the
 * data are before it enters how long they are.
 *
 * Described in: Wang, Said, Gupta, "Coverage guided systematic concurrency testing", ICSE 2011,
 * pbzip2 with its first bug fixed: outputbuff[].buf and .bufsize.
 *
 * BUG: the writer looks between the two stores of a consumer and writes a block without a length
 * TYPE: race
 * FINDS: exit
 * INPUTS: 2 3
 */
#include "guided.h"

#include <sched.h>
#include <stdatomic.h>

enum { BLOCKS = 4, LENGTH = 100, MOST = 16 };

static struct {
    _Atomic(const char *) data;
    atomic_int length;
} table[BLOCKS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_block;
static const char compressed[LENGTH];
static int bytes_written;

static int take(void)
{
    pthread_mutex_lock(&lock);
    int block = next_block < BLOCKS ? next_block++ : -1;
    pthread_mutex_unlock(&lock);
    return block;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (int i = take(); i >= 0; i = take()) {
#ifdef FIXED
        table[i].length = LENGTH;
        table[i].data = compressed;
#else
        table[i].data = compressed;
        table[i].length = LENGTH;
#endif
        tally();
    }
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    for (int i = 0; i < BLOCKS; i++) {
        while (!table[i].data)
            sched_yield();
        bytes_written += table[i].length;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(writer, 0);
    threads_start(size_given(argc, argv, 2, MOST), consumer);
    threads_join();
    return bytes_written == BLOCKS * LENGTH ? 0 : 1;
}
