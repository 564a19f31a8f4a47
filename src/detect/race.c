/* SPDX-License-Identifier: MIT */
/*
 * Races: two accesses to the same byte, by two threads, at least one of them a
 * write and not both atomic, neither of which happens before the other.
 *
 * What happens before what is C11's relation, kept in vector clocks.  Releasing a
 * lock, posting, a release store and so on leave the thread's clock at a place,
 * and whoever acquires there takes it up.  What atomic operations leave follows
 * C++20: a release sequence is continued by read-modify-write operations of any
 * thread and by nothing else.
 *
 * Of each byte those accesses are kept that a later one might conflict with while
 * nothing else that is kept would show it: in a program without races the last
 * write, and the reads since that nothing orders, as in FastTrack (Flanagan and
 * Freund, 2009).  Here atomic accesses, which do not conflict with each other,
 * are kinds of their own; and what a race leaves unordered is kept side by side,
 * so that a byte's first race does not hide the next.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"
#include "detect/detector.h"
#include "detect/history.h"
#include "detect/host.h"
#include "model/board.h"

#include <stddef.h>

/* How an access conflicts with others. */
enum kind { ATOMIC_READ, READ, ATOMIC_WRITE, WRITE, KINDS };

/* Bit k: it conflicts with kind k. */
static const uint8_t conflicts[KINDS] = {
    [ATOMIC_READ] = 1 << WRITE,
    [READ] = 1 << WRITE | 1 << ATOMIC_WRITE,
    [ATOMIC_WRITE] = 1 << WRITE | 1 << READ,
    [WRITE] = 1 << WRITE | 1 << ATOMIC_WRITE | 1 << READ | 1 << ATOMIC_READ,
};

/* Locks that were held together, the last one first; equal ones are the same list. */
struct pl_lock_list {
    struct pl_finding_lock lock;
    const struct pl_lock_list *outer;
    struct pl_lock_list *inner, *beside; /* the tree that the lists are kept in */
};

struct racer {
    struct pl_clock clock;
    struct pl_clock released; /* what its last release fence covers */
    struct pl_clock seen;     /* what its next acquire fence brings in */
    const struct pl_lock_list *locks;
    bool locks_known;
};

struct race {
    struct pl_history history;
    struct pl_lock_list no_locks;
    bool lost; /* memory ran out: what happens before what is no longer known */
    struct racer *racers[PL_THREADS_MAX];
};

/*
 * The detector's state has one address for the whole campaign, taken before the
 * root; NULL when there was no memory for it.
 */
static struct race *race;

static bool or_lose(bool done)
{
    if (!done)
        pl_host_full();
    race->lost |= !done;
    return done;
}

/* NULL when memory has run out. */
static struct racer *racer_of(pl_tid tid)
{
    PL_ASSERT(tid < PL_THREADS_MAX);
    struct racer *r = race->racers[tid];

    if (r != NULL)
        return r;
    r = pl_host_allocate(sizeof(*r));
    if (!or_lose(r != NULL && pl_clock_set(&r->clock, tid, 1)))
        return NULL;
    return race->racers[tid] = r;
}

/* What the thread does from now on is not known to those who know it until now. */
static void tick(struct racer *r, pl_tid tid)
{
    PL_ASSERT(tid < r->clock.n && r->clock.at[tid] < UINT32_MAX);
    r->clock.at[tid]++;
}

static void start(void)
{
    race = pl_host_allocate(sizeof(*race));
    if (race != NULL && !pl_history_start(&race->history))
        race = NULL;
    if (race != NULL)
        racer_of(0);
}

static enum kind kind_of(unsigned flags)
{
    bool write = (flags & PL_ACCESS_WRITE) != 0 && (flags & PL_ACCESS_SAME) == 0;

    if (flags & PL_ACCESS_ATOMIC)
        return write ? ATOMIC_WRITE : ATOMIC_READ;
    return write ? WRITE : READ;
}

static bool conflict(enum kind a, enum kind b)
{
    return (conflicts[a] >> b & 1) != 0;
}

/* Whether whatever conflicts with `b` conflicts with `a`. */
static bool covers(enum kind a, enum kind b)
{
    return (conflicts[b] & ~conflicts[a]) == 0;
}

static struct pl_lock_list *find_inner(struct pl_lock_list *outer,
                                       const struct pl_finding_lock *lock)
{
    for (struct pl_lock_list *l = outer->inner; l != NULL; l = l->beside) {
        if (l->lock.addr == lock->addr && l->lock.pc == lock->pc && l->lock.shared == lock->shared)
            return l;
    }
    struct pl_lock_list *l = pl_host_allocate(sizeof(*l));

    if (l == NULL)
        return outer;
    *l = (struct pl_lock_list){.lock = *lock, .outer = outer, .beside = outer->inner};
    return outer->inner = l;
}

static const struct pl_lock_list *locks_of(struct racer *r, pl_tid tid)
{
    struct pl_finding_lock held[PL_FINDING_LOCKS];
    struct pl_lock_list *at = &race->no_locks;

    if (r->locks_known)
        return r->locks;
    unsigned n = pl_host_locks(tid, held, PL_FINDING_LOCKS);

    for (unsigned i = 0; i < n && i < PL_FINDING_LOCKS; i++)
        at = find_inner(at, &held[i]);
    r->locks = at;
    r->locks_known = true;
    return at;
}

static void describe(struct pl_finding_access *to, const struct pl_earlier *p, uint64_t granule)
{
    unsigned n = 0;

    to->tid = p->tid;
    to->flags = p->flags;
    to->addr = granule + (uint64_t)(int64_t)p->from;
    to->size = p->size;
    to->pc = p->pc;
    to->n_frames = (uint8_t)pl_host_frames(p->stack, to->frames, PL_FINDING_FRAMES);
    for (const struct pl_lock_list *l = p->locks; l->outer != NULL; l = l->outer)
        n++;
    PL_ASSERT(n <= PL_FINDING_LOCKS);
    to->n_locks = (uint8_t)n;
    for (const struct pl_lock_list *l = p->locks; l->outer != NULL; l = l->outer) {
        to->locks[--n] = l->lock;
        to->locks[n].place = pl_host_place(l->lock.addr, l->lock.object);
    }
}

/* One side of the pair: the statement, and whether it writes there. */
static uint64_t side(const struct pl_earlier *p)
{
    return pl_hash_add(kind_of(p->flags) >= ATOMIC_WRITE, pl_host_relative(p->pc));
}

static const char *did(const struct pl_earlier *p)
{
    if (p->flags & PL_ACCESS_FREE)
        return "freed";
    switch (kind_of(p->flags)) {
    case ATOMIC_READ:
        return "read atomically";
    case READ:
        return "read";
    case ATOMIC_WRITE:
        return "written atomically";
    default:
        return "written";
    }
}

/* `now` comes after `before` without being ordered after it; both touch the bytes `mask`. */
static void report(const struct pl_earlier *before, const struct pl_earlier *now, uint64_t granule,
                   uint8_t mask)
{
    PL_ASSERT(mask != 0 && before->tid != now->tid);
    uint64_t addr = granule + (unsigned)__builtin_ctz(mask);
    struct pl_finding *f = pl_host_note(PL_FINDING_RACE, side(before) + side(now));

    if (f == NULL)
        return;
    f->tid = now->tid;
    f->pc = now->pc;
    f->other_pc = before->pc;
    f->object = pl_host_place(addr, PL_OBJECT_MEMORY);
    f->n_accesses = 2;
    describe(&f->accesses[0], before, granule);
    describe(&f->accesses[1], now, granule);
    f->n_frames = f->accesses[1].n_frames;
    for (unsigned i = 0; i < f->n_frames; i++)
        f->frames[i] = f->accesses[1].frames[i];
    pl_text_format(f->text, sizeof(f->text),
                   "%u byte%s %s that another thread has %s, and nothing orders the two", now->size,
                   now->size == 1 ? " is" : "s are", did(now), did(before));
}

/* Whether the only access kept is the thread's own, as new as this one, and says as much. */
static bool is_repeated(const struct pl_earlier *p, const struct pl_earlier *now)
{
    return p != NULL && p->next == NULL && p->tid == now->tid && p->clock == now->clock &&
           (now->mask & ~p->mask) == 0 && covers(kind_of(p->flags), kind_of(now->flags));
}

/* Compare an access with what is kept of a granule, and keep it there. */
static void check(struct racer *r, struct pl_granule *g, const struct pl_earlier *now)
{
    enum kind kind = kind_of(now->flags);

    PL_ASSERT(now->mask != 0 && now->clock > 0 && now->locks != NULL);
    for (struct pl_earlier **at = &g->past; *at != NULL;) {
        struct pl_earlier *p = *at;
        uint8_t both = p->mask & now->mask;
        bool ordered = p->tid == now->tid || p->clock <= pl_clock_get(&r->clock, p->tid);

        if (both != 0 && !ordered && conflict(kind_of(p->flags), kind) && !race->lost)
            report(p, now, g->addr, both);
        if (ordered && covers(kind, kind_of(p->flags)))
            p->mask &= (uint8_t)~both;
        if (p->mask == 0)
            pl_history_remove(&race->history, at);
        else
            at = &p->next;
    }
    struct pl_earlier *kept = pl_history_add(&race->history, g);

    if (or_lose(kept != NULL)) {
        struct pl_earlier *next = kept->next;

        *kept = *now;
        kept->next = next;
    }
}

static void look(struct racer *r, const struct pl_access *a)
{
    uint64_t first = a->addr & ~(uint64_t)(PL_GRANULE - 1), end = a->addr + a->size;
    struct pl_earlier now = {.clock = pl_clock_get(&r->clock, a->tid),
                             .tid = a->tid,
                             .flags = a->flags,
                             .pc = a->pc,
                             .size = a->size < UINT32_MAX ? (uint32_t)a->size : UINT32_MAX};

    for (uint64_t at = first; at < end; at += PL_GRANULE) {
        struct pl_granule *g = pl_history_granule(&race->history, at);

        if (!or_lose(g != NULL))
            return;
        now.mask = pl_history_mask(at, a->addr, a->size);
        if (is_repeated(g->past, &now))
            continue;
        if (now.locks == NULL) {
            now.locks = locks_of(r, a->tid);
            now.stack = pl_host_stack(a->tid);
        }
        now.from = (int32_t)(a->addr - at);
        check(r, g, &now);
    }
}

static bool acquires(unsigned order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(unsigned order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* An atomic operation reads: take up what those have left whose value it sees. */
static void take_up(struct racer *r, const struct pl_access *a)
{
    struct pl_clock *to = acquires(a->order) ? &r->clock : &r->seen;

    for (uint64_t at = a->addr & ~(uint64_t)(PL_GRANULE - 1); at < a->addr + a->size;
         at += PL_GRANULE) {
        struct pl_granule *g = pl_history_known(&race->history, at);

        for (struct pl_sync_place *s = g != NULL ? g->places : NULL; s != NULL; s = s->next) {
            if (s->addr < a->addr + a->size && s->addr + s->size > a->addr)
                or_lose(pl_clock_join(to, &s->clock));
        }
    }
}

/* A value is stored over what was there: nobody can see that any more. */
static void overwrite(const struct pl_access *a, uint64_t at)
{
    struct pl_granule *g = pl_history_known(&race->history, at);

    for (struct pl_sync_place *s = g != NULL ? g->places : NULL; s != NULL; s = s->next) {
        if (s->addr >= a->addr && s->addr + s->size <= a->addr + a->size)
            pl_clock_clear(&s->clock);
    }
}

/* An atomic operation writes: leave what those are to know who see the value. */
static void leave(struct racer *r, const struct pl_access *a)
{
    const struct pl_clock *from = releases(a->order) ? &r->clock : &r->released;
    uint64_t end = a->addr + a->size;

    for (uint64_t at = a->addr & ~(uint64_t)(PL_GRANULE - 1); at < end; at += PL_GRANULE) {
        uint64_t low = at > a->addr ? at : a->addr;
        uint64_t high = end < at + PL_GRANULE ? end : at + PL_GRANULE;

        if ((a->flags & PL_ACCESS_READ) == 0)
            overwrite(a, at);
        if (from->n == 0)
            continue;
        struct pl_sync_place *s = pl_history_place(&race->history, low, (unsigned)(high - low));

        or_lose(s != NULL && pl_clock_join(&s->clock, from));
    }
    if (releases(a->order))
        tick(r, a->tid);
}

static void see_access(const struct pl_access *a)
{
    struct racer *r = race != NULL ? racer_of(a->tid) : NULL;

    if (r == NULL || a->size == 0)
        return;
    bool atomic = (a->flags & PL_ACCESS_ATOMIC) != 0;

    if (atomic && (a->flags & PL_ACCESS_READ) != 0)
        take_up(r, a);
    if (!a->unjudged)
        look(r, a);
    if (atomic && (a->flags & PL_ACCESS_WRITE) != 0)
        leave(r, a);
}

static void fence(struct racer *r, const struct pl_sync *s)
{
    if (acquires(s->order))
        or_lose(pl_clock_join(&r->clock, &r->seen));
    if (!releases(s->order))
        return;
    or_lose(pl_clock_copy(&r->released, &r->clock));
    tick(r, s->tid);
}

/* Leave at a place what the thread knows. */
static void send(struct racer *r, pl_tid tid, struct pl_clock *place)
{
    or_lose(pl_clock_join(place, &r->clock));
    tick(r, tid);
}

static void create(struct racer *r, const struct pl_sync *s)
{
    struct racer *child = racer_of(s->other);

    if (child != NULL)
        or_lose(pl_clock_join(&child->clock, &r->clock));
    tick(r, s->tid);
}

static void join(struct racer *r, const struct pl_sync *s)
{
    struct racer *child = racer_of(s->other);

    if (child != NULL)
        or_lose(pl_clock_join(&r->clock, &child->clock));
}

/* What happens at an object. */
static void meet(struct racer *r, const struct pl_sync *s)
{
    struct pl_sync_place *place = pl_history_place(&race->history, s->addr, 1);

    if (!or_lose(place != NULL))
        return;
    switch ((enum pl_sync_kind)s->kind) {
    case PL_SYNC_LOCK:
        r->locks_known = false;
        if (!s->shared)
            or_lose(pl_clock_join(&r->clock, &place->readers));
        or_lose(pl_clock_join(&r->clock, &place->clock));
        break;
    case PL_SYNC_UNLOCK:
        r->locks_known = false;
        send(r, s->tid, s->shared ? &place->readers : &place->clock);
        break;
    case PL_SYNC_SEND:
        send(r, s->tid, &place->clock);
        break;
    case PL_SYNC_RECEIVE:
        or_lose(pl_clock_join(&r->clock, &place->clock));
        break;
    default:
        pl_clock_clear(&place->clock);
        break;
    }
}

static void see_sync(const struct pl_sync *s)
{
    struct racer *r = race != NULL ? racer_of(s->tid) : NULL;

    if (r == NULL)
        return;
    switch ((enum pl_sync_kind)s->kind) {
    case PL_SYNC_CREATE:
        create(r, s);
        break;
    case PL_SYNC_JOIN:
        join(r, s);
        break;
    case PL_SYNC_EXIT:
        break;
    case PL_SYNC_FENCE:
        fence(r, s);
        break;
    default:
        meet(r, s);
        break;
    }
}

static void see_fresh(uint64_t addr, uint64_t size)
{
    if (race != NULL)
        pl_history_forget(&race->history, addr, size);
}

const struct pl_detector_part pl_race = {
    .detector = PL_DETECT_RACE,
    .start = start,
    .access = see_access,
    .sync = see_sync,
    .fresh = see_fresh,
};
