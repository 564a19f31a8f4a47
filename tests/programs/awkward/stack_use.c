/* SPDX-License-Identifier: MIT */
/*
 * Stacks are used deeply: blocks of varying size by alloca(), recursion with large frames, in
 * main and in threads, up to megabytes.  What main has in its frames at the root is changed
 * during the execution, through pointers and by name, and is back in the next.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean executions=60 restart=rollback
 *
 * RUN    plait test -s random -n 60 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 60 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int turn;

static int sum_of_blocks(int n)
{
    int sum = 0;

    for (int i = 1; i <= n; i++) {
        volatile char *block = alloca((size_t)i * 64);

        block[0] = 1;
        block[i * 64 - 1] = 1;
        sum += block[0] + block[i * 64 - 1];
    }
    return sum;
}

static int recurse(int depth)
{
    volatile char frame[2000];

    frame[depth % 2000] = 1;
    if (depth == 0)
        return sum_of_blocks(100);
    return recurse(depth - 1) + frame[depth % 2000];
}

static void *thread(void *arg)
{
    turn++;
    assert(recurse(1500) == 1700);
    turn++;
    return arg;
}

static void execution(volatile int *above)
{
    volatile int *block = alloca(4096 * sizeof(int));
    pthread_t t;

    if (*above == 0)
        memset((int *)block, 0, 4096 * sizeof(int));
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(*above == 0 && block[0] == 0 && block[4095] == 0); /* @fresh */
    *above = 1;
    block[0] = block[4095] = 5;
    turn++;
    assert(recurse(1500) == 1700);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4 && block[0] == 5 && *above == 1);
}

int main(int argc, char **argv)
{
    volatile int local = 0;

    (void)argv;
    execution(&local);
    if (argc > 1)
        execution(&local);
    assert(local == 1);
    return 0;
}
