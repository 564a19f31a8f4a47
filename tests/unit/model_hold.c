/* SPDX-License-Identifier: MIT */
/*
 * What is found out about accesses within holds of locks: cases written by hand, and random
 * programs, of which no execution may show an order that an earlier or a later one ruled out.
 */
#include "model/cover.h"

#include "unit.h"

#include "base/rng.h"

#include <stdlib.h>

enum { CODE = 0x1000, AFTER = PL_HOLD_LAST | PL_HOLD_LASTING, WORD = 64, LOCK = 0x8000 };

static struct pl_cover *cover;
static struct pl_cover_run *run;
static struct pl_cover_cell *far;
static struct pl_cover_thread threads[4];
static unsigned base; /* the first place of a program */

/* An execution begins; what is known stays. */
static void begin(bool crowd)
{
    memset(run, 0, sizeof(*run));
    memset(threads, 0, sizeof(threads));
    pl_cover_run_begin(run, far, crowd);
}

static void start(void)
{
    memset(cover, 0, sizeof(*cover));
    cover->n_ranges = cover->n_functions = 1;
    cover->ranges[0] = (struct pl_cover_range){CODE, CODE + 0x80000, 1};
    begin(false);
}

static void perform(unsigned t, unsigned place, struct pl_operation op)
{
    struct pl_cover_event e = {.execution = 1, .depth = 1, .several = true};

    op.tid = (pl_tid)t;
    op.name = 1000 + t;
    op.pc = CODE + 8 * (base + place) + 4;
    pl_cover_run_at(cover, run, &threads[t], &op, &e);
    pl_cover_run_see(cover, run, &threads[t], &op, true, 1);
}

static void access_bytes(unsigned t, unsigned place, bool write, uint64_t addr, uint32_t size)
{
    perform(t, place,
            (struct pl_operation){.kind = write ? PL_OP_WRITE : PL_OP_READ,
                                  .addr = addr,
                                  .size = size,
                                  .effect = write ? PL_EFFECT_WRITE : PL_EFFECT_READ});
}

static void look(unsigned t, unsigned place)
{
    access_bytes(t, place, false, WORD, 4);
}

static void change(unsigned t, unsigned place)
{
    access_bytes(t, place, true, WORD, 4);
}

static void take(unsigned t, unsigned place, unsigned lock, bool shared)
{
    perform(t, place,
            (struct pl_operation){.kind = shared ? PL_OP_RWLOCK_READ : PL_OP_MUTEX_LOCK,
                                  .addr = LOCK + 64 * lock,
                                  .effect = PL_EFFECT_WRITE});
    pl_cover_run_took(run, &threads[t], LOCK + 64 * lock, shared);
}

static void give(unsigned t, unsigned lock)
{
    pl_cover_run_gave(cover, run, &threads[t], LOCK + 64 * lock, 1);
}

static uint32_t number(unsigned place, bool write)
{
    return pl_cover_statement(cover, CODE + 8 * (base + place) + 4, 0,
                              write ? PL_OP_WRITE : PL_OP_READ);
}

static uint32_t facts(unsigned place, bool write)
{
    return cover->statements[number(place, write)].info >> PL_HOLD_SHIFT << PL_HOLD_SHIFT;
}

/* ---- cases ---- */

static void a_write_protects_what_comes_before_and_after_it(void)
{
    start();
    take(1, 0, 0, false);
    look(1, 1);
    CHECK(facts(1, false) == (PL_HOLD_WITH | PL_HOLD_FIRST)); /* the rest is still to come */
    change(1, 2);
    look(1, 3);
    give(1, 0);
    CHECK(facts(1, false) == (PL_HOLD_WITH | PL_HOLD_FIRST));
    CHECK(facts(2, true) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
    CHECK(facts(3, false) == (PL_HOLD_WITH | AFTER));
    CHECK(cover->holds[number(1, false)].lock ==
          pl_cover_statement(cover, CODE + 4, 0, PL_OP_MUTEX_LOCK) + 1);
    CHECK(cover->holds[number(3, false)].first[3] == 1 &&
          cover->holds[number(3, false)].first[2] == 0);
}

static void a_read_follows_a_read_but_changes_nothing(void)
{
    start();
    take(1, 0, 0, false);
    look(1, 1);
    look(1, 2);
    give(1, 0);
    CHECK(facts(1, false) == (PL_HOLD_WITH | PL_HOLD_FIRST | PL_HOLD_LASTING));
    CHECK(facts(2, false) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
}

static void another_hold_protects_nothing(void)
{
    start();
    take(1, 0, 0, false);
    change(1, 1);
    give(1, 0);
    take(1, 0, 0, false);
    change(1, 2);
    give(1, 0);
    CHECK(facts(1, true) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
    CHECK(facts(2, true) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
}

static void other_bytes_protect_nothing(void)
{
    start();
    take(1, 0, 0, false);
    access_bytes(1, 1, true, WORD, 4);
    access_bytes(1, 2, true, WORD + 4, 4);
    access_bytes(1, 3, true, WORD + 2, 4); /* half of each */
    access_bytes(1, 4, false, WORD, 8);    /* all of which has been written */
    access_bytes(1, 5, false, WORD + 4, 8);
    give(1, 0);
    CHECK(facts(1, true) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
    CHECK(facts(2, true) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
    CHECK(facts(3, true) == (PL_HOLD_WITH | AFTER));
    CHECK(facts(4, false) == (PL_HOLD_WITH | AFTER));
    CHECK((facts(5, false) & PL_HOLD_FIRST) != 0); /* not its second half */
}

static void memory_has_a_lock(void)
{
    start();
    take(1, 0, 0, false);
    take(1, 1, 1, false);
    change(1, 2); /* with both */
    give(1, 1);
    give(1, 0);
    take(2, 3, 1, false);
    change(2, 4); /* so it is the second one */
    give(2, 1);
    take(2, 5, 0, false);
    change(2, 6);
    give(2, 0);
    change(2, 7);
    CHECK((facts(2, true) & PL_HOLD_WITHOUT) == 0 && (facts(4, true) & PL_HOLD_WITHOUT) == 0);
    CHECK(facts(6, true) == PL_HOLD_WITHOUT && facts(7, true) == PL_HOLD_WITHOUT);
}

/* With two locks that may be meant, one that is given back ends what can be said. */
static void two_candidates_must_agree(void)
{
    start();
    take(1, 0, 0, false);
    change(1, 1);
    take(1, 2, 1, false);
    look(1, 3); /* one lock has been known since the first access */
    give(1, 1);
    change(1, 4);
    give(1, 0);
    CHECK((facts(3, false) & PL_HOLD_FIRST) == 0 && (facts(1, true) & AFTER) == 0);
    CHECK((facts(3, false) & AFTER) == 0);
    begin(false);
    take(1, 0, 0, false);
    take(1, 2, 1, false);
    look(1, 5);
    give(1, 1);
    change(1, 6);
    give(1, 0);
    CHECK((facts(5, false) & AFTER) == AFTER);
}

/* The smallest ones have four bytes. */
static void locks_may_lie_side_by_side(void)
{
    start();
    for (unsigned t = 1; t < 3; t++) {
        pl_cover_run_took(run, &threads[t], LOCK + 4 * (t - 1), false);
        change(t, t);
        pl_cover_run_gave(cover, run, &threads[t], LOCK + 4 * (t - 1), 1);
    }
    CHECK((facts(1, true) & PL_HOLD_WITHOUT) == 0 && facts(2, true) == PL_HOLD_WITHOUT);
}

/* Whichever of the two was taken last, and whichever is given back first. */
static void holds_of_both_candidates_count(void)
{
    start();
    take(1, 0, 0, false);
    take(1, 1, 1, false);
    change(1, 2);
    give(1, 1);
    take(1, 1, 1, false);
    look(1, 3); /* in another hold of one of them */
    give(1, 1);
    give(1, 0);
    CHECK((facts(3, false) & PL_HOLD_FIRST) != 0);
    take(1, 1, 1, false);
    take(1, 0, 0, false);
    look(1, 4);
    give(1, 1);
    change(1, 5); /* too late for one of them */
    give(1, 0);
    CHECK((facts(4, false) & AFTER) == AFTER);
}

static void readers_do_not_exclude_each_other(void)
{
    start();
    take(1, 0, 0, true);
    look(1, 1);
    look(1, 2);
    change(1, 3);
    give(1, 0);
    CHECK(facts(1, false) == (PL_HOLD_WITH | PL_HOLD_FIRST | AFTER));
    CHECK(facts(3, true) == PL_HOLD_WITHOUT);
    take(2, 4, 0, false);
    change(2, 5);
    look(2, 6);
    give(2, 0);
    CHECK(facts(6, false) == (PL_HOLD_WITH | AFTER));
}

static void what_is_not_followed_is_without_a_lock(void)
{
    start();
    for (unsigned i = 0; i < PL_HOLD_LOCKS; i++)
        take(1, 0, i, false);
    take(2, 0, PL_HOLD_LOCKS, false);
    access_bytes(1, 1, true, WORD, 128);
    CHECK((facts(1, true) & PL_HOLD_WITHOUT) != 0);
    take(1, 0, PL_HOLD_LOCKS + 1, false); /* one too many */
    for (unsigned i = 0; i < PL_HOLD_LOCKS; i++)
        give(1, i);
    change(1, 2);
    CHECK(facts(2, true) == PL_HOLD_WITHOUT);
    give(1, PL_HOLD_LOCKS + 1);
    begin(true);
    take(1, 0, 0, false);
    change(1, 3);
    CHECK(facts(3, true) == PL_HOLD_WITHOUT);
}

/* More accesses than can be kept: nothing is said to follow those that are given up. */
static void long_holds_are_not_forgotten(void)
{
    start();
    take(1, 0, 0, false);
    for (unsigned i = 0; i < PL_HOLD_PENDING + 1; i++)
        access_bytes(1, 1 + i, false, WORD + 8 * i, 4);
    CHECK((facts(1, false) & AFTER) == AFTER && (facts(2, false) & AFTER) == 0);
    for (unsigned i = 0; i < PL_HOLD_PENDING + 1; i++)
        access_bytes(1, 101 + i, true, WORD + 8 * i, 4);
    give(1, 0);
    for (unsigned i = 1; i < PL_HOLD_PENDING; i++)
        CHECK((facts(101 + i, true) & AFTER) == AFTER);
}

/* ---- random programs ---- */

enum { STEPS = 12, LOCKS = 3, PROGRAMS = 1000, EXECUTIONS = 40, PLACES = 3 * STEPS };

enum what { TAKE, TAKE_SHARED, GIVE, LOOK, CHANGE };

struct step {
    enum what what;
    unsigned lock;
    uint64_t addr;
    uint32_t size;
};

struct program {
    unsigned n_threads, n[3];
    struct step steps[3][STEPS];
};

static unsigned draw(uint64_t *rng, unsigned n)
{
    return pl_rng_below(rng, n);
}

static void add_access(uint64_t *rng, struct program *p, unsigned t)
{
    static const uint32_t sizes[] = {4, 4, 4, 8, 2};
    uint32_t size = sizes[draw(rng, 5)];

    p->steps[t][p->n[t]++] =
        (struct step){.what = draw(rng, 2) ? LOOK : CHANGE,
                      .addr = WORD + 8 * draw(rng, 2) + draw(rng, 8 / size) * size,
                      .size = size};
}

/* Locks are taken in ascending order, and given back in any. */
static void make(uint64_t *rng, struct program *p)
{
    unsigned locks = draw(rng, 2) ? 1 : 1 + draw(rng, LOCKS);

    p->n_threads = 2 + draw(rng, 2);
    for (unsigned t = 0; t < p->n_threads; t++) {
        p->n[t] = 0;
        while (p->n[t] < STEPS - 6) {
            unsigned first = draw(rng, locks), second = first + 1 + draw(rng, LOCKS);
            bool two = second < LOCKS && draw(rng, 2) != 0, crossing = draw(rng, 2) != 0;
            enum what how = draw(rng, 4) == 0 ? TAKE_SHARED : TAKE;

            p->steps[t][p->n[t]++] = (struct step){.what = how, .lock = first};
            add_access(rng, p, t);
            if (two)
                p->steps[t][p->n[t]++] = (struct step){.what = TAKE, .lock = second};
            add_access(rng, p, t);
            if (two)
                p->steps[t][p->n[t]++] =
                    (struct step){.what = GIVE, .lock = crossing ? first : second};
            p->steps[t][p->n[t]++] =
                (struct step){.what = GIVE, .lock = two && crossing ? second : first};
            if (draw(rng, 12) == 0 && p->n[t] < STEPS)
                add_access(rng, p, t);
        }
    }
}

/* Who has a lock: bits of threads; with the lowest one for writing. */
static bool can_take(const unsigned *held, const struct step *s)
{
    return s->what == TAKE_SHARED ? (held[s->lock] & 1) == 0 : held[s->lock] == 0;
}

static void make_step(unsigned t, unsigned at, const struct step *s, unsigned *held)
{
    unsigned place = t * STEPS + at, me = 2U << t;

    if (s->what == TAKE || s->what == TAKE_SHARED) {
        take(t, place, s->lock, s->what == TAKE_SHARED);
        held[s->lock] |= me | (s->what == TAKE);
    } else if (s->what == GIVE) {
        give(t, s->lock);
        held[s->lock] &= ~(me | 1);
    } else {
        access_bytes(t, place, s->what == CHANGE, s->addr, s->size);
    }
}

static void execute(uint64_t *rng, const struct program *p)
{
    unsigned at[3] = {0}, held[LOCKS] = {0}, left = 0;

    for (unsigned t = 0; t < p->n_threads; t++)
        left += p->n[t];
    begin(false);
    while (left > 0) {
        unsigned t = draw(rng, p->n_threads);
        const struct step *s = &p->steps[t][at[t]];

        if (at[t] == p->n[t] || (s->what <= TAKE_SHARED && !can_take(held, s)))
            continue;
        make_step(t, at[t]++, s, held);
        left--;
    }
}

/* As in trace/covered_holds.c. */
static bool is_apart(uint32_t a, uint32_t b)
{
    const unsigned both = PL_HOLD_WITH | PL_HOLD_WITHOUT;

    return (a & both) == PL_HOLD_WITH && (b & both) == PL_HOLD_WITH &&
           ((b & PL_HOLD_FIRST) == 0 || (a & PL_HOLD_LAST) == 0);
}

/* Visit all orders of two accesses of which the opposite has been seen. */
static unsigned note_claims(const uint32_t *numbers, bool (*claims)[PLACES])
{
    unsigned n = 0;

    for (unsigned a = 0; a < PLACES; a++) {
        for (unsigned b = 0; b < PLACES; b++) {
            if (numbers[a] == PL_COVER_NOTHING || numbers[b] == PL_COVER_NOTHING ||
                !pl_cover_paired(cover, numbers[b], numbers[a]) ||
                pl_cover_paired(cover, numbers[a], numbers[b]))
                continue;
            if (is_apart(cover->statements[numbers[a]].info, cover->statements[numbers[b]].info))
                claims[a][b] = true;
            n += claims[a][b];
        }
    }
    return n;
}

static unsigned check_program(uint64_t *rng)
{
    static bool claims[PLACES][PLACES];
    uint32_t numbers[PLACES];
    struct program p;
    unsigned n = 0;

    make(rng, &p);
    memset(claims, 0, sizeof(claims));
    for (unsigned i = 0; i < PLACES; i++) {
        const struct step *s = &p.steps[i / STEPS % 3][i % STEPS];
        bool is = i / STEPS < p.n_threads && i % STEPS < p.n[i / STEPS % 3] && s->what >= LOOK;

        numbers[i] = is ? number(i, s->what == CHANGE) : PL_COVER_NOTHING;
    }
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        execute(rng, &p);
        n = note_claims(numbers, claims);
    }
    for (unsigned a = 0; a < PLACES; a++) {
        for (unsigned b = 0; b < PLACES; b++)
            CHECK(!claims[a][b] || !pl_cover_paired(cover, numbers[a], numbers[b]));
    }
    return n;
}

static void no_execution_shows_what_was_ruled_out(void)
{
    uint64_t rng = 7;
    unsigned n = 0;

    start();
    for (base = 0; base < PROGRAMS * PLACES; base += PLACES)
        n += check_program(&rng);
    base = 0;
    CHECK(n > PROGRAMS / 2 && cover->lost == 0); /* there is something to be wrong about */
}

int main(void)
{
    cover = calloc(1, sizeof(*cover));
    run = calloc(1, sizeof(*run));
    far = calloc(PL_COVER_FAR, sizeof(*far));
    a_write_protects_what_comes_before_and_after_it();
    a_read_follows_a_read_but_changes_nothing();
    another_hold_protects_nothing();
    other_bytes_protect_nothing();
    memory_has_a_lock();
    two_candidates_must_agree();
    holds_of_both_candidates_count();
    locks_may_lie_side_by_side();
    readers_do_not_exclude_each_other();
    what_is_not_followed_is_without_a_lock();
    long_holds_are_not_forgotten();
    no_execution_shows_what_was_ruled_out();
    free(cover);
    free(run);
    free(far);
    return unit_result();
}
