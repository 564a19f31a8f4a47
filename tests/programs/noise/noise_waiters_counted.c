/* SPDX-License-Identifier: MIT */
/*
 * main counts who waits at a semaphore of System V until all do, and looks at its value until they
 * have it.  Free threads wait in the runtime, not in the kernel, so that it must count them itself;
 * that they begin to wait is no operation, so a replay is told the number that was counted.
 *
 * RUN    plait test -s noise -n 200
 * EXPECT assertion exit=1
 *
 * RUN    -DRIGHT plait test -s noise -n 20
 * EXPECT clean exit=0
 *
 * RUN    -DRIGHT native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static int set;
static atomic_int through;

static void *pass(void *arg)
{
    struct sembuf take = {.sem_op = -1};

    semop(set, &take, 1);
    atomic_fetch_add(&through, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    struct sembuf give = {.sem_op = 2};

    set = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, pass, NULL);
    while (semctl(set, 0, GETNCNT) < 2)
        sched_yield();
    semop(set, &give, 1);
    while (semctl(set, 0, GETVAL) > 0)
        sched_yield();
    int seen = atomic_load(&through);

    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    semctl(set, 0, IPC_RMID);
#ifndef RIGHT
    assert(seen == 2); /* whoever has passed need not have counted yet */
#endif
    return seen > 2;
}
