/* SPDX-License-Identifier: MIT */
/*
 * longjmp out of nested calls, in several threads with switches in between.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdint.h>

static void throw(jmp_buf * target, int depth)
{
    sched_yield();
    if (depth < 0)
        return;
    if (depth > 0)
        throw(target, depth - 1);
    longjmp(*target, 7);
}

static void *thread(void *arg)
{
    jmp_buf target;
    volatile int rounds = 0;

    if (setjmp(target) == 7)
        rounds++;
    if (rounds < 1)
        throw(&target, 2);
    return (void *)(intptr_t)(rounds + (arg != NULL));
}

int main(void)
{
    pthread_t t;
    void *result;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(thread(&t) == (void *)2);
    assert(pthread_join(t, &result) == 0 && result == (void *)1);
    return 0;
}
