/* SPDX-License-Identifier: MIT */
/*
 * A signal comes to a thread that reads from a pipe.  It may be sent before another one writes
 * there, and taken while the thread waits, or when it could go on.  Whoever writes has nothing to
 * do with that: the thread may have read, and ended, before the signal is sent.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=4 outputs=1,0
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=4 outputs=1,0
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=4
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int hits;
static int ends[2];

static void hit(int signal)
{
    (void)signal;
    atomic_fetch_add(&hits, 1);
}

static void *reads(void *arg)
{
    char byte;

    assert(read(ends[0], &byte, 1) == 1);
    return arg;
}

static void *writes(void *arg)
{
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit, .sa_flags = SA_RESTART};
    pthread_t reader, writer;

    sigaction(SIGUSR1, &action, NULL);
    assert(pipe(ends) == 0);
    pthread_create(&reader, NULL, reads, NULL);
    pthread_create(&writer, NULL, writes, NULL);
    pthread_kill(reader, SIGUSR1);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    printf("%d\n", hits);
    return 0;
}
