/* SPDX-License-Identifier: MIT */
/*
 * Nobody joins a detached thread: whether it has ended is not known by waiting.
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

static sem_t ended;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    sem_post(&ended);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&ended, 0, 0);
    pthread_create(&t, NULL, writer, NULL);
    pthread_detach(t);
    if (RACE)
        usleep(1000);
    else
        sem_wait(&ended);
    return data > 1; /* @here */
}
