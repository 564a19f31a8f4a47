/* SPDX-License-Identifier: MIT */
/*
 * A signal that finds its thread in read() ends the call with EINTR, also where data would come
 * later; with SA_RESTART it does not.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 replay=identical ended~a.signal.finds.thread.0.*in.its.call
 *
 * RUN    -DRESTART=SA_RESTART plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifndef RESTART
#define RESTART 0
#endif

static int ends[2];

static void on_signal(int signo)
{
    (void)signo;
}

static void *reader(void *arg)
{
    char c;

    assert(read(ends[0], &c, 1) == 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = RESTART};
    pthread_t t;

    assert(sigaction(SIGUSR1, &action, NULL) == 0 && pipe(ends) == 0);
    pthread_create(&t, NULL, reader, NULL);
    pthread_kill(t, SIGUSR1);
    assert(write(ends[1], "x", 1) == 1);
    return pthread_join(t, NULL);
}
