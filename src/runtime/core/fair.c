/* SPDX-License-Identifier: MIT */
/*
 * Fairness as a rule of the scheduler; see fair.h.
 *
 * Every PERIOD points the threads are looked at.  One that could go on at many looks in a row, and
 * has not, is starved.  Then the places of those who do go on are counted for a while: the one
 * with the fewest locks that a thread comes to again and again, and of those the outermost, is
 * the head of an endless loop.  So it is where nobody is starved, but in a long execution nobody
 * comes to a new place any more: threads that back off in step.  It is known from then on as shared
 * memory is (core/shadow.c).
 *
 * Sampling, a thread is withheld after TRIES rounds, for more and more points, and after some times
 * at any place of its round; so everybody gets on, and threads that keep each other from getting on
 * do not meet any more.  An exhaustive
 * search lets each thread make ROUNDS rounds whenever it likes, and further ones when nobody else
 * can go on, in one order only: what it leaves out it says.
 *
 * Rounds are compared.  A thread that comes back with the same registers and stack, and has
 * read the same in between, will do so for ever unless others change what it reads, whatever it
 * writes.  Its rounds may be of a few kinds: threads that hand something to each other.  When that
 * is so of everybody who could go on, it is a livelock.
 */
#include "runtime/core/fair.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "model/common.h"
#include "runtime/core/expiry.h"
#include "runtime/core/recur.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/core/strategy.h"
#include "runtime/core/ways.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/ports.h"

#include <sys/uio.h>

#define FOR_EVER (UINT64_C(1) << 40) /* points */

enum {
    PERIOD = 1024,       /* points from one look to the next, */
    ASKEW = 17,          /* or up to so many more; */
    STARVED = 16,        /* looks at which it could have gone on, and has not since: starved, */
    LATE = 4,            /* or waits for time beside loops that are known, */
    LATER = 2,           /* and once time has passed for such loops; */
    LATEST = 1000000,    /* looks for which it does, faster and faster: */
    BUSY_LOOK = 500000,  /* nanoseconds for the points themselves, */
    QUIET_LOOK = 100000, /* for accesses that are none, */
    QUIETER = 100,       /* where time passes by so much less; */
    LONG = 32,           /* after which an execution is long, sampling, */
    LONGER = 256,        /* and in an exhaustive search, unless one thread goes on alone; */
    WINDOW = 2048,       /* points in which places are counted then */
    REPEATED = 4,        /* of a place that is the head of a loop */
    TRIES = 2,           /* rounds before a thread is withheld, sampling, */
    TRIES_LED = 16,      /* and where it is led by a schedule that may have made more; */
    FIRST_BREAK = 8,     /* points for which it is, the first times, */
    SLOWER = 4,          /* twice as long after so many of them, */
    DOUBLINGS = 14,      /* so often at most */
    ROUNDS = 3,          /* of an endless loop, or for nothing, that a search explores */
    LONG_QUIET = 200000, /* accesses without a point, in a search; */
    PREFERRED = 4,       /* points in a row of a thread that makes many accesses without one */
    COMPARED = 100000,   /* reads of a round: one with more is a computation, and like no other */
    MANY = 20000,        /* accesses without a point that count as a look; */
    WINDOWS = 2,         /* so often they need not be so many while places are counted */
    PASSED = 4,          /* rounds for nothing of others while a thread could make one; */
    IN_STEP = 32,        /* rounds for nothing from which on threads are kept apart */
    SETTLED = 8,         /* rounds of few kinds after which it need not be waited for, */
    WATCH_AFTER = 16,    /* rounds from which on a thread's are compared; */
    RECURS = 64,         /* so many in a row, of a few kinds, recur; */
    ASIDE = 8,         /* times that a thread gives way at the head of its loop, then elsewhere, */
    ASIDE_PLACES = 64, /* at so many places, if there are more, before it is accused; */
    ASIDE_ROUNDS = 4,  /* rounds that this takes for each of them */
};

static bool is_search(void)
{
    return pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE) && !pl_strategy_samples();
}

/* Whoever varies a schedule follows it for the most part, past loops that a search went round. */
static unsigned tries(void)
{
    bool led = pl_strategy_is(pl_stage->strategy, PL_TRAIT_HIDDEN) &&
               !pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS);

    return led ? TRIES_LED : TRIES;
}

/* A replay is told who goes on; so are threads that are led to keep another one waiting. */
static bool is_told(void)
{
    return pl_stage->context.following || pl_stage->strategy == NULL || pl_free ||
           pl_stage->starving.pump.on;
}

/* ---- who waits ---- */

static void withhold(struct pl_thread *t, uint64_t until)
{
    struct pl_thread_fair *f = &t->fair;

    f->until = until;
    if (!f->withheld)
        pl_stage->fair.n_withheld++;
    f->withheld = true;
}

static void release(struct pl_thread *t)
{
    PL_ASSERT(t->fair.withheld && pl_stage->fair.n_withheld > 0);
    t->fair.withheld = false;
    pl_stage->fair.n_withheld--;
}

/* The longer the oftener: after some time a thread alone gets through whatever it is in. */
static void take_break(struct pl_thread *t, unsigned turns)
{
    unsigned doublings = turns / SLOWER;

    withhold(t, pl_board->execution_points +
                    ((uint64_t)FIRST_BREAK << (doublings < DOUBLINGS ? doublings : DOUBLINGS)));
}

/*
 * Where in its loop a thread stands decides whether others get on meanwhile: one that has raised
 * a flag and waits there keeps them out, however long they try.  So after some times it goes on
 * for part of a round first, every time another one; each thread in an order of its own.
 */
static uint64_t part_of_round(const struct pl_thread *t, unsigned turns)
{
    uint64_t places = t->fair.length + 1;

    return turns < ASIDE ? 0 : (turns + pl_hash_mix(t->id + turns / places)) % places;
}

static void give_way(struct pl_thread *t)
{
    t->fair.ahead = 0;
    if (is_search())
        withhold(t, pl_board->execution_points + FOR_EVER);
    else
        take_break(t, t->fair.turns++);
}

/* Rounds of few kinds after which it has given way at all places of its loop, or at many. */
static uint32_t rounds_to_recur(const struct pl_thread *t)
{
    uint64_t places = t->fair.length + 1 < ASIDE_PLACES ? t->fair.length + 1 : ASIDE_PLACES;

    return places * ASIDE_ROUNDS > RECURS ? (uint32_t)places * ASIDE_ROUNDS : RECURS;
}

/* Whether it has left the loop that it was withheld for. */
static bool has_left(const struct pl_thread *t)
{
    return t->operations - t->fair.at_head > 2 * t->fair.length + 8;
}

/*
 * Whether it waits for a moment that has not come, and nothing but that is in its way.  Where
 * time-outs may come at any point they are as good as anything else, but no more than the budget
 * has: a wait of a second in a loop would else be over in every round of a longer one.
 */
static bool is_later(const struct pl_thread *t)
{
    return (!pl_stage->expiries.any || pl_expiry_is_over_budget()) && pl_expiry_moment(t) != 0;
}

/* Whether it is in such a loop. */
static bool is_spent(const struct pl_thread *t)
{
    return pl_stage->expiries.any && t->fair.withheld && is_later(t);
}

/* Whether it does the same again and again: what waits for time is another matter. */
static bool is_steady(const struct pl_thread *t)
{
    const struct pl_thread_fair *f = &t->fair;

    return t->state == PL_THREAD_ALIVE && f->same >= SETTLED && !t->timed && !is_later(t) &&
           t->operations - f->at_head <= f->length;
}

/* When the last one of those who do not came to where it is, or ended. */
static uint64_t rest_began(void)
{
    uint64_t rest = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->fair.came > rest && !is_steady(t))
            rest = t->fair.came;
    }
    return rest;
}

/*
 * Whether it does the same for ever.  What others have done before they came to rest may have ended
 * its loop: a round that it has begun since then must have been like those before.
 */
static bool is_settled(struct pl_thread *t, uint64_t rest)
{
    struct pl_thread_fair *f = &t->fair;

    if (f->rest != rest || f->same < f->before) {
        f->rest = rest;
        f->before = f->same;
    }
    return is_steady(t) && f->same > f->before + 1;
}

/* Of the n threads that could go on: whether those who wait for no time do the same for ever. */
static bool all_settled(unsigned n)
{
    uint64_t rest = rest_began();
    bool settled = true;

    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = pl_stage->scratch.ready[i];

        settled &= is_later(t) || is_settled(t, rest);
    }
    return settled;
}

/* Those who are withheld, and may go on: all; all but the one that has been for the longest time;
 * nobody; those only who wait for their moment. */
enum allowed { EVERYBODY, ONE, NOBODY, LATER_ONES };

static enum allowed allowed(unsigned n)
{
    struct pl_thread **ready = pl_stage->scratch.ready;
    unsigned others = 0, held = 0, later = 0, spent = 0;

    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = ready[i];

        if (t->fair.withheld && (pl_board->execution_points >= t->fair.until || has_left(t)))
            release(t);
        if (is_later(t)) {
            later++;
            spent += is_spent(t);
            continue;
        }
        others += !t->fair.withheld;
        held += t->fair.withheld;
    }
    if (held == 0)
        return others > 0 && spent > 0 ? NOBODY : EVERYBODY;
    if (others > 0)
        return NOBODY;
    /* Time passes when whoever could go on does the same for ever. */
    if (later > 0 && all_settled(n))
        return LATER_ONES;
    return held > 1 || spent > 0 ? ONE : EVERYBODY;
}

static struct pl_thread *longest(unsigned n)
{
    struct pl_thread **ready = pl_stage->scratch.ready, *first = NULL;

    for (unsigned i = 0; i < n; i++) {
        if (ready[i]->fair.withheld && !is_later(ready[i]) &&
            (first == NULL || ready[i]->fair.until < first->fair.until))
            first = ready[i];
    }
    return first;
}

/* Others go on before it does: that is early, unless it would do the same for ever. */
static void note_passed(const struct pl_thread *t)
{
    uint64_t moment = pl_expiry_moment(t);

    if ((moment != 0 || t->fair.same < SETTLED) && moment < pl_stage->expiries.passed)
        pl_stage->expiries.passed = moment;
}

unsigned pl_fair_filter(unsigned n)
{
    struct pl_scratch *s = &pl_stage->scratch;
    enum allowed a = allowed(n);
    const struct pl_thread *one = a == ONE ? longest(n) : NULL;
    unsigned m = 0;

    if (a == EVERYBODY)
        return n;
    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = s->ready[i];

        if (t->fair.withheld && t != one && (!is_later(t) || (is_spent(t) && a != LATER_ONES))) {
            note_passed(t);
            pl_ways_block(t);
            continue;
        }
        s->ready[m] = t;
        s->next[m++] = &t->op;
    }
    PL_ASSERT(m > 0);
    pl_stage->context.withheld = true;
    if (is_search())
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_ROUNDS);
    return m;
}

/*
 * Who is parked in a loop that looks at the clock goes round when nobody can go on.  Where others
 * go round theirs for nothing, and move the clock by looking at it, that never comes: whose moment
 * they have passed so often gets a round as well.
 */
static void grant_due(const struct pl_thread *self)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t == self || t->state != PL_THREAD_ALIVE || !t->spin.parked || !t->spin.timely)
            continue;
        if (t->spin.parked_at > pl_stage->fair.idle) /* somebody has got on since */
            t->spin.parked_at = 0;
        if (pl_stage->fair.idle - t->spin.parked_at < PASSED || pl_expiry_moment_unparked(t) > 0)
            continue;
        pl_spin_unpark(t);
        if (is_search())
            pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
    }
    pl_spin_time_passes();
}

void pl_fair_idle(struct pl_thread *t)
{
    struct pl_fair_state *s = &pl_stage->fair;

    if (t->spin.timely && pl_stage->n_parked > 1 && !pl_stage->expiries.classes && !is_told())
        grant_due(t);
    if (++s->idle >= IN_STEP && !is_told() && !is_search()) {
        t->fair.at_head = t->operations;
        take_break(t, s->idle / IN_STEP * SLOWER);
    }
}

void pl_fair_backed_off(struct pl_thread *t, uint64_t operations)
{
    struct pl_thread_fair *f = &t->fair;

    if (is_told() || ++f->failed <= ROUNDS)
        return;
    if (f->length < operations)
        f->length = operations;
    f->at_head = t->operations;
    if (is_search())
        withhold(t, pl_board->execution_points + FOR_EVER);
    else
        take_break(t, f->failed);
}

/*
 * Sampling, a point is enough unless the thread is preferred again and again; a search should not
 * have choices where nothing depends on them.
 */
bool pl_fair_hogs(struct pl_thread *t, uint64_t accesses)
{
    bool search = !is_told() && is_search(), counted = pl_stage->fair.learning != 0;

    if (is_told() || (search && accesses < LONG_QUIET && !counted) ||
        (accesses < MANY && pl_stage->fair.windows > WINDOWS))
        return false;
    pl_stage->fair.hogs++;
    if (accesses >= MANY) /* it may go round for somebody who waits for time */
        pl_stage->fair.next_look = 0;
    if ((search && !counted) || pl_stage->in_a_row >= PREFERRED) {
        t->fair.at_head = t->operations;
        t->fair.turns++;
        take_break(t, t->fair.turns);
    }
    return true;
}

/* ---- learning which loops are endless ---- */

static void begin_counting(void)
{
    pl_stage->fair.learning = pl_board->execution_points + WINDOW;
    pl_stage->fair.windows++;
    /* Loops that were left are not what anybody waits for now. */
    for (unsigned i = 0; i < pl_stage->fair.n_places; i++)
        pl_stage->fair_places[i].count = 0;
}

static void count_place(const struct pl_thread *t)
{
    struct pl_fair_place *places = pl_stage->fair_places;
    unsigned n = pl_stage->fair.n_places, old = PL_FAIR_PLACES;

    for (unsigned i = 0; i < n; i++) {
        if (places[i].pc == t->op.pc && places[i].tid == t->id) {
            places[i].count++;
            return;
        }
        old = places[i].count == 0 ? i : old;
    }
    if (n == PL_FAIR_PLACES && old < n) { /* nobody has come there lately */
        places[old] = places[n - 1];
        n--;
    }
    if (n == PL_FAIR_PLACES || t->entry == NULL)
        return;
    places[n] = (struct pl_fair_place){.pc = t->op.pc,
                                       .sp = (uint64_t)t->entry,
                                       .tid = t->id,
                                       .held = (uint16_t)t->n_held,
                                       .count = 1};
    pl_stage->fair.n_places = n + 1;
}

/* Whether threads have come to places only where they had been in the window before. */
static bool is_old_news(unsigned n_before)
{
    return n_before > 0 && pl_stage->fair.n_places == n_before && n_before < PL_FAIR_PLACES;
}

/* The place with the fewest locks, then the outermost, then the one seldom come to. */
static bool is_better(const struct pl_fair_place *a, const struct pl_fair_place *b)
{
    if (a->held != b->held)
        return a->held < b->held;
    if (a->sp != b->sp)
        return a->sp > b->sp;
    return a->count < b->count;
}

static void learn_heads(void)
{
    const struct pl_fair_place *places = pl_stage->fair_places;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_fair_place *best = NULL;

        for (unsigned k = 0; k < pl_stage->fair.n_places; k++) {
            if (places[k].tid == i && places[k].count >= REPEATED &&
                (best == NULL || is_better(&places[k], best)))
                best = &places[k];
        }
        if (best != NULL) {
            pl_shadow_endless(best->pc);
            pl_stage->fair.endless = true;
        }
    }
}

static bool waits_for_time(struct pl_thread *t)
{
    t->op.way = (uint8_t)pl_ways_now(t);
    return is_later(t);
}

/*
 * How long so many looks take beyond what a busy machine needs for their points, in nanoseconds:
 * five seconds for a million of those.  What passed in vain in an execution before this need not be
 * waited for again, and passes soon.
 */
static uint64_t duration(uint64_t looks, uint64_t before)
{
    uint64_t again = before + before / 8, in_vain = 5 * again * again * again;
    uint64_t soon = 500000 * looks * looks, slowly = 5 * looks * looks * looks;

    if (soon > in_vain)
        soon = in_vain;
    return soon > slowly ? soon : slowly;
}

/*
 * Somebody waits for a moment beside loops that go round and round.  The clock stands still while
 * anybody can go on; but what does not end by itself takes time, and more and more of it.  Less if
 * it makes accesses without points: that may be a long computation.
 */
static void pass_time(bool quiet)
{
    struct pl_fair_state *s = &pl_stage->fair;
    uint32_t most = atomic_load_explicit(&pl_common->late, memory_order_relaxed);

    if (s->late == 0)
        s->late_before = most;
    uint64_t more = duration(s->late + 1, s->late_before) - duration(s->late, s->late_before);
    uint64_t now = pl_stage->now + (quiet ? QUIET_LOOK + more / QUIETER : BUSY_LOOK + more);

    if (s->late < LATEST)
        s->late++;
    if (s->late > most)
        atomic_store_explicit(&pl_common->late, (uint32_t)s->late, memory_order_relaxed);
    pl_stage->now = pl_timer_comes_before(now) ? pl_stage->signals.next_timer : now;
}

/*
 * Nobody has written what a parked thread looks at for so long.  What no hook sees may have ended
 * its loop: whoever goes on for ever beside it must not keep it from finding out.
 */
static void grant_round(struct pl_thread *t)
{
    if (t->fair.starved < STARVED || is_told())
        return;
    t->fair.starved = 0;
    pl_spin_unpark(t);
    if (is_search())
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
}

void pl_fair_look(void)
{
    struct pl_fair_state *s = &pl_stage->fair;
    uint32_t patience = s->late > 0 ? LATER : s->endless ? LATE : STARVED;
    bool starved = false, late = false;
    unsigned n_able = 0;
    bool quiet = 2 * s->hogs >= pl_board->execution_points - s->last_look;

    s->last_look = pl_board->execution_points;
    s->hogs = 0;
    /* Not always at the same place of a loop: whom it keeps out there may go on at another. */
    s->next_look = pl_board->execution_points + PERIOD + s->looks % ASKEW;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        struct pl_thread_fair *f = &t->fair;

        if (t->state != PL_THREAD_ALIVE)
            continue;
        /* Who is withheld gets on later, unless it is time that must pass first. */
        bool able = pl_ways_now(t) != PL_WAY_BLOCKED && (!f->withheld || waits_for_time(t));
        bool timer = pl_expiry_is_to_come(t);

        n_able += able;
        f->starved =
            t->operations == f->operations ? f->starved + (able || timer || t->spin.parked) : 0;
        f->operations = t->operations;
        if (t->spin.parked) {
            grant_round(t);
            continue;
        }
        starved |= f->starved >= STARVED;
        late |= f->starved >= patience && (timer || waits_for_time(t));
    }
    if (late && s->endless && !is_told())
        pass_time(quiet);
    s->looks++;
    s->alone = n_able <= 1 ? s->alone + 1 : 0;
    bool patient = is_search() && s->alone < LONG; /* no choice of the search is lost otherwise */

    if (s->learning != 0 && pl_board->execution_points >= s->learning) {
        if (starved || is_old_news(s->n_before))
            learn_heads();
        s->n_before = s->n_places;
        s->learning = 0;
    } else if ((starved || s->looks >= (patient ? LONGER : LONG)) && s->learning == 0 &&
               !is_told()) {
        begin_counting();
    }
}

/* ---- rounds ---- */

void pl_fair_differs(struct pl_thread *t)
{
    t->fair.values = pl_hash_mix(t->operations + t->ordinal);
}

/* Memory of the heap, or static memory of the program itself. */
static bool is_lasting(uint64_t addr, uint64_t size)
{
    const struct pl_module *program = &pl_board->modules[0];

    return (pl_heap_contains(addr) && pl_heap_contains(addr + size - 1)) ||
           (addr >= program->writable && addr + size <= program->end);
}

void pl_fair_guarded(uint64_t addr)
{
    if (is_lasting(addr, 1))
        pl_stage->fair.guarded = true;
}

/* The bytes there; false when they cannot be read: the program is about to find out. */
static bool peek(unsigned char *to, uint64_t addr, uint64_t size)
{
    struct iovec here = {to, size}, there = {(void *)addr, size};

    if (!pl_stage->fair.guarded && is_lasting(addr, size)) {
        pl_memory_copy(to, (const void *)addr, size);
        return true;
    }
    long self = pl_sys(SYS_getpid);

    return pl_sys(SYS_process_vm_readv, self, &here, 1, &there, 1, 0) >= 0;
}

uint64_t pl_fair_value(uint64_t addr, uint64_t size)
{
    unsigned char value[8] = {0}; /* so that the kernel may write there */
    uint64_t h = addr;

    if (!peek(value, addr, size < sizeof(value) ? size : sizeof(value)))
        return 0;
    for (unsigned i = 0; i < sizeof(value); i++)
        h = pl_hash_quick(h, value[i]);
    return h;
}

void pl_fair_read(struct pl_thread *t, uint64_t addr, uint64_t size)
{
    unsigned char value[64] = {0}; /* so that the kernel may write there */

    if (pl_thread_owns(t, addr))
        return;
    if (++t->fair.reads > COMPARED) {
        t->fair.watched = false; /* until the next round begins */
        return;
    }
    if (size > sizeof(value) || !peek(value, addr, size)) {
        pl_fair_differs(t);
        return;
    }
    t->fair.values = pl_hash_add(t->fair.values, addr);
    for (unsigned i = 0; i < size; i++)
        t->fair.values = pl_hash_quick(t->fair.values, value[i]);
}

void pl_fair_performed(struct pl_thread *t)
{
    const struct pl_operation *op = &t->op;

    if (pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC)))
        return; /* its value counts */
    if (!pl_operation_is(op->kind, PL_ROLES(IDLE, RELEASES)) ||
        pl_operation_is(op->kind, PL_ROLE_CALLS) || t->timed)
        pl_fair_differs(t);
    else
        t->fair.values = pl_hash_add(t->fair.values, op->addr ^ op->kind ^ (uint64_t)op->way << 8 ^
                                                         (uint64_t)op->effect << 16);
}

bool pl_fair_is_at_rest(const struct pl_thread *t)
{
    return !t->timed && !pl_operation_is(t->op.kind, PL_ROLES(PAUSES, OUTSIDE, CALLS)) &&
           !t->timer && (t->spin.parked || pl_ways_now(t) == PL_WAY_BLOCKED);
}

/* Whether everybody who could go on does the same again and again, and nobody waits for time. */
static bool recurs(void)
{
    bool any = false;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (t->fair.same >= rounds_to_recur(t) && !has_left(t)) {
            any = true;
            continue;
        }
        if (!pl_fair_is_at_rest(t))
            return false;
    }
    return any;
}

/* Memory that nobody sees must be the same as well, after further rounds. */
static void accuse(struct pl_thread *t)
{
    struct pl_fair_state *s = &pl_stage->fair;
    uint64_t digest = pl_recur_digest();
    bool same = s->digest_known && s->digest == digest;

    s->digest = digest;
    s->digest_known = true;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *u = pl_thread_by_id(i);

        u->fair.recurs = same && u->state == PL_THREAD_ALIVE && u->fair.same >= rounds_to_recur(u);
        /* Whether one that goes round is parked just now is chance. */
        if (u->fair.recurs || (u->spin.parked && u->fair.at_head != 0 && !has_left(u)))
            u->spin.pc = u->fair.low;
        u->fair.same = 0;
        if (!same && u->state == PL_THREAD_ALIVE && u->spin.parked)
            pl_spin_unpark(u); /* what it would find now need not be what it has found */
    }
    if (!same)
        return;
    t->fair.same = rounds_to_recur(t);
    if (pl_detect_wants(PL_DETECT_LIVELOCK))
        pl_ports.findings->stuck(true);
}

/* Whether there was such a round lately. */
static bool is_known(struct pl_thread_fair *f, uint64_t kind)
{
    for (unsigned i = 0; i < PL_FAIR_KINDS; i++) {
        if (f->kinds[i] == kind)
            return true;
    }
    f->kinds[f->next_kind++ % PL_FAIR_KINDS] = kind;
    return false;
}

/* Compare this round with those before. */
static void compare(struct pl_thread *t)
{
    struct pl_thread_fair *f = &t->fair;
    uint64_t state = pl_spin_hash(t);

    f->same = is_known(f, pl_hash_add(f->values, state)) && f->watched ? f->same + 1 : 0;
    f->values = 1;
    f->reads = 0;
    f->watched = true;
    if (f->same >= rounds_to_recur(t) && recurs())
        accuse(t);
}

static void go_round(struct pl_thread *t)
{
    struct pl_thread_fair *f = &t->fair;

    if (f->at_head != 0 && t->operations - f->at_head > f->length && !has_left(t))
        f->length = t->operations - f->at_head;
    if (f->at_head == 0 || has_left(t)) /* it is another loop */
        f->low = t->op.pc;
    if (++f->rounds >= WATCH_AFTER)
        compare(t);
    f->at_head = t->operations;
    bool search = is_search();

    if (search ? f->rounds <= ROUNDS : ++f->since < tries())
        return;
    f->since = 0;
    f->ahead = part_of_round(t, search ? f->rounds - ROUNDS - 1 : f->turns);
    if (f->ahead == 0)
        give_way(t);
}

void pl_fair_visit(struct pl_thread *t)
{
    if (is_told())
        return;
    if (pl_stage->fair.learning != 0)
        count_place(t);
    t->fair.came = pl_board->execution_points;
    if (t->op.pc < t->fair.low)
        t->fair.low = t->op.pc;
    if (t->fair.ahead != 0 && --t->fair.ahead == 0)
        give_way(t);
    /* A call may come to several points; a round begins with the one where it was entered. */
    if (t->entry != NULL && pl_shadow_is_endless(t->op.pc))
        go_round(t);
}
