/* SPDX-License-Identifier: MIT */
/* See texts.h. */
#include "runtime/system/texts.h"

#include "base/assert.h"
#include "base/memory.h"
#include "runtime/access/access.h"
#include "runtime/core/reach.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/look.h"

/* From its first byte on. */
static struct pl_reach reach(const void *s, struct pl_text t)
{
    return (struct pl_reach){
        .from = s, .at = s, .most = t.most, .limit = UINT64_MAX, .end = t.end, .unit = t.unit};
}

uint64_t pl_text_size(const void *s, struct pl_text t)
{
    const struct pl_reach r = reach(s, t);

    return s != NULL ? pl_reach_size(&r) : 0;
}

/* With n more bytes, and an end behind them for those who look further. */
static char *grown(char *had, uint64_t size, const void *more, uint64_t n, struct pl_call who)
{
    char *copy = pl_heap_allocate(size + n + sizeof(wchar_t), 16, who.pc);

    PL_ASSERT(copy != NULL);
    if (size > 0)
        pl_memory_copy(copy, had, size);
    pl_memory_copy(copy + size, more, n);
    pl_memory_fill(copy + size + n, 0, sizeof(wchar_t));
    if (had != NULL)
        pl_heap_free(had, who.pc);
    return copy;
}

/* Whether its memory ends before it does, behind a part of that size. */
static bool lacks_end(const struct pl_reach *r, uint64_t size)
{
    return r->most > 0 && (size == 0 || !pl_reach_is_ended(r, size));
}

/* The next part, as it is at its point; whether it is the last one, or no memory is behind it. */
static bool is_last(struct pl_reach *r, uint64_t *size, bool apart, struct pl_call who)
{
    *size = pl_access_text(r, apart, who.pc, who.entry);
    if (who.entry != NULL && !pl_free)
        pl_entry_now = who.entry; /* others may have come in meanwhile */
    return pl_reach_is_ended(r, *size) || !pl_look_is_there(r->at + *size);
}

struct pl_text_view pl_text_read(const void *s, struct pl_text t, struct pl_call who)
{
    struct pl_reach r = reach(s, t);
    uint64_t size = 0, n;
    char *copy = NULL;

    if (s == NULL)
        return (struct pl_text_view){0};
    while (!is_last(&r, &n, true, who)) {
        copy = grown(copy, size, r.at, n, who);
        size += n;
        r.at += n;
        r.most -= n / t.unit;
    }
    if (lacks_end(&r, n)) { /* whoever reads it finds that out */
        if (copy != NULL)
            pl_heap_free(copy, who.pc);
        return (struct pl_text_view){.at = s, .size = size, .broken = true};
    }
    if (copy == NULL)
        return (struct pl_text_view){.at = s, .size = n};
    return (struct pl_text_view){
        .copy = copy = grown(copy, size, r.at, n, who), .at = copy, .size = size + n};
}

void pl_text_announce(const void *s, struct pl_text t, struct pl_call who)
{
    struct pl_reach r = reach(s, t);
    uint64_t n;

    while (s != NULL && !is_last(&r, &n, false, who)) /* the memory may be another by now */
        ;
}

void pl_text_close(const struct pl_text_view *v, struct pl_call who)
{
    if (v->copy != NULL)
        pl_heap_free(v->copy, who.pc);
}
