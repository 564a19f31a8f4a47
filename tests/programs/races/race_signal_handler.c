/* SPDX-License-Identifier: MIT */
/*
 * A handler runs in the thread that is interrupted: its accesses are that thread's.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <signal.h>

static sig_atomic_t count;

static void handle(int number)
{
    count += number != 0;
}

static void *work(void *arg)
{
    count++;
    raise(SIGUSR1);
    return seen(arg, count);
}

int main(void)
{
    pthread_t t;

    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return count != 2;
}
