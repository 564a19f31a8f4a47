/* SPDX-License-Identifier: MIT */
/*
 * Loops that read a stream to its end and look at a flag in between: each round takes something
 * from it, so nobody waits for anybody, although nothing that plait sees changes.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 50
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 150 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop;

/* A text of its own for each reader: what a stream over memory does to it later is not known. */
static FILE *open_text(char *text)
{
    for (int i = 0; i < LINES; i++)
        memcpy(text + 3 * i, "ab\n", 3);
    return fmemopen(text, 3 * LINES, "r");
}

static int goes_on(void)
{
    pthread_mutex_lock(&mutex);
    int on = !stop;

    pthread_mutex_unlock(&mutex);
    return on;
}

static void *by_line(void *arg)
{
    char text[3 * LINES];
    FILE *f = open_text(text);
    char *line = NULL;
    size_t n = 0;

    while (getline(&line, &n, f) > 0 && goes_on())
        ;
    free(line);
    fclose(f);
    return arg;
}

static void *by_block(void *arg)
{
    char text[3 * LINES];
    FILE *f = open_text(text);
    char block[3];

    while (fread(block, 3, 1, f) == 1 && goes_on())
        ;
    fclose(f);
    return arg;
}

static void *by_conversion(void *arg)
{
    char text[3 * LINES];
    FILE *f = open_text(text);
    char word[8];

    while (fscanf(f, "%7s", word) == 1 && goes_on())
        ;
    fclose(f);
    return arg;
}

int main(void)
{
    void *(*const readers[])(void *) = {by_line, by_block, by_conversion};
    pthread_t t;

    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, readers[i], NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
