/* SPDX-License-Identifier: MIT */
/*
 * The status is what exit() was called with, also in executions that begin at a checkpoint in the
 * middle of exit handlers, and when the last thread to end is not the first one.
 *
 * RUN    plait test -s dfs --checkpoints always
 * EXPECT clean complete
 *
 * RUN    [dpor] plait test -s dpor --checkpoints always
 * EXPECT clean complete
 *
 * RUN    plait test -s dfs --checkpoints always --expect-exit=7 -- 7
 * EXPECT clean complete
 *
 * RUN    -DQUICK plait test -s dfs --checkpoints always --expect-exit=7 -- 7
 * EXPECT clean complete
 *
 * RUN    -DLEAVE plait test -s dfs --checkpoints always
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
}

static void *run(void *arg)
{
    add();
    return arg;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t;

#ifdef QUICK
    at_quick_exit(add);
#else
    atexit(add);
#endif
    pthread_create(&t, NULL, run, NULL);
#ifdef LEAVE
    pthread_exit(NULL);
#endif
#ifdef QUICK
    quick_exit(status);
#endif
    exit(status);
}
