/* SPDX-License-Identifier: MIT */
/*
 * The first that comes fails, and what the other would have touched is not seen in that execution;
 * nor is the failure in one where the other goes first, unless that counts as meeting it.
 *
 * RUN    plait test -s exitblock -k --hooks-only --outputs
 * EXPECT assertion complete location~@first outputs=last
 *
 * RUN    [exitblock] plait test -s exitblock:rw,order=oldest -k --hooks-only --outputs
 * EXPECT assertion complete location~@first outputs=last
 *
 * RUN    [dpor] plait test -s dpor -k --hooks-only --outputs
 * EXPECT assertion complete location~@first outputs=last
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_barrier_t both;
static atomic_int cell;

static void *take(void *arg)
{
    int none = 0;

    pthread_barrier_wait(&both);
    if (atomic_compare_exchange_strong(&cell, &none, 2))
        assert(!"taken first"); /* @first */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&t, NULL, take, NULL);
    pthread_barrier_wait(&both);
    atomic_fetch_add(&cell, 1);
    pthread_join(t, NULL);
    printf("last\n");
    return 0;
}
