/* SPDX-License-Identifier: MIT */
/*
 * Named semaphores: one object per name, gone after unlink, errors by errno.
 *
 * RUN    plait test -s random -n 50
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 50
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 12 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];

static void *poster(void *arg)
{
    sem_t *mine = sem_open(name, 0);

    assert(mine != SEM_FAILED);
    assert(sem_post(mine) == 0);
    assert(sem_close(mine) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_t *sem;
    int value;

    snprintf(name, sizeof(name), "/plait-test-%07d", (int)getpid());
    sem_unlink(name);
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    sem = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    assert(sem != SEM_FAILED);
    assert(sem_open(name, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    assert(sem_open(name, O_CREAT, 0600, 5) == sem); /* the value of an existing one stays */
    assert(sem_getvalue(sem, &value) == 0 && value == 0);
    assert(sem_close(sem) == 0);
    assert(pthread_create(&t, NULL, poster, NULL) == 0);
    assert(sem_wait(sem) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(sem_unlink(name) == 0);
    assert(sem_unlink(name) == -1 && errno == ENOENT);
    assert(sem_close(sem) == 0);
    return 0;
}
