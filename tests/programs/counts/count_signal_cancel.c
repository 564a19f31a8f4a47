/* SPDX-License-Identifier: MIT */
/*
 * A thread that waits gets a signal and is cancelled, by two others: where the cancellation found
 * it with the signal, the handler could have come before that, and the call have failed.  dpor let
 * only the cancellation come first, and called that complete.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=7 executions=8 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=7 exit=0
 *
 * RUN    -DNEVER plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DNEVER plait test -s dpor:source
 * EXPECT assertion
 *
 * RUN    -DNEVER plait test -s dpor:classic
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t never;
static pthread_t waiter;

static void hit(int number)
{
    (void)number;
}

static void *wait_in_vain(void *arg)
{
    int failed = sem_wait(&never);

    assert(failed && errno == EINTR);
    return arg;
}

static void *cancel(void *arg)
{
    pthread_cancel(waiter);
    return arg;
}

static void *disturb(void *arg)
{
    pthread_kill(waiter, SIGUSR1);
    return arg;
}

int main(void)
{
    const struct sigaction act = {.sa_handler = hit};
    pthread_t others[2];
    void *result;

    sigaction(SIGUSR1, &act, NULL);
    sem_init(&never, 0, 0);
    pthread_create(&waiter, NULL, wait_in_vain, &never);
    pthread_create(&others[0], NULL, cancel, NULL);
    pthread_create(&others[1], NULL, disturb, NULL);
    pthread_join(others[0], NULL);
    pthread_join(others[1], NULL);
    pthread_join(waiter, &result);
    assert(result == PTHREAD_CANCELED || result == &never);
#ifdef NEVER
    assert(result == PTHREAD_CANCELED);
#endif
    return 0;
}
