/* SPDX-License-Identifier: MIT */
/*
 * Whether the other thread has ended when a handler is registered, nobody can tell.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int flag;

static void be_silent(void)
{
}

static void *raise_flag(void *arg)
{
    flag = 1;
    return flag == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t thread;
    int seen;

    pthread_create(&thread, NULL, raise_flag, NULL);
    seen = flag;
    atexit(be_silent);
    pthread_join(thread, NULL);
    return seen > 1;
}
