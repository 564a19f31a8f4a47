/* SPDX-License-Identifier: MIT */
/*
 * Recording the order of operations on the free carrier.
 *
 * Memory is divided into lines, and lines share a table of stripes.  From the
 * hook before an access until its next event a thread holds the stripe of what
 * it accesses, so that the access itself, which follows the hook, has happened
 * before anybody else gets the stripe.  A stripe knows who had it last, and at
 * which of its events.  Only when it changes hands is an entry made, and only if
 * the thread does not know already that the other has come so far; so memory
 * that one thread uses costs no entries.
 *
 * A thread holds what one access needs, and lets it go before it wants more: it
 * cannot be part of a circle.  One access may need several stripes; these are
 * taken in the order of the table, all of them anew when one is added.
 *
 * A thread may be stopped for long between two events, in a system call that is
 * no operation, with a stripe in its hands.  Whoever wants it sees in /proc that
 * the thread is in the kernel, which means that its access is over, and takes it.
 * Or it may run for long without an event, in code without hooks: once it has
 * had far more of a processor than any access takes, that is over as well.
 */
#include "runtime/free/order.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/order.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

#include <fcntl.h>
#include <stdatomic.h>

enum {
    STRIPES = 1 << 16,
    LINE = 6, /* bits of a line's address within it */
    SPINS = 100,
    LOOK_NS = 300000,
    KNOWN = 64,         /* threads about whose progress a thread remembers something */
    ACCESS_NS = 500000, /* no access takes so much of a processor */
};

struct stripe {
    _Atomic uint32_t holder; /* thread plus 1 */
    uint32_t last;           /* who had it, plus 1, */
    uint32_t ordinal;        /* and at which event */
};

/* What a thread knows of another's progress: the events before `ordinal` are ordered. */
struct known {
    uint32_t who; /* thread plus 1 */
    uint32_t ordinal;
};

static struct stripe stripes[STRIPES];
static struct known known[PL_THREADS_MAX][KNOWN];
static struct {
    uint32_t last, ordinal;
} monitor;

static void put(const struct pl_order_entry *e)
{
    PL_ASSERT(e->tid < PL_THREADS_MAX);
    uint64_t i = atomic_fetch_add_explicit(&pl_board->n_order, 1, memory_order_relaxed);

    if (i >= PL_BOARD_ORDER)
        return;
    struct pl_order_entry *to = &pl_board->order[i];

    to->choice = e->choice;
    to->tid = e->tid;
    to->ordinal = e->ordinal;
    to->other = e->other;
    to->taken = e->taken;
    to->options = e->options;
    atomic_store_explicit(&to->kind, e->kind, memory_order_release);
}

/* What t does from now on comes after the events of `who` before `ordinal`. */
static void comes_after(const struct pl_thread *t, uint32_t who, uint32_t ordinal)
{
    struct known *k = &known[t->id][who % KNOWN];

    PL_ASSERT(who > 0 && who <= PL_THREADS_MAX && who != t->id + 1u);
    if (k->who == who && k->ordinal >= ordinal)
        return;
    *k = (struct known){who, ordinal};
    put(&(struct pl_order_entry){
        .kind = PL_ORDER_PASSED, .tid = (pl_tid)(who - 1), .ordinal = ordinal});
}

void pl_order_begin(void)
{
    pl_board->n_order = 0;
}

/* ---- stripes ---- */

bool pl_order_asleep(const struct pl_thread *t)
{
    char path[64], text[16];
    long n = 0;

    if (t->free.os_tid == 0)
        return false;
    pl_text_format(path, sizeof(path), "/proc/self/task/%d/syscall", t->free.os_tid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);

    if (fd < 0)
        return t->state != PL_THREAD_ALIVE;
    n = pl_sys(SYS_read, fd, text, sizeof(text));
    pl_sys(SYS_close, fd);
    return n > 0 && text[0] >= '0' && text[0] <= '9';
}

/* If so, its last access has happened. */
static bool is_asleep(const struct pl_thread *t)
{
    return t->free.monitor == NULL && pl_order_asleep(t);
}

/* How long it has run so far; 0 when that cannot be known. */
static uint64_t time_run(const struct pl_thread *t)
{
    char path[64], text[32];
    uint64_t ns = 0;

    if (t->free.os_tid == 0)
        return 0;
    pl_text_format(path, sizeof(path), "/proc/self/task/%d/schedstat", t->free.os_tid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), n = 0;

    if (fd >= 0) {
        n = pl_sys(SYS_read, fd, text, sizeof(text));
        pl_sys(SYS_close, fd);
    }
    for (long i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        ns = ns * 10 + (uint64_t)(text[i] - '0');
    return ns;
}

/* Who was seen with a stripe, at which event, and how long it had run by then. */
struct sighting {
    uint32_t holder, ordinal;
    uint64_t ran;
};

/* Whether it has been at the same event ever since, and has run for long meanwhile. */
static bool is_past(struct sighting *seen, uint32_t holder)
{
    const struct pl_thread *t = pl_thread_by_id((pl_tid)(holder - 1));
    uint64_t ran = t->free.monitor == NULL ? time_run(t) : 0;

    if (seen->holder != holder || seen->ordinal != t->ordinal || ran == 0 || seen->ran == 0) {
        *seen = (struct sighting){holder, t->ordinal, ran};
        return false;
    }
    return ran - seen->ran > ACCESS_NS;
}

static bool try_take(struct stripe *s, uint32_t me)
{
    uint32_t expected = 0;

    return atomic_compare_exchange_strong_explicit(&s->holder, &expected, me, memory_order_acquire,
                                                   memory_order_relaxed);
}

uint64_t pl_order_now_ns(void)
{
    struct timespec now;

    pl_sys(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void take_slowly(struct stripe *s, uint32_t me)
{
    struct sighting seen = {0};
    uint64_t looked = pl_order_now_ns();

    for (unsigned i = 0; !try_take(s, me); i++) {
        if (i < SPINS) {
            __builtin_ia32_pause();
            continue;
        }
        pl_sys(SYS_sched_yield);
        if (pl_order_now_ns() - looked < LOOK_NS)
            continue;
        looked = pl_order_now_ns();
        uint32_t holder = s->holder;

        if (holder != 0 &&
            (is_asleep(pl_thread_by_id((pl_tid)(holder - 1))) || is_past(&seen, holder)) &&
            atomic_compare_exchange_strong(&s->holder, &holder, me))
            return;
    }
}

static void take(struct pl_thread *t, uint32_t i)
{
    struct stripe *s = &stripes[i];
    uint32_t me = t->id + 1u;

    if (!try_take(s, me)) {
        if (s->holder == me)
            return; /* two ranges of one access share it */
        take_slowly(s, me);
    }
    if (s->last != me) {
        if (s->last != 0)
            comes_after(t, s->last, s->ordinal + 1);
        s->last = me;
    }
    s->ordinal = t->ordinal;
}

static void drop(uint32_t i, uint32_t me)
{
    uint32_t holder = me;

    atomic_compare_exchange_strong_explicit(&stripes[i].holder, &holder, 0, memory_order_release,
                                            memory_order_relaxed);
}

void pl_order_pause(const struct pl_thread *t)
{
    PL_ASSERT(t->free.n_claims <= PL_CLAIMS);
    for (unsigned r = 0; r < t->free.n_claims; r++) {
        for (uint32_t i = t->free.claims[r].first; i <= t->free.claims[r].last; i++)
            drop(i, t->id + 1u);
    }
}

void pl_order_release(struct pl_thread *t)
{
    pl_order_pause(t);
    t->free.n_claims = 0;
}

static void add_claim(struct pl_thread *t, uint32_t first, uint32_t last)
{
    PL_ASSERT(t->free.n_claims < PL_CLAIMS && first <= last && last < STRIPES);
    unsigned at = t->free.n_claims++;

    for (; at > 0 && t->free.claims[at - 1].first > first; at--)
        t->free.claims[at] = t->free.claims[at - 1];
    t->free.claims[at].first = first;
    t->free.claims[at].last = last;
}

/* Add the stripes of [addr, addr + size): one or two runs of the table. */
static void add_range(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    uint64_t first = addr >> LINE, last = (addr + size - 1) >> LINE;

    if (last - first >= STRIPES - 1) {
        add_claim(t, 0, STRIPES - 1);
        return;
    }
    uint32_t a = (uint32_t)(first % STRIPES), b = (uint32_t)(last % STRIPES);

    if (a <= b) {
        add_claim(t, a, b);
    } else {
        add_claim(t, a, STRIPES - 1);
        add_claim(t, 0, b);
    }
}

static bool are_in_order(const struct pl_thread *t)
{
    for (unsigned r = 1; r < t->free.n_claims; r++) {
        if (t->free.claims[r].first < t->free.claims[r - 1].first)
            return false;
    }
    return true;
}

/* All that the claims list, in the order of the table. */
static void take_claims(struct pl_thread *t)
{
    PL_CHECK(are_in_order(t)); /* or two threads could wait for each other */
    for (unsigned r = 0; r < t->free.n_claims; r++) {
        for (uint32_t i = t->free.claims[r].first; i <= t->free.claims[r].last; i++)
            take(t, i);
    }
}

void pl_order_claim(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    if (t->free.n_claims > PL_CLAIMS - 2)
        t->free.n_claims = 0;
    add_range(t, addr, size);
    take_claims(t);
}

/* ---- inside the monitor ---- */

void pl_order_perform(const struct pl_thread *t)
{
    uint32_t me = t->id + 1u;

    if (monitor.last != me && monitor.last != 0)
        comes_after(t, monitor.last, monitor.ordinal + 1);
    monitor.last = me;
    monitor.ordinal = t->op.ordinal;
}

void pl_order_choice(const struct pl_choice *c)
{
    put(&(struct pl_order_entry){.kind = PL_ORDER_CHOICE,
                                 .choice = c->kind,
                                 .tid = c->tid,
                                 .ordinal = c->ordinal,
                                 .other = c->target,
                                 .taken = c->taken,
                                 .options = c->options});
}

/* ---- the end ---- */

void pl_order_freeze(void)
{
    pl_board->fate.n = pl_board->n_order;
    pl_board->fate.frozen = true;
}

void pl_order_close(void)
{
    struct pl_order_fate *fate = &pl_board->fate;
    const struct pl_thread *self = pl_thread_self();

    if (!fate->frozen)
        pl_order_freeze();
    PL_ASSERT(fate->frozen && pl_stage->n_threads <= PL_THREADS_MAX);
    fate->n_threads = pl_stage->n_threads;
    fate->last = self != NULL ? self->id : 0;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        fate->at[i] = t->announced ? t->op.ordinal : t->ordinal;
        pl_board->execution_events += t->ordinal;
    }
    PL_PUBLISH(fate->known, true);
}

/* Whether the execution ended because threads did not go on. */
static bool is_standstill(const struct pl_finding *f)
{
    return pl_board->outcome == PL_OUTCOME_FINDING &&
           pl_finding_is(f->kind, PL_FINDING_IS_STANDSTILL);
}

void pl_order_settle(void)
{
    const struct pl_finding *f = &pl_board->finding;
    struct pl_order_fate *fate = &pl_board->fate;
    static bool waits[PL_THREADS_MAX];
    uint64_t all = fate->frozen ? fate->n : pl_board->n_order;
    uint64_t n = all < PL_BOARD_ORDER ? all : PL_BOARD_ORDER;

    if (pl_native)
        return; /* nothing was recorded */

    for (unsigned i = 0; i < PL_THREADS_MAX; i++)
        waits[i] = false;
    PL_ASSERT(f->n_rows <= PL_FINDING_ROWS && fate->n_threads <= PL_THREADS_MAX);
    for (unsigned i = 0; i < f->n_rows; i++)
        waits[f->rows[i].tid] = true;
    struct pl_order_end end = {
        .n_threads = fate->known ? fate->n_threads : 0,
        .last = fate->last,
        .all = is_standstill(f),
        .waits = waits,
        .at = fate->at,
    };
    struct pl_order_list list = {pl_board->choices, PL_BOARD_CHOICES, 0};

    pl_order_linearize(pl_board->order, n, &end, &list);
    pl_board->n_choices = list.n;
    pl_board->n_decisions = list.n;
}
