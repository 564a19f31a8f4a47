/* SPDX-License-Identifier: MIT */
/*
 * Locks that the kernel keeps: flock() on descriptors of their own, a lock of a range that belongs
 * to an open file, and a System V semaphore.  A thread that waits for one keeps nobody else from
 * running, so the section between is entered by one at a time and left by all.
 *
 * RUN    plait test -s dfs -- flock
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- range
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- semaphore
 * EXPECT clean complete
 *
 * RUN    -DWITHOUT=1 plait test -s dpor -- flock
 * EXPECT assertion
 *
 * RUN    native flock
 * EXPECT exit=0
 *
 * RUN    native range
 * EXPECT exit=0
 *
 * RUN    native semaphore
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <unistd.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

static const char *how;
static char path[40];
static int file, semaphore;
static volatile int inside;

static void lock(int fd, int on)
{
    struct flock range = {
        .l_type = (short)(on ? F_WRLCK : F_UNLCK), .l_whence = SEEK_SET, .l_len = 8};
    struct sembuf change = {.sem_num = 0, .sem_op = (short)(on ? -1 : 1)};

    if (WITHOUT)
        return;
    if (strcmp(how, "flock") == 0)
        assert(flock(fd, on ? LOCK_EX : LOCK_UN) == 0);
    else if (strcmp(how, "range") == 0)
        assert(fcntl(fd, F_OFD_SETLKW, &range) == 0);
    else
        assert(semop(semaphore, &change, 1) == 0);
}

static void *work(void *arg)
{
    int fd = open(path, O_RDWR);

    assert(fd >= 0);
    lock(fd, 1);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    lock(fd, 0);
    close(fd);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    how = argc > 1 ? argv[1] : "flock";
    file = memfd_create("locked", 0);
    assert(file >= 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    semaphore = semget(IPC_PRIVATE, 1, 0600);
    assert(semaphore >= 0 && semctl(semaphore, 0, SETVAL, 1) == 0);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    semctl(semaphore, 0, IPC_RMID);
    return 0;
}
