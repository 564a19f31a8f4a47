/* SPDX-License-Identifier: MIT */
/*
 * A program with much memory that an execution touches little of.
 * usage: heap MEGABYTES
 * All of it is written before the threads start; they write to ten pages.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, PAGES_EACH = 5 };

static atomic_int ended; /* without a choice one execution would be all there is */
static char *memory;
static size_t size;

static void *touch(void *arg)
{
    size_t step = size / (THREADS * PAGES_EACH);
    char *at = memory + (size_t)arg * PAGES_EACH * step;

    for (int i = 0; i < PAGES_EACH; i++, at += step)
        (*at)++;
    ended++;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];

    size = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1) << 20;
    memory = malloc(size);
    if (!memory)
        return 1;
    memset(memory, 1, size);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, touch, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
