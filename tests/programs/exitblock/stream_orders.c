/* SPDX-License-Identifier: MIT */
/*
 * What a stream holds is changed under its lock by code of libc, which announces no access.  The
 * orders of calls that use it are orders all the same.
 *
 * RUN    plait test -s exitblock --outputs
 * EXPECT clean complete outputs=abc,acb,cab
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=abc,acb,cab
 */
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *print(void *arg)
{
    fputs("c", file);
    return arg;
}

int main(void)
{
    char got[4] = "";
    pthread_t t;

    file = tmpfile();
    if (file == NULL)
        return 1;
    pthread_create(&t, NULL, print, NULL);
    fputs("a", file);
    fputs("b", file);
    pthread_join(t, NULL);
    rewind(file);
    puts(fgets(got, sizeof(got), file));
    return 0;
}
