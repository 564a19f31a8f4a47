/* SPDX-License-Identifier: MIT */
/*
 * Leaks: at the end of an execution, which blocks does no pointer lead to?
 *
 * Any word that looks like an address in a block is one.  Roots are the memory of modules
 * and what the system has mapped, stacks of threads that live from their last call on, their
 * thread-local memory and thread-specific values; then whatever is in blocks that were reached.
 * What belongs to a thread that has ended is nobody's, and so is the runtime's own memory.
 *
 * Nothing is done before the end, so an access costs no more than without.
 */
#include "runtime/observe/leaks.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/common.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/report.h"

#include <sys/mman.h>

#define OWN_END UINT64_C(0x700000000000)

enum { TEXT = 1 << 16, STACK_MOST = 64 << 20 };

/* Words are read one by one, whatever they are. */
__attribute__((no_sanitize("address"))) static void scan(uint64_t start, uint64_t end)
{
    for (uint64_t at = (start + 7) & ~UINT64_C(7); at + 8 <= end; at += 8)
        pl_heap_reach(*(const uint64_t *)at);
}

static bool overlaps(uint64_t start, uint64_t end, uint64_t from, uint64_t size)
{
    return start < from + size && from < end;
}

/* The runtime has all that it maps at addresses of its own below the libraries, stacks and heap
 * included. */
static bool is_own(uint64_t start, uint64_t end)
{
    const uint64_t own = pl_stage->modules.own_start;

    return overlaps(start, end, PL_SHADOW_ADDRESS, PL_SHADOW_SIZE) ||
           overlaps(start, end, PL_COMMON_ADDRESS, OWN_END - PL_COMMON_ADDRESS) ||
           overlaps(start, end, own, pl_stage->modules.own_end - own);
}

/* Thread-local memory of threads, none of which lives. */
static bool is_over(uint64_t start, uint64_t end)
{
    bool any = false;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if ((uint64_t)t->tp < start || (uint64_t)t->tp >= end)
            continue;
        if (t->state == PL_THREAD_ALIVE)
            return false;
        any = true;
    }
    return any;
}

/* The kernel's own pages in the program; some of them cannot be read. */
static bool is_kernels(const char *access)
{
    while (*access != '\0' && *access != '[')
        access++;
    return pl_text_starts(access, "[v");
}

static void scan_mapping(void *arg, uint64_t start, uint64_t end, const char *access)
{
    uint64_t stack = pl_thread_by_id(pl_stage->process.first)->stack_high;

    /* What has not been written to since the root may be protected from that.  A file may be
     * shorter than what is mapped of it. */
    if (access[0] != 'r' || access[2] == 'x' || access[3] == 's' || is_kernels(access) ||
        is_own(start, end) || is_over(start, end))
        return;
    if (start < stack && start >= stack - STACK_MOST)
        start = stack; /* arguments and environment */
    if (start < end)
        scan(start, end);
}

/* The stack from where it called last, with the registers that are kept there. */
static void scan_thread(const struct pl_thread *t)
{
    uint64_t from = (uint64_t)t->entry;

    if (from < t->stack_low || from > t->stack_high)
        from = t->main ? t->stack_high : t->stack_low;
    scan(from, t->stack_high);
    if (t->values != NULL)
        scan((uint64_t)t->values, (uint64_t)(t->values + PL_KEYS_MAX));
}

static void reach_all(void)
{
    long text =
        pl_sys(SYS_mmap, 0, TEXT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t start, size;

    PL_ASSERT(text > 0);
    pl_maps_walk((char *)text, TEXT, scan_mapping, NULL);
    pl_sys(SYS_munmap, text, TEXT);
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            scan_thread(pl_thread_by_id(i));
    }
    for (unsigned i = 0; i < PL_LOOKUP_KINDS; i++)
        pl_heap_reach((uint64_t)pl_stage->process.answers[i]);
    while (pl_heap_reached(&start, &size))
        scan(start, start + size);
}

void pl_leaks_look(void)
{
    struct pl_heap_lost lost;

    if (!pl_detect_wants(PL_DETECT_LEAK) || pl_free || !pl_stage->rooted)
        return;
    pl_enter();
    reach_all();
    if (pl_heap_lost(&lost)) {
        struct pl_finding *f =
            pl_report_start(PL_FINDING_LEAK, lost.site, "a block of %lu byte%s is lost",
                            (unsigned long)lost.size, lost.size == 1 ? "" : "s");

        f->object = pl_place_of(lost.user, PL_OBJECT_MEMORY);
        f->tid = PL_TID_NONE; /* it is about where the block was allocated */
        pl_report_end(f);
    }
    pl_leave();
}
