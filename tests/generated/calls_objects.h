/* SPDX-License-Identifier: MIT */
/*
 * Of programs of generate_calls.py: objects of System V, children, servers and futexes whose
 * waiters move, as short as in calls.h, which includes this.
 */
#ifndef CALLS_OBJECTS_H
#define CALLS_OBJECTS_H

#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/un.h>

/* A run that is stuck leaves nothing behind, if it may have a world of its own. */
HELPER void leave_no_objects(void)
{
#ifdef NATIVE
    (void)!unshare(CLONE_NEWIPC);
#endif
}

HELPER int make_semaphore(int value)
{
    int set = semget(IPC_PRIVATE, 1, 0600);

    MUST(set >= 0 && semctl(set, 0, SETVAL, value) == 0);
    return set;
}

HELPER int add_to_semaphore(int set, int n, int flags)
{
    return code(semop(set, &(struct sembuf){.sem_op = (short)n, .sem_flg = (short)flags}, 1));
}

struct letter {
    long type;
    char text;
};

HELPER int make_letters(void)
{
    int queue = msgget(IPC_PRIVATE, 0600);

    MUST(queue >= 0);
    return queue;
}

HELPER int send_letter(int queue, long type, char text)
{
    return code(msgsnd(queue, &(struct letter){type, text}, 1, IPC_NOWAIT));
}

HELPER int take_letter(int queue, long type, int flags)
{
    struct letter letter = {0};
    long n = msgrcv(queue, &letter, 1, type, flags);

    return n < 0 ? code(-1) : letter.text & 3;
}

/* Memory at two addresses. */
HELPER void attach_twice(atomic_int **first, atomic_int **second)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600);

    MUST(segment >= 0);
    *first = shmat(segment, NULL, 0);
    *second = shmat(segment, NULL, 0);
    MUST(*first != (void *)-1 && *second != (void *)-1 && shmctl(segment, IPC_RMID, NULL) == 0);
}

/* Of a child that has ended, or will: its status as a digit. */
HELPER int status_of(pid_t child)
{
    int status = 0;
    pid_t got;

    do
        got = waitpid(child, &status, 0);
    while (got < 0 && errno == EINTR);
    return got == child && WIFEXITED(status) ? WEXITSTATUS(status) : 15;
}

/* It has an address of its own. */
HELPER int make_listener(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    MUST(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0);
    MUST(listen(fd, 4) == 0);
    return fd;
}

HELPER int connected(int listener)
{
    struct sockaddr_un address;
    socklen_t size = sizeof(address);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    MUST(fd >= 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    MUST(connect(fd, (struct sockaddr *)&address, size) == 0);
    return fd;
}

/* Takes one connection, and what comes first. */
HELPER int serve(int listener)
{
    int fd = accept(listener, NULL, NULL);

    if (fd < 0)
        return code(-1);
    int got = get(fd, 1);

    close(fd);
    return got;
}

HELPER int requeue(atomic_int *from, atomic_int *to, int wake, int move)
{
    return code(syscall(SYS_futex, from, FUTEX_REQUEUE_PRIVATE, wake, (long)move, to, 0));
}

HELPER int compare_and_requeue(atomic_int *from, atomic_int *to, int move, int value)
{
    return code(syscall(SYS_futex, from, FUTEX_CMP_REQUEUE_PRIVATE, 0, (long)move, to, value));
}

#endif /* CALLS_OBJECTS_H */
