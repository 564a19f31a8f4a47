/* SPDX-License-Identifier: MIT */
/*
 * A thread that nobody waits for works on what a handler of exit() reads.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <stdlib.h>

#ifndef RACE
#define RACE 0
#endif

int data;

static void finish(void)
{
    if (data > 1) /* @here */
        _exit(3);
}

static void *work(void *arg)
{
    data = 1; /* @here */
    return arg;
}

int main(void)
{
    pthread_t t;

    atexit(finish);
    pthread_create(&t, NULL, work, NULL);
    if (!RACE)
        pthread_join(t, NULL);
    else
        usleep(1000);
    return 0;
}
