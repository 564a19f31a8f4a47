/* SPDX-License-Identifier: MIT */
/*
 * main returns while threads are in the middle of something: one holds a mutex and waits for
 * another, one waits on a condition, one has just been created, one prints.  In the next
 * execution the mutexes are free and nobody waits.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t begun;
static atomic_int inside;

static void *holder(void *arg)
{
    assert(pthread_mutex_lock(&first) == 0);
    assert(++inside == 1);
    sem_post(&begun);
    pthread_mutex_lock(&second); /* main has it, to the end */
    return arg;
}

static void *waiter(void *arg)
{
    static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;

    assert(pthread_mutex_lock(&mine) == 0);
    sem_post(&begun);
    for (;;)
        pthread_cond_wait(&never, &mine);
    return arg;
}

static void *printer(void *arg)
{
    sem_post(&begun);
    flockfile(stdout);
    for (int i = 0; i < 3; i++)
        printf("line %d\n", i);
    funlockfile(stdout);
    return arg;
}

int main(void)
{
    void *(*const what[])(void *) = {holder, waiter, printer};
    pthread_t t;

    assert(sem_init(&begun, 0, 0) == 0);
    assert(pthread_mutex_lock(&second) == 0);
    for (int i = 0; i < 3; i++) {
        assert(pthread_create(&t, NULL, what[i], NULL) == 0);
        assert(pthread_detach(t) == 0);
    }
    assert(inside <= 1 && pthread_mutex_trylock(&second) != 0);
    for (int i = 0; i < 2; i++)
        sem_wait(&begun);
    return 0;
}
