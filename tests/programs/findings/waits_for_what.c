/* SPDX-License-Identifier: MIT */
/*
 * Whoever waits in a system call waits for a file as a rule; where it is for something else, that
 * is what the report says.  -DKIND=1: System V semaphores.
 *
 * RUN    plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.lock.of.a.file
 *
 * RUN    -DKIND=1 plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.set.of.semaphores
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif

static void *waits(void *arg)
{
    struct sembuf take = {.sem_num = 0, .sem_op = -1};
    int set = KIND == 1 ? semget(IPC_PRIVATE, 1, 0600) : -1;

    if (KIND == 1)
        semop(set, &take, 1);
    else
        flock(fileno(arg), LOCK_EX);
    return arg;
}

int main(void)
{
    char path[] = "/proc/self/fd/1234567";
    FILE *file = tmpfile();
    pthread_t thread;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
    FILE *again = fopen(path, "r");

    flock(fileno(again), LOCK_EX);
    pthread_create(&thread, NULL, waits, file);
    pthread_join(thread, NULL);
    return 0;
}
