/* SPDX-License-Identifier: MIT */
/*
 * What the program does before its first thread is more than all that follows: it is no reason
 * to take an execution for one that goes round a loop for ever.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@bug preemptions=1 minimal=proven decides~@read<@write replay=1
 *
 * RUN    plait test -s random -n 200 --restart exec
 * EXPECT assertion location~@bug preemptions=1 decides~@read<@write replay=1
 */
#include <assert.h>
#include <pthread.h>

enum { ROOM = 30000 };

static int table[ROOM];
static int balance = 100;

static void *withdraw(void *arg)
{
    int seen = balance; /* @read */

    balance = seen - table[ROOM - 1]; /* @write */
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 1; i < ROOM; i++)
        *(volatile int *)&table[i] = *(volatile int *)&table[i - 1] + 1;
    table[ROOM - 1] = 10;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, withdraw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(balance == 80); /* @bug */
    return 0;
}
