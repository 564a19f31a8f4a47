/* SPDX-License-Identifier: MIT */
/*
 * Reads lines of six bytes: from standard input (stdin), descriptor 3 (pipe) or
 * a FIFO through stdio (fifo); another thread gets them through a pipe of the
 * program's own, which no recording has.  With some interleavings it sees a sum
 * that is half done.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 3 };

static atomic_int sum;
static int inner[2];
static const char *way;

static void next(FILE *from, char line[8])
{
    memset(line, 0, 8);
    if (from != NULL)
        assert(fgets(line, 8, from) != NULL);
    else
        assert(read(3, line, 6) == 6);
    assert(strlen(line) == 6);
}

static void *feeder(void *arg)
{
    FILE *from = strcmp(way, "stdin") == 0 ? stdin : NULL;
    char line[8];

    if (strcmp(way, "fifo") == 0) {
        from = fopen("fifo", "r");
        assert(from != NULL && fileno(from) >= 0);
    }
    for (int i = 0; i < LINES; i++) {
        next(from, line);
        sum += atoi(line);
        assert(write(inner[1], line, 6) == 6);
    }
    if (from != NULL && from != stdin)
        fclose(from);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    char line[8];
    int total = 0;

    way = argc > 1 ? argv[1] : "stdin";
    assert(pipe(inner) == 0);
    pthread_create(&t, NULL, feeder, NULL);
    int early = sum;

    for (int i = 0; i < LINES; i++) {
        assert(read(inner[0], line, 6) == 6);
        total += atoi(line);
    }
    pthread_join(t, NULL);
    assert(total == sum);
    assert(early == 0 || early == total); /* the bug */
    return 0;
}
