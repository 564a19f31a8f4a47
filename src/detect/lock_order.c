/* SPDX-License-Identifier: MIT */
/*
 * lock-order: deadlocks that this execution did not come to, but another may.
 *
 * Each acquisition that could have waited is kept with all that its thread had
 * then (lock_order.h), and when one is new, circles through it are looked for
 * (lock_cycle.c).  Locks are mutexes, rwlocks, spinlocks, and initialisations by
 * pthread_once() and static guards.  A trylock or a timed acquisition does not
 * wait for ever, so it is no part of a circle by itself, but what it took is held.
 *
 * Two more things can be waited for, and stand for a lock:
 *
 *  - the end of a thread, which that thread "has" all its life, and whoever joins
 *    it wants;
 *  - a signal to a condition variable.  When a signal wakes a waiter, the signaller
 *    "has" it at all its acquisitions since its signal before to that condition: had
 *    one of them waited, the signal would not have come.
 *
 * Circles of acquisitions of one execution only: what others did is not known
 * here, and each execution makes its own.
 */
#include "detect/lock_order.h"

#include "base/assert.h"
#include "base/hash.h"
#include "detect/detector.h"
#include "detect/host.h"
#include "model/board.h"

enum {
    HELD_MAX = 24, /* more locks at a time are left out, and so may a gate be */
    HELD_ROOM = HELD_MAX + 8,
    WANTS_MAX = 1 << 15, /* distinct ones of an execution; more are left out */
    SLOTS_FIRST = 256,
    RECENT = 32,
    PAST = 24,
};

/* What a thread acquired since it last signalled. */
struct recent {
    uint32_t n;
    struct pl_order_want *wants[RECENT];
};

/* What a thread took since it last had nothing, each lock once, the latest last. */
struct past {
    uint8_t n;
    bool lost; /* there was no room: nothing is known until it has nothing again */
    struct pl_order_taken at[PAST];
};

struct thread {
    uint32_t segment;
    struct past *past;
    const struct pl_clock *clock;
    struct recent *recent;
    uint64_t waits_for;    /* the signal, while it waits at a condition variable */
    uint64_t signalled;    /* the condition variable that it signalled last, */
    uint32_t signalled_at; /* and what recent->n was then */
};

struct state {
    uint32_t n_wants;
    uint64_t low, high; /* where locks are */
    struct thread threads[PL_THREADS_MAX];
    struct pl_order_holders holders;
    struct pl_table table;       /* of wants, by key, as numbers counted from the state */
    struct pl_order_want *wants; /* the latest one first */
};

static struct state *state;

/* Locks that are none have odd numbers. */
static uint64_t end_of(pl_tid tid)
{
    return (uint64_t)tid << 1 | 1;
}

static void start(void)
{
    state = pl_host_allocate(sizeof(*state));
    if (state != NULL && (!pl_index_start(&state->table, SLOTS_FIRST, false) ||
                          !pl_lock_cycle_start(&state->holders)))
        state = NULL;
    if (state == NULL)
        pl_host_full();
}

/* ---- creation and join ---- */

/*
 * What a thread knows of others by creation and join alone: the clock's time of t, minus 1, is the
 * last segment of thread t that is over for it.  A thread's segments end where it creates another
 * one.  These clocks are shared and never change: here is all that both know, and `tid` up to the
 * segment that it is in.
 */
static const struct pl_clock *join_clocks(const struct pl_clock *a, const struct pl_clock *b,
                                          pl_tid tid)
{
    struct pl_clock *c = pl_host_allocate(sizeof(*c));

    if (c == NULL || (a != NULL && !pl_clock_copy(c, a)) || (b != NULL && !pl_clock_join(c, b)) ||
        !pl_clock_set(c, tid, state->threads[tid].segment + 1))
        return a;
    return c;
}

static void note_creation(pl_tid tid, pl_tid child)
{
    struct thread *t = &state->threads[tid];

    PL_ASSERT(tid < PL_THREADS_MAX && child < PL_THREADS_MAX && tid != child);
    state->threads[child] = (struct thread){.clock = join_clocks(t->clock, NULL, tid)};
    t->segment++;
}

static void note_join(pl_tid tid, pl_tid child)
{
    struct thread *t = &state->threads[tid];

    PL_ASSERT(tid < PL_THREADS_MAX && child < PL_THREADS_MAX && tid != child);
    t->clock = join_clocks(t->clock, state->threads[child].clock, child);
}

/* ---- acquisitions ---- */

static void cover(uint64_t lock)
{
    if (state->low == 0 || lock < state->low)
        state->low = lock;
    if (lock > state->high)
        state->high = lock;
}

static void add_hold(struct pl_order_want *w, uint64_t lock, bool shared, uint64_t pc)
{
    PL_ASSERT(w->n < HELD_ROOM);
    w->held[w->n++] = (struct pl_order_hold){.lock = lock, .pc = pc, .shared = shared, .want = w};
}

static uint64_t key_of(const struct pl_order_want *w)
{
    uint64_t key = pl_hash_add(w->tid, (uint64_t)w->segment << 16 | w->op << 1 | w->shared);

    key = pl_hash_add(pl_hash_add(key, w->lock), w->pc);
    for (unsigned i = 0; i < w->n; i++)
        key = pl_hash_add(key, w->held[i].lock ^ w->held[i].shared);
    for (unsigned i = 0; i < w->n_past; i++)
        key = pl_hash_add(key, w->past[i].lock ^ w->past[i].shared);
    return key;
}

static struct pl_order_want *find(uint64_t key)
{
    PL_TABLE_EACH(i, &state->table, key)
    {
        struct pl_order_want *w = pl_index_memory(state, i);

        if (w->key == key)
            return w;
    }
    return NULL;
}

static void copy_want(struct pl_order_want *to, const struct pl_order_want *from)
{
    *to = *from;
    for (unsigned i = 0; i < from->n; i++) {
        to->held[i] = from->held[i];
        to->held[i].want = to;
    }
}

/* Copy the past of the want: until now it is the list of the thread, which changes. */
static void keep_past(struct pl_order_want *w)
{
    struct pl_order_taken *past =
        w->n_past > 0 ? pl_host_allocate(w->n_past * sizeof(*past)) : NULL;

    if (past == NULL) {
        w->n_past = 0;
        return;
    }
    for (unsigned i = 0; i < w->n_past; i++)
        past[i] = w->past[i];
    w->past = past;
}

/* Keep what was put together on a stack; NULL when there is no room. */
static struct pl_order_want *keep(const struct pl_order_want *draft)
{
    struct pl_order_want *w = NULL;

    if (state->n_wants < WANTS_MAX)
        w = pl_host_allocate(sizeof(*w) + draft->n * sizeof(draft->held[0]));
    if (w == NULL || !pl_index_add(&state->table, draft->key, pl_index_number(state, w))) {
        pl_host_full();
        return NULL;
    }
    copy_want(w, draft);
    keep_past(w);
    state->n_wants++;
    PL_ASSERT(state->n_wants == state->table.n && w->n == draft->n);
    w->next = state->wants;
    state->wants = w;
    return w;
}

/* The want counts from now on: it may be part of a cycle. */
static void enter(struct pl_order_want *w)
{
    for (unsigned i = 0; i < w->n; i++) {
        if (!pl_lock_cycle_add(&state->holders, &w->held[i]))
            pl_host_full();
    }
    pl_lock_cycle_search(&state->holders, w);
}

/* A want on the stack, with room for all that a thread has. */
union draft {
    struct pl_order_want want;
    unsigned char room[sizeof(struct pl_order_want) + HELD_ROOM * sizeof(struct pl_order_hold)];
};

/* What the thread took and gave up while it had these. */
static void add_past(struct pl_order_want *w)
{
    const struct past *past = state->threads[w->tid].past;

    /* The end of the thread is held, too, but was not taken. */
    if (past == NULL || past->lost || past->n + 1u <= w->n)
        return;
    w->past = past->at;
    w->n_past = past->n;
    for (unsigned i = 0; i < w->n; i++) {
        for (unsigned j = 0; j < past->n; j++) {
            if (past->at[j].lock == w->held[i].lock)
                w->held[i].rank = (uint8_t)(j + 1);
        }
    }
}

static void note_taken(const struct pl_sync *s)
{
    struct thread *t = &state->threads[s->tid];
    struct pl_finding_lock lock;
    unsigned kept = 0;

    if (t->past == NULL)
        t->past = pl_host_allocate(sizeof(*t->past));
    if (t->past == NULL)
        return;
    if (pl_host_locks(s->tid, &lock, 1) == 1)
        *t->past = (struct past){0};
    for (unsigned i = 0; i < t->past->n; i++) {
        if (t->past->at[i].lock != s->addr)
            t->past->at[kept++] = t->past->at[i];
    }
    PL_ASSERT(kept <= PAST);
    t->past->n = (uint8_t)kept;
    if (kept == PAST)
        t->past->lost = true;
    else
        t->past->at[t->past->n++] = (struct pl_order_taken){s->addr, s->shared};
}

/*
 * Fill in what the thread of the draft has besides the lock that it wants.  False
 * when it has that, too: then it did not wait.
 */
static bool add_held(struct pl_order_want *w, bool acquired)
{
    struct pl_finding_lock locks[HELD_MAX + 1];
    unsigned n = pl_host_locks(w->tid, locks, HELD_MAX + 1);

    if (n > HELD_MAX + 1)
        n = HELD_MAX + 1;
    n -= acquired && n > 0; /* the lock itself comes last */
    for (unsigned i = 0; i < n; i++) {
        if (locks[i].addr == w->lock)
            return false;
        if (w->n < HELD_MAX)
            add_hold(w, locks[i].addr, locks[i].shared, locks[i].pc);
    }
    add_hold(w, end_of(w->tid), false, 0);
    add_past(w);
    return true;
}

static void remember(struct thread *t, struct pl_order_want *w)
{
    if (t->recent == NULL)
        t->recent = pl_host_allocate(sizeof(*t->recent));
    if (t->recent != NULL)
        t->recent->wants[t->recent->n++ % RECENT] = w;
}

static union draft draft_of(const struct pl_sync *s, uint64_t lock)
{
    const struct thread *t = &state->threads[s->tid];

    return (union draft){.want = {.tid = s->tid,
                                  .op = s->op,
                                  .shared = s->shared,
                                  .segment = t->segment,
                                  .clock = t->clock,
                                  .lock = lock,
                                  .object = s->addr,
                                  .pc = s->pc}};
}

/* The thread wanted it, and got it; `acquired`: it has it now. */
static void note_want(const struct pl_sync *s, uint64_t lock, bool acquired)
{
    union draft draft = draft_of(s, lock);

    if (!add_held(&draft.want, acquired))
        return;
    draft.want.key = key_of(&draft.want);
    struct pl_order_want *w = find(draft.want.key);

    if (w == NULL && (w = keep(&draft.want)) != NULL)
        enter(w);
    if (w != NULL)
        remember(&state->threads[s->tid], w);
}

/* Nobody waits for an initialisation that it knows to be over. */
static bool knows_once(const struct pl_sync *s)
{
    struct pl_order_want mark = {.tid = s->tid, .op = PL_OP_ONCE, .lock = s->addr};

    mark.key = pl_hash_add(key_of(&mark), s->tid);
    return find(mark.key) != NULL || keep(&mark) == NULL;
}

/* ---- condition variables ---- */

/* What a waiter waits for: a signal to this wait. */
static uint64_t signal_to(const struct pl_sync *s)
{
    uint64_t h = pl_hash_add(pl_hash_add(s->addr, s->pc), s->tid);

    return h | UINT64_C(1) << 63 | 1;
}

static void note_wait(const struct pl_sync *s)
{
    state->threads[s->tid].waits_for = s->tried ? 0 : signal_to(s);
    if (!s->tried)
        note_want(s, signal_to(s), false);
}

/* The acquisition as one of a thread that has yet to send a signal. */
static void repeat_with(const struct pl_order_want *w, uint64_t signal)
{
    union draft draft;

    copy_want(&draft.want, w);
    add_hold(&draft.want, signal, false, 0);
    draft.want.key = key_of(&draft.want);
    if (find(draft.want.key) != NULL)
        return;
    struct pl_order_want *copy = keep(&draft.want);

    if (copy != NULL)
        enter(copy);
}

/* The first of the recent acquisitions without which a signal would not have come. */
static uint32_t first_before(const struct thread *t, uint64_t condition)
{
    uint32_t n = t->recent->n, oldest = n > RECENT ? n - RECENT : 0;

    return t->signalled == condition && t->signalled_at > oldest ? t->signalled_at : oldest;
}

static void note_wake(const struct pl_sync *s)
{
    const struct thread *t = &state->threads[s->tid];
    struct thread *waiter = &state->threads[s->other];

    if (waiter->waits_for == 0 || t->recent == NULL)
        return;
    PL_ASSERT(first_before(t, s->addr) <= t->recent->n);
    for (uint32_t i = first_before(t, s->addr); i < t->recent->n; i++)
        repeat_with(t->recent->wants[i % RECENT], waiter->waits_for);
    waiter->waits_for = 0;
}

static void note_signal(const struct pl_sync *s)
{
    struct thread *t = &state->threads[s->tid];

    t->signalled = s->addr;
    t->signalled_at = t->recent != NULL ? t->recent->n : 0;
}

/* ---- what the runtime tells ---- */

static void sync(const struct pl_sync *s)
{
    if (state == NULL)
        return;
    switch ((enum pl_sync_kind)s->kind) {
    case PL_SYNC_LOCK:
        cover(s->addr);
        if (s->object == PL_OBJECT_ONCE)
            knows_once(s);
        if (!s->tried)
            note_want(s, s->addr, true);
        note_taken(s);
        break;
    case PL_SYNC_RECEIVE:
        if (s->object == PL_OBJECT_ONCE && !knows_once(s))
            note_want(s, s->addr, false);
        break;
    case PL_SYNC_WAIT:
        note_wait(s);
        break;
    case PL_SYNC_WAKE:
        note_wake(s);
        break;
    case PL_SYNC_SIGNAL:
        note_signal(s);
        break;
    case PL_SYNC_CREATE:
        note_creation(s->tid, s->other);
        break;
    case PL_SYNC_JOIN:
        if (s->op == PL_OP_THREAD_JOIN)
            note_want(s, end_of(s->other), false);
        note_join(s->tid, s->other);
        break;
    default:
        break;
    }
}

/* Memory is used anew: a lock that lies there is another one. */
static void fresh(uint64_t addr, uint64_t size)
{
    if (state == NULL || addr > state->high || addr + size <= state->low)
        return;
    for (struct pl_order_want *w = state->wants; w != NULL; w = w->next) {
        if (w->lock - addr < size)
            w->lock = 0;
        for (unsigned j = 0; j < w->n; j++) {
            if (w->held[j].lock - addr < size)
                w->held[j].lock = 0;
        }
    }
}

const struct pl_detector_part pl_lock_order = {
    .detector = PL_DETECT_LOCK_ORDER,
    .start = start,
    .sync = sync,
    .fresh = fresh,
};
