/* SPDX-License-Identifier: MIT */
/* See apart.h. */
#include "runtime/system/apart.h"

#include "base/assert.h"
#include "base/memory.h"
#include "runtime/access/access.h"
#include "runtime/access/pieces.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/look.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls.h"
#include "runtime/system/libc_stdio.h"

#include <errno.h>

enum { MOST = 64 << 10 };

void pl_apart_begin(struct pl_apart *a, struct pl_call who)
{
    a->who = who;
    a->fails = a->operates = a->passes = false;
    a->n = a->used = 0;
    a->held = NULL;
}

/* Whether who has the lock of an object of libc is modelled; otherwise it is libc's own. */
static bool models_locks(void)
{
    return !pl_native && !pl_as_free() && pl_on() && !pl_inside();
}

void pl_apart_look_when_free(const struct pl_apart *a, const void *object)
{
    if (models_locks())
        pl_stdio_look(object, a->who);
    else
        pl_access_look(object, a->who.pc, a->who.entry);
}

void pl_apart_hold(struct pl_apart *a, const void *object)
{
    if (!models_locks()) {
        pl_access_state(object, a->who.pc, a->who.entry);
        return;
    }
    PL_ASSERT(a->held == NULL);
    a->held_as_point = pl_stdio_hold(object, a->who);
    a->held = object;
}

void pl_apart_pass(struct pl_apart *a)
{
    if (!models_locks())
        return;
    PL_ASSERT(!a->passes);
    pl_calls_pass(1);
    a->passes = true;
}

/* Whether memory is kept apart; then it needs a part. */
static bool keeps(const struct pl_apart *a, const void *p, uint64_t size)
{
    return p != NULL && size > 0 && size <= MOST && a->n < PL_APART_PARTS &&
           (!pl_as_free() || a->operates) && pl_call_wanted(a->who) && !pl_inside() &&
           pl_stage->n_unjoined > 1 && pl_look_is_there(p);
}

static bool is_near(const struct pl_apart *a, const void *copy)
{
    return (const char *)copy >= a->near && (const char *)copy < a->near + sizeof(a->near);
}

static void *room_for(struct pl_apart *a, uint64_t size)
{
    enum { ALIGNED = 16 };
    uint64_t rounded = (size / ALIGNED + 1) * ALIGNED; /* ends of parts are no others' beginnings */

    if (rounded > sizeof(a->near) - a->used)
        return pl_heap_allocate(size, ALIGNED, a->who.pc);
    a->used += (uint32_t)rounded;
    return a->near + a->used - rounded;
}

static void *add(struct pl_apart *a, const void *p, void *copy, uint64_t size,
                 enum pl_apart_kind kind)
{
    PL_ASSERT(copy != NULL && a->n < PL_APART_PARTS);
    a->parts[a->n++] = (struct pl_apart_part){
        .real = (void *)(uintptr_t)p, .copy = copy, .size = (uint32_t)size, .kind = (uint8_t)kind};
    return copy;
}

/* With these bytes; twice where it is asked later which of them have changed. */
static void *add_copy(struct pl_apart *a, const void *p, const void *bytes, uint64_t size,
                      enum pl_apart_kind kind)
{
    bool twice = kind == PL_APART_CHANGE;
    char *copy = room_for(a, twice ? 2 * size : size);

    PL_ASSERT(copy != NULL);
    pl_memory_copy(copy, bytes, size);
    if (twice)
        pl_memory_copy(copy + size, bytes, size);
    return add(a, p, copy, size, kind);
}

/* Read in pieces where that is wanted; or NULL. */
static void *add_read(struct pl_apart *a, const void *p, uint64_t size, enum pl_apart_kind kind)
{
    char *bytes = pl_pieces_read(p, size, a->who.pc, a->who.entry);

    if (bytes == NULL || kind == PL_APART_IN)
        return bytes != NULL ? add(a, p, bytes, size, kind) : NULL;
    void *copy = add_copy(a, p, bytes, size, kind);

    pl_heap_free(bytes, a->who.pc);
    return copy;
}

static bool is_only_written(enum pl_apart_kind kind)
{
    return kind == PL_APART_OUT || kind == PL_APART_NUMBERS || kind == PL_APART_CHARACTERS ||
           kind == PL_APART_WIDE;
}

void *pl_apart(struct pl_apart *a, const void *p, uint64_t size, enum pl_apart_kind kind)
{
    if (!keeps(a, p, size)) {
        pl_call_touches(p, size, kind != PL_APART_IN, a->who);
        return (void *)(uintptr_t)p;
    }
    if (is_only_written(kind))
        return add_copy(a, p, p, size, kind);
    void *copy = add_read(a, p, size, kind);

    if (copy != NULL)
        return copy;
    pl_call_touches(p, size, false, a->who);
    if (kind == PL_APART_IN && pl_place_is_constant((uint64_t)p))
        return (void *)(uintptr_t)p;
    return add_copy(a, p, p, size, kind);
}

void *pl_apart_text(struct pl_apart *a, const void *s, struct pl_text t)
{
    bool apart = keeps(a, s, pl_text_size(s, t));
    struct pl_text_view v = pl_text_read(s, t, a->who);

    if (v.copy != NULL && apart)
        return add(a, s, v.copy, v.size, PL_APART_IN);
    pl_text_close(&v, a->who); /* on free threads, or it is too large: as it is by now */
    if (!apart || v.broken || v.size > MOST || pl_place_is_constant((uint64_t)s))
        return (void *)(uintptr_t)s;
    return add_copy(a, s, s, v.size, PL_APART_IN);
}

static struct pl_apart_part *find(const struct pl_apart *a, const void *p)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const struct pl_apart_part *part = &a->parts[i];

        if ((const char *)p >= (char *)part->copy &&
            (const char *)p <= (char *)part->copy + part->size)
            return (struct pl_apart_part *)(uintptr_t)part;
    }
    return NULL;
}

void pl_apart_shorten(struct pl_apart *a, const void *copy, uint64_t size)
{
    struct pl_apart_part *part = find(a, copy);

    if (part != NULL && size < part->size)
        part->size = (uint32_t)size;
}

void *pl_apart_back(const struct pl_apart *a, const void *p)
{
    const struct pl_apart_part *part = find(a, p);

    return part != NULL ? (char *)part->real + ((const char *)p - (char *)part->copy)
                        : (void *)(uintptr_t)p;
}

/* Pointers into copies that are about to be stored. */
static void lead_back(const struct pl_apart *a, const struct pl_apart_part *part)
{
    for (uint32_t at = 0; at + sizeof(void *) <= part->size; at += sizeof(void *)) {
        void **word = (void **)((char *)part->copy + at);

        *word = pl_apart_back(a, *word);
    }
}

void pl_apart_store(void *to, const void *from, uint64_t size, struct pl_call who)
{
    if (to == NULL || pl_pieces_store(to, from, size, who.pc, who.entry))
        return;
    if (pl_call_wanted(who))
        pl_call_touches(to, size, true, who);
    pl_memory_copy(to, from, size);
}

void pl_apart_print(void *to, const void *from, uint64_t size, uint32_t unit, struct pl_call who)
{
    if (unit == 0 || to == NULL || !pl_call_wanted(who))
        pl_apart_store(to, from, size, who);
    else
        pl_pieces_print(to, from, size, unit, who.pc, who.entry);
}

static void store(struct pl_apart *a, const struct pl_apart_part *part, uint32_t from, uint32_t to)
{
    pl_apart_store((char *)part->real + from, (const char *)part->copy + from, to - from, a->who);
}

/* By words of the program's memory, only what has changed: the rest is not written. */
static void store_changes(struct pl_apart *a, const struct pl_apart_part *part)
{
    enum { WORD = 8 };
    const char *now = part->copy, *was = now + part->size;
    uint32_t from = 0, at = 0;

    while (at < part->size) {
        uint32_t n = WORD - (uint32_t)((uint64_t)part->real + at) % WORD;

        n = part->size - at < n ? part->size - at : n;
        bool differs = pl_memory_compare(now + at, was + at, n) != 0;

        if (!differs && from < at)
            store(a, part, from, at);
        at += n;
        if (!differs)
            from = at;
    }
    if (from < at)
        store(a, part, from, at);
}

static void store_numbers(struct pl_apart *a, const struct pl_apart_part *part)
{
    enum { NUMBER = 4 };

    for (uint32_t at = 0; at + NUMBER <= part->size; at += NUMBER)
        store(a, part, at, at + NUMBER);
}

static void store_part(struct pl_apart *a, const struct pl_apart_part *part)
{
    if (part->size == 0 || part->kind == PL_APART_IN || (is_only_written(part->kind) && a->fails))
        return;
    lead_back(a, part);
    if (part->kind == PL_APART_CHANGE)
        store_changes(a, part);
    else if (part->kind == PL_APART_NUMBERS)
        store_numbers(a, part);
    else if (part->kind == PL_APART_CHARACTERS)
        pl_apart_print(part->real, part->copy, part->size, 1, a->who);
    else if (part->kind == PL_APART_WIDE)
        pl_apart_print(part->real, part->copy, part->size, sizeof(wchar_t), a->who);
    else
        store(a, part, 0, part->size);
}

void pl_apart_end(struct pl_apart *a)
{
    int error = errno;

    if (a->passes)
        pl_calls_pass(-1);
    a->passes = false;
    if (a->held != NULL)
        pl_stdio_let_go(a->held, a->held_as_point, a->who.pc);
    a->held = NULL;
    if (a->n == 0)
        return;
    if (pl_free)
        pl_monitor_open(); /* the operation is over */
    for (uint32_t i = 0; i < a->n; i++)
        store_part(a, &a->parts[i]);
    for (uint32_t i = 0; i < a->n; i++) {
        if (!is_near(a, a->parts[i].copy))
            pl_heap_free(a->parts[i].copy, a->who.pc);
    }
    a->n = 0;
    errno = error;
}
