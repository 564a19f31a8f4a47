// SPDX-License-Identifier: MIT
/*
 * `client ADDRESS [quit]`: two threads, each with a connection and two lines, sent letter by
 * letter. No two answers are equal.  With `quit` each waits for the server to end its connection.
 */
#include "transport.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 2, LINES = 2 };

static const char *address;
static bool quits;
static int answers[THREADS][LINES];

static void *ask(void *arg)
{
    int *got = arg;
    int fd = transport_connect(address);

    if (fd < 0) {
        perror(address);
        exit(2);
    }
    for (unsigned i = 0; i < LINES; i++) {
        if (write(fd, "a", 1) != 1 || write(fd, "\n", 1) != 1)
            exit(2);
    }
    for (unsigned i = 0; i < LINES; i++) {
        char c;

        while (read(fd, &c, 1) == 1 && c != '\n')
            got[i] = got[i] * 10 + c - '0';
    }
    char end;

    if (quits && (write(fd, "q", 1) != 1 || read(fd, &end, 1) != 0))
        exit(2);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    const int *all = &answers[0][0];

    if (argc < 2)
        return 2;
    address = argv[1];
    quits = argc > 2;
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask, answers[i]);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS * LINES; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (all[i] == all[k] || all[i] == 0) {
                fprintf(stderr, "answers %d and %d\n", all[k], all[i]);
                return 1;
            }
        }
    }
    return 0;
}
