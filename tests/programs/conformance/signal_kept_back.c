/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes while its handler runs comes when that returns: it is never one with what the
 * thread sends itself afterwards.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 50
 * EXPECT clean
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*a.handler.kept.back
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t begun, sent;
static int hits;
static pthread_t target;

static void hit(int number)
{
    (void)number;
    if (++hits == 1) {
        sem_post(&begun);
        sem_wait(&sent);
    }
}

static void *sends(void *arg)
{
    sem_wait(&begun);
    pthread_kill(target, SIGUSR1);
    sem_post(&sent);
    return arg;
}

int main(void)
{
    pthread_t thread;

    sem_init(&begun, 0, 0);
    sem_init(&sent, 0, 0);
    target = pthread_self();
    signal(SIGUSR1, hit);
    pthread_create(&thread, NULL, sends, NULL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    assert(hits == 3);
    return 0;
}
