/* SPDX-License-Identifier: MIT */
/*
 * 2 MB of static memory are overwritten from end to end, and a part that has a value from the
 * file is, too.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
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
#include <string.h>

enum { SIZE = 2 << 20, PART = 64 << 10 };

static char zero[SIZE], filled[PART] = {[0] = 'a', [PART / 2] = 'b', [PART - 1] = 'c'};
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    memset(zero + SIZE / 2, 2, SIZE / 2);
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    for (int at = 0; at < SIZE / 2; at += 1000)
        assert(zero[at] == 0); /* @fresh */
    assert(filled[0] == 'a' && filled[1] == 0 && filled[PART / 2] == 'b');
    assert(filled[PART - 1] == 'c');
    turn++;
    memset(zero, 1, SIZE / 2);
    memset(filled, 3, PART);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    for (int at = 0; at < SIZE; at += 1000)
        assert(zero[at] == 1 + at / (SIZE / 2));
    assert(filled[PART - 1] == 3 && turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
