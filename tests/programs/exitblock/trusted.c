/* SPDX-License-Identifier: MIT */
/*
 * Two threads add something up under a lock and keep a journal, which has a lock of its own.  The
 * journal is right, and is said to be: no block ends in it, so that its lock exits multiply
 * nothing. Of three blocks in each thread two are left, or one if all of the file is trusted.
 *
 * RUN    [exitblock] plait test -s exitblock:plain
 * EXPECT clean complete paths=20 finished=20
 *
 * RUN    [exitblock] plait test -s exitblock:plain --trust write_down
 * EXPECT clean complete paths=6 finished=6 ended~complete.if.what.is.trusted.is.right
 *
 * RUN    [exitblock] plait test -s exitblock:plain --trust trusted.c
 * EXPECT clean complete paths=2 finished=2
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include "begin.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, journal = PTHREAD_MUTEX_INITIALIZER;
static int sum, entries;

static __attribute__((noinline)) void write_down(void)
{
    pthread_mutex_lock(&journal);
    entries++;
    pthread_mutex_unlock(&journal);
}

static void *add(void *arg)
{
    write_down();
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    write_down();
    return arg;
}

int main(void)
{
    RUN_ALL(add, add);
    return sum != 2 || entries != 4;
}
