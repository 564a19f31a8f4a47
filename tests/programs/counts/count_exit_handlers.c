/* SPDX-License-Identifier: MIT */
/*
 * A handler is registered while another thread ends the process: before that begins, while the
 * handler that is there already runs, which is no other than behind it, or never.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3 executions=3
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void speak(void)
{
    puts("first");
}

static void be_silent(void)
{
}

static void *end(void *arg)
{
    exit(0);
    return arg;
}

int main(void)
{
    pthread_t thread;

    atexit(speak);
    pthread_create(&thread, NULL, end, NULL);
    atexit(be_silent);
    pthread_join(thread, NULL);
    return 0;
}
