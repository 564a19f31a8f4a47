/* SPDX-License-Identifier: MIT */
/*
 * The consumer takes the semaphore that guards the buffer, then waits for an
 * item, which the producer cannot put without the guard.  With -DFIXED=1 it
 * waits for the item first.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock threads=2 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=2 exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef FIXED
#define FIXED 0
#endif

static sem_t guard, items;
static int buffer;

static void *producer(void *arg)
{
    sem_wait(&guard);
    buffer = 7;
    sem_post(&guard);
    sem_post(&items);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&guard, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    sem_wait(FIXED ? &items : &guard);
    sem_wait(FIXED ? &guard : &items);
    assert(buffer == 7);
    sem_post(&guard);
    pthread_join(t, NULL);
    return 0;
}
