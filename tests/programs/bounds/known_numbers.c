/* SPDX-License-Identifier: MIT */
/*
 * main makes 4 writes and another thread 3, all to the same variable, so each
 * interleaving is a class.  Those with r turns, main first, are
 * C(3, ceil(r/2) - 1) * C(2, floor(r/2) - 1), and have r - 2 preemptions, because
 * whoever is left last has ended; with the other thread first, they are
 * C(2, ceil(r/2) - 1) * C(3, floor(r/2) - 1) and have r - 1.  With two threads a
 * delay is a preemption.
 *
 * RUN    plait test -s pcb:0
 * EXPECT clean incomplete classes=1
 *
 * RUN    plait test -s pcb:1
 * EXPECT clean incomplete classes=5
 *
 * RUN    plait test -s pcb:2
 * EXPECT clean incomplete classes=13
 *
 * RUN    plait test -s pcb:3 -j 2
 * EXPECT clean incomplete classes=25
 *
 * RUN    plait test -s pcb:4 --checkpoints always
 * EXPECT clean incomplete classes=31
 *
 * RUN    plait test -s pcb:5
 * EXPECT clean complete classes=35
 *
 * RUN    plait test -s pcb
 * EXPECT clean complete classes=35
 *
 * RUN    plait test -s delay:2
 * EXPECT clean incomplete classes=13
 *
 * RUN    plait test -s delay
 * EXPECT clean complete classes=35
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *three(void *arg)
{
    value = 1;
    value = 2;
    value = 3;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, three, NULL);
    value = 4;
    value = 5;
    value = 6;
    value = 7;
    return pthread_join(t, NULL);
}
