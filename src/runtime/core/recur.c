/* SPDX-License-Identifier: MIT */
/*
 * See recur.h.  What instrumented code touches is known from its hooks, and may change without
 * consequence: a counter that nobody looks at.  What no hook has touched changes only by code
 * without hooks, and if it does in every round of a loop, that loop gets on.
 *
 * Memory that the program has used is read once more, a millisecond for a program of usual size,
 * and only before a thread is accused of going round for ever.
 */
#include "runtime/core/recur.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <fcntl.h>

enum {
    MOST = 128 << 20, /* bytes that are looked at */
    PAGES = 256,      /* asked about at a time */
};

static bool overlaps(uint64_t start, uint64_t end, uint64_t low, uint64_t high)
{
    return start < high && end > low;
}

/* The runtime's own memory, and stacks: of those the states of threads say what counts. */
static bool is_left_out(uint64_t start, uint64_t end)
{
    const struct pl_thread *main_thread = pl_thread_by_id(pl_stage->process.first);

    return overlaps(start, end, PL_SHADOW_ADDRESS, PL_SHADOW_ADDRESS + PL_SHADOW_SIZE) ||
           overlaps(start, end, UINT64_C(0x5f0000000000), PL_HEAP_ADDRESS) ||
           overlaps(start, end, PL_STACKS_ADDRESS, UINT64_C(0x700000000000)) ||
           overlaps(start, end, pl_stage->modules.own_start, pl_stage->modules.own_end) ||
           overlaps(start, end, pl_stage->modules.signal_stack,
                    pl_stage->modules.signal_stack + 1) ||
           overlaps(start, end, main_thread->stack_high - 1, main_thread->stack_high);
}

/* A word that is 0 adds nothing: so it does not matter whether a page has been used at all. */
static uint64_t add_range(uint64_t h, uint64_t start, uint64_t end)
{
    for (uint64_t a = start; a < end; a += 8) {
        uint64_t word = *(const volatile uint64_t *)a;

        if (word != 0 && pl_shadow_is_untouched(a))
            h += pl_hash_mix(word ^ a * UINT64_C(0x9e3779b97f4a7c15));
    }
    return h;
}

struct digest {
    uint64_t hash, left;
    long pages; /* /proc/self/pagemap, or below 0 */
};

/* Of memory that belongs to no file: only pages that there are, since all others are 0. */
static void add_pages(struct digest *d, uint64_t start, uint64_t end)
{
    uint64_t entries[PAGES] = {0}; /* so that the kernel may write there */
    uint64_t n, all = (end - start) / PL_PAGE;

    for (uint64_t first = 0; first < all; first += n) {
        uint64_t at = start / PL_PAGE + first, wanted = all - first < PAGES ? all - first : PAGES;
        long size = pl_sys(SYS_pread64, d->pages, entries, wanted * sizeof(*entries),
                           at * sizeof(*entries));

        n = size > 0 ? (uint64_t)size / sizeof(*entries) : 0;
        if (n == 0) {
            d->hash = add_range(d->hash, at * PL_PAGE, end);
            return;
        }
        for (uint64_t i = 0; i < n; i++) {
            if (entries[i] >> 62 != 0) /* in memory, or swapped */
                d->hash = add_range(d->hash, (at + i) * PL_PAGE, (at + i + 1) * PL_PAGE);
        }
    }
}

/* "rw-p 00000000 00:00 0": no file is mapped there. */
static bool is_anonymous(const char *line)
{
    unsigned word = 0;

    for (; *line != '\0'; line++) {
        if (*line == ' ' && ++word == 3)
            return line[1] == '0';
    }
    return false;
}

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
    if (d->pages >= 0 && is_anonymous(access))
        add_pages(d, start, end);
    else
        d->hash = add_range(d->hash, start, end);
}

uint64_t pl_recur_digest(void)
{
    char text[8192] = {0}; /* so that the kernel may write there */
    struct digest d = {1, MOST, pl_sys(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC)};

    pl_maps_walk(text, sizeof(text), add_mapping, &d);
    if (d.pages >= 0)
        pl_sys(SYS_close, d.pages);
    PL_ASSERT(d.left <= MOST);
    return d.hash;
}
