/* SPDX-License-Identifier: MIT */
/*
 * A pipe is written and closed while two threads read: where a search tries a read that would have
 * to wait, what was planned for the sake of the step before it is explored all the same.
 *
 * RUN    plait test --hooks-only -s dpor
 * EXPECT clean complete classes=8
 *
 * RUN    plait test --hooks-only -s dpor:source
 * EXPECT clean complete classes=8
 *
 * RUN    plait test --hooks-only -s dfs
 * EXPECT clean complete classes=8
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

__attribute__((no_sanitize("thread"))) static int end(int which)
{
    return ends[which];
}

static void *writes(void *arg)
{
    return write(end(1), "a", 1) == 2 ? NULL : arg;
}

static void *reads(void *arg)
{
    char byte;

    return read(end(0), &byte, 1) == 2 ? NULL : arg;
}

int main(void)
{
    pthread_t threads[2];
    char byte;

    if (pipe(ends) != 0 || write(ends[1], "a", 1) != 1)
        return 2;
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, reads, NULL);
    if (read(end(0), &byte, 1) != 1)
        return 1;
    close(end(1));
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
