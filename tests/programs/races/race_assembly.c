/* SPDX-License-Identifier: MIT */
/*
 * Locks whose every access is assembly order what is done under them: one by exchange and store,
 * one by tickets, where the word that is waited for knows plain loads and stores only.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean exit=0
 *
 * RUN    -DTICKETS=1 plait test -s dpor --detect race -k
 * EXPECT clean exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race exit=1 location~@here
 *
 * TSAN     race: it sees no assembly
 * HELGRIND race: it knows no order of plain loads and stores
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif
#ifndef TICKETS
#define TICKETS 0
#endif

static int word, next, served;
int data;

static int load(const int *from)
{
    int value;

    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*from) : "memory");
    return value;
}

static void store(int *to, int value)
{
    __asm__ volatile("movl %1, %0" : "=m"(*to) : "r"(value) : "memory");
}

static int lock(void)
{
    int mine = 1;

    if (!TICKETS) {
        do
            __asm__ volatile("xchgl %0, %1" : "+r"(mine), "+m"(word) : : "memory");
        while (mine != 0);
        return 0;
    }
    __asm__ volatile("lock xaddl %0, %1" : "+r"(mine), "+m"(next) : : "memory");
    while (load(&served) != mine)
        __asm__ volatile("pause");
    return mine;
}

static void unlock(int mine)
{
    if (TICKETS)
        store(&served, mine + 1);
    else
        store(&word, 0);
}

static void *first(void *arg)
{
    int mine = lock();

    data = 1; /* @here */
    unlock(mine);
    return arg;
}

static void *second(void *arg)
{
    int mine = RACE ? 0 : lock();

    data = 2; /* @here */
    if (!RACE)
        unlock(mine);
    return arg;
}

int main(void)
{
    return both(first, second);
}
