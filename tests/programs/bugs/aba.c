/* SPDX-License-Identifier: MIT */
/*
 * A lock-free stack compares only the top: between a pop's reading of the top's
 * successor and its compare-exchange the top can be popped, its successor too,
 * and the top pushed again.  The exchange succeeds and brings back a node that
 * somebody owns.  With -DFIXED=1 a counter beside the top tells the difference.
 *
 * RUN    plait test -s random -n 5000
 * EXPECT assertion preemptions=2 minimal=proven exit=1 message~owned location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

enum { NIL = 0, INDEX = 0xff, TAG = 0x100 };

/* The index of the first node, and above it how often it has changed. */
static atomic_uint top = 1;
static atomic_uint next[4] = {NIL, 2, 3, NIL};
static unsigned theirs[2];

static unsigned changed(unsigned old, unsigned index)
{
    return FIXED ? ((old & ~(unsigned)INDEX) + TAG) | index : index;
}

static unsigned pop(void)
{
    unsigned old = top;

    while ((old & INDEX) != NIL) {
        unsigned after = next[old & INDEX];

        if (atomic_compare_exchange_strong(&top, &old, changed(old, after)))
            break;
    }
    return old & INDEX;
}

static void push(unsigned node)
{
    unsigned old = top;

    do
        next[node] = old & INDEX;
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static void *other(void *arg)
{
    theirs[0] = pop();
    theirs[1] = pop();
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned first, mine;

    pthread_create(&t, NULL, other, NULL);
    first = pop();
    mine = pop();
    if (first != NIL)
        push(first);
    pthread_join(t, NULL);
    for (int i = 0; i < 2; i++)
        assert((mine == NIL || theirs[i] != mine) && "a node is owned by one thread"); /* @bug */
    return 0;
}
