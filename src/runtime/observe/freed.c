/* SPDX-License-Identifier: MIT */
/* See freed.h. */
#include "runtime/observe/freed.h"

#include "base/assert.h"
#include "model/gate.h"
#include "runtime/core/fiber.h"
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

/* Whether a thread that has announced this is about to use an object there. */
static bool is_about_to_use(const struct pl_thread *t, uint64_t addr, uint64_t size)
{
    return t->state == PL_THREAD_ALIVE && t->announced && t != pl_thread_self() &&
           t->op.addr - addr < size && pl_operation_object(t->op.kind) != PL_OBJECT_MEMORY &&
           !is_beyond(t);
}

static void report_object(const struct pl_thread *t, enum pl_finding_kind kind, const char *where,
                          uint64_t gone)
{
    unsigned object = pl_operation_object(t->op.kind);
    struct pl_finding *f =
        pl_report_start(kind, t->op.pc, "%s on a %s in %s", pl_operation_text(t->op.kind),
                        pl_object_text(object), where);

    f->tid = t->id;
    f->object = pl_place_of(t->op.addr, object);
    f->other_pc = gone;
    pl_report_end(f);
}

/* A thread that is about to use an object in the block will use freed memory. */
void pl_freed_block(uint64_t addr, uint64_t size, uint64_t site)
{
    /* Free threads announce an operation later than others do: it is found when it happens. */
    if (!pl_active || !pl_detect_wants(PL_DETECT_USE_AFTER_FREE) ||
        pl_board->settings.starts_chosen)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (is_about_to_use(t, addr, size))
            report_object(t, PL_FINDING_USE_AFTER_FREE, "a freed block", site);
    }
}

void pl_freed_thread(const struct pl_thread *ended)
{
    if (!pl_active || pl_free || !pl_detect_wants(PL_DETECT_HEAP_BOUNDS) ||
        pl_board->settings.starts_chosen || !pl_fiber_is_stack(ended->stack_low))
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (is_about_to_use(t, ended->stack_low, ended->stack_high - ended->stack_low))
            report_object(t, PL_FINDING_HEAP_BOUNDS, "the stack of a thread that has ended", 0);
    }
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void report_freed(uint64_t addr, uint64_t size, bool write, uint64_t pc, uint64_t freed_at)
{
    if (!pl_detect_wants(PL_DETECT_USE_AFTER_FREE))
        return;
    struct pl_finding *f =
        pl_report_start(PL_FINDING_USE_AFTER_FREE, pc, "%s of %lu byte%s %s",
                        write ? "write" : "read", size, plural(size), "in a freed block");

    f->object = pl_place_of(addr, PL_OBJECT_MEMORY);
    f->other_pc = freed_at;
    pl_report_end(f);
}

static void report_bounds(enum pl_heap_fault fault, const struct pl_heap_verdict *v, uint64_t addr,
                          uint64_t size, bool write, uint64_t pc)
{
    const char *does = write ? "write" : "read", *freed = v->freed_at != 0 ? "freed " : "";
    struct pl_finding *f;

    if (!pl_detect_wants(PL_DETECT_HEAP_BOUNDS))
        return;
    if (fault == PL_HEAP_NOWHERE)
        f = pl_report_start(PL_FINDING_HEAP_BOUNDS, pc, "%s of %lu byte%s outside of every block",
                            does, size, plural(size));
    else if (fault == PL_HEAP_BEFORE)
        f = pl_report_start(PL_FINDING_HEAP_BOUNDS, pc,
                            "%s of %lu byte%s, %lu before a %sblock of %lu", does, size,
                            plural(size), v->distance, freed, v->size);
    else if (addr < v->user + v->size)
        f = pl_report_start(PL_FINDING_HEAP_BOUNDS, pc,
                            "%s of %lu byte%s, beyond the end of a %sblock of %lu", does, size,
                            plural(size), freed, v->size);
    else if (v->distance == 0)
        f = pl_report_start(PL_FINDING_HEAP_BOUNDS, pc,
                            "%s of %lu byte%s right behind a %sblock of %lu", does, size,
                            plural(size), freed, v->size);
    else
        f = pl_report_start(PL_FINDING_HEAP_BOUNDS, pc,
                            "%s of %lu byte%s, %lu behind a %sblock of %lu", does, size,
                            plural(size), v->distance, freed, v->size);
    if (fault != PL_HEAP_NOWHERE)
        f->object = pl_place_of(v->user, PL_OBJECT_MEMORY);
    if (fault == PL_HEAP_BEHIND)
        f->object.offset = addr - v->user;
    f->other_pc = v->freed_at;
    pl_report_end(f);
}

void pl_freed_check(uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    struct pl_heap_verdict v = {0};

    PL_ASSERT(pl_heap_contains(addr));
    if (size == 0)
        return;
    enum pl_heap_fault fault = pl_heap_judge(addr, size, &v);

    if (fault == PL_HEAP_FREED)
        report_freed(addr, size, write, pc, v.freed_at);
    else if (fault != PL_HEAP_FINE)
        report_bounds(fault, &v, addr, size, write, pc);
}

static bool is_within(uint64_t addr)
{
    struct pl_heap_verdict v = {0};

    return pl_heap_contains(addr) && pl_heap_judge(addr, 1, &v) == PL_HEAP_FINE;
}

void pl_freed_check_hook(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
    bool vector = (flags & (PL_ACCESS_WRITE | PL_ACCESS_RANGE)) == 0 && size >= 16 && size <= 64 &&
                  (size & (size - 1)) == 0 && addr % size == 0;

    if (!vector || (!is_within(addr) && !is_within(addr + size - 1)))
        pl_freed_check(addr, size, (flags & PL_ACCESS_WRITE) != 0, pc);
}

void pl_freed_stack(uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    bool local;
    const struct pl_thread *t = pl_free ? NULL : pl_fiber_owner(addr, &local);

    if (t == NULL || t->state == PL_THREAD_ALIVE || t == pl_thread_self() ||
        !pl_detect_wants(PL_DETECT_HEAP_BOUNDS))
        return;
    struct pl_finding *f = pl_report_start(
        PL_FINDING_HEAP_BOUNDS, pc, "%s of %lu byte%s in the %s of a thread that has ended",
        write ? "write" : "read", size, plural(size), local ? "thread-local memory" : "stack");

    f->object = pl_place_of(addr, PL_OBJECT_MEMORY);
    pl_report_end(f);
}

void pl_freed_object(uint64_t addr, uint64_t size, uint64_t pc)
{
    if (pl_heap_contains(addr))
        pl_freed_check(addr, size, true, pc);
    else if (pl_fiber_is_stack(addr))
        pl_freed_stack(addr, size, true, pc);
}

void pl_freed_wrongly(const void *p, unsigned kind, uint64_t site)
{
    static const char *const takes[PL_HEAP_KINDS] = {
        [PL_HEAP_MALLOC] = "malloc()", [PL_HEAP_NEW] = "new", [PL_HEAP_NEW_ARRAY] = "new[]"};
    static const char *const gives[PL_HEAP_KINDS] = {
        [PL_HEAP_MALLOC] = "free()", [PL_HEAP_NEW] = "delete", [PL_HEAP_NEW_ARRAY] = "delete[]"};
    enum pl_heap_kind had = pl_heap_kind(p);

    /* A program may have a `new` of its own, by malloc(). */
    if (!pl_active || had == PL_HEAP_KINDS || had == kind ||
        (had == PL_HEAP_MALLOC && !pl_heap_has_new()) || !pl_detect_wants(PL_DETECT_HEAP_BOUNDS))
        return;
    struct pl_finding *f =
        pl_report_start(PL_FINDING_HEAP_BOUNDS, site, "a block from %s is given back by %s",
                        takes[had], gives[kind]);

    f->object = pl_place_of((uint64_t)p, PL_OBJECT_MEMORY);
    pl_report_end(f);
}
