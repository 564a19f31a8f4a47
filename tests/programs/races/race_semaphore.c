/* SPDX-License-Identifier: MIT */
/*
 * A post is known to whoever waits successfully after it. A semaphore that begins with 1 lets
 * the reader through without.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
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
    sem_wait(&ready);
    return seen(arg, data); /* @here */
}

int main(void)
{
    sem_init(&ready, 0, RACE);
    return both(writer, reader);
}
