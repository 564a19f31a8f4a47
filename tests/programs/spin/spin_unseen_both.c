/* SPDX-License-Identifier: MIT */
/*
 * Three threads hand a token round in loops that plait does not see: each must be preempted for the
 * next one to go on, and registers and flags of the loops survive that.
 *
 * RUN    plait test -s random -n 2 --hooks-only
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int token;
static volatile double sum;

static void *pass_on(void *arg)
{
    int mine = (int)(intptr_t)arg, now;
    double kept = mine + 0.5;

    do
        __asm__ volatile("pause\n\tmovl %1, %0" : "=r"(now) : "m"(token) : "memory");
    while (now != mine);
    assert(kept == mine + 0.5);
    sum += kept;
    __asm__ volatile("movl %1, %0" : "=m"(token) : "r"(mine + 1) : "memory");
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, pass_on, (void *)(intptr_t)(2 - i));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(sum == 4.5);
    return 0;
}
