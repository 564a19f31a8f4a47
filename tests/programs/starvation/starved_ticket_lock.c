/* SPDX-License-Identifier: MIT */
/*
 * A ticket lock, whose users are served in the order in which they came.  It is wrong where a user
 * who finds the lock free takes it without a ticket: those who have one wait for a moment at which
 * it is free, and may always come too late.  With -DPLAIN=1 there are no tickets at all.
 *
 * RUN    -DWRONG=1 plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DPLAIN=1 plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation
 *
 * RUN    plait test -s random -n 500 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef WRONG
#define WRONG 0
#endif
#ifndef PLAIN
#define PLAIN 0
#endif

static atomic_uint next, serving;
static atomic_int held;
static int value;

static int try(void)
{
    return atomic_exchange(&held, 1) == 0; /* @wanted */
}

static void lock(void)
{
    if ((PLAIN || WRONG) && try())
        return;
    unsigned mine = PLAIN ? 0 : next++;

    while (!PLAIN && serving != mine)
        sched_yield();
    while ((PLAIN || WRONG) && !try()) /* @wanted */
        sched_yield();                 /* @wanted */
    if (WRONG)
        serving++;
}

static void unlock(void)
{
    if (PLAIN || WRONG)
        held = 0;
    else
        serving++;
}

static void *user(void *arg)
{
    for (int i = 0; i < 60; i++) {
        lock();
        value++;
        unlock();
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return value != 2 * 60;
}
