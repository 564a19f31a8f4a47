/* SPDX-License-Identifier: MIT */
/*
 * What detectors are told, and what they ask: the runtime's side of detect/.
 *
 * Their memory is on the stage, taken from its beginning on, so that few pages
 * change per execution.  Stacks are kept as a tree of callers there: a stack is
 * the number of its innermost node, and each thread remembers its own until it
 * enters or leaves a function.
 */
#include "runtime/observe/feed.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/table.h"
#include "detect/detector.h"
#include "detect/host.h"
#include "model/common.h"
#include "model/gate.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/report.h"

enum { WORD_MAX = 16 }; /* bytes of what an instruction can change in one step */
enum { PAGE = 4096, STACK_NODES = 1 << 16, FIRST_SLOTS = 1 << 7, MOST_SLOTS = 2 * STACK_NODES };

/* A caller, and those who called it. */
struct node {
    uint64_t pc;
    uint32_t parent; /* index plus 1 */
};

struct stacks {
    uint32_t n;
    struct pl_table table; /* of nodes[] */
    struct node nodes[STACK_NODES];
    uint64_t slots[PL_TABLE_ROOM(FIRST_SLOTS, MOST_SLOTS)];
};

static inline struct stacks *stacks(void)
{
    return (struct stacks *)pl_stage->feed.stacks;
}

void *pl_host_allocate(size_t size)
{
    uint64_t at = (pl_stage->feed.used + 15) & ~UINT64_C(15);

    PL_ASSERT(pl_stage->feed.used <= PL_DETECT_MEMORY);
    if (at + size > PL_DETECT_MEMORY)
        return NULL;
    pl_stage->feed.used = at + size;
    return pl_stage->detect_memory + at;
}

void pl_host_full(void)
{
    pl_incomplete_add(&pl_common->incomplete, PL_INCOMPLETE_UNJUDGED);
}

unsigned pl_host_locks(pl_tid tid, struct pl_finding_lock *locks, unsigned most)
{
    struct pl_thread *t = pl_thread_by_id(tid);
    unsigned n = pl_thread_listed(t);

    for (unsigned i = 0; i < n && i < most; i++) {
        const struct pl_held *h = pl_thread_held(t, i);

        locks[i] = (struct pl_finding_lock){
            .object = h->object, .shared = h->shared, .pc = h->pc, .addr = h->addr};
    }
    return n;
}

/* The node of `pc` below `parent`; 0 when there is no room. */
static uint32_t node_of(struct stacks *s, uint32_t parent, uint64_t pc)
{
    uint64_t hash = pl_hash_quick(parent, pc);

    PL_ASSERT(parent <= s->n);
    PL_TABLE_EACH(i, &s->table, hash)
    {
        if (s->nodes[i].pc == pc && s->nodes[i].parent == parent)
            return i + 1;
    }
    if (s->n == STACK_NODES || !pl_table_add(&s->table, hash, s->n))
        return 0;
    s->nodes[s->n] = (struct node){.pc = pc, .parent = parent};
    return ++s->n;
}

uint32_t pl_host_stack(pl_tid tid)
{
    struct pl_thread *t = pl_thread_by_id(tid);
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;

    if (t->stack_known)
        return t->stack;
    t->stack = 0;
    for (unsigned i = 0; i < n; i++)
        t->stack = node_of(stacks(), t->stack, pl_thread_frame(t, i)->pc);
    t->stack_known = true;
    return t->stack;
}

unsigned pl_host_frames(uint32_t stack, uint64_t *frames, unsigned most)
{
    unsigned n = 0;

    for (; stack != 0 && n < most; stack = stacks()->nodes[stack - 1].parent)
        frames[n++] = stacks()->nodes[stack - 1].pc;
    return n;
}

uint64_t pl_host_relative(uint64_t pc)
{
    return pl_place_relative(pc);
}

uint64_t pl_host_name(pl_tid tid)
{
    return pl_thread_by_id(tid)->name;
}

struct pl_place pl_host_place(uint64_t addr, unsigned object_kind)
{
    return pl_place_of(addr, object_kind);
}

struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature)
{
    return pl_report_note(kind, signature);
}

void pl_host_predict(const struct pl_cycle *cycle)
{
    pl_report_predicted(cycle);
}

static bool wants(const struct pl_detector_part *d)
{
    return pl_detect_wants((enum pl_detector)d->detector);
}

static void start_stacks(void)
{
    struct stacks *s = pl_host_allocate(sizeof(*s));

    PL_ASSERT(s != NULL); /* the first that anybody takes */
    pl_table_start(&s->table, s->slots, FIRST_SLOTS, MOST_SLOTS);
    pl_stage->feed.stacks = s;
}

void pl_feed_start(void)
{
    if (pl_free)
        return; /* they look at the recording; see account.c */
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++) {
        const struct pl_detector_part *d = pl_detector_parts[i];

        if (!wants(d))
            continue;
        if (!pl_stage->feed.on)
            start_stacks();
        pl_stage->feed.on = true;
        pl_stage->feed.alone |= d->alone;
        if (d->start != NULL)
            d->start();
    }
}

static void tell_access(const struct pl_access *a)
{
    pl_enter();
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++) {
        const struct pl_detector_part *d = pl_detector_parts[i];

        if (d->access != NULL && wants(d) && (d->alone || pl_stage->n_unjoined > 1))
            d->access(a);
    }
    pl_leave();
}

void pl_feed_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
    struct pl_access a = {
        .tid = pl_stage->current, .flags = (uint8_t)flags, .addr = addr, .size = size, .pc = pc};

    /* Where there is never memory, the access fails and is none. */
    if (pl_stage->feed.on && addr >= PAGE)
        tell_access(&a);
}

/* `orders`: the one that applies if it wrote, and above it the one of a failure. */
void pl_feed_atomic(uint64_t addr, uint64_t size, unsigned kind, bool wrote, unsigned orders,
                    uint64_t pc)
{
    bool failed = kind >= PL_ATOMIC_CAS && !wrote;
    struct pl_access a = {.tid = pl_stage->current,
                          .flags = PL_ACCESS_ATOMIC,
                          .order = (uint8_t)(failed ? orders >> 8 : orders),
                          .addr = addr,
                          .size = size,
                          .pc = pc};

    if (!pl_stage->feed.on)
        return;
    if (kind != PL_ATOMIC_STORE)
        a.flags |= PL_ACCESS_READ;
    if (wrote)
        a.flags |= PL_ACCESS_WRITE;
    tell_access(&a);
}

/*
 * An instruction that no hook announces: assembly, or what the compiler left out.  Locks of
 * assembly are made of such, by exchanges and by plain loads and stores, which on this processor
 * acquire and release.  What it orders is ordered; the access itself is nobody's race.
 */
void pl_feed_unhooked(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
    struct pl_access a = {
        .tid = pl_stage->current,
        .flags = (uint8_t)((flags & (PL_ACCESS_READ | PL_ACCESS_WRITE)) | PL_ACCESS_ATOMIC),
        .order = __ATOMIC_ACQ_REL,
        .unjudged = true,
        .addr = addr,
        .size = size,
        .pc = pc};

    if (pl_stage->feed.on && addr >= PAGE && size <= WORD_MAX)
        tell_access(&a);
}

static void tell(struct pl_sync *s)
{
    if (!pl_stage->feed.on)
        return;
    s->addr = pl_alias(s->addr);
    pl_enter();
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++) {
        if (pl_detector_parts[i]->sync != NULL && wants(pl_detector_parts[i]))
            pl_detector_parts[i]->sync(s);
    }
    pl_leave();
}

/* Whether an acquisition by such an operation would not wait, or not for ever. */
static bool is_tried(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLE_ACQUIRES) && pl_operation_is(kind, PL_ROLES(TRIES, TIMED));
}

void pl_feed_lock(const struct pl_thread *t, const struct pl_held *h, bool locked)
{
    struct pl_sync s = {.kind = locked ? PL_SYNC_LOCK : PL_SYNC_UNLOCK,
                        .object = h->object,
                        .shared = h->shared,
                        .tried = is_tried(t->op.kind),
                        .op = t->op.kind,
                        .tid = t->id,
                        .other = PL_TID_NONE,
                        .addr = h->addr,
                        .pc = h->pc};

    tell(&s);
}

void pl_feed_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr, enum pl_object_kind object)
{
    struct pl_sync s = {.kind = (uint8_t)kind,
                        .object = (uint8_t)object,
                        .op = pl_thread_by_id(tid)->op.kind,
                        .tid = tid,
                        .other = PL_TID_NONE,
                        .addr = addr,
                        .pc = pl_thread_by_id(tid)->op.pc};

    tell(&s);
}

/* Somebody else's initialisation is over; `op` would have waited for it. */
void pl_feed_passed(const struct pl_thread *t, const void *once, enum pl_op_kind op, uint64_t pc)
{
    struct pl_sync s = {.kind = PL_SYNC_RECEIVE,
                        .object = PL_OBJECT_ONCE,
                        .op = (uint8_t)op,
                        .tid = t->id,
                        .other = PL_TID_NONE,
                        .addr = (uint64_t)once,
                        .pc = pc};

    tell(&s);
}

/* WAIT, WAKE, SIGNAL. */
void pl_feed_condition(enum pl_sync_kind kind, const struct pl_thread *t, pl_tid other,
                       const void *condition, uint64_t pc)
{
    struct pl_sync s = {.kind = (uint8_t)kind,
                        .object = PL_OBJECT_COND,
                        .tried = pl_operation_is(t->op.kind, PL_ROLE_GIVES_UP) &&
                                 pl_operation_is(t->op.kind, PL_ROLE_TIMED),
                        .op = t->op.kind,
                        .tid = t->id,
                        .other = other,
                        .addr = (uint64_t)condition,
                        .pc = pc};

    tell(&s);
}

void pl_feed_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other)
{
    struct pl_sync s = {.kind = (uint8_t)kind,
                        .object = PL_OBJECT_THREAD,
                        .op = pl_thread_by_id(tid)->op.kind,
                        .tid = tid,
                        .other = other,
                        .pc = pl_thread_by_id(tid)->op.pc};

    tell(&s);
}

void pl_feed_fence(unsigned order)
{
    struct pl_sync s = {.kind = PL_SYNC_FENCE,
                        .order = (uint8_t)order,
                        .tid = pl_stage->current,
                        .other = PL_TID_NONE,
                        .pc = pl_thread_self()->atomic.pc};

    tell(&s);
}

void pl_feed_fresh(uint64_t addr, uint64_t size)
{
    if (!pl_stage->feed.on || size == 0)
        return;
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++) {
        if (pl_detector_parts[i]->fresh != NULL && wants(pl_detector_parts[i]))
            pl_detector_parts[i]->fresh(addr, size);
    }
}
