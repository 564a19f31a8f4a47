/* SPDX-License-Identifier: MIT */
/*
 * What is done on a signal that nobody sends: one thread sets it, the other asks, or sets it too
 * and is told what was there.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    -DBOTH plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static void *ignore(void *arg)
{
    signal(SIGUSR1, SIG_IGN);
    return arg;
}

static void *look(void *arg)
{
    struct sigaction now;

#ifdef BOTH
    now.sa_handler = signal(SIGUSR1, SIG_DFL);
#else
    sigaction(SIGUSR1, NULL, &now);
#endif
    printf("%d\n", now.sa_handler == SIG_IGN);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, ignore, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
