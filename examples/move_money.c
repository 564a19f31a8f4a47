/* SPDX-License-Identifier: MIT */
/*
 * Clerks move money between accounts while main adds up what there is.  Nothing is locked: main may
 * look when an amount is in the one account and not yet out of the other, and an amount may get
 * lost when two clerks change the same account.  `move_money 2000` has the clerks do so many steps
 * of other work before each transfer; what matters is then a smaller part of what they do.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef CLERKS
#define CLERKS 16
#endif
#ifndef TRANSFERS
#define TRANSFERS 4
#endif

enum { ACCOUNTS = 10, CHECKS = 20, START = 1000 };

static int accounts[ACCOUNTS];
static int busy; /* steps of other work before each transfer */

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

/* What nobody else sees. */
static void work(void)
{
    int paper = 0;

    for (int i = 0; i < busy; i++)
        __asm__ volatile("" : "+r"(paper)); /* the compiler leaves the loop as it is */
}

static void move_money(unsigned *random)
{
    unsigned from = next_random(random) % ACCOUNTS;
    unsigned to = (from + 1 + next_random(random) % (ACCOUNTS - 1)) % ACCOUNTS;
    int amount = (int)(next_random(random) % 100);

    work();
    accounts[to] += amount;
    accounts[from] -= amount; /* until here there is too much of it */
}

static void *clerk(void *arg)
{
    unsigned random = (unsigned)(uintptr_t)arg;

    for (int i = 0; i < TRANSFERS; i++)
        move_money(&random);
    return NULL;
}

static void check_sum(void)
{
    int sum = 0;

    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i];
    assert(sum == ACCOUNTS * START);
}

int main(int argc, char **argv)
{
    pthread_t clerks[CLERKS];

    busy = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < ACCOUNTS; i++)
        accounts[i] = START;
    for (uintptr_t i = 0; i < CLERKS; i++)
        pthread_create(&clerks[i], NULL, clerk, (void *)(i + 1));
    for (int i = 0; i < CHECKS; i++)
        check_sum();
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerks[i], NULL);
    return 0;
}
