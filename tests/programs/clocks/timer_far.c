/* SPDX-License-Identifier: MIT */
/*
 * A test that is not to take longer than half a minute says so by alarm(): that does not happen
 * because a thread could be interrupted there.  What is left of it is as much as was asked for.
 * The signal comes if all wait (`stuck`), and early if that was asked for.  A timer that goes off
 * soon may come at any point (`soon`), but not with `last`.
 *
 * RUN    plait test -s random -n 300
 * EXPECT clean
 *
 * RUN    plait test -s pcb
 * EXPECT clean incomplete ended~early
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete
 *
 * RUN    plait test -s random -n 300 --time-outs any
 * EXPECT assertion location~@late
 *
 * RUN    plait test -s random -n 5 -- stuck
 * EXPECT assertion location~@late
 *
 * RUN    plait test -s random -n 300 -- soon
 * EXPECT assertion location~@late
 *
 * RUN    plait test -s random -n 300 --time-outs last -- soon
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count;

static void be_late(int signo)
{
    (void)signo;
    abort(); /* @late */
}

static void *add(void *arg)
{
    count++;
    return arg;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t t;

    signal(SIGALRM, be_late);
    assert(pthread_create(&t, NULL, add, NULL) == 0);
    alarm(strcmp(how, "soon") == 0 ? 1 : 30);
    count++;
    if (strcmp(how, "stuck") == 0)
        pause();
    assert(alarm(0) >= 1);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
