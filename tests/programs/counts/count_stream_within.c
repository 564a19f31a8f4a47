/* SPDX-License-Identifier: MIT */
/*
 * Whoever waits for input waits for any output; but not for a stream that somebody locks whose it
 * is already, or gives back and keeps.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s hapset:then=dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 */
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static FILE *file;

static void *looks(void *arg)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};

    flockfile(file);
    funlockfile(file);
    return poll(&p, 1, -1) == 1 ? arg : &ends;
}

int main(void)
{
    pthread_t thread;
    void *failed;

    file = tmpfile();
    if (file == NULL || pipe(ends) != 0 || write(ends[1], "a", 1) != 1)
        return 2;
    pthread_create(&thread, NULL, looks, NULL);
    flockfile(file);
    flockfile(file);
    funlockfile(file);
    funlockfile(file);
    pthread_join(thread, &failed);
    return failed != NULL;
}
