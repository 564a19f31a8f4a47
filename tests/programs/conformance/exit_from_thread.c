/* SPDX-License-Identifier: MIT */
/*
 * exit() from a thread runs the atexit handlers in reverse order and flushes
 * what was printed, while main waits.
 *
 * OUTPUT begun
 * OUTPUT second
 * OUTPUT first
 *
 * RUN    plait test -s random -n 200 --expect-exit=7 --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200 --expect-exit=7 --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread --expect-exit=7 --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=7
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void first(void)
{
    puts("first");
}

static void second(void)
{
    puts("second");
}

static void *thread(void *arg)
{
    printf("begun\n");
    exit(7);
    return arg;
}

int main(void)
{
    pthread_t t;

    atexit(first);
    atexit(second);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 1;
}
