/* SPDX-License-Identifier: MIT */
/*
 * Hundreds of threads, one after the other, all of them detached: stacks and thread-local
 * storage are used again, and what an earlier thread left there is over.
 *
 * RUN    plait test -s random -n 5 --detect race -k
 * EXPECT clean exit=0
 *
 * HELGRIND race: threads use the same stack one after the other
 */
#include "two.h"

#include <semaphore.h>

enum { THREADS = 700 };

static _Thread_local int own;
static sem_t ended;

static void *work(void *arg)
{
    int local[4] = {0};
    int *volatile p = local;

    sem_post(&ended);
    p[1] = ++own;
    return seen(arg, p[1]);
}

int main(void)
{
    pthread_t t;

    sem_init(&ended, 0, 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t, NULL, work, NULL);
        pthread_detach(t);
        sem_wait(&ended);
    }
    return 0;
}
