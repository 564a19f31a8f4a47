/* SPDX-License-Identifier: MIT */
/*
 * A pointer is tested and then used, and may become NULL in between.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT crash exit=1 message~SIGSEGV location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT crash exit=1
 */
#include <pthread.h>
#include <stddef.h>

static int value = 1;
static int *volatile pointer = &value;
static volatile int seen;

static void *clear(void *arg)
{
    pointer = NULL;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, clear, NULL);
    if (pointer != NULL)
        seen = *pointer; /* @bug */
    pthread_join(t, NULL);
    return 0;
}
