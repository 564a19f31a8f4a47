/* SPDX-License-Identifier: MIT */
/*
 * Objects of System V say who has made them and used them last.  A child is told the number that
 * its parent knows as its own, or its own one; the parent likewise.
 *
 * RUN    plait test -s random -n 3
 * EXPECT clean
 *
 * RUN    plait test -s random -n 2 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random --follow-children -n 3
 * EXPECT clean executions=3
 *
 * RUN    plait test -s noise -n 2
 * EXPECT clean executions=2
 *
 * RUN    plait test -s noise -n 2 --process-digits 7
 * EXPECT clean executions=2
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t self;
static int memory, queue, semaphores;

static int find_other(void)
{
    struct shmid_ds segment;
    struct msqid_ds about;
    void *at;

    if (shmctl(memory, IPC_STAT, &segment) != 0 || segment.shm_cpid != self ||
        segment.shm_lpid != self)
        return 1;
    at = shmat(memory, NULL, 0);
    if (at == (void *)-1 || shmctl(memory, IPC_STAT, &segment) != 0 || segment.shm_cpid != self ||
        segment.shm_lpid != getpid())
        return 2;
    if (msgctl(queue, IPC_STAT, &about) != 0 || about.msg_lspid != self)
        return 3;
    return semctl(semaphores, 0, GETPID) != self;
}

static void *run(void *unused)
{
    struct {
        long type;
        char text[1];
    } message = {1, "x"};
    struct sembuf up = {0, 1, 0};
    struct shmid_ds segment;
    int status;

    memory = shmget(IPC_PRIVATE, 4096, 0600);
    queue = msgget(IPC_PRIVATE, 0600);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    assert(shmat(memory, NULL, 0) != (void *)-1);
    assert(msgsnd(queue, &message, sizeof(message.text), 0) == 0);
    assert(semop(semaphores, &up, 1) == 0);
    pid_t child = fork();

    if (child == 0)
        _exit(find_other());
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(shmctl(memory, IPC_STAT, &segment) == 0 && segment.shm_cpid == self);
    assert(shmctl(memory, IPC_RMID, NULL) == 0 && msgctl(queue, IPC_RMID, NULL) == 0);
    assert(semctl(semaphores, 0, IPC_RMID) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;

    self = getpid();
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
