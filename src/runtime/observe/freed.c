/* SPDX-License-Identifier: MIT */
/* See freed.h.  Does not report overruns: use a memory checker for those. */
#include "runtime/observe/freed.h"

#include "base/assert.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/place.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/report.h"

void pl_freed_badly(uint64_t addr, bool twice, uint64_t freed_at, uint64_t site)
{
    if (!pl_active || !pl_detect_wants(PL_DETECT_USE_AFTER_FREE))
        return;
    struct pl_finding *f =
        twice ? pl_report_start(PL_FINDING_USE_AFTER_FREE, site, "a block is freed twice")
              : pl_report_start(PL_FINDING_USE_AFTER_FREE, site,
                                "free of something that is no allocated block");

    f->object = pl_place_of(addr, PL_OBJECT_MEMORY);
    f->other_pc = freed_at;
    pl_report_end(f);
}

/* Whether what it is about to do needs the object no more, or only the number of its address. */
static bool is_beyond(const struct pl_thread *t)
{
    return pl_operation_is(t->op.kind, PL_ROLE_OF_QUEUE) ||
           (pl_operation_is(t->op.kind, PL_ROLE_WOKEN) && t->woken);
}

/* A thread that is about to use an object in the block will use freed memory. */
void pl_freed_block(uint64_t addr, uint64_t size, uint64_t site)
{
    /* Free threads announce an operation later than others do: it is found when it happens. */
    if (!pl_active || !pl_detect_wants(PL_DETECT_USE_AFTER_FREE) ||
        pl_board->settings.starts_chosen)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        unsigned object = pl_operation_object(t->op.kind);

        if (t->state != PL_THREAD_ALIVE || !t->announced || i == pl_thread_self()->id ||
            t->op.addr < addr || t->op.addr >= addr + size || object == PL_OBJECT_MEMORY ||
            is_beyond(t))
            continue;
        struct pl_finding *f =
            pl_report_start(PL_FINDING_USE_AFTER_FREE, t->op.pc, "%s on a %s in a freed block",
                            pl_operation_text(t->op.kind), pl_object_text(object));

        f->tid = i;
        pl_report_frames(f, t);
        f->object = pl_place_of(t->op.addr, object);
        f->other_pc = site;
        pl_report_end(f);
    }
}

void pl_freed_check(uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    uint64_t freed_at;

    PL_ASSERT(pl_heap_contains(addr));
    if (!pl_heap_is_freed(addr, &freed_at) || !pl_detect_wants(PL_DETECT_USE_AFTER_FREE))
        return;
    struct pl_finding *f = pl_report_start(PL_FINDING_USE_AFTER_FREE, pc, "%s of %lu bytes %s",
                                           write ? "write" : "read", size, "in a freed block");

    f->object = pl_place_of(addr, PL_OBJECT_MEMORY);
    f->other_pc = freed_at;
    pl_report_end(f);
}
