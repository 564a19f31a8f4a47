/* SPDX-License-Identifier: MIT */
/*
 * A thread sleeps while a timer is set and goes off: whether the sleep is cut short, comes to its
 * end before the signal, or after it, depends on when the timer was set.  Nobody sleeps past the
 * timer.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=01,00,11
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=00,01,11
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete outputs=00,01,11
 *
 * A thread that blocks the signal sleeps on.
 *
 * RUN    -DBLOCKS=1 plait test -s dfs --outputs
 * EXPECT clean complete outputs=01,00
 *
 * RUN    -DBLOCKS=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=00,01
 *
 * Where the timer was set before, only the handler may still be late.
 *
 * RUN    -DBEFORE=1 plait test -s dfs --outputs
 * EXPECT clean complete outputs=01,00,11
 *
 * RUN    -DBEFORE=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=01,00,11
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#ifndef BLOCKS
#define BLOCKS 0
#endif
#ifndef BEFORE
#define BEFORE 0
#endif

static atomic_int gone_off;
static int cut, seen;

static void go_off(int signo)
{
    (void)signo;
    gone_off = 1;
}

static void *rest(void *arg)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    if (BLOCKS)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    cut = sleep(3) != 0;
    seen = gone_off;
    return arg;
}

int main(void)
{
    pthread_t other;

    signal(SIGALRM, go_off);
    if (BEFORE)
        alarm(2);
    pthread_create(&other, NULL, rest, NULL);
    if (!BEFORE)
        alarm(2);
    pthread_join(other, NULL);
    printf("%d%d\n", cut, seen);
    return 0;
}
