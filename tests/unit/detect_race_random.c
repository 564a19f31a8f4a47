/* SPDX-License-Identifier: MIT */
/*
 * The race detector against the definition: for random sequences of events,
 * happens-before is worked out as the closure of its edges, event by event, and
 * all pairs of accesses are compared.  Whatever the detector reports must be a
 * race, and of every byte with a race it must report one.
 */
#include "unit.h"

#include "base/rng.h"
#include "detect_host.h"

enum {
    SEQUENCES = 20000,
    EVENTS = 48,
    THREADS = 4,
    MEMORY = 0x1000, /* plain and atomic accesses */
    BYTES = 20,
    ATOMICS = 2, /* numbers of 4 bytes at the beginning of it */
    LOCKS = 0x3000,
    OBJECT = 0x4000,
};
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum what { PLAIN, ATOMIC, LOCK, UNLOCK, SEND, RECEIVE, FENCE, CREATE, JOIN };

struct event {
    enum what what;
    pl_tid tid, other;
    unsigned flags, order;
    uint64_t addr, size;
    bool shared;
    uint64_t before;  /* the events that happen before it: bit i is event i */
    uint64_t heads;   /* of an atomic read: the releases that an acquire synchronises with */
    int value;        /* of an atomic read: the event that wrote the value, or -1 */
    uint64_t carries; /* of an atomic write: the releases that its value stands for */
};

static struct event events[EVENTS];
static unsigned n_events;
static uint64_t rng;

static unsigned below(unsigned n)
{
    return (unsigned)(pl_rng_next(&rng) >> 33) % n;
}

static bool acquires(unsigned order)
{
    return order != RELAXED && order != RELEASE;
}

static bool releases(unsigned order)
{
    return order >= RELEASE;
}

/* What is known from knowing event i. */
static uint64_t with(unsigned i)
{
    return events[i].before | UINT64_C(1) << i;
}

static uint64_t with_all(uint64_t set)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < n_events; i++) {
        if (set >> i & 1)
            all |= with(i);
    }
    return all;
}

/* The last event before the present one that matches; -1 when there is none. */
static int last(bool (*match)(const struct event *, const struct event *), const struct event *e)
{
    for (int i = (int)n_events - 1; i >= 0; i--) {
        if (match(&events[i], e))
            return i;
    }
    return -1;
}

static bool same_thread(const struct event *a, const struct event *e)
{
    return a->tid == e->tid;
}

static bool made(const struct event *a, const struct event *e)
{
    return a->what == CREATE && a->other == e->tid;
}

static bool writes_number(const struct event *a, const struct event *e)
{
    return a->what == ATOMIC && a->addr == e->addr && (a->flags & PL_ACCESS_WRITE);
}

static bool fences_release(const struct event *a, const struct event *e)
{
    return a->what == FENCE && a->tid == e->tid && releases(a->order);
}

/* The edges into an atomic operation, and what its value stands for. */
static void settle_atomic(struct event *e)
{
    int fence = last(fences_release, e);

    e->value = last(writes_number, e);
    e->heads = e->value >= 0 && (e->flags & PL_ACCESS_READ) ? events[e->value].carries : 0;
    if (acquires(e->order))
        e->before |= with_all(e->heads);
    if (!(e->flags & PL_ACCESS_WRITE))
        return;
    e->carries = e->heads; /* an update goes on with the sequence, a store begins anew */
    if (releases(e->order))
        e->carries |= UINT64_C(1) << n_events;
    else if (fence >= 0)
        e->carries |= UINT64_C(1) << fence;
}

static void settle_lock(struct event *e)
{
    for (unsigned i = 0; i < n_events; i++) {
        if (events[i].what == UNLOCK && events[i].addr == e->addr &&
            !(events[i].shared && e->shared))
            e->before |= with(i);
    }
}

static void settle(struct event *e)
{
    int previous = last(same_thread, e), creation = last(made, e);

    if (previous >= 0)
        e->before |= with((unsigned)previous);
    if (creation >= 0)
        e->before |= with((unsigned)creation);
    if (e->what == ATOMIC)
        settle_atomic(e);
    else if (e->what == LOCK)
        settle_lock(e);
    for (unsigned i = 0; i < n_events; i++) {
        const struct event *a = &events[i];

        if ((e->what == RECEIVE && a->what == SEND) || (e->what == JOIN && a->tid == e->other))
            e->before |= with(i);
        if (e->what == FENCE && acquires(e->order) && a->what == ATOMIC && a->tid == e->tid)
            e->before |= with_all(a->heads);
    }
}

static void tell(const struct event *e)
{
    switch (e->what) {
    case PLAIN:
        host_access(e->tid, e->addr, e->size, e->flags, 0, n_events + 1);
        break;
    case ATOMIC:
        host_atomic(e->tid, e->addr, e->size, e->flags, e->order, n_events + 1);
        break;
    case LOCK:
        host_lock(e->tid, e->addr, e->shared, e->addr + 1);
        break;
    case UNLOCK:
        host_unlock(e->tid, e->addr);
        break;
    case SEND:
        host_object(PL_SYNC_SEND, e->tid, OBJECT);
        break;
    case RECEIVE:
        host_object(PL_SYNC_RECEIVE, e->tid, OBJECT);
        break;
    case FENCE:
        host_fence(e->tid, e->order);
        break;
    case CREATE:
        host_thread(PL_SYNC_CREATE, e->tid, e->other);
        break;
    case JOIN:
        host_thread(PL_SYNC_EXIT, e->other, PL_TID_NONE);
        host_thread(PL_SYNC_JOIN, e->tid, e->other);
        break;
    }
}

static void happen(struct event e)
{
    settle(&e);
    tell(&e);
    events[n_events++] = e;
}

static struct event some_access(pl_tid tid)
{
    static const unsigned flags[] = {PL_ACCESS_READ, PL_ACCESS_WRITE,
                                     PL_ACCESS_READ | PL_ACCESS_WRITE};
    struct event e = {.tid = tid, .flags = flags[below(3)], .order = below(6)};

    if (below(2) == 0) {
        e.what = ATOMIC;
        e.addr = MEMORY + below(ATOMICS) * 4;
        e.size = 4;
    } else {
        e.what = PLAIN;
        e.size = 1 + below(9);
        e.addr = MEMORY + below((unsigned)(BYTES - e.size));
    }
    return e;
}

/* A thread's part under one lock, or one other event. */
static void step(pl_tid tid)
{
    struct event lock = {.what = LOCK, .tid = tid, .addr = LOCKS + below(2) * 64};

    switch (below(6)) {
    case 0:
        lock.shared = below(2) == 0;
        happen(lock);
        happen(some_access(tid));
        lock.what = UNLOCK;
        happen(lock);
        break;
    case 1:
        happen((struct event){.what = below(2) == 0 ? SEND : RECEIVE, .tid = tid});
        break;
    case 2:
        happen((struct event){.what = FENCE, .tid = tid, .order = below(6)});
        break;
    default:
        happen(some_access(tid));
        break;
    }
}

/* Whether two accesses to the same byte are a race, by the definition. */
static bool is_race(unsigned i, unsigned j)
{
    const struct event *a = &events[i], *b = &events[j];

    return a->tid != b->tid && ((a->flags | b->flags) & PL_ACCESS_WRITE) &&
           !(a->what == ATOMIC && b->what == ATOMIC) && !(b->before >> i & 1);
}

static bool is_access_to(const struct event *e, uint64_t byte)
{
    return e->what <= ATOMIC && byte >= e->addr && byte < e->addr + e->size;
}

static bool has_race(uint64_t byte)
{
    for (unsigned j = 0; j < n_events; j++) {
        for (unsigned i = 0; i < j && is_access_to(&events[j], byte); i++) {
            if (is_access_to(&events[i], byte) && is_race(i, j))
                return true;
        }
    }
    return false;
}

static bool is_reported(uint64_t byte)
{
    for (unsigned k = 0; k < host.n_findings; k++) {
        const struct pl_finding *f = &host.findings[k];

        if (is_access_to(&events[f->other_pc - 1], byte) && is_access_to(&events[f->pc - 1], byte))
            return true;
    }
    return false;
}

static void sequence(uint64_t seed)
{
    rng = seed;
    n_events = 0;
    host_begin(&pl_race);
    for (pl_tid i = 1; i < THREADS; i++) {
        happen(some_access(0));
        happen((struct event){.what = CREATE, .tid = 0, .other = i});
    }
    while (n_events < EVENTS - 8)
        step((pl_tid)below(THREADS));
    happen((struct event){.what = JOIN, .tid = 0, .other = 1 + below(THREADS - 1)});
    happen(some_access(0));
}

int main(void)
{
    unsigned racy = 0;

    for (uint64_t seed = 1; seed <= SEQUENCES && unit_failures == 0; seed++) {
        sequence(seed);
        for (unsigned k = 0; k < host.n_findings; k++)
            CHECK(is_race((unsigned)host.findings[k].other_pc - 1,
                          (unsigned)host.findings[k].pc - 1));
        for (uint64_t byte = MEMORY; byte < MEMORY + BYTES; byte++)
            CHECK(has_race(byte) == is_reported(byte));
        racy += host.n_findings > 0;
        if (unit_failures != 0)
            fprintf(stderr, "in sequence %lu\n", (unsigned long)seed);
    }
    CHECK(racy > SEQUENCES / 10);
    return unit_result();
}
