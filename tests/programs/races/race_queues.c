/* SPDX-License-Identifier: MIT */
/*
 * Orders through what only a system call reaches: queues and semaphores of System V, queues of
 * messages, a timer that is set, a lock of a file, a pipe by syscall().  What is done behind the
 * call is not ordered by it (BEHIND).
 *
 * RUN    -DQUEUE plait test -s dpor --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DSEMAPHORE plait test -s dpor --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DMESSAGES plait test -s dpor --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DTIMER plait test -s dfs --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DTIMER -DBEHIND plait test -s dfs --detect race
 * EXPECT race exit=1 location~@here
 *
 * RUN    -DNUMBER plait test -s dfs --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DLOCKED plait test -s dfs --detect race
 * EXPECT clean exit=0
 *
 * HELGRIND race: it knows nothing of these
 */
#define _GNU_SOURCE
#include "two.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int object;
int other;
int data;

#if defined(QUEUE)
struct message {
    long type;
    char text[8];
};

static void make(void)
{
    object = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
}
static void send_on(void)
{
    msgsnd(object, &(struct message){1, "x"}, 8, 0);
}
static void receive(void)
{
    struct message m;

    if (msgrcv(object, &m, 8, 0, 0) != 8)
        abort();
}
static void give_up(void)
{
    msgctl(object, IPC_RMID, NULL);
}
#elif defined(SEMAPHORE)
static void make(void)
{
    object = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
}
static void send_on(void)
{
    semop(object, &(struct sembuf){.sem_op = 1}, 1);
}
static void receive(void)
{
    if (semop(object, &(struct sembuf){.sem_op = -1}, 1) != 0)
        abort();
}
static void give_up(void)
{
    semctl(object, 0, IPC_RMID);
}
#elif defined(MESSAGES)
static void make(void)
{
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
    char name[40];

    snprintf(name, sizeof(name), "/race-queues-%d", (int)getpid());
    object = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
    mq_unlink(name);
}
static void send_on(void)
{
    mq_send(object, "x", 1, 0);
}
static void receive(void)
{
    char text[8];

    if (mq_receive(object, text, sizeof(text), NULL) != 1)
        abort();
}
static void give_up(void)
{
    mq_close(object);
}
#elif defined(TIMER)
static void make(void)
{
    object = timerfd_create(CLOCK_MONOTONIC, 0);
}
static void send_on(void)
{
    timerfd_settime(object, 0, &(struct itimerspec){.it_value.tv_nsec = 1000}, NULL);
}
static void receive(void)
{
    uint64_t times;

    if (read(object, &times, sizeof(times)) != sizeof(times))
        abort();
}
static void give_up(void)
{
    close(object);
}
#elif defined(NUMBER)
static void make(void)
{
    int ends[2];

    if (pipe(ends) != 0)
        abort();
    object = ends[0];
    other = ends[1];
}
static void send_on(void)
{
    syscall(SYS_write, other, "x", 1);
}
static void receive(void)
{
    char text;

    if (syscall(SYS_read, object, &text, 1) != 1)
        abort();
}
static void give_up(void)
{
    close(object);
    close(other);
}
#else
static void make(void)
{
    char name[] = "/tmp/race-queues-XXXXXX", path[40];

    object = mkstemp(name);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", object);
    other = open(path, O_RDWR);
    unlink(name);
}
static void give_up(void)
{
    close(object);
    close(other);
}
static void send_on(void)
{
    flock(object, LOCK_UN);
}
static void receive(void)
{
    flock(other, LOCK_EX);
}
#endif

static void *first(void *arg)
{
#if defined(LOCKED)
    flock(object, LOCK_EX);
#endif
#if !defined(BEHIND)
    data++;
#endif
    send_on();
#if defined(BEHIND)
    data++; /* @here */
#endif
    return arg;
}

static void *second(void *arg)
{
    receive();
    data++; /* @here */
#if defined(LOCKED)
    flock(other, LOCK_UN);
#endif
    return arg;
}

int main(void)
{
    make();
    both(first, second);
    give_up();
    return data == 2 ? 0 : 1;
}
