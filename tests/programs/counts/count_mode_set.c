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
 *
 * The other way round: who was told not to wait waits all the same, if the mode changes before it
 * has looked.
 *
 * RUN    -DBACK plait test -s dpor -k
 * EXPECT deadlock complete
 *
 * RUN    -DBACK plait test -s dfs -k
 * EXPECT deadlock complete
 */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], others[2];

static void *reads(void *arg)
{
    char byte;

#ifdef BACK
    dup2(ends[0], others[0]);
#else
    fcntl(others[0], F_SETFL, 0);
#endif
    return read(ends[0], &byte, 1) == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t thread;

    if (pipe(ends) < 0 || pipe(others) < 0)
        return 1;
#ifdef BACK
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#endif
    pthread_create(&thread, NULL, reads, NULL);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#ifdef BACK
    fcntl(ends[0], F_SETFL, 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
