/* SPDX-License-Identifier: MIT */
/*
 * Two threads read a file byte by byte, by one stream, for so long that their loops are watched.  A
 * call comes to several points, and only where it was entered does a round begin.
 *
 * RUN    plait test -s random -n 2
 * EXPECT clean executions=2
 *
 * RUN    plait test -s dfs -n 2
 * EXPECT clean executions=2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { BYTES = 20000 };

static FILE *file;

static void *take(void *number)
{
    long *n = number;
    char c;

    while (fread(&c, 1, 1, file) == 1)
        (*n)++;
    return NULL;
}

int main(void)
{
    long n[2] = {0, 0};
    pthread_t t;

    file = tmpfile();
    for (int i = 0; i < BYTES; i++)
        putc('x', file);
    rewind(file);
    pthread_create(&t, NULL, take, &n[0]);
    take(&n[1]);
    pthread_join(t, NULL);
    assert(n[0] + n[1] == BYTES);
    return 0;
}
