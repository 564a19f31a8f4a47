/* SPDX-License-Identifier: MIT */
/*
 * See recur.h.  What instrumented code touches is known from its hooks, and may change without
 * consequence: a counter that nobody looks at.  What no hook has touched changes only by code
 * without hooks, and if it does in every round of a loop, that loop gets on.
 *
 * Memory is read once more than the program does it, some milliseconds for a program of usual
 * size, and only before a thread is accused of going round for ever.
 */
#include "runtime/core/recur.h"

#include "base/assert.h"
#include "base/hash.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"

enum {
    MOST = 128 << 20, /* bytes that are looked at */
};

static bool overlaps(uint64_t start, uint64_t end, uint64_t low, uint64_t high)
{
    return start < high && end > low;
}

/* The runtime's own memory, and stacks: of those the states of threads say what counts. */
static bool is_left_out(uint64_t start, uint64_t end)
{
    const struct pl_thread *main_thread = pl_thread_by_id(0);

    return overlaps(start, end, PL_SHADOW_ADDRESS, PL_SHADOW_ADDRESS + PL_SHADOW_SIZE) ||
           overlaps(start, end, UINT64_C(0x5f0000000000), PL_HEAP_ADDRESS) ||
           overlaps(start, end, PL_STACKS_ADDRESS, UINT64_C(0x700000000000)) ||
           overlaps(start, end, pl_stage->modules.own_start, pl_stage->modules.own_end) ||
           overlaps(start, end, pl_stage->modules.signal_stack,
                    pl_stage->modules.signal_stack + 1) ||
           overlaps(start, end, main_thread->stack_high - 1, main_thread->stack_high);
}

static uint64_t add_range(uint64_t h, uint64_t start, uint64_t end)
{
    for (uint64_t a = start; a < end; a += 8) {
        if (pl_shadow_is_untouched(a))
            h += pl_hash_mix(*(const volatile uint64_t *)a ^ a * UINT64_C(0x9e3779b97f4a7c15));
    }
    return h;
}

struct digest {
    uint64_t hash, left;
};

static void add_mapping(void *arg, uint64_t start, uint64_t end, const char *access)
{
    struct digest *d = arg;

    /* What lies right behind the library may be one mapping with its last part. */
    if (start >= pl_stage->modules.own_start && start < pl_stage->modules.own_end &&
        end > pl_stage->modules.own_end)
        start = pl_stage->modules.own_end;
    if (access[0] != 'r' || access[1] != 'w' || access[3] != 'p' || is_left_out(start, end))
        return;
    if (end - start > d->left)
        end = start + d->left;
    d->left -= end - start;
    d->hash = add_range(d->hash, start, end);
}

uint64_t pl_recur_digest(void)
{
    char text[8192] = {0}; /* so that the kernel may write there */
    struct digest d = {1, MOST};

    pl_maps_walk(text, sizeof(text), add_mapping, &d);
    PL_ASSERT(d.left <= MOST);
    return d.hash;
}
