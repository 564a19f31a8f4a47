/* SPDX-License-Identifier: MIT */
/*
 * Announce, choose, perform.
 *
 * pl_sched_point() announces the running thread's next operation, asks who
 * goes on, and returns when it is this thread's turn and the operation is
 * enabled.  Every decision passes through pl_sched_choose() and is recorded.
 *
 * A thread that is not running sits in pl_sched_point() with its operation
 * announced, so at every choice the scheduler knows what each thread is about
 * to do and whether it could.
 */
#include "runtime/core/sched.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/depend.h"
#include "runtime/core/announce.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/expiry.h"
#include "runtime/core/fair.h"
#include "runtime/core/fiber.h"
#include "runtime/core/fresh.h"
#include "runtime/core/middle.h"
#include "runtime/core/observer.h"
#include "runtime/core/reach.h"
#include "runtime/core/redraw.h"
#include "runtime/core/repeat.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/core/strategy.h"
#include "runtime/core/ways.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"

#include <errno.h>

enum { UNFAIR_AFTER = 200000, ALONE_QUIET = 1000, PATIENCE = 16, ENDED = 77, ON_ITS_WAY_MS = 5000 };

/* ---- choose ---- */

/* Where the next choice is written: on the board, or apart if there is no room or each thread has
 * choices of its own. */
static struct pl_choice *next_choice(struct pl_choice *apart)
{
    if (pl_free || pl_board->n_choices >= PL_BOARD_CHOICES)
        return apart;
    return &pl_board->choices[pl_board->n_choices];
}

/* What next_choice() has been filled with was chosen. */
static void count_choice(const struct pl_choice *c)
{
    PL_CHECK(c->taken < c->options);
    if (c->options > 1)
        pl_board->n_decisions++;
    pl_board->n_choices++;
}

void pl_sched_record(const struct pl_choice *c)
{
    struct pl_choice apart;

    *next_choice(&apart) = *c;
    count_choice(c);
}

/* Whether the strategy wants to be asked even if there is only one answer. */
static bool is_asked(void)
{
    return pl_stage->context.following || pl_strategy_is(pl_stage->strategy, PL_TRAIT_ALWAYS);
}

/* Whether a replay would not know by itself who must go on. */
static bool is_told_all(void)
{
    return pl_stage->n_parked > 0 || pl_stage->n_held_back > 0 || pl_stage->context.withheld ||
           pl_stage->expiries.n_withheld > 0 || pl_stage->expiries.unclear;
}

/* The strategy has no use for the rest of the execution, so nothing is to be learned from it. */
__attribute__((noreturn)) static void give_up(unsigned answer)
{
    pl_stage->told = true;
    pl_ports.restart->end(answer == PL_CHOOSE_CUT ? PL_OUTCOME_CUT : PL_OUTCOME_ABORTED);
}

unsigned pl_sched_choose(enum pl_choice_kind kind, unsigned options, int running,
                         const struct pl_operation *const *next, const struct pl_operation *at)
{
    PL_CHECK(options > 0 && options <= UINT16_MAX && running < (int)options);
    if (!pl_stage->rooted)
        pl_ports.restart->root();
    if (!pl_stage->rooted)
        return running > 0 ? (unsigned)running : 0; /* before plait_begin() */
    struct pl_view view = {
        .depth = pl_board->n_choices,
        .kind = (uint8_t)kind,
        .options = options,
        .running = running,
        .at = *at,
        .next = next,
        .blocked = pl_stage->scratch.blocked,
        .n_blocked = kind == PL_CHOICE_THREAD ? pl_stage->scratch.n_blocked : 0,
        .digest = pl_stage->digest,
    };

    unsigned taken = 0;
    /* Where something came by itself; of interest for who follows a schedule only. */
    bool placed = kind == PL_CHOICE_WAY && options == 1;

    pl_stage->context.took = false;
    if (placed ? pl_stage->strategy->takes != NULL : options > 1 || is_asked()) {
        pl_repeat_look(&view);
        taken = (kind == PL_CHOICE_THREAD || kind == PL_CHOICE_WAITER) && pl_stage->leads != NULL
                    ? pl_stage->leads(&view)
                    : pl_stage->strategy->choose(&pl_stage->context, &view);
        taken = pl_redraw_follow(&view, taken);
        pl_board->n_asked++;
        pl_board->impossible = pl_stage->context.impossible; /* for whoever counts it */
    }
    if (taken == PL_CHOOSE_CUT || taken == PL_CHOOSE_ABORT)
        give_up(taken);
    PL_ASSERT(taken < options);
    /* Field by field, and where it stays: a copy would have to wait until all of them have been
     * stored. */
    struct pl_choice apart, *c = next_choice(&apart);

    c->kind = (uint8_t)kind;
    c->op = at->kind;
    c->tid = at->tid;
    c->taken = (uint16_t)taken;
    c->options = (uint16_t)options;
    c->ordinal = at->ordinal;
    c->target = next != NULL ? next[taken]->tid : PL_TID_NONE;
    c->is_default = running >= 0 && taken == (unsigned)running &&
                    (kind != PL_CHOICE_THREAD || !next[taken]->early);
    c->unused = 0;
    c->digest = pl_stage->digest;
    if (pl_free)
        pl_ports.free->chosen(c);
    /* A replay is asked about switches that leave nothing to choose, too: no choices. */
    else if (options > 1 || placed || is_told_all() || pl_stage->context.took ||
             (pl_company_on() && !c->is_default)) /* there a replay offers whoever is alive */
        count_choice(c);
    return taken;
}

/* How many of the n threads in ready[] wait for a moment. */
static unsigned count_later(unsigned n)
{
    unsigned later = 0;

    for (unsigned i = 0; i < n; i++)
        later += pl_expiry_moment(pl_stage->scratch.ready[i]) != 0;
    return later;
}

unsigned pl_sched_collect(void)
{
    struct pl_thread **ready = pl_stage->scratch.ready;
    const struct pl_operation **next = pl_stage->scratch.next;
    const struct pl_operation **blocked = pl_stage->scratch.blocked;
    const struct pl_thread *end = pl_stage->threads + pl_stage->n_threads;
    unsigned n = 0, n_blocked = 0, n_later = 0, n_assumed = 0, n_held_back = 0;
    bool plain = pl_ways_are_plain();

    for (struct pl_thread *t = pl_stage->threads; t < end; t++) {
        if (t->state != PL_THREAD_ALIVE)
            continue;
        enum pl_way way = plain ? pl_ways_plainly(t) : pl_ways_now(t);

        /* What is outside may have changed in between. */
        PL_CHECK(!plain || pl_descriptor_of(t)->pause != NULL || way == pl_ways_now(t));
        t->op.way = (uint8_t)way;
        t->op.early = false;
        if (way == PL_WAY_BLOCKED) {
            n_assumed += t->op.kind == PL_OP_ASSUME;
            n_held_back += !plain && pl_ways_at_limit(t) && pl_ways_of(t) != PL_WAY_BLOCKED;
            blocked[n_blocked++] = &t->op;
            continue;
        }
        if (__builtin_expect(t->timed, 0))
            t->passed_by |= way == PL_WAY_NORMAL && t->deadline > pl_stage->now;
        if (way == PL_WAY_TIMEOUT || pl_descriptor_has_moment(t->op.kind))
            n_later += pl_expiry_moment(t) != 0;
        ready[n] = t;
        next[n++] = &t->op;
    }
    pl_stage->scratch.n_blocked = n_blocked;
    pl_stage->n_held_back = n_held_back;
    pl_stage->n_assumed = n_assumed;
    pl_stage->expiries.n_withheld = 0;
    pl_stage->expiries.passed = UINT64_MAX;
    pl_stage->context.withheld = false;
    pl_stage->context.held_back = n_held_back + n_assumed > 0;
    if (pl_stage->fair.n_withheld > 0 && !pl_stage->context.following &&
        !pl_stage->starving.pump.on) {
        n = pl_fair_filter(n);
        n_later = count_later(n);
    }
    PL_CHECK(n + pl_stage->scratch.n_blocked == pl_stage->n_alive);
    if (__builtin_expect(n_later == 0, 1))
        return n;
    n = pl_expiry_keep(n, n_later);
    return n > 0 ? n : pl_sched_collect();
}

/* The same by a schedule. */
__attribute__((noinline)) static unsigned collect_told(const struct pl_thread *self)
{
    unsigned n = pl_sched_collect();

    for (unsigned ms = 0; ms < ON_ITS_WAY_MS; ms++) {
        const struct pl_thread *missed = pl_strategy_misses(self);

        /* Of free threads every switch is recorded: nobody else goes on before the signal has come.
         */
        if (missed == NULL ||
            !pl_ports.process->wait_beside(missed, pl_board->settings.starts_chosen &&
                                                       pl_strategy_takes(&missed->op)))
            break;
        if (pl_stage->signals.n_arrived != pl_stage->signals.n_seen)
            pl_ports.process->arrived();
        n = pl_sched_collect();
    }
    return n;
}

unsigned pl_sched_collect_wanted(const struct pl_thread *self)
{
    return __builtin_expect(pl_stage->context.following, 0) ? collect_told(self)
                                                            : pl_sched_collect();
}

/* What n_parked says, counted. */
static unsigned count_parked(void)
{
    unsigned n = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        n += pl_thread_by_id(i)->spin.parked;
    return n;
}

/* A thread that runs on and on although others could: they get a step. */
static unsigned without_hog(unsigned n, const struct pl_thread *self)
{
    struct pl_thread **ready = pl_stage->scratch.ready;
    const struct pl_operation **next = pl_stage->scratch.next;
    unsigned m = 0;

    pl_stage->in_a_row = 0;
    for (unsigned i = 0; i < n; i++) {
        if (ready[i] == self)
            continue;
        ready[m] = ready[i];
        next[m++] = next[i];
    }
    PL_ASSERT(m > 0 && m + 1 >= n);
    pl_stage->context.withheld = true; /* a plan that has it go on cannot be followed */
    return m;
}

/*
 * Spinning threads get their last iterations: in turn, since nothing that they do
 * changes anything, and so there is nothing to choose.
 */
static unsigned after(const struct pl_thread *self, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (pl_stage->scratch.ready[i]->id > self->id)
            return i;
    }
    return 0;
}

/* Whether whoever could go on has only gone round a loop for nothing, and waits there. */
static bool nobody_gets_on(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (pl_stage->scratch.ready[i]->spin.iterations == 0)
            return false;
    }
    return true;
}

static struct pl_thread *choose_thread(struct pl_thread *self)
{
    struct pl_thread **ready = pl_stage->scratch.ready;
    const struct pl_operation **next = pl_stage->scratch.next;
    unsigned n;

    if (pl_company_on())
        return pl_company_choose(self);
    PL_CHECK(count_parked() == pl_stage->n_parked);
    if (__builtin_expect(pl_stage->n_reaching > 0, 0))
        pl_reach_refresh();
    if (pl_board->execution_points >= pl_stage->fair.next_look)
        pl_fair_look();
    pl_stage->expiries.unclear = false;
    while ((n = pl_sched_collect_wanted(self)) == 0) {
        if (pl_stage->signals.n_arrived != pl_stage->signals.n_seen) {
            pl_ports.process->arrived();
            continue;
        }
        /* Nobody can go on: spinning threads get another iteration, input may still arrive. */
        if (!pl_spin_grant() && !pl_ports.process->wait_io())
            pl_ports.findings->stuck(false);
    }
    if (pl_stage->n_held_back > 0)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_LIMITED);
    if (n > 1) {
        bool hogs = pl_stage->in_a_row > UNFAIR_AFTER,
             late = self->announced && pl_operation_is(self->op.kind, PL_ROLE_LATE);

        if (__builtin_expect(hogs || late, 0) && !pl_stage->context.replaying) {
            if (hogs) /* the search is unfair */
                pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
            n = without_hog(n, self);
        }
    }
    unsigned taken = 0;
    int running = -1;

    for (unsigned i = 0; i < n; i++) {
        if (ready[i] == self)
            running = (int)i;
    }
    /*
     * A replay does not park threads or hold them back, so it must be told of switches that
     * were forced only because threads were; and it must see all of them.  Nor does it know who
     * goes round a loop before others' time comes, or that the time of one comes early because
     * others are withheld.
     */
    bool forced = n == 1 && is_told_all() &&
                  (ready[0] != self || ready[0]->op.early || pl_stage->expiries.unclear);

    /* Behind the end of a schedule there is nobody to ask who gives way to whom, nor who goes round
     * first where threads were parked that wait for the same moment. */
    bool alone = pl_stage->context.replaying && !pl_stage->context.following &&
                 (pl_stage->context.withheld || (running < 0 && n > 1 && nobody_gets_on(n)));

    bool told = pl_stage->context.following;

    if (pl_stage->probation > 0 || alone)
        taken = after(self, n);
    else if (n > 1 || forced || is_asked())
        taken = pl_sched_choose(PL_CHOICE_THREAD, n, running, next, &self->op);
    if (__builtin_expect(told && !pl_stage->context.following, 0))
        pl_spin_park_idle(ready[taken]);
    PL_CHECK(taken < n && ready[taken]->op.way != PL_WAY_BLOCKED);
    pl_expiry_chosen(ready[taken]);
    return ready[taken];
}

/*
 * A weak compare-exchange, which would succeed.  In a loop that writes in each round it might fail
 * for ever.
 */
static void settle_failure(struct pl_thread *t)
{
    enum { MOST = 8 }; /* by then most loops are known to have come round */

    if (t->spin.failing != t->op.pc)
        t->spin.failures = 0;
    t->spin.failing = t->op.pc;
    if (t->spin.failures == MOST)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_ROUNDS);
    else if (pl_sched_choose(PL_CHOICE_WEAK_CAS, 2, 0, NULL, &t->op) == 1) {
        t->op.way = PL_WAY_SPURIOUS;
        t->spin.weak = t->op.pc;
        t->spin.failures++;
        return;
    }
    t->spin.failures = 0;
}

/*
 * Where an operation can go on in two ways: a timed condition wait that may also
 * wake up for no reason, a weak compare-exchange that may fail for none, a call that a signal
 * interrupts or comes before.
 */
__attribute__((noinline)) static void settle_way(struct pl_thread *t)
{
    const struct pl_settings *wants = &pl_board->settings;

    if ((t->op.way == PL_WAY_SIGNAL || t->op.way == PL_WAY_CANCEL) &&
        (wants->starts_chosen || !pl_ways_is_always_point(t->op.kind)))
        pl_sched_choose(PL_CHOICE_WAY, 1, -1, NULL, &t->op);
    if (t->op.way == PL_WAY_SIGNAL) {
        pl_ports.process->interrupt(t);
        return;
    }
    if (t->op.way == PL_WAY_CANCEL && t->signals.due)
        pl_ports.process->cancelled(t);
    if (wants->weak_cas && pl_descriptor_of(t)->may_fail != NULL &&
        pl_descriptor_of(t)->may_fail(t) && !pl_spin_fails_again(t))
        settle_failure(t);
    if (wants->spurious && t->op.way == PL_WAY_TIMEOUT &&
        pl_operation_is(t->op.kind, PL_ROLE_REGAINS) &&
        pl_sched_choose(PL_CHOICE_WAY, 2, -1, NULL, &t->op) == 1)
        t->op.way = PL_WAY_SPURIOUS;
}

/* ---- perform ---- */

/* Account for the operation that the running thread is about to perform. */
static void perform(struct pl_thread *t, bool switched)
{
    const struct pl_operation *op = &t->op;

    PL_CHECK(pl_free || t->announced); /* on free threads a handler may have come in between */
    /* Memory is left out: which accesses are points may differ between two executions.  So may
     * where the clock interrupts code without hooks. */
    if (pl_ways_is_always_point(op->kind) && !pl_operation_is(op->kind, PL_ROLE_LATE))
        pl_stage->digest =
            pl_hash_quick(pl_stage->digest, t->name ^ ((uint64_t)op->kind << 40) ^
                                                ((uint64_t)op->way << 48) ^ op->ordinal);
    pl_observer_chosen(t, switched);
    t->announced = false;
    if (t->signals.handling == NULL && op->way != PL_WAY_SIGNAL)
        t->signals.since = (struct pl_in_libc){0};
    if (__builtin_expect(pl_wide_is(op->size), 0))
        pl_stage->n_wide -= pl_middle_is_wide(op) && !pl_free;
    pl_stage->scratch.n_unseen = 0;
    pl_descriptor_settle(t);
    pl_repeat_performed(op);
    pl_spin_performed(t);
    if (t->fair.watched)
        pl_fair_performed(t);
    pl_observer_performed(t);
}

/* So many signals have come before one operation of t that it would never be performed. */
static void be_patient(struct pl_thread *t, unsigned n)
{
    if (n < PATIENCE || t->signals.patient)
        return;
    t->signals.patient = true;
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
}

/*
 * A signal came before the operation of t: its handler runs now.  True when the call that t is in
 * fails; otherwise its operation is to be announced again.
 */
static bool is_interrupted(struct pl_thread *t)
{
    PL_ASSERT(t->op.way == PL_WAY_SIGNAL);
    pl_leave();
    bool fails = pl_ports.process->deliver(t);

    pl_enter();
    return fails;
}

/* A thread of asynchronous type was at something other than a cancellation point. */
static void act(const struct pl_thread *t)
{
    if (t->op.way != PL_WAY_CANCEL || t->cancel_point)
        return;
    pl_leave();
    pl_ports.cancelled();
}

/* Give the turn to whoever is chosen, until it comes back to `self`. */
static void yield_turn(struct pl_thread *self)
{
    if (pl_stage->rolling && pl_stage->repeatable)
        pl_ports.restart->offer(); /* here, where the scratch means nothing */
    struct pl_thread *next = choose_thread(self);
    bool switched = next != self;

    pl_board->execution_points++;
    pl_stage->in_a_row++;
    if (switched) {
        const uint64_t *entry = pl_entry_now;

        pl_stage->in_a_row = 0;
        pl_fiber_switch_to(self, next);
        pl_entry_now = entry; /* others have come in meanwhile */
    }
}

/* ---- points ---- */

/* On the free carrier: nobody is chosen, so what was announced is performed as it is. */
static void free_perform(struct pl_thread *t)
{
    pl_ports.free->perform(t); /* what came before it is recorded before what it chooses */
    settle_way(t);
    perform(t, false);
    t->free.performed = true;
    act(t);
}

/* The thread has gone round a loop for nothing: that is no part of the execution. */
__attribute__((noinline)) static void go_round(struct pl_thread *t)
{
    pl_observer_idle(t, t->spin.idle_from);
    if (pl_stage->rooted && pl_strategy_idle(&t->op, t->spin.idle_from)) {
        pl_spin_share_looks(t); /* a look that was no operation might have found something */
        give_up(PL_CHOOSE_ABORT);
    }
}

/* Another round would be for nothing, unless somebody does something, or time passes. */
__attribute__((noinline)) static void rest(struct pl_thread *t)
{
    if (t->spin.timely && pl_stage->n_alive > 1 && pl_expiry_affords_round(t)) {
        pl_spin_again(t);
        return;
    }
    pl_spin_park(t);
    pl_fair_idle(t);
}

static void point(struct pl_thread *t)
{
    uint64_t before = pl_stage->turns;

    if (pl_free) {
        pl_ports.free->point(t);
        free_perform(t);
        return;
    }

    /* One thread: nothing to choose, unless it cannot go on or goes round and round. */
    if (pl_stage->n_alive > 1 || t->quiet > ALONE_QUIET || pl_company_on() ||
        pl_ways_now(t) != PL_WAY_NORMAL) {
        /* A replay that still follows its schedule is told when to switch: nobody is parked. */
        enum pl_spin_came came = pl_spin_visit(t, &t->op);

        /* Where time has its part, a round may have been for something all the same. */
        if (came != PL_SPIN_NOT && !t->spin.timely)
            go_round(t);
        t->spin.idle = came == PL_SPIN_IDLE;
        if (t->spin.idle && !pl_stage->context.following)
            rest(t);
        if (pl_fair_wanted())
            pl_fair_visit(t);
        if (t->fresh && !(pl_stage->context.replaying && pl_stage->rooted)) {
            pl_fresh_go_back(t);
        } else {
            if (pl_descriptor_may_wait(t->op.kind) && pl_ways_now(t) == PL_WAY_BLOCKED)
                pl_ports.findings->blocked(t);
            yield_turn(t);
        }
    } else if (t->spin.armed && pl_spin_visit(t, &t->op) != PL_SPIN_NOT && !t->spin.timely) {
        go_round(t); /* of a round that began when there were others */
    }
    PL_ASSERT(pl_stage->current == t->id);
    if (t->spin.parked)
        pl_spin_unpark(t);
    if (__builtin_expect((t->op.way >= PL_WAY_CANCEL) | pl_board->settings.weak_cas |
                             pl_board->settings.spurious,
                         0))
        settle_way(t);
    t->operations += pl_stage->rooted;
    perform(t, pl_stage->turns != before);
    if (__builtin_expect(t->spin.clearing > 0, 0))
        pl_entry_clear = pl_spin_clear_left(t);
    act(t);
}

void pl_sched_point(enum pl_op_kind kind, const void *addr, uint32_t size, uint32_t aux,
                    uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    pl_fresh_start(t);
    pl_announce(t, kind, (uint64_t)addr, size, aux, pc);
    t->timed = false;
    point(t);
    for (unsigned n = 0; __builtin_expect(t->op.way == PL_WAY_SIGNAL, 0); n++) {
        bool fails = is_interrupted(t);

        PL_ASSERT(!fails); /* such a call asks for the way */
        pl_announce_again(t);
        t->timed = false;
        be_patient(t, n);
        point(t);
        t->signals.patient = false;
    }
    pl_leave();
}

void pl_sched_interrupt(enum pl_op_kind kind, const void *addr, uint32_t size, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(pl_free);
    pl_enter();
    pl_announce(t, kind, (uint64_t)addr, size, 0, pc);
    t->timed = false;
    t->op.way = (uint8_t)pl_ways_of(t);
    while (t->op.way == PL_WAY_SIGNAL || t->op.way == PL_WAY_CANCEL) {
        free_perform(t);
        is_interrupted(t);
        pl_announce_again(t);
        t->op.way = (uint8_t)pl_ways_of(t);
    }
    t->announced = false;
    t->ordinal = t->op.ordinal; /* it is still to come */
    pl_leave();
}

void pl_sched_piece(enum pl_op_kind kind, const void *addr, uint32_t size, uint64_t pc,
                    uint32_t ordinal)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    PL_ASSERT(!pl_free && ordinal <= t->ordinal);
    pl_fresh_start_at(t, ordinal); /* before its first piece */
    pl_announce_as(t, kind, (uint64_t)addr, size, 0, pc, ordinal);
    t->timed = false;
    point(t);
    for (unsigned n = 0; __builtin_expect(t->op.way == PL_WAY_SIGNAL, 0); n++) {
        bool fails = is_interrupted(t);

        PL_ASSERT(!fails); /* there is no call that could */
        pl_announce_as(t, kind, (uint64_t)addr, size, 0, pc, ordinal);
        t->op.again = true;
        be_patient(t, n);
        point(t);
        t->signals.patient = false;
    }
    pl_leave();
}

bool pl_sched_text(const struct pl_reach *r, uint64_t pc, unsigned n)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    pl_fresh_start(t);
    uint64_t size = pl_reach_size(r);

    PL_ASSERT(!pl_free && size > 0);
    t->reach = *r;
    t->reach.ordinal = t->ordinal++;
    t->reach.n_mapped = pl_stage->n_mapped;
    pl_announce_as(t, PL_OP_READ, (uint64_t)r->at, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                   0, pc, t->reach.ordinal);
    t->op.text = true;
    t->op.again = n > 0;
    t->timed = false;
    be_patient(t, n);
    pl_stage->n_reaching++;
    point(t);
    pl_stage->n_reaching--;
    t->reach.at = NULL;
    t->signals.patient = false;
    bool done = t->op.way != PL_WAY_SIGNAL;

    if (!done) {
        bool fails = is_interrupted(t);

        PL_ASSERT(!fails); /* there is no call that could */
    }
    pl_leave();
    return done;
}

enum pl_way pl_sched_timed_point(enum pl_op_kind kind, const void *addr, uint64_t deadline,
                                 uint32_t aux, uint64_t pc)
{
    return pl_sched_sized_point(kind, addr, 0, deadline, aux, pc);
}

enum pl_way pl_sched_sized_point(enum pl_op_kind kind, const void *addr, uint32_t size,
                                 uint64_t deadline, uint32_t aux, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    pl_fresh_start(t);
    pl_announce(t, kind, (uint64_t)addr, size, aux, pc);
    bool timed = deadline != PL_NEVER && (t->awaits_timer || pl_expiry_may_come(deadline));
    bool untimed = !timed && pl_operation_is(kind, PL_ROLE_TIMED) &&
                   pl_operation_is(kind, PL_ROLES(ACQUIRES, TAKES));

    t->timed = timed;
    t->passed_by = false;
    t->op.untimed = untimed;
    t->deadline = deadline;
    t->waits_since = pl_stage->now;
    point(t);
    for (unsigned n = 0; t->op.way == PL_WAY_SIGNAL && !is_interrupted(t); n++) {
        pl_announce_again(t);
        t->timed = timed;
        t->op.untimed = untimed;
        t->deadline = deadline;
        be_patient(t, n);
        point(t);
        t->signals.patient = false;
    }
    t->timed = t->awaits_timer = false;
    if (t->op.way == PL_WAY_TIMEOUT && !pl_operation_is(kind, PL_ROLE_REGAINS))
        pl_clock_reach(t->deadline); /* after the wait at a condition the mutex comes first */
    pl_leave();
    return (enum pl_way)t->op.way;
}

void pl_sched_note(enum pl_op_kind kind, const void *addr, uint32_t aux, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    pl_fresh_start(t);
    pl_announce(t, kind, (uint64_t)addr, 0, aux, pc);
    t->op.noted = true;
    if (pl_free)
        pl_ports.free->perform(t);
    /* What free threads did may say that somebody else went on before this. */
    if (pl_board->settings.starts_chosen && !pl_free)
        point(t);
    else
        perform(t, false);
    PL_ASSERT(t->op.way != PL_WAY_SIGNAL);
    pl_leave();
}

/* What the thread waits at, also while a handler runs that came in between. */
static struct pl_operation *waits_at(struct pl_thread *t)
{
    struct pl_handling *h = t->signals.handling;

    while (h != NULL && h->outer != NULL)
        h = h->outer;
    return h != NULL ? &h->op : &t->op;
}

struct pl_operation *pl_sched_wake(struct pl_thread *t)
{
    PL_ASSERT(t->state != PL_THREAD_UNUSED);
    struct pl_operation *op = waits_at(t);

    t->woken = true;
    op->round = 0;
    op->waker = pl_stage->current;
    op->wake = pl_thread_self()->op.ordinal;
    return op;
}

/* Whether the running thread ends an execution that others could have gone on with. */
static bool cuts_off(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (i != pl_stage->current && t->state == PL_THREAD_ALIVE &&
            pl_ways_now(t) != PL_WAY_BLOCKED)
            return true;
    }
    return false;
}

/*
 * Whoever ends the execution makes it another; whether all others had ended by then nobody can
 * tell. Where threads end until none is left, it does not matter who was the last.
 */
static void note_end(void)
{
    struct pl_thread *self = pl_thread_self();

    if (pl_stage->context.stuck || self->state != PL_THREAD_ALIVE)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->op.circle)
            return;
    }
    pl_class_note(self, self->name + ENDED);
}

void pl_sched_last(void)
{
    const struct pl_operation **next = pl_stage->scratch.next;
    unsigned n = 0;

    if (pl_free && pl_stage->rooted && !pl_board->fate.known)
        pl_ports.free->close();
    if (pl_stage->strategy == NULL || !pl_stage->rooted || pl_stage->told || pl_free)
        return;
    pl_stage->told = true;
    if (pl_stage->n_reaching > 0)
        pl_reach_refresh();
    pl_observer_last();
    /* What cuts others off may come right after the first one of an order that is sought. */
    if ((pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE) || pl_stage->seeking) &&
        cuts_off())
        pl_shadow_suspect_unseen();
    pl_shadow_take_copied();
    note_end();
    if (pl_stage->strategy->last == NULL)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || !t->announced || pl_ways_at_limit(t))
            continue; /* what is beyond the limit never happens, in no order */
        t->op.way = (uint8_t)pl_ways_now(t);
        t->op.parked = t->spin.parked || (pl_operation_is(t->op.kind, PL_ROLE_REGAINS) &&
                                          !t->woken && !t->timed && !pl_board->settings.spurious);
        if (t->op.way != PL_WAY_BLOCKED)
            pl_descriptor_settle(t);
        next[n++] = &t->op;
    }
    pl_stage->context.n_kept = 0;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->over)
            next[n + pl_stage->context.n_kept++] = &pl_thread_by_id(i)->op;
    }
    pl_stage->context.learned = pl_board->shared_grew;
    pl_stage->strategy->last(&pl_stage->context, next, n);
}

/* A new thread runs for the first time: its start was chosen. */
void pl_sched_started(void)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(!t->started && pl_operation_is(t->op.kind, PL_ROLE_BEGINS));
    if (pl_free) {
        pl_ports.free->started(t);
        pl_monitor_enter(PL_MONITOR_CALL);
        pl_ports.free->perform(t);
    }
    pl_stage->busy = 1;
    t->started = true;
    pl_stage->n_fresh -= t->fresh;
    perform(t, true);
    pl_stage->busy = 0;
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
}

/* The threads that wait at `kind` on `addr`, their aux matching `match` unless that is 0. */
static unsigned collect_waiters(enum pl_op_kind kind, uint64_t addr, uint64_t match)
{
    unsigned n = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        const struct pl_operation *op = waits_at(t);

        if (t->state == PL_THREAD_ALIVE && op->kind == kind && !t->woken &&
            pl_alias(t->wait) == pl_alias(addr) && (match == 0 || (op->aux & match) != 0))
            pl_stage->scratch.waiters[n++] = op;
    }
    return n;
}

/* Which of them is woken is a choice; in which order several are is none. */
pl_tid pl_sched_pick_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match, uint32_t wanted,
                            pl_tid after)
{
    const struct pl_operation **next = pl_stage->scratch.waiters;
    unsigned n = collect_waiters(kind, addr, match);

    PL_ASSERT(wanted > 0);
    while (n > 0 && after != PL_TID_NONE && next[0]->tid <= after) {
        next++;
        n--;
    }
    if (n == 0)
        return PL_TID_NONE;
    if (n <= wanted)
        return next[0]->tid;
    n -= wanted - 1; /* as many must be left behind it */
    return next[pl_sched_choose(PL_CHOICE_WAITER, n, -1, next, &pl_thread_self()->op)]->tid;
}

/* All of them will be woken: any. */
pl_tid pl_sched_any_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match)
{
    return collect_waiters(kind, addr, match) > 0 ? pl_stage->scratch.waiters[0]->tid : PL_TID_NONE;
}

/* The running thread has ended; somebody else goes on, or the process exits. */
void pl_sched_end_thread(void)
{
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    PL_ASSERT(t->state == PL_THREAD_ENDED || t->state == PL_THREAD_GONE);
    if (pl_stage->n_alive == pl_stage->signals.n_timers) { /* nothing but timers is left */
        pl_leave();
        pl_ports.process->exit(0, t->op.pc);
    }
    if (pl_free)
        pl_ports.free->end_thread(t);
    /* Where free threads are concerned, the exit is a place of its own; and a timer does not end by
     * an operation: who goes on is not asked before its last one. */
    if (pl_board->settings.starts_chosen || t->timer)
        t->op.ordinal = t->ordinal;
    if (pl_fresh_has(t))
        pl_fresh_leave(); /* nobody is there any more to whom they could go back */
    if (t->fresh && !(pl_stage->context.replaying && pl_stage->rooted))
        pl_fresh_go_back(t);
    pl_fiber_switch_to(t, choose_thread(t));
    PL_ASSERT(!"an ended thread runs again");
    __builtin_unreachable();
}
