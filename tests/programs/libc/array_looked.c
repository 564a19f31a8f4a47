/* SPDX-License-Identifier: MIT */
/*
 * lsearch() looks for a key, then puts it behind the last element, and then counts it.  Two threads
 * that look for the same key may both put it there, or count one for two; with -DTWO they look for
 * different ones, and one may overwrite the other's.  -DLOCKED: one after the other.
 * -DFOUND: lfind() finds what is put there while it is at the element before.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DTWO plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED -DTWO plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFOUND plait test -s dpor --outputs
 * EXPECT clean complete outputs=not,there
 *
 * RUN    -DFOUND plait test -s dfs --outputs
 * EXPECT clean complete outputs=not,there
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>

#ifdef TWO
#define KEYS 2
#else
#define KEYS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int keys[] = {1, KEYS}, array[4];
static size_t count;

static int compare(const void *a, const void *b)
{
    return *(const int *)a != *(const int *)b;
}

static void *look(void *key)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    lsearch(key, array, &count, sizeof(*array), compare);
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return key;
}

/* The number is looked at again behind each element. */
static void *grow(void *arg)
{
    array[1] = 2;
    *(volatile size_t *)&count = 2;
    return arg;
}

int main(void)
{
    pthread_t thread;

    (void)mutex;
#ifdef FOUND
    int key = 2;

    (void)look;
    array[0] = keys[0];
    count = 1;
    pthread_create(&thread, NULL, grow, NULL);
    printf("%s\n", lfind(&key, array, &count, sizeof(*array), compare) != NULL ? "there" : "not");
    pthread_join(thread, NULL);
#else
    (void)grow;
    pthread_create(&thread, NULL, look, &keys[0]);
    look(&keys[1]);
    pthread_join(thread, NULL);
    assert(count == KEYS && array[0] + array[1] == (KEYS == 2 ? 3 : 1));
#endif
    return 0;
}
