/* SPDX-License-Identifier: MIT */
/* See signal_within.h. */
#include "runtime/system/signal_within.h"

#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"

void pl_signal_in_libc(const void *stream, uint64_t pc)
{
    if (!pl_on() || pl_free || pl_inside() || !pl_stage->rooted)
        return;
    struct pl_thread *t = pl_thread_self();

    for (const struct pl_handling *h = t->signals.handling; h != NULL; h = h->outer) {
        if (stream != NULL && h->within.stream == stream)
            pl_unmodelled("on a stream, in a handler", PL_UNMODELLED_FUNCTION, pc);
        else if (stream == NULL && h->within.heap)
            pl_unmodelled("that allocates, in a handler", PL_UNMODELLED_FUNCTION, pc);
    }
    if (t->signals.handling == NULL && stream != NULL)
        t->signals.since.stream = stream;
    else if (t->signals.handling == NULL)
        t->signals.since.heap = true;
}
