/* SPDX-License-Identifier: MIT */
/*
 * A semaphore as a lock.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <semaphore.h>

static sem_t lock;
int data;

static void *work(void *arg)
{
    sem_wait(&lock);
    data++;
    sem_post(&lock);
    return arg;
}

int main(void)
{
    sem_init(&lock, 0, 1);
    return both(work, work);
}
