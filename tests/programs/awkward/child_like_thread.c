/* SPDX-License-Identifier: MIT */
/*
 * What a thread has said about itself alone, its name, its processors and its priority, its child
 * has as well; the thread beside it has not.  The kernel says who has used objects of System V, to
 * a child, too.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean executions=5
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    plait test -s noise -n 2
 * EXPECT clean executions=2
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int turn;

static int is_as_said(void)
{
    char name[16] = "";
    cpu_set_t set;

    pthread_getname_np(pthread_self(), name, sizeof(name));
    return strcmp(name, "maker") == 0 && sched_getaffinity(0, sizeof(set), &set) == 0 &&
           CPU_COUNT(&set) == 1 && getpriority(PRIO_PROCESS, 0) == 19;
}

static void *make(void *arg)
{
    cpu_set_t set;
    int status, first = 0;

    turn = 1;
    assert(sched_getaffinity(0, sizeof(set), &set) == 0);
    while (!CPU_ISSET(first, &set))
        first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    assert(sched_setaffinity(0, sizeof(set), &set) == 0);
    assert(pthread_setname_np(pthread_self(), "maker") == 0);
    assert(setpriority(PRIO_PROCESS, (id_t)gettid(), 19) == 0);
    pid_t child = fork();

    if (child == 0)
        _exit(is_as_said() ? 0 : 1);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(is_as_said());
    return arg;
}

/* There the parent has the same number. */
static void ask_in_child(int queue, int semaphore)
{
    const pid_t maker = getpid();
    struct msqid_ds q;
    int status;
    pid_t child = fork();

    if (child == 0) {
        if (msgctl(queue, IPC_STAT, &q) != 0 || q.msg_lspid != maker)
            _exit(1);
        if (semctl(semaphore, 0, GETPID) != maker)
            _exit(2);
        _exit(semctl(semaphore, 0, GETVAL) == 1 ? 0 : 3);
    }
    assert(waitpid(child, &status, 0) == child && status == 0);
}

static void use_objects(void)
{
    int queue = msgget(IPC_PRIVATE, 0600), semaphore = semget(IPC_PRIVATE, 1, 0600);
    int memory = shmget(IPC_PRIVATE, 4096, 0600);
    const struct {
        long type;
        char text[1];
    } message = {1, "x"};
    struct msqid_ds q;
    struct shmid_ds m;

    assert(msgsnd(queue, &message, 1, 0) == 0 && msgctl(queue, IPC_STAT, &q) == 0);
    assert(q.msg_lspid == getpid() && q.msg_lrpid == 0);
    assert(semctl(semaphore, 0, SETVAL, 1) == 0 && semctl(semaphore, 0, GETPID) == getpid());
    assert(shmctl(memory, IPC_STAT, &m) == 0 && m.shm_cpid == getpid());
    ask_in_child(queue, semaphore);
    assert(msgctl(queue, IPC_RMID, NULL) == 0 && semctl(semaphore, 0, IPC_RMID) == 0);
    assert(shmctl(memory, IPC_RMID, NULL) == 0);
}

int main(void)
{
    int before = getpriority(PRIO_PROCESS, 0);
    pthread_t t;

    assert(pthread_create(&t, NULL, make, NULL) == 0);
    turn = 2;
    assert(getpriority(PRIO_PROCESS, 0) == before);
    use_objects();
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
