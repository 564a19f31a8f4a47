/* SPDX-License-Identifier: MIT */
/*
 * main() calls exit() while a thread makes another and waits for it.  Nobody can tell how far they
 * have come: one class.  With SEEN what the second thread does is seen by a handler: not at all,
 * before or behind it.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=1
 *
 * RUN    -DSEEN plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    -DSEEN plait test -s dpor
 * EXPECT clean complete classes=3
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void *second(void *arg)
{
#ifdef SEEN
    atomic_fetch_add(&done, 1);
#endif
    return arg;
}

static void *first(void *arg)
{
    pthread_t t;

    pthread_create(&t, NULL, second, NULL);
    pthread_join(t, NULL);
    return arg;
}

static void handler(void)
{
    (void)atomic_load(&done);
}

int main(void)
{
    pthread_t t;

    atexit(handler);
    pthread_create(&t, NULL, first, NULL);
    exit(0);
}
