/* SPDX-License-Identifier: MIT */
/*
 * A signal comes before a read.  Without it the read is as much a matter of what two others write
 * as ever, also where its handler comes first in the execution that shows this.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=12
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=12
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=12
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits, shared;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *writes(void *arg)
{
    shared = 2;
    return arg;
}

static void *reads(void *arg)
{
    return shared > 2 ? &shared : arg;
}

int main(void)
{
    pthread_t writer, reader;

    signal(SIGUSR1, hit);
    pthread_create(&writer, NULL, writes, NULL);
    pthread_create(&reader, NULL, reads, NULL);
    pthread_kill(reader, SIGUSR1);
    shared = 1;
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return hits > 1;
}
