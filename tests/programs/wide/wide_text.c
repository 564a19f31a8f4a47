/* SPDX-License-Identifier: MIT */
/*
 * A text is written by one function of libc and read by another: -DWRITE=0 strcpy, 1 strncpy, 2
 * snprintf, 3 read from a pipe, 4 strcat; -DREAD=0 strcmp, 1 memcmp, 2 strdup, 3 strchr, 4 strcpy.
 * Neither is one step, so what is read can be half old and half new.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITE=1 -DREAD=1 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITE=2 -DREAD=2 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITE=3 -DREAD=4 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITE=4 -DREAD=4 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITE=4 -DREAD=3 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DLOCKED plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WRITE
#define WRITE 0
#endif
#ifndef READ
#define READ 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) char text[32] = "aaaaaaaaaaaaaaaaaaaaaaa";
static const char *volatile old = "aaaaaaaaaaaaaaaaaaaaaaa";
static const char *volatile new = "bbbbbbbbbbbbbbbbbbbbbbb";
static volatile size_t size = 24;
static int ends[2];

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

static void *put(void *arg)
{
    enter();
#if WRITE == 0
    strcpy(text, new);
#elif WRITE == 1
    strncpy(text, new, size);
#elif WRITE == 2
    snprintf(text, sizeof(text), "%s", new);
#elif WRITE == 3
    assert(read(ends[0], text, size) == (ssize_t)size);
#else
    strcat(text, new);
#endif
    leave();
    return arg;
}

/* Whether it is all old or all new. */
static int is_whole(void)
{
#if READ == 0
    return strcmp(text, old) == 0 || strcmp(text, new) == 0;
#elif READ == 1
    return memcmp(text, old, size) == 0 || memcmp(text, new, size) == 0;
#elif READ == 2
    char *copy = strdup(text);
    int whole = copy[0] == copy[22];

    free(copy);
    return whole;
#elif READ == 3
    const char *c = strchr(text, text[0] == 'b' ? 'b' : 'X');

    return c == NULL || strchr(text, 'b') == NULL || text[22] == 'b';
#else
    static char copy[64];

    strcpy(copy, text);
    return copy[0] == copy[22];
#endif
}

int main(void)
{
    pthread_t t;

    (void)lock;
    (void)old;
    assert(pipe(ends) == 0 && write(ends[1], new, size) == (ssize_t)size);
#if WRITE == 4
    text[0] = '\0';
#endif
    pthread_create(&t, NULL, put, NULL);
    enter();
    assert(is_whole());
    leave();
    pthread_join(t, NULL);
    return 0;
}
