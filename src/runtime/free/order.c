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
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/order.h"
#include "runtime/ground/alias.h"
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
    HALT_STEPS = 400,
};

/* What a thread knows of another's progress: the events before `ordinal` are ordered. */
struct known {
    uint32_t who; /* thread plus 1 */
    uint32_t ordinal;
};

static struct pl_stripe stripes[STRIPES];
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

/* The thread of another process that has a stripe of what both have; else it is one of ours. */
static bool is_elsewhere(pl_tid tid)
{
    return pl_stage->process.company && pl_board->threads[tid].process != pl_stage->process.number;
}

/* What the kernel says of a thread in a file of /proc; how much, or less than 0. */
static long ask_kernel(pl_tid tid, const char *file, char *text, uint64_t size)
{
    const struct pl_company *c = &pl_board->company;
    char path[64];
    long n = -1, fd;

    if (is_elsewhere(tid))
        pl_text_format(path, sizeof(path), "/proc/%d/task/%d/%s",
                       c->processes[pl_board->threads[tid].process].pid, c->os_tids[tid], file);
    else
        pl_text_format(path, sizeof(path), "/proc/self/task/%d/%s",
                       pl_thread_by_id(tid)->free.os_tid, file);
    fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd >= 0) {
        n = pl_sys(SYS_read, fd, text, size);
        pl_sys(SYS_close, fd);
    }
    return n;
}

/* "123 (name) S ...": the same of a thread of another process, which may not say where it is. */
static bool is_asleep_elsewhere(pl_tid tid)
{
    char text[128];
    long n = ask_kernel(tid, "stat", text, sizeof(text)), at = 0;

    for (long i = 0; i < n; i++)
        at = text[i] == ')' ? i : at;
    return n <= 0 || (at + 2 < n && text[at + 2] != 'R');
}

/* If so, its last access has happened. */
static bool is_asleep(pl_tid tid)
{
    const struct pl_thread *t = pl_thread_by_id(tid);

    if (is_elsewhere(tid))
        return is_asleep_elsewhere(tid);
    return t->free.monitor == NULL && pl_order_asleep(t);
}

/* How long it has run so far; 0 when that cannot be known. */
static uint64_t time_run(pl_tid tid)
{
    char text[32];
    uint64_t ns = 0;
    long n = 0;

    if (is_elsewhere(tid) ? pl_board->company.os_tids[tid] != 0
                          : pl_thread_by_id(tid)->free.os_tid != 0)
        n = ask_kernel(tid, "schedstat", text, sizeof(text));
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
static bool is_past(struct sighting *seen, uint32_t holder, const struct pl_stripe *s)
{
    const struct pl_thread *t = pl_thread_by_id((pl_tid)(holder - 1));
    bool elsewhere = is_elsewhere((pl_tid)(holder - 1));
    uint32_t ordinal = elsewhere ? s->ordinal : t->ordinal;
    uint64_t ran = elsewhere || t->free.monitor == NULL ? time_run((pl_tid)(holder - 1)) : 0;

    if (seen->holder != holder || seen->ordinal != ordinal || ran == 0 || seen->ran == 0) {
        *seen = (struct sighting){holder, ordinal, ran};
        return false;
    }
    return ran - seen->ran > ACCESS_NS;
}

static bool try_take(struct pl_stripe *s, uint32_t me)
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

static void take_slowly(struct pl_stripe *s, uint32_t me)
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

        if (holder != 0 && (is_asleep((pl_tid)(holder - 1)) || is_past(&seen, holder, s)) &&
            atomic_compare_exchange_strong(&s->holder, &holder, me))
            return;
    }
}

/* Those of memory that processes share come after the process's own. */
static inline struct pl_stripe *stripe_at(uint32_t i)
{
    return i < STRIPES ? &stripes[i] : &pl_board->company.stripes[i - STRIPES];
}

static void take(struct pl_thread *t, uint32_t i)
{
    struct pl_stripe *s = stripe_at(i);
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

    atomic_compare_exchange_strong_explicit(&stripe_at(i)->holder, &holder, 0, memory_order_release,
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
    PL_ASSERT(t->free.n_claims < PL_CLAIMS && first <= last && last < STRIPES + PL_COMPANY_STRIPES);
    unsigned at = t->free.n_claims++;

    for (; at > 0 && t->free.claims[at - 1].first > first; at--)
        t->free.claims[at] = t->free.claims[at - 1];
    t->free.claims[at].first = first;
    t->free.claims[at].last = last;
}

/* Add the stripes of lines: one or two runs of a table of n, which begins at `base`. */
static void add_lines(struct pl_thread *t, uint64_t first, uint64_t last, uint32_t base, uint32_t n)
{
    if (last - first >= n - 1) {
        add_claim(t, base, base + n - 1);
        return;
    }
    uint32_t a = (uint32_t)(first % n), b = (uint32_t)(last % n);

    if (a <= b) {
        add_claim(t, base + a, base + b);
    } else {
        add_claim(t, base + a, base + n - 1);
        add_claim(t, base, base + b);
    }
}

/* The same of memory that other processes may have, where it is known by what is mapped there. */
static bool add_shared(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    struct pl_mapping m = pl_alias_mapping(addr);

    if (m.size == 0)
        return false;
    uint64_t at = addr - m.start + m.offset;
    uint64_t base = pl_hash_add(pl_hash_add(1, m.device), m.file) % PL_COMPANY_STRIPES;

    add_lines(t, base + (at >> LINE), base + ((at + size - 1) >> LINE), STRIPES,
              PL_COMPANY_STRIPES);
    return true;
}

static void add_range(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    if (!__builtin_expect(pl_stage->process.company, 0) || !add_shared(t, addr, size))
        add_lines(t, addr >> LINE, (addr + size - 1) >> LINE, 0, STRIPES);
}

static bool are_in_order(const struct pl_thread *t)
{
    for (unsigned r = 1; r < t->free.n_claims; r++) {
        if (t->free.claims[r].first < t->free.claims[r - 1].first)
            return false;
    }
    return true;
}

/* Nobody comes further: the process ends. */
static _Atomic bool halting;

static void halt(struct pl_thread *t)
{
    const struct timespec step = {.tv_nsec = LOOK_NS};

    t->free.halted = true;
    while (halting)
        pl_sys(SYS_nanosleep, &step, NULL);
    t->free.halted = false;
}

/* All that the claims list, in the order of the table. */
static void take_claims(struct pl_thread *t)
{
    PL_CHECK(are_in_order(t)); /* or two threads could wait for each other */
    if (__builtin_expect(halting, 0))
        halt(t);
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
    struct pl_company *c = &pl_board->company;
    uint32_t *last = pl_stage->process.company ? &c->last : &monitor.last;
    uint32_t *ordinal = pl_stage->process.company ? &c->ordinal : &monitor.ordinal;
    uint32_t me = t->id + 1u;

    if (pl_stage->process.company) { /* what others stood at may have changed */
        c->performed++;
        c->standing[pl_stage->process.number].performed = 0;
    }
    if (*last != me && *last != 0)
        comes_after(t, *last, *ordinal + 1);
    *last = me;
    *ordinal = t->op.ordinal;
}

/* Its last access has happened, and it comes to no other.  Code without hooks may take long. */
static void await_halt(const struct pl_thread *t)
{
    const struct timespec step = {.tv_nsec = ACCESS_NS / 10};

    for (unsigned i = 0; i < HALT_STEPS && !t->free.halted && !is_asleep(t->id); i++)
        pl_sys(SYS_nanosleep, &step, NULL);
}

void pl_order_halt_others(const struct pl_thread *t)
{
    if (pl_board->settings.record != PL_RECORD_FULL || pl_stage->n_alive <= 1)
        return;
    halting = true;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *other = pl_thread_by_id(i);

        if (other == t || other->state != PL_THREAD_ALIVE)
            continue;
        await_halt(other);
        comes_after(t, i + 1u, other->announced ? other->op.ordinal : other->ordinal);
    }
}

void pl_order_let_go_on(void)
{
    halting = false;
}

void pl_order_share(void)
{
    struct pl_company *c = &pl_board->company;

    c->last = monitor.last;
    c->ordinal = monitor.ordinal;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        c->os_tids[i] = pl_thread_by_id(i)->free.os_tid;
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
    /* Of all processes, also those that this one has not heard of. */
    fate->n_threads = pl_stage->process.company ? pl_board->n_threads : pl_stage->n_threads;
    fate->last = self != NULL ? self->id : 0;
    pl_board->execution_events = 0;
    for (pl_tid i = 0; i < fate->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        fate->at[i] = is_elsewhere(i) ? pl_board->company.at[i]
                      : t->announced  ? t->op.ordinal
                                      : t->ordinal;
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
