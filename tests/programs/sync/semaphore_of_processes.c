/* SPDX-License-Identifier: MIT */
/*
 * A named semaphore is that of all processes that open it: a child by its name, or with what it
 * was forked with.
 *
 * RUN    plait test -s noise -n 10
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 2, TIMES = 5 };

static sem_t *taken, *ended;
static int *total;

static void add(const char *name)
{
    sem_t *by_name = sem_open(name, 0);

    assert(by_name != SEM_FAILED);
    for (int i = 0; i < TIMES; i++) {
        while (sem_wait(taken) != 0)
            ;
        ++*total;
        sem_post(taken);
    }
    sem_post(by_name);
    sem_close(by_name);
    _exit(0);
}

static void *wait_for_all(void *arg)
{
    for (int i = 0; i < CHILDREN; i++)
        while (sem_wait(ended) != 0)
            ;
    assert(*total == CHILDREN * TIMES);
    return arg;
}

int main(void)
{
    char names[2][40];
    pthread_t t;
    int status;

    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof(names[i]), "/plait-%07d-%d", (int)getpid(), i);
    taken = sem_open(names[0], O_CREAT | O_EXCL, 0600, 1);
    ended = sem_open(names[1], O_CREAT | O_EXCL, 0600, 0);
    total = mmap(NULL, sizeof(*total), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(taken != SEM_FAILED && ended != SEM_FAILED);
    pthread_create(&t, NULL, wait_for_all, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() == 0)
            add(names[1]);
    }
    while (wait(&status) > 0)
        assert(status == 0);
    pthread_join(t, NULL);
    for (int i = 0; i < 2; i++)
        assert(sem_unlink(names[i]) == 0);
    return 0;
}
