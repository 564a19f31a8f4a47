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
#include "base/sys.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/stage.h"

#include <fcntl.h>

enum {
    LINE = 512,       /* of the list of mappings, longer ones are cut */
    MOST = 128 << 20, /* bytes that are looked at */
};

static const char *read_hex(const char *p, uint64_t *out)
{
    for (*out = 0;; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                                                  : 16;

        if (digit == 16)
            return p;
        *out = *out << 4 | digit;
    }
}

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

/* A line of the list: "7f00-7f10 rw-p 0000 00:00 0  path". */
static uint64_t add_line(uint64_t h, const char *line, uint64_t *left)
{
    uint64_t start, end;
    const char *p = read_hex(line, &start);

    p = read_hex(p + 1, &end) + 1;
    if (p[0] != 'r' || p[1] != 'w' || p[3] != 'p' || is_left_out(start, end))
        return h;
    if (end - start > *left)
        end = start + *left;
    *left -= end - start;
    return add_range(h, start, end);
}

uint64_t pl_recur_digest(void)
{
    char text[4096] = {0}, line[LINE]; /* so that the kernel may write there */
    uint64_t h = 1, left = MOST;
    unsigned n = 0;
    long fd = pl_sys(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), have;

    while (fd >= 0 && (have = pl_sys(SYS_read, fd, text, sizeof(text))) > 0) {
        for (long i = 0; i < have; i++) {
            if (text[i] != '\n') {
                if (n < LINE - 1)
                    line[n++] = text[i];
                continue;
            }
            line[n] = '\0';
            n = 0;
            h = add_line(h, line, &left);
        }
    }
    if (fd >= 0)
        pl_sys(SYS_close, fd);
    PL_ASSERT(left <= MOST);
    return h;
}
