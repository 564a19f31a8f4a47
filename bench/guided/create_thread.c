/* SPDX-License-Identifier: MIT */
/*
 * create_thread: the creator enters the new thread into its table when the call that creates it has
 * returned.  The new thread looks itself up there.
 *
 * Described in: Lu, Park, Seo, Zhou, "Learning from mistakes", ASPLOS 2008, and as `createthread`
 * in Wang, Said, Gupta, ICSE 2011 (Mozilla, mThread).
 *
 * BUG: the new thread looks before the creator has entered it
 * TYPE: order
 * FINDS: crash
 * INPUTS: 1 2
 */
#include "guided.h"

#include <stdatomic.h>
#include <stddef.h>

struct thread {
    atomic_int state;
};

static struct thread made;
static _Atomic(struct thread *) table;

static void *body(void *arg)
{
    struct thread *self;

    (void)arg;
    tally();
    self = table;
    self->state = 1;
    tally();
    return NULL;
}

int main(int argc, char **argv)
{
#ifdef FIXED
    table = &made;
#endif
    threads_start(size_given(argc, argv, 1, 16), body);
    tally();
    table = &made;
    tally();
    threads_join();
    return 0;
}
