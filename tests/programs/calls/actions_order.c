/* SPDX-License-Identifier: MIT */
/*
 * What is done on a signal that nobody sends: one thread sets it, the other asks, or sets it too
 * and is told what was there.  With RESET the handler is for one signal: taking that changes it
 * (dpor had one of the two and called that complete), also within the thread that asks (SENT; dfs
 * lacked it, too), and leaves alone what another thread keeps back (KEPT).
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    -DBOTH plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    -DRESET plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    -DRESET -DSENT plait test -s dpor --outputs
 * EXPECT clean complete outputs=0,1
 *
 * RUN    -DRESET -DKEPT plait test -s dfs
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#ifdef RESET
#define WHICH SIGURG /* whose default is to do nothing */
#define NOW SIG_DFL
#else
#define WHICH SIGUSR1
#define NOW SIG_IGN
#endif

static void *ignore(void *arg)
{
#ifndef RESET
    signal(WHICH, SIG_IGN);
#elif !defined(SENT)
    raise(WHICH);
#endif
    return arg;
}

static void *look(void *arg)
{
    struct sigaction now;

#ifdef BOTH
    now.sa_handler = signal(SIGUSR1, SIG_DFL);
#else
    sigaction(WHICH, NULL, &now);
#endif
    printf("%d\n", now.sa_handler == NOW);
    return arg;
}

__attribute__((unused)) static void nothing(int number)
{
    (void)number;
}

int main(void)
{
    pthread_t a, b;

#ifdef RESET
    sigaction(WHICH, &(struct sigaction){.sa_handler = nothing, .sa_flags = SA_RESETHAND}, NULL);
#endif
    pthread_create(&a, NULL, ignore, NULL);
    pthread_create(&b, NULL, look, NULL);
#ifdef SENT
    pthread_kill(b, WHICH);
#endif
#ifdef KEPT
    sigset_t set;
    int got;

    sigemptyset(&set);
    sigaddset(&set, WHICH);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(WHICH);
    sigwait(&set, &got);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
