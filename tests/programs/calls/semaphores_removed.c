/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of System V are removed: whoever waits for them is told so, whoever comes later that
 * there are none.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=43,22
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=43,22
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/sem.h>

static int set;

static void *take(void *arg)
{
    struct sembuf one = {.sem_op = -1};

    assert(semop(set, &one, 1) < 0);
    printf("%d\n", errno);
    return arg;
}

int main(void)
{
    pthread_t t;

    set = semget(IPC_PRIVATE, 1, 0600);
    assert(set >= 0);
    pthread_create(&t, NULL, take, NULL);
    semctl(set, 0, IPC_RMID);
    pthread_join(t, NULL);
    return 0;
}
