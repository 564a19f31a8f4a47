/* SPDX-License-Identifier: MIT */
/*
 * A thread ends with a robust mutex for which another waits, in a program that may make a child.
 * The mutex is its own, whatever the child does; with -DSHARED it is one that processes share.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DSHARED plait test -s dpor
 * EXPECT clean incomplete
 *
 * RUN    -DSHARED -DLEFT plait test -s dpor
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex;

static void *end(void *none)
{
    pthread_mutex_lock(&mutex);
    return none;
}

static void *follow(void *none)
{
    int first = pthread_mutex_lock(&mutex);

    assert(first == 0 || first == EOWNERDEAD);
#ifndef LEFT
    if (first == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
#endif
    pthread_mutex_unlock(&mutex);
    if (first == EOWNERDEAD) {
        assert(pthread_mutex_lock(&mutex) == 0);
        pthread_mutex_unlock(&mutex);
    }
    return none;
}

int main(int argc, char **argv)
{
    pthread_mutexattr_t attributes;
    pthread_t threads[2];

    (void)argv;
    if (argc > 1 && fork() == 0)
        _exit(0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#ifdef SHARED
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#endif
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&threads[0], NULL, end, NULL);
    pthread_create(&threads[1], NULL, follow, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
