/* SPDX-License-Identifier: MIT */
/*
 * The program ends while a thread that waits for ever has been sent a signal, or cancelled: its
 * handler may have run before that, or begun to.
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete classes=7
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT assertion complete classes=7
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=7
 *
 * RUN    -DCANCEL plait test -s dpor -k
 * EXPECT assertion complete classes=5
 *
 * RUN    -DCANCEL plait test -s dfs -k
 * EXPECT assertion complete classes=5
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t never;
static atomic_int hits;
static pthread_t target;

static void hit(int number)
{
    (void)number;
    hits++;
    assert(hits == 0);
}

static void left(void *arg)
{
    (void)arg;
    hit(0);
}

static void *waits(void *arg)
{
    pthread_cleanup_push(left, NULL);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return arg;
}

static void *sends(void *arg)
{
#ifdef CANCEL
    pthread_cancel(target);
#else
    pthread_kill(target, SIGUSR1);
#endif
    return arg;
}

int main(void)
{
    pthread_t sender;

    sem_init(&never, 0, 0);
    signal(SIGUSR1, hit);
    pthread_create(&target, NULL, waits, NULL);
    pthread_create(&sender, NULL, sends, NULL);
    exit(0);
}
