/* SPDX-License-Identifier: MIT */
/*
 * One thread fills a message, the other copies it, by functions of libc that take a word at a time:
 * the copy can be half new.  -DHOW=1 moves it within itself first.
 *
 * The copy of N words has one of two orders in each of them, and every combination of these can
 * come about: 2^N classes.  An execution shows that the message is shared, another one that a copy
 * and a fill may meet, and both times the search starts over.
 *
 * RUN    -DN=8 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DN=8 plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DN=8 -DHOW=1 plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DN=2000 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DN=2 -DANY plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DN=3 -DANY plait test -s dfs
 * EXPECT clean complete classes=8
 *
 * RUN    [dpor] -DN=3 -DANY plait test -s dpor
 * EXPECT clean complete executions=10 classes=8
 *
 * RUN    [dpor] -DN=4 -DANY plait test -s dpor --points all
 * EXPECT clean complete classes=16
 *
 * RUN    -DN=2 -DANY -DODD=3 plait test -s dfs
 * EXPECT clean complete classes=8
 *
 * RUN    -DN=8 -DLOCKED plait test -s dfs
 * EXPECT clean complete executions=18 classes=2
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif
#ifndef ODD
#define ODD 0
#endif
enum { SIZE = N * 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) char message[SIZE + 8 + ODD], copy[SIZE];
static char *volatile target = copy;
static volatile size_t size = SIZE;

static void enter(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *fill(void *arg)
{
    enter();
    memset(message + ODD, 1, size);
    leave();
    return arg;
}

static void *take(void *arg)
{
    enter();
#if HOW == 0
    memcpy(target, message + ODD, size);
#else
    memmove(message + ODD + 8, message + ODD, size);
    memmove(target, message + ODD + 8, size);
#endif
    leave();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    (void)lock;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifndef ANY
    assert(copy[0] == copy[SIZE - 1]);
#endif
    return 0;
}
