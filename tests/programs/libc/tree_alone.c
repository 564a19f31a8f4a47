/* SPDX-License-Identifier: MIT */
/*
 * tsearch() goes through a tree that only libc knows, in one step as far as a search can tell: two
 * threads that call it at the same time may lose an entry, so the search says that it is not about
 * that; so it is with the tables of hsearch() and random_r().  -DLOCKED: they do not.  Two that
 * only look may do so.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~tsearch
 *
 * RUN    plait test -s dfs
 * EXPECT clean incomplete ended~tsearch
 *
 * RUN    -DSECOND='tfind(key, &root, compare)' plait test -s dpor
 * EXPECT clean incomplete ended~tsearch|tfind
 *
 * RUN    -DSECOND='tdelete(key, &root, compare)' plait test -s dpor
 * EXPECT clean incomplete ended~tsearch|tdelete
 *
 * RUN    -DFIRST='tfind(key, &root, compare)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFIRST='hsearch((ENTRY){key, 0}, ENTER)' plait test -s dpor
 * EXPECT clean incomplete ended~hsearch
 *
 * RUN    -DFIRST='hsearch((ENTRY){key, 0}, FIND)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFIRST='search(key, ENTER)' plait test -s dpor
 * EXPECT clean incomplete ended~hsearch_r
 *
 * RUN    -DFIRST='search(key, FIND)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFIRST='draw(key)' plait test -s dpor
 * EXPECT clean incomplete ended~random_r
 *
 * RUN    -DFIRST='draw(key)' -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *root;
static struct hsearch_data table;
static struct random_data numbers;
static char state[32];

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

__attribute__((unused)) static int search(char *key, ACTION what)
{
    ENTRY *found;

    return hsearch_r((ENTRY){key, NULL}, what, &found, &table);
}

__attribute__((unused)) static int draw(const char *key)
{
    int32_t number = *key;

    return random_r(&numbers, &number);
}

#ifndef FIRST
#define FIRST tsearch(key, &root, compare)
#endif
#ifndef SECOND
#define SECOND FIRST
#endif
#ifdef LOCKED
#define ALONE(call) (pthread_mutex_lock(&mutex), call, pthread_mutex_unlock(&mutex))
#else
#define ALONE(call) ((void)(call))
#endif

static void *first(void *key)
{
    ALONE(FIRST);
    return NULL;
}

static void second(void *key)
{
    ALONE(SECOND);
}

int main(void)
{
    static char one[] = "one", two[] = "two";
    pthread_t thread;

    (void)mutex;
    hcreate(8);
    hcreate_r(8, &table);
    initstate_r(1, state, sizeof(state), &numbers);
    tsearch("three", &root, compare);
    pthread_create(&thread, NULL, first, one);
    second(two);
    pthread_join(thread, NULL);
    return 0;
}
