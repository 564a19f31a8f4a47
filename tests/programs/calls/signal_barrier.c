/* SPDX-License-Identifier: MIT */
/*
 * A signal comes to a thread at a barrier, or at what it does before and behind that.  Who sends
 * it does so at any time, whoever has arrived by then: a handler that runs when the thread could
 * leave could as well run behind that, also where the signal was sent before the last one came.
 * Whether the number is one at first is for two others to decide.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=14 outputs=2,1
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=14 outputs=2,1
 *
 * RUN    plait test -s dpor:classic --outputs
 * EXPECT clean complete classes=14 outputs=2,1
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int hits, turns, other;
static pthread_barrier_t barrier;

static void hit(int signal)
{
    (void)signal;
    atomic_fetch_add(&hits, 1);
}

static void *meets(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *waits(void *arg)
{
    pthread_t t;

    pthread_create(&t, NULL, meets, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return arg;
}

static void *adds(void *arg)
{
    atomic_fetch_add(atomic_fetch_add(&turns, 1) != 0 ? &hits : &other, 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit, .sa_flags = SA_RESTART};
    pthread_t waiting, adding;

    sigaction(SIGUSR1, &action, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&waiting, NULL, waits, NULL);
    pthread_create(&adding, NULL, adds, NULL);
    adds(NULL);
    pthread_join(adding, NULL);
    pthread_kill(waiting, SIGUSR1);
    pthread_join(waiting, NULL);
    printf("%d\n", hits);
    return 0;
}
