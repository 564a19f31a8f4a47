/* SPDX-License-Identifier: MIT */
/*
 * A thread that goes round a loop over plain memory makes no call at which a signal, or a
 * cancellation of asynchronous type, could come: it comes between two accesses.  What the handler
 * finds depends on where that was, and is found again.
 *
 * RUN    plait test -s noise -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test -s noise -n 20 -- cancel
 * EXPECT clean exit=0
 *
 * RUN    plait test -s noise -n 300 -- judge
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t told;
static volatile long rounds, half;

static void tell(int signo)
{
    (void)signo;
    told = 1;
}

static void *spin(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!told) {
        half = rounds + 1;
        rounds = half;
    }
    return arg;
}

static void judge(int signo)
{
    tell(signo);
    assert(half == rounds);
}

int main(int argc, char **argv)
{
    pthread_t t;

    signal(SIGUSR1, argc > 1 && argv[1][0] == 'j' ? judge : tell);
    pthread_create(&t, NULL, spin, NULL);
    while (rounds < 3)
        ;
    if (argc > 1 && argv[1][0] == 'c')
        pthread_cancel(t);
    else
        pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
