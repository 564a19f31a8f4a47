/* SPDX-License-Identifier: MIT */
/* See texts.h. */
#include "runtime/system/texts.h"

#include "base/assert.h"
#include "base/memory.h"
#include "runtime/access/pieces.h"
#include "runtime/ground/heap.h"

/* The units before the end, at most `most`; none is looked at behind it. */
static uint64_t units(const void *s, struct pl_text t)
{
    uint64_t n = 0;

    if (t.unit == 1)
        return t.end == 0 ? pl_call_text_size_of(s, t.most) : pl_call_size_until(s, t.end, t.most);
    while (n < t.most && ((const wchar_t *)s)[n] != 0)
        n++;
    return n < t.most ? n + 1 : n;
}

uint64_t pl_text_size(const void *s, struct pl_text t)
{
    return s != NULL ? units(s, t) * t.unit : 0;
}

/* Whether the bytes have its end, or are all that is wanted of it. */
static bool is_ended(const char *bytes, uint64_t size, struct pl_text t)
{
    uint64_t n = size / t.unit;

    if (n >= t.most)
        return true;
    for (uint64_t i = 0; i < n; i++) {
        if (t.unit == 1 ? (unsigned char)bytes[i] == (unsigned char)t.end
                        : ((const wchar_t *)(uintptr_t)bytes)[i] == 0)
            return true;
    }
    return false;
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

/* The next part, as it is at its point. */
static char *read_part(char *had, uint64_t size, const char *from, uint64_t n, struct pl_call who)
{
    char *part = pl_pieces_read(from, n, who.pc, who.entry);

    if (part == NULL)
        pl_call_touches(from, n, false, who);
    char *copy = grown(had, size, part != NULL ? part : from, n, who);

    if (part != NULL)
        pl_heap_free(part, who.pc);
    return copy;
}

struct pl_text_view pl_text_go_on(char *copy, uint64_t size, const void *s, struct pl_text t,
                                  struct pl_call who)
{
    if (copy == NULL)
        copy = grown(NULL, 0, s, size, who);
    while (!is_ended(copy, size, t)) {
        const char *rest = (const char *)s + size;
        struct pl_text left = t;

        left.most -= size / t.unit;
        uint64_t n = pl_text_size(rest, left);

        copy = read_part(copy, size, rest, n, who);
        size += n;
    }
    return (struct pl_text_view){copy, copy, size};
}

struct pl_text_view pl_text_read(const void *s, struct pl_text t, struct pl_call who)
{
    uint64_t size = pl_text_size(s, t);
    char *copy = size > 0 ? pl_pieces_read(s, size, who.pc, who.entry) : NULL;

    if (copy == NULL) {
        pl_call_touches(s, size, false, who);
        uint64_t now = pl_text_size(s, t);

        if (now <= size)
            return (struct pl_text_view){s, NULL, now};
    }
    return pl_text_go_on(copy, size, s, t, who);
}

void pl_text_announce(const void *s, struct pl_text t, struct pl_call who)
{
    uint64_t size;

    do {
        size = pl_text_size(s, t);
        pl_call_touches(s, size, false, who);
    } while (pl_text_size(s, t) > size);
}

void pl_text_close(const struct pl_text_view *v, struct pl_call who)
{
    if (v->copy != NULL)
        pl_heap_free(v->copy, who.pc);
}
