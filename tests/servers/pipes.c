// SPDX-License-Identifier: MIT
/*
 * Both sides of a conversation through two FIFOs: `pipes server TO FROM` echoes, `pipes client TO
 * FROM [wrong]` sends more than a pipe holds and gets it back.  Wrong is to read only after all has
 * been sent: both pipes are full then, and each side waits for the other to read.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096, PIECES = 36 }; /* a pipe holds 16 of them */

static int to, from;

static void *send_all(void *unused)
{
    static char piece[PIECE];

    for (unsigned i = 0; i < PIECES; i++) {
        memset(piece, 'a' + (int)(i % 26), sizeof(piece));
        if (write(to, piece, sizeof(piece)) != sizeof(piece))
            perror("write");
    }
    return unused;
}

static int receive_all(void)
{
    static char piece[PIECE];
    size_t left = (size_t)PIECE * PIECES, at = 0;

    for (ssize_t n; left > 0; left -= (size_t)n) {
        n = read(from, piece, left < PIECE ? left : PIECE);
        if (n <= 0)
            return 1;
        for (ssize_t i = 0; i < n; i++, at++) {
            if (piece[i] != 'a' + (int)(at / PIECE % 26))
                return 1;
        }
    }
    return 0;
}

static int be_client(int wrong)
{
    pthread_t thread;
    int rc;

    if (wrong) {
        send_all(NULL);
        return receive_all();
    }
    pthread_create(&thread, NULL, send_all, NULL);
    rc = receive_all();
    pthread_join(thread, NULL);
    return rc;
}

static int be_server(void)
{
    static char piece[PIECE];

    for (ssize_t n; (n = read(from, piece, sizeof(piece))) > 0;) {
        if (write(to, piece, (size_t)n) != n)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    int server = strcmp(argv[1], "server") == 0;

    /* In the same order on both sides: opening waits for the other one. */
    from = server ? open(argv[3], O_RDONLY) : -1;
    to = open(argv[2], O_WRONLY);
    from = server ? from : open(argv[3], O_RDONLY);
    if (from < 0 || to < 0) {
        perror("open");
        return 2;
    }
    return server ? be_server() : be_client(argc > 4);
}
