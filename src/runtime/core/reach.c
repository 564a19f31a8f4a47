/* SPDX-License-Identifier: MIT */
/* See reach.h. */
#include "runtime/core/reach.h"

#include "base/assert.h"
#include "runtime/core/middle.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/look.h"
#include "runtime/ground/wide.h"

#include <wchar.h>

/* Granules that are units of their own, and how many are one behind them. */
enum { SINGLE = 512, TOGETHER = 64 };

uint64_t pl_reach_unit(const char *from, const char *at)
{
    uint64_t granule = ((uint64_t)at >> 3) - ((uint64_t)from >> 3);

    return granule < SINGLE ? granule : SINGLE + (granule - SINGLE) / TOGETHER;
}

const char *pl_reach_start(const char *from, uint64_t unit)
{
    uint64_t granule = unit < SINGLE ? unit : SINGLE + (unit - SINGLE) * TOGETHER;

    return granule == 0 ? from : (const char *)((((uint64_t)from >> 3) + granule) << 3);
}

uint32_t pl_reach_events(const char *from, uint64_t size)
{
    uint64_t units = size > 0 ? pl_reach_unit(from, from + size - 1) + 1 : 0;
    uint32_t wide = size > 0 ? pl_wide_events((uint64_t)from, size) : 0;

    return units > wide ? (uint32_t)units : wide; /* at least what a range of that size counts as */
}

static bool is_end(const struct pl_reach *r, uint64_t i)
{
    return r->unit == 1 ? (unsigned char)r->at[i] == (unsigned char)r->end
                        : ((const wchar_t *)(uintptr_t)r->at)[i] == 0;
}

/* Whether one of eight bytes is 0. */
static bool has_zero(uint64_t bytes)
{
    return ((bytes - UINT64_C(0x0101010101010101)) & ~bytes & UINT64_C(0x8080808080808080)) != 0;
}

/* How many bytes are before the first one that is c; at most `most`.  All of them are there. */
static uint64_t bytes_before_there(const char *s, unsigned char c, uint64_t most)
{
    uint64_t n = 0, word, all = c * UINT64_C(0x0101010101010101);

    while (n < most && (uint64_t)(s + n) % sizeof(word) != 0 && (unsigned char)s[n] != c)
        n++;
    if ((uint64_t)(s + n) % sizeof(word) == 0) { /* no page ends within a word */
        for (; n < most; n += sizeof(word)) {
            __builtin_memcpy(&word, s + n, sizeof(word));
            if (has_zero(word ^ all))
                break;
        }
    }
    while (n < most && (unsigned char)s[n] != c)
        n++;
    return n < most ? n : most;
}

/* The same, as far as there is memory; no farther than that it is known at its beginning. */
static uint64_t bytes_before(const char *s, unsigned char c, uint64_t most, bool *there)
{
    enum { PAGE = 4096 };
    uint64_t n = 0;

    while (n < most && (*there = pl_look_is_there(s + n))) {
        uint64_t rest = PAGE - (uint64_t)(s + n) % PAGE, part = rest < most - n ? rest : most - n;
        uint64_t before = bytes_before_there(s + n, c, part);

        n += before;
        if (before < part)
            break;
    }
    return n;
}

static bool is_split(const struct pl_reach *r, uint64_t unit)
{
    const char *start = pl_reach_start(r->from, unit), *end = pl_reach_start(r->from, unit + 1);

    return pl_shadow_is_split(pl_alias((uint64_t)start), (uint64_t)(end - start));
}

/* Up to the first unit that is split; or only that, if it is the next one. */
static uint64_t cut(const struct pl_reach *r, uint64_t size)
{
    uint64_t next = pl_reach_unit(r->from, r->at), unit = next,
             last = pl_reach_unit(r->from, r->at + size - 1);

    while (unit < last && !is_split(r, unit))
        unit++;
    if (!is_split(r, unit))
        return size;
    uint64_t most = (uint64_t)(pl_reach_start(r->from, unit > next ? unit : unit + 1) - r->at);

    return most < size ? most : size;
}

uint64_t pl_reach_size(const struct pl_reach *r)
{
    uint64_t n = 0, most = r->limit / r->unit;
    bool there = true;

    if (most == 0)
        most = 1;
    if (r->most < most)
        most = r->most;
    if (r->unit == 1)
        n = bytes_before(r->at, (unsigned char)r->end, most, &there);
    while (there && n < most && !is_end(r, n))
        n++;
    uint64_t size = (there && n < most ? n + 1 : n) * r->unit;

    if (!r->pieces || size == 0)
        return size;
    uint64_t rest = cut(r, size);

    return rest >= r->unit ? rest / r->unit * r->unit : r->unit;
}

bool pl_reach_is_ended(const struct pl_reach *r, uint64_t size)
{
    uint64_t n = size / r->unit;

    return n >= r->most || n == 0 || is_end(r, n - 1);
}

static bool is_announced(const struct pl_thread *t)
{
    return t->state == PL_THREAD_ALIVE && t->announced && t->reach.at != NULL &&
           t->reach.ordinal == t->op.ordinal && t->reach.n_mapped == pl_stage->n_mapped;
}

void pl_reach_refresh(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (!is_announced(t))
            continue;
        uint64_t size = pl_reach_size(&t->reach);

        if (size != t->op.size)
            pl_middle_resize(t, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX);
    }
}
