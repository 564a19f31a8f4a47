/* SPDX-License-Identifier: MIT */
/* See becomes.c: this is what its children become. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "becomes.h"

#ifndef FIXED
#define FIXED 0
#endif

static void *add(void *shared)
{
    struct shared *s = shared;

    for (int i = 0; i < TIMES; i++) {
        if (FIXED)
            pthread_mutex_lock(&s->lock);
        s->total = s->total + 1;
        if (FIXED)
            pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;

    assert(argc == 3 && getenv("LD_PRELOAD") == NULL && getenv("PLAIT_BOARD") == NULL);
    struct shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);

    assert(s != MAP_FAILED);
    pthread_create(&other, NULL, add, s);
    add(s);
    pthread_join(other, NULL);
    return write(atoi(argv[2]), "x", 1) == 1 ? 0 : 1;
}
