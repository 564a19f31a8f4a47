/* SPDX-License-Identifier: MIT */
/*
 * What is no preemption is not bounded: which value plait_choose() returns, and
 * which of two threads goes on when main waits.  So the order that fails has none.
 * Against the round-robin order of delay it takes one delay: it is the older
 * thread's turn.
 *
 * RUN    plait test -s pcb:0
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s delay:0
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s delay:1
 * EXPECT assertion exit=1 location~@bug
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;

static void *work(void *arg)
{
    last = *(int *)arg;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int number[2] = {1, 2};
    unsigned chosen;

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    chosen = plait_choose(5);
    plait_assert(last != 1 || chosen != 3); /* @bug */
    return 0;
}
