/* SPDX-License-Identifier: MIT */
/*
 * The same under flockfile(), with another function each time: whoever has the stream keeps others
 * out of all that is not called unlocked.  In the section that is locked there is a point.  Who
 * comes first is open: two classes for the stream, and two for the count where that is not under
 * the lock.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=6 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6 exit=0
 *
 * RUN    plait test -s random -n 300
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static FILE *in;
static atomic_int inside;

static void *by_line(void *arg)
{
    char line[8];

    assert(fgets(line, sizeof(line), in) != NULL && line[1] == '\n');
    return arg;
}

static void *together(void *arg)
{
    char first[3] = "", second[8];

    flockfile(in);
    assert(inside++ == 0);
    assert(fread(first, 1, 2, in) == 2);
    inside--;
    assert(fgets_unlocked(second, sizeof(second), in) != NULL);
    funlockfile(in);
    assert(second[0] == first[0] + 1);
    return arg;
}

int main(void)
{
    static char text[] = "1\n2\n3\n4\n5\n";
    pthread_t a, b;

    in = fmemopen(text, sizeof(text) - 1, "r");
    pthread_create(&a, NULL, together, NULL);
    pthread_create(&b, NULL, by_line, NULL);
    together(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return fclose(in);
}
