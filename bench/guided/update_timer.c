/* SPDX-License-Identifier: MIT */
/*
 * update_timer: whoever moves the next timeout earlier reads what is planned, compares and stores,
 * in two locked steps.  Of two updates the later one can undo the earlier timeout of the other.
 *
 * Described as: `updatetimer` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: an update comes between the other one's comparison and its store
 * TYPE: atomicity
 * FINDS: assertion
 * INPUTS: 3 4
 */
#include "guided.h"

#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int planned = 100;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int when = planned;
    pthread_mutex_unlock(&lock);
    return when;
}

static void set(int when)
{
    pthread_mutex_lock(&lock);
    planned = when;
    pthread_mutex_unlock(&lock);
}

static void *update(void *arg)
{
    int when = 10 * (1 + thread_number(arg));

    tally();
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (when < planned)
        planned = when;
    pthread_mutex_unlock(&lock);
#else
    if (when < get())
        set(when);
#endif
    tally();
    return NULL;
}

int main(int argc, char **argv)
{
    (void)get;
    (void)set;
    threads_start(size_given(argc, argv, 3, 9), update);
    threads_join();
    assert(planned == 10);
    return 0;
}
