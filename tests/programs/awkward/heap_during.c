/* SPDX-License-Identifier: MIT */
/*
 * 200 MB are allocated and written during each execution and never freed.  They are gone with
 * it: 10 executions that kept them would need 2 GB.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean executions=5 restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean executions=5 restart=fork
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5 restart=exec same=2
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

enum { BLOCKS = 50, SIZE = 4 << 20, STEP = 4096 };

static unsigned char *blocks[BLOCKS];
static atomic_int turn;

static void take(int from, int to)
{
    for (int b = from; b < to; b++) {
        assert(blocks[b] == NULL); /* @fresh */
        blocks[b] = malloc(SIZE);
        assert(blocks[b] != NULL);
        for (int at = b; at < SIZE; at += STEP)
            blocks[b][at] = (unsigned char)b;
    }
}

static void *thread(void *arg)
{
    turn++;
    take(0, BLOCKS / 2);
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    take(BLOCKS / 2, BLOCKS);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    for (int b = 0; b < BLOCKS; b++) {
        for (int at = b; at < SIZE; at += 16 * STEP)
            assert(blocks[b][at] == b);
    }
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
