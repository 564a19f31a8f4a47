/* SPDX-License-Identifier: MIT */
/*
 * A thread waits in assembly for another one to go on, and then finds what that one left: it is
 * preempted where it waits, and the finding behind that is shown again by its schedule.
 *
 * RUN    plait test -s dfs -n 200 --no-minimize --hooks-only
 * EXPECT assertion location~@here exit=1 varies=by-the-clock
 */
#include <assert.h>
#include <pthread.h>

static int flag, x;

static void *wait_for_it(void *arg)
{
    int now;

    do
        __asm__ volatile("pause\n\tmovl %1, %0" : "=r"(now) : "m"(flag) : "memory");
    while (now == 0);
    assert(x != 1); /* @here */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, wait_for_it, NULL);
    x = 1;
    __asm__ volatile("movl $1, %0" : "=m"(flag) : : "memory");
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
