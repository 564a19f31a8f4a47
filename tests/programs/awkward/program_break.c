/* SPDX-License-Identifier: MIT */
/*
 * The program break is moved by sbrk() and memory beyond it written: a program with an
 * allocator of its own.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~brk|break|memory
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
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *at_root;

static void *thread(void *arg)
{
    char *mine;

    pthread_mutex_lock(&lock);
    mine = sbrk(SIZE);
    pthread_mutex_unlock(&lock);
    assert(mine == at_root || mine == at_root + SIZE); /* @fresh */
    for (int i = 0; i < SIZE; i += 1024) {
        assert(mine[i] == 0);
        mine[i] = 1;
    }
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(sbrk(0) == at_root + 2 * SIZE);
}

int main(int argc, char **argv)
{
    void *volatile block = malloc(100); /* so that malloc() has moved the break before */

    (void)argv;
    free(block);
    at_root = sbrk(0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
