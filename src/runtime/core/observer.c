/* SPDX-License-Identifier: MIT */
/* The lists of those that are told; see observer.h. */
#include "runtime/core/observer.h"

#include "runtime/ground/stage.h"

#include "base/assert.h"

const struct pl_observer *const *pl_observers;

static void add(struct pl_observing *o, const struct pl_observer *who)
{
    if (who->announced != NULL) {
        PL_ASSERT(o->n_announced < PL_OBSERVERS);
        o->announced[o->n_announced++] = who->announced;
    }
    if (who->chosen != NULL) {
        PL_ASSERT(o->n_chosen < PL_OBSERVERS);
        o->chosen[o->n_chosen++] = who->chosen;
    }
    if (who->performed != NULL) {
        PL_ASSERT(o->n_performed < PL_OBSERVERS);
        o->performed[o->n_performed++] = who->performed;
    }
    if (who->idle != NULL) {
        PL_ASSERT(o->n_idle < PL_OBSERVERS);
        o->idle[o->n_idle++] = who->idle;
    }
    if (who->last != NULL) {
        PL_ASSERT(o->n_last < PL_OBSERVERS);
        o->last[o->n_last++] = who->last;
    }
}

/* Executions mostly want what the one before wanted: then nothing is written. */
void pl_observer_choose(bool rooted)
{
    struct pl_observing *o = &pl_stage->observing;
    PL_ASSERT(pl_observers != NULL);
    uint32_t wanted = 1u << 31; /* not what the lists were made of at first */

    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        PL_ASSERT(i < 31);
        if (pl_observers[i]->wanted == NULL || pl_observers[i]->wanted(rooted))
            wanted |= 1u << i;
    }
    if (o->wanted == wanted)
        return;
    *o = (struct pl_observing){.wanted = wanted};
    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        if ((wanted >> i & 1) != 0)
            add(o, pl_observers[i]);
    }
}

void pl_observer_root(void)
{
    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        if (pl_observers[i]->root != NULL)
            pl_observers[i]->root();
    }
}

void pl_observer_begin(void)
{
    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        if (pl_observers[i]->begin != NULL)
            pl_observers[i]->begin();
    }
}

void pl_observer_begun(void)
{
    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        if (pl_observers[i]->begun != NULL)
            pl_observers[i]->begun();
    }
    pl_observer_choose(true);
}

void pl_observer_counted(enum pl_outcome outcome)
{
    for (unsigned i = 0; pl_observers[i] != NULL; i++) {
        if (pl_observers[i]->counted != NULL)
            pl_observers[i]->counted(outcome);
    }
}
