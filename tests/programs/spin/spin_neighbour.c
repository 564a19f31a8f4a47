/* SPDX-License-Identifier: MIT */
/*
 * What a thread waits for in a loop lies beside what another thread writes.  That writer has not
 * let it go on: it may also come later, and the thread finds the old value.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2 exit=0
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=2 exit=0
 */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    _Alignas(8) atomic_int value;
    atomic_int ready;
} beside;

static void *waits(void *arg)
{
    while (!beside.ready)
        ;
    return beside.value == 1 ? arg : &beside;
}

static void *writes(void *arg)
{
    beside.value = 1;
    return arg;
}

static void *ends(void *arg)
{
    beside.ready = 1;
    return arg;
}

int main(void)
{
    static void *(*const run[])(void *) = {waits, writes, ends};
    pthread_t t[3];

    for (unsigned i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run[i], NULL);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
