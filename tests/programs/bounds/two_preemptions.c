/* SPDX-License-Identifier: MIT */
/*
 * To see the first of two writes takes two preemptions: main must be stopped
 * before it reads, and the writer between its writes.  No bound below finds it,
 * nor calls itself complete; more are not possible, so this one does.  With
 * -DFIXED=1 one write is all there is.
 *
 * RUN    plait test -s pcb:1
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s pcb:1 --require-complete
 * EXPECT clean incomplete exit=4
 *
 * RUN    plait test -s pcb:2
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s pcb:bound=2 -k
 * EXPECT assertion complete exit=1
 *
 * RUN    plait test -s pcb -j 2
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s pcb -k
 * EXPECT assertion complete exit=1
 *
 * RUN    plait test -s delay:1
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s delay:2
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s delay -k
 * EXPECT assertion complete exit=1
 *
 * RUN    -DFIXED=1 plait test -s pcb --require-complete
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s delay --restart fork
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s pcb --restart exec
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static atomic_int state;

static void *writer(void *arg)
{
    if (!FIXED)
        state = 1;
    state = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, writer, NULL);
    seen = state;
    assert(seen != 1); /* @bug */
    return pthread_join(t, NULL);
}
