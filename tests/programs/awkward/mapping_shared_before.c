/* SPDX-License-Identifier: MIT */
/*
 * Memory mapped with MAP_SHARED before the root is the same memory in every forked process: what
 * one execution writes, the next would see.  Only a program that starts anew does not.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=exec why~shared
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT refused
 *
 * RUN    plait test -s random -n 100 --restart rollback
 * EXPECT refused
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
#include <sys/mman.h>

static atomic_int *counter;

static void *thread(void *arg)
{
    ++*counter;
    return arg;
}

static void execution(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, thread, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(*counter == 2); /* @fresh */
}

int main(int argc, char **argv)
{
    (void)argv;
    counter =
        mmap(NULL, sizeof(*counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(counter != MAP_FAILED);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
