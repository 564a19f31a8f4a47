/* SPDX-License-Identifier: MIT */
/*
 * A cancellation that comes before the call of a cancellation point is acted upon there, though the
 * call need not wait; one that comes after it is not.  Both orders are explored: what was done is
 * 0 or 1 for each thread.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=16 exit=0
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=16 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static sem_t full;
static int done[4];

static void *act(void *arg)
{
    intptr_t i = (intptr_t)arg;

    switch (i) {
    case 0:
        sem_wait(&full);
        break;
    case 1:
        usleep(10);
        break;
    case 2:
        close(-1);
        break;
    default:
        fsync(-1);
        break;
    }
    done[i] = 1;
    return NULL;
}

int main(void)
{
    sem_init(&full, 0, 1);
    for (intptr_t i = 0; i < 4; i++) {
        pthread_t t;
        void *result;

        pthread_create(&t, NULL, act, (void *)i);
        pthread_cancel(t);
        pthread_join(t, &result);
        assert((result == PTHREAD_CANCELED) == (done[i] == 0));
    }
    printf("%d %d %d %d\n", done[0], done[1], done[2], done[3]);
    return 0;
}
