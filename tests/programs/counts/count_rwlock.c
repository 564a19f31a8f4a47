/* SPDX-License-Identifier: MIT */
/*
 * Readers of an rwlock commute with each other, writers with nobody.
 *
 *  1 writer: each reader comes before or after it, 2^READERS classes (4 and 8).
 *  2 writers: two orders of these, and the reader at one of three places, 6 classes.
 *
 * RUN    -DREADERS=2 -DWRITERS=1 plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DREADERS=1 -DWRITERS=2 plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] -DREADERS=2 -DWRITERS=1 plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 *
 * RUN    [dpor] -DREADERS=3 -DWRITERS=1 plait test -s dpor --points all
 * EXPECT clean complete executions=8 classes=8
 *
 * RUN    [dpor] -DREADERS=1 -DWRITERS=2 plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int seen = value;

    pthread_rwlock_unlock(&lock);
    return seen > WRITERS ? &value : NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    threads_start(READERS, reader);
    threads_start(WRITERS, writer);
    return threads_join();
}
