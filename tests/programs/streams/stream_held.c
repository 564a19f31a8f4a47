/* SPDX-License-Identifier: MIT */
/*
 * While main ends the process, a thread uses a stream that it has locked: it does not wait for
 * itself, and may come as far as its last operation before the exit handler looks at that.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=2
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=2
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete orders=2
 *
 * The same with a mutex that is locked twice.
 *
 * RUN    -DMUTEX=1 plait test -s dfs --outputs
 * EXPECT clean complete orders=2
 *
 * RUN    -DMUTEX=1 plait test -s dpor --outputs
 * EXPECT clean complete orders=2
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef MUTEX
#define MUTEX 0
#endif

static _Alignas(64) atomic_int first;
static _Alignas(64) atomic_int last;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static FILE *file;

static void look(void)
{
    char text[16];
    int begun = first, n = sprintf(text, "%d %d\n", begun, last);

    if (write(1, text, (size_t)n) != n)
        abort();
}

static void *use(void *arg)
{
    first++;
    if (MUTEX) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_unlock(&mutex);
    } else {
        flockfile(file);
        putc_unlocked('x', file);
        funlockfile(file);
    }
    last++;
    return arg;
}

int main(void)
{
    pthread_t other;

    file = tmpfile();
    atexit(look);
    pthread_create(&other, NULL, use, NULL);
    if (MUTEX) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    } else {
        fflush(file);
    }
    exit(0);
}
