/* SPDX-License-Identifier: MIT */
/* The locks a thread holds, in the order of acquisition. */
#include "runtime/observe/held.h"

#include "base/assert.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/feed.h"

struct pl_held *pl_held_find(struct pl_thread *t, const void *addr)
{
    for (unsigned i = pl_thread_listed(t); i > 0; i--) {
        if (pl_thread_held(t, i - 1)->addr == (uint64_t)addr)
            return pl_thread_held(t, i - 1);
    }
    return NULL;
}

void pl_held_add(struct pl_thread *t, const void *addr, enum pl_object_kind kind, bool shared,
                 uint64_t pc)
{
    struct pl_held unlisted, *h = &unlisted;

    if (pl_thread_listed(t) < PL_HELD_MAX)
        h = pl_thread_held(t, pl_thread_listed(t));
    else
        t->n_unlisted++;
    *h = (struct pl_held){
        .addr = (uint64_t)addr, .pc = pc, .object = (uint8_t)kind, .shared = shared, .depth = 1};
    t->n_held++;
    PL_CHECK(pl_thread_listed(t) <= PL_HELD_MAX);
    pl_feed_lock(t, h, true);
    pl_cover_took(t, h->addr, shared);
}

bool pl_held_remove(struct pl_thread *t, const void *addr)
{
    unsigned n = pl_thread_listed(t), i = n;

    pl_cover_gave(t, (uint64_t)addr);
    while (i > 0 && pl_thread_held(t, i - 1)->addr != (uint64_t)addr)
        i--;
    if (i == 0) {
        /* More locks than the list has room for: only their number is known. */
        struct pl_held h = {.addr = (uint64_t)addr};

        if (t->n_unlisted == 0)
            return false;
        pl_feed_lock(t, &h, false);
        t->n_unlisted--;
        t->n_held--;
        return true;
    }
    pl_feed_lock(t, pl_thread_held(t, i - 1), false);
    for (; i < n; i++)
        *pl_thread_held(t, i - 1) = *pl_thread_held(t, i);
    PL_ASSERT(t->n_held > t->n_unlisted);
    t->n_held--;
    return true;
}

pl_tid pl_held_holder(const struct pl_thread *t)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_held_find(pl_thread_by_id(i), (void *)t->op.addr) != NULL)
            return i;
    }
    return PL_TID_NONE;
}
