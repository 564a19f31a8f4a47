/* SPDX-License-Identifier: MIT */
/*
 * A pipe from before the first thread: two writers, each of which closes its own descriptor, and a
 * reader that reads to the end.  The end comes in every execution, whoever closes last; with
 * -DFORGETS one descriptor stays open and the reader waits for ever.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s random -n 30 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    -DFORGETS=1 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#ifndef FORGETS
#define FORGETS 0
#endif

static int ends[2], others;

static void *work(void *arg)
{
    int to = *(int *)arg;

    assert(write(to, "x", 1) == 1);
    close(to);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    char c;
    int n = 0;

    assert(pipe(ends) == 0);
    others = dup(ends[1]);
    int extra = FORGETS ? dup(ends[1]) : -1;

    pthread_create(&first, NULL, work, &ends[1]);
    pthread_create(&second, NULL, work, &others);
    while (read(ends[0], &c, 1) == 1)
        n++;
    assert(n == 2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    close(extra);
    return 0;
}
