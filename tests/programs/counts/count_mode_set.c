/* SPDX-License-Identifier: MIT */
/*
 * One thread says that nobody waits at a pipe, the other reads from it: whoever has begun by then
 * waits for ever.  What it did before that has nothing to do with it.
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    plait test -s dfs -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    plait test -s exitblock -k
 * EXPECT deadlock
 */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], others[2];

static void *reads(void *arg)
{
    char byte;

    fcntl(others[0], F_SETFL, 0);
    return read(ends[0], &byte, 1) == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t thread;

    if (pipe(ends) < 0 || pipe(others) < 0)
        return 1;
    pthread_create(&thread, NULL, reads, NULL);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pthread_join(thread, NULL);
    return 0;
}
