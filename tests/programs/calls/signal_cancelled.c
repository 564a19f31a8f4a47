/* SPDX-License-Identifier: MIT */
/*
 * A thread that sleeps, or waits for a semaphore, gets a signal and is cancelled.  If both find it
 * in its call the handler never runs, natively in every third run: libc cancels by a signal of its
 * own, whose frame is on top.  WRONG: the program counts on the handler.  TOLD: it waits until the
 * handler has run before it cancels.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=12
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=12
 *
 * RUN    -DWAITS=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DWRONG=1 plait test -n 200
 * EXPECT assertion location~@wrong
 *
 * RUN    -DWRONG=1 -DWAITS=1 plait test -n 200
 * EXPECT assertion location~@wrong
 *
 * RUN    -DTOLD=1 -DWRONG=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTOLD=1 -DWRONG=1 plait test -s noise -n 10
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#ifndef WRONG
#define WRONG 0
#endif
#ifndef WAITS
#define WAITS 0
#endif
#ifndef TOLD
#define TOLD 0
#endif

static volatile sig_atomic_t handled;
static sem_t never, told;

static void handle(int signal)
{
    handled += signal == SIGUSR1;
    if (TOLD)
        sem_post(&told);
}

static void *wait_for_end(void *arg)
{
    for (;;) {
        if (WAITS)
            sem_wait(&never);
        else
            sleep(1);
    }
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t thread;
    void *result;

    sem_init(&never, 0, 0);
    sem_init(&told, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, wait_for_end, NULL);
    pthread_kill(thread, SIGUSR1);
    while (TOLD && sem_wait(&told) != 0)
        assert(errno == EINTR);
    pthread_cancel(thread);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    assert(handled <= 1);
    assert(!WRONG || handled == 1); /* @wrong */
    return 0;
}
