/* SPDX-License-Identifier: MIT */
/*
 * Wide accesses in pieces.
 *
 * A copy reads a piece, and writes one as soon as it has read all of it, from the beginning to the
 * end: that is what copying by words does, whatever the alignment of both sides.  Bytes that have
 * been read are kept here until they are written; what others do to the source meanwhile comes too
 * late for them.
 */
#include "runtime/access/pieces.h"

#include "base/assert.h"
#include "base/memory.h"
#include "model/gate.h"
#include "runtime/access/access.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/wide.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/hooks.h"

/* Bytes of a long double, and of the widest access that processors promise to make in one step, if
 * it is aligned. */
enum { EXTENDED = 10, VECTOR = 16 };

/*
 * Whether the schedule at hand has a step at an event of the thread from `first` on, before `end`.
 * What it asks about moves forward only, and so does the place in the schedule.
 */
static bool has_step(struct pl_thread *t, uint32_t first, uint32_t end)
{
    const struct pl_strategy_context *c = &pl_stage->context;
    uint64_t i = t->next_step;

    while (i < c->n_steps && (c->steps[i].at != t->name || c->steps[i].ordinal < first))
        i++;
    t->next_step = i;
    return i < c->n_steps && c->steps[i].ordinal < end;
}

uint32_t pl_pieces_next_step(struct pl_thread *t)
{
    const struct pl_strategy_context *c = &pl_stage->context;

    has_step(t, t->ordinal, t->ordinal);
    for (uint64_t i = t->next_step; i < c->n_steps; i++) {
        if (c->steps[i].at == t->name && c->steps[i].ordinal > t->ordinal)
            return c->steps[i].ordinal;
    }
    return UINT32_MAX;
}

/* Whether an access that comes after `later` events and counts as so many is made in pieces. */
static bool is_wanted(struct pl_thread *t, uint64_t addr, uint64_t size, uint32_t later,
                      uint32_t events)
{
    if (!pl_wide_is(size) || pl_free || pl_stage->n_unjoined <= 1 || pl_stage->strategy == NULL)
        return false;
    /* What has the next numbers may be a handler that comes before it. */
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS))
        return !pl_access_is_interrupted(t) &&
               has_step(t, t->ordinal + later + 1, t->ordinal + later + events);
    return pl_shadow_is_split(pl_alias(addr), size);
}

bool pl_pieces_wanted_later(struct pl_thread *t, uint64_t addr, uint64_t size, uint32_t later)
{
    return is_wanted(t, addr, size, later, pl_wide_events(addr, size));
}

bool pl_pieces_wanted(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    return pl_pieces_wanted_later(t, addr, size, 0);
}

void pl_pieces_add(struct pl_pieces *p, struct pl_thread *t, uint64_t addr, uint64_t size)
{
    if (p->next == 0)
        p->next = t->ordinal + 1;
    else if (pl_wide_is(size))
        p->skip = t->ordinal;
    t->ordinal += pl_wide_events(addr, size);
}

void pl_pieces_touch(struct pl_pieces *p, uint64_t addr, uint64_t size, unsigned flags)
{
    struct pl_thread *t = pl_thread_self();
    bool write = (flags & PL_ACCESS_WRITE) != 0;

    addr = pl_alias(addr);
    pl_count_event(p->pc);
    t->entry = p->entry;
    t->part = p->part;
    if (p->next == p->skip)
        p->next++;
    uint32_t ordinal = p->next++;

    if (pl_stage->n_unjoined > 1 && pl_shadow_shared(addr, size, write, t)) {
        pl_sched_piece(pl_hooks_kind(flags), (const void *)addr, (uint32_t)size, p->pc, ordinal);
    } else {
        pl_spin_saw(t, addr, size, write, p->pc);
        if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE) || pl_stage->seeking)
            pl_shadow_saw(addr, size, t);
    }
    t->part = 0;
    if (write) {
        pl_spin_progress(t);
        t->quiet = 0;
    }
    if (pl_stage->feed.on)
        pl_feed_access(addr, size, flags, p->pc);
    if (pl_heap_contains(addr))
        pl_freed_check(addr, size, write, p->pc);
    if (p->entry != NULL)
        pl_entry_now = p->entry; /* others may have come in meanwhile */
}

void pl_pieces_at_once(uint64_t addr, uint64_t size, uint64_t pc)
{
    if (size == EXTENDED)
        pl_unmodelled("of ten bytes", PL_UNMODELLED_INSTRUCTION, pc);
    else if (size > VECTOR)
        pl_unmodelled("of more than 16 bytes", PL_UNMODELLED_INSTRUCTION, pc);
    else if (size == VECTOR && addr % VECTOR != 0)
        pl_unmodelled("of 16 bytes that are not aligned", PL_UNMODELLED_INSTRUCTION, pc);
    else if (pl_wide_crosses(addr, size))
        pl_unmodelled("that accesses two cache lines", PL_UNMODELLED_INSTRUCTION, pc);
}

/* Whether anything that a library function does for the code at `pc` is announced now. */
static bool is_on(uint64_t size, uint64_t pc)
{
    return pl_wide_is(size) && pl_active && pl_access_wanted(pc) && !pl_free && pl_stage->busy == 0;
}

/* Bytes that have been read and not yet written. */
struct buffer {
    char *bytes;
    uint64_t n;
    char near[256];
};

static void open_buffer(struct buffer *b, uint64_t room, uint64_t pc)
{
    b->n = 0;
    b->bytes = room <= sizeof(b->near) ? b->near : pl_heap_allocate(room, 16, pc);
    PL_ASSERT(b->bytes != NULL);
}

static void close_buffer(struct buffer *b, uint64_t pc)
{
    if (b->bytes != b->near)
        pl_heap_free(b->bytes, pc);
}

static void load_bytes(struct pl_pieces *p, uint64_t at, uint64_t n, void *into)
{
    if (!pl_place_is_constant(at)) /* which no library function announces */
        pl_pieces_touch(p, at, n, PL_ACCESS_READ | PL_ACCESS_RANGE);
    pl_memory_copy(into, (const void *)at, n);
}

static void store_bytes(struct pl_pieces *p, uint64_t at, uint64_t n, const void *bytes)
{
    pl_pieces_touch(p, at, n, PL_ACCESS_WRITE | PL_ACCESS_RANGE);
    pl_memory_copy((void *)at, bytes, n);
}

static uint64_t load_piece(struct pl_pieces *p, uint64_t from, uint64_t size, uint64_t at,
                           void *into)
{
    uint64_t end = pl_wide_end(from, size, at);

    load_bytes(p, at, end - at, into);
    return end;
}

static uint64_t store_piece(struct pl_pieces *p, uint64_t to, uint64_t size, uint64_t at,
                            const void *bytes)
{
    uint64_t end = pl_wide_end(to, size, at);

    store_bytes(p, at, end - at, bytes);
    return end;
}

/* Whether an access is made in pieces; then its events are counted. */
static bool begin(struct pl_pieces *p, uint64_t addr, uint64_t size)
{
    struct pl_thread *t = pl_thread_self();

    if (pl_place_is_constant(addr) || !pl_pieces_wanted(t, addr, size))
        return false;
    pl_pieces_add(p, t, addr, size);
    return true;
}

/* The same for a copy. */
static bool begin_copy(struct pl_pieces *p, uint64_t to, uint64_t from, uint64_t size)
{
    struct pl_thread *t = pl_thread_self();
    bool constant = pl_place_is_constant(from);
    bool reads = !constant && pl_pieces_wanted(t, from, size);

    if (!reads && !pl_pieces_wanted_later(t, to, size, constant ? 0 : pl_wide_events(from, size)))
        return false;
    if (!constant)
        pl_pieces_add(p, t, from, size);
    pl_pieces_add(p, t, to, size);
    return true;
}

/* As memcpy() does it: both pieces are read, then both written, the end first. */
static void copy_narrow(struct pl_pieces *p, uint64_t to, uint64_t from, uint64_t size)
{
    uint64_t head = size - pl_wide_step(size);
    char bytes[PL_WIDE_WORD];

    load_piece(p, from, size, from + head, bytes + head);
    load_bytes(p, from, head, bytes);
    store_piece(p, to, size, to + head, bytes + head);
    store_bytes(p, to, head, bytes);
}

bool pl_pieces_copy(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry)
{
    struct pl_pieces p = {.pc = pc, .entry = entry};
    uint64_t target = (uint64_t)to, source = (uint64_t)from, read = source;

    if (!is_on(size, pc) || !begin_copy(&p, target, source, size))
        return false;
    if (pl_wide_is_narrow(size)) {
        copy_narrow(&p, target, source, size);
        return true;
    }
    struct buffer b;

    open_buffer(&b, 2 * pl_wide_unit(source, size) + pl_wide_unit(target, size), pc);
    for (uint64_t at = target; at < target + size;) {
        uint64_t end = pl_wide_end(target, size, at);

        while (read - source < end - target) {
            uint64_t next = load_piece(&p, source, size, read, b.bytes + b.n);

            b.n += next - read;
            read = next;
        }
        store_piece(&p, target, size, at, b.bytes);
        b.n -= end - at;
        pl_memory_move(b.bytes, b.bytes + (end - at), b.n);
        at = end;
    }
    close_buffer(&b, pc);
    return true;
}

static void load_all(struct pl_pieces *p, uint64_t from, uint64_t size, char *into)
{
    for (uint64_t at = from; at < from + size;) {
        uint64_t end = load_piece(p, from, size, at, into);

        into += end - at;
        at = end;
    }
}

static void store_all(struct pl_pieces *p, uint64_t to, uint64_t size, const char *bytes)
{
    for (uint64_t at = to; at < to + size;) {
        uint64_t end = store_piece(p, to, size, at, bytes);

        bytes += end - at;
        at = end;
    }
}

/* Where both overlap everything is read first, as for sizes that fit into registers. */
bool pl_pieces_move(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry)
{
    struct pl_pieces p = {.pc = pc, .entry = entry};
    uint64_t target = (uint64_t)to, source = (uint64_t)from;

    if (target - source >= size && source - target >= size)
        return pl_pieces_copy(to, from, size, pc, entry);
    if (!is_on(size, pc) || !begin_copy(&p, target, source, size))
        return false;
    struct buffer b;

    open_buffer(&b, size, pc);
    load_all(&p, source, size, b.bytes);
    store_all(&p, target, size, b.bytes);
    close_buffer(&b, pc);
    return true;
}

bool pl_pieces_fill(void *to, int byte, uint64_t size, uint64_t pc, const uint64_t *entry)
{
    struct pl_pieces p = {.pc = pc, .entry = entry};
    uint64_t target = (uint64_t)to;

    if (!is_on(size, pc) || !begin(&p, target, size))
        return false;
    if (pl_wide_is_narrow(size)) { /* as memset() does it: the end first */
        char bytes[PL_WIDE_WORD];
        uint64_t head = size - pl_wide_step(size);

        pl_memory_fill(bytes, byte, size);
        store_piece(&p, target, size, target + head, bytes);
        store_bytes(&p, target, head, bytes);
        return true;
    }
    for (uint64_t at = target; at < target + size;) {
        uint64_t end = pl_wide_end(target, size, at);

        pl_pieces_touch(&p, at, end - at, PL_ACCESS_WRITE | PL_ACCESS_RANGE);
        pl_memory_fill((void *)at, byte, end - at);
        at = end;
    }
    return true;
}

char *pl_pieces_read(const void *from, uint64_t size, uint64_t pc, const uint64_t *entry)
{
    struct pl_pieces p = {.pc = pc, .entry = entry};

    if (!is_on(size, pc) || !begin(&p, (uint64_t)from, size))
        return NULL;
    p.part = pl_entry_count(entry);
    char *bytes = pl_heap_allocate(size + 1, 16, pc);

    PL_ASSERT(bytes != NULL);
    load_all(&p, (uint64_t)from, size, bytes);
    bytes[size] = '\0';
    return bytes;
}

bool pl_pieces_store(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry)
{
    struct pl_pieces p = {.pc = pc, .entry = entry};

    if (!is_on(size, pc) || !begin(&p, (uint64_t)to, size))
        return false;
    store_all(&p, (uint64_t)to, size, from);
    return true;
}

/* All of them are one access; whether it has been made in pieces. */
static bool print_in_pieces(char *to, const char *from, uint64_t size, uint32_t unit,
                            uint32_t events, uint64_t pc, const uint64_t *entry)
{
    struct pl_thread *t = pl_thread_self();
    struct pl_pieces p = {.pc = pc, .entry = entry};

    if (!is_on(size, pc) || !is_wanted(t, (uint64_t)to, size, 0, events))
        return false;
    p.next = t->ordinal + 1;
    t->ordinal += events;
    for (uint64_t at = 0; at < size; at += unit)
        store_bytes(&p, (uint64_t)to + at, unit, from + at);
    return true;
}

void pl_pieces_print(void *to, const void *from, uint64_t size, uint32_t unit, uint64_t pc,
                     const uint64_t *entry)
{
    uint64_t n = size / unit;

    if (n > 1 && !pl_wide_is(size)) { /* which would not be made in pieces */
        uint64_t head = size - unit;

        pl_pieces_print(to, from, head, unit, pc, entry);
        pl_pieces_print((char *)to + head, (const char *)from + head, unit, unit, pc, entry);
        return;
    }
    uint32_t events =
        n > 1 && n <= PL_WIDE_PIECES ? 1 + (uint32_t)n : pl_wide_events((uint64_t)to, size);
    bool stored = n > PL_WIDE_PIECES ? pl_pieces_store(to, from, size, pc, entry)
                                     : print_in_pieces(to, from, size, unit, events, pc, entry);

    if (stored)
        return;
    pl_access_call_as(to, size, true, events, pc, entry);
    if (entry != NULL && !pl_free)
        pl_entry_now = entry; /* others may have come in meanwhile */
    pl_memory_copy(to, from, size);
}
