/* SPDX-License-Identifier: MIT */
/*
 * A signal that is ignored when it is sent is none.  So whoever sends it depends on whoever says
 * what is to be done with it: in between, the other thread may have set a handler.
 *
 * RUN    plait test -s exitblock --outputs
 * EXPECT clean incomplete outputs=ignored,handled
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=ignored,handled
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int came;

static void handle(int signo)
{
    (void)signo;
    atomic_fetch_add(&came, 1);
}

static void *minds(void *arg)
{
    signal(SIGUSR1, handle);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, minds, NULL);
    signal(SIGUSR1, SIG_IGN);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    puts(atomic_load(&came) != 0 ? "handled" : "ignored");
    return 0;
}
