/* SPDX-License-Identifier: MIT */
/*
 * 200 MB are allocated and filled before the root.  Executions change a few pages of them, all
 * over; what is remembered and put back must be those, and the rest must stay as it is.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10 restart=rollback
 *
 * RUN    plait test -s random -n 10 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5 restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 50, SIZE = 4 << 20, STEP = 256 << 10 };

static unsigned char *blocks[BLOCKS];
static atomic_int turn;

/* One byte of each step is looked at and changed: 800 pages of 51,200. */
static void change(int from, int to)
{
    for (int b = from; b < to; b++) {
        for (int at = b; at < SIZE; at += STEP) {
            assert(blocks[b][at] == b); /* @fresh */
            blocks[b][at] = 255;
        }
    }
}

static void *thread(void *arg)
{
    turn++;
    change(0, BLOCKS / 2);
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    change(BLOCKS / 2, BLOCKS);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    for (int b = 0; b < BLOCKS; b++) {
        for (int at = b; at < SIZE; at += STEP)
            assert(blocks[b][at] == 255 && blocks[b][at + 1] == b);
    }
    free(blocks[0]);
    blocks[0] = memset(malloc(SIZE), 1, SIZE);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int b = 0; b < BLOCKS; b++) {
        blocks[b] = malloc(SIZE);
        assert(blocks[b] != NULL);
        memset(blocks[b], b, SIZE);
    }
    execution();
    if (argc > 1)
        execution();
    return 0;
}
