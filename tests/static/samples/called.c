/* SPDX-License-Identifier: MIT */
/*
 * One table of functions for all: whoever is called with one argument is none that uses two, so
 * what two() changes is main's alone.  What is read from a file is no pointer that was written to
 * it.
 *
 * PAIR RW first
 * NONE second
 * NONE filed
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int first, second, filed;
static int *kept;

__attribute__((noinline)) static void one(int *n)
{
    first += *n;
}

__attribute__((noinline)) static void two(int *n, int *m)
{
    second += *n + *m;
}

static void (*volatile table[2])(void) = {(void (*)(void))one, (void (*)(void))two};

static void *thread(void *arg)
{
    int own = 1;

    ((void (*)(int *))table[atoi(arg)])(&own);
    if (kept != NULL)
        ++*kept;
    return NULL;
}

int main(int argc, char **argv)
{
    static int *written = &filed, **read = &kept;
    FILE *f = fopen("/dev/null", "r+");
    pthread_t t;
    int n = 1;

    if (f == NULL)
        return 1;
    fwrite(&written, sizeof(written), 1, f);
    if (fread(read, sizeof(*read), 1, f) == 1)
        return 1;
    pthread_create(&t, NULL, thread, "0");
    one(&n);
    filed++;
    if (argc > 1)
        ((void (*)(int *, int *))table[1])(&n, &n);
    pthread_join(t, NULL);
    fclose(f);
    return first - 2;
}
