/* SPDX-License-Identifier: MIT */
/*
 * A timer that is read through a descriptor counts how often it has gone off until it is read.  On
 * a busy machine its reader comes late, while somebody sleeps past it: that is an early end of that
 * sleep, for a search over all executions and for one of each class alike.  Any other number may be
 * read on a real machine: that is not searched, and said.  The timer is older than the threads, so
 * what it has counted is to be put back also where an execution goes on from its middle.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean incomplete ended~but.for.*times.of.a.timer classes=6 executions=192 outputs=1,3,4
 *
 * RUN    plait test -s dfs --outputs --restart exec
 * EXPECT clean incomplete ended~but.for.*times.of.a.timer classes=6 executions=192 outputs=1,3,4
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean incomplete ended~but.for.*times.of.a.timer classes=6 outputs=3,1,4
 *
 * RUN    plait test -s pcb --outputs
 * EXPECT clean incomplete ended~but.for.*times.of.a.timer classes=6 outputs=1,3,4
 *
 * RUN    plait test -s random -n 2000 --outputs
 * EXPECT clean outputs=1,3,4
 *
 * RUN    plait test -s dfs --outputs --time-outs last
 * EXPECT clean outputs=1
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *reads(void *arg)
{
    uint64_t n = 0;

    if (read(timer, &n, sizeof(n)) == sizeof(n))
        printf("%d\n", (int)n);
    return arg;
}

static void *sleeps(void *arg)
{
    sleep(3);
    return arg;
}

int main(void)
{
    struct itimerspec every_second = {{1, 0}, {1, 0}};
    pthread_t thread[2];

    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &every_second, NULL);
    pthread_create(&thread[0], NULL, reads, NULL);
    pthread_create(&thread[1], NULL, sleeps, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
