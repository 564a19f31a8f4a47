/* SPDX-License-Identifier: MIT */
/*
 * Functions that cut a text into tokens read it first and write the end of the token then: what
 * another thread writes there in between is lost.  -DLOCKED: nobody comes.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@lost
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@lost
 *
 * RUN    -DCUT='strtok_r(text, " ", &rest)' plait test -s dpor
 * EXPECT assertion location~@lost
 *
 * RUN    -DCUT='strsep(&rest, " ")' plait test -s dpor
 * EXPECT assertion location~@lost
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED -DCUT='strsep(&rest, " ")' plait test -s dpor
 * EXPECT clean complete
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef CUT
#define CUT strtok(text, " ")
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[] = "a b", *rest = text;

static void lock(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

static void *join(void *arg)
{
    lock();
    text[1] = '-';
    unlock();
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, join, NULL);
    lock();
    char *token = CUT;
    unlock();
    pthread_join(thread, NULL);
    assert(token == text && text[1] == '-'); /* @lost */
    (void)mutex;
    (void)rest;
    return 0;
}
