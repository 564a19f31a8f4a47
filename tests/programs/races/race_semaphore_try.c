/* SPDX-License-Identifier: MIT */
/*
 * A trywait that succeeds is a wait; one that fails orders nothing.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it does not know sem_trywait()
 */
#include "two.h"

#include <semaphore.h>

#ifndef RACE
#define RACE 0
#endif

static sem_t ready;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    sem_post(&ready);
    return arg;
}

static void *reader(void *arg)
{
    if (sem_trywait(&ready) == 0 || RACE)
        return seen(arg, data); /* @here */
    return arg;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    return both(writer, reader);
}
