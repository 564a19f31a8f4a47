/* SPDX-License-Identifier: MIT */
/*
 * Spin loops: when a thread that comes back to an operation has gone round for nothing, what makes
 * it another state, and who lets it go on.  Registers and stack of a thread are a piece of memory
 * here; its operations are announced by hand.
 */
#include "unit.h"

#include "machine.h"
#include "runtime_stage.h"

enum { WORDS = 64, ENTRY = 8, LOCAL = 24 }; /* of a stack: registers, a variable */
enum { FLAG = 0x10000, OTHER = 0x10008, LOCK = 0x20000, GRANTS = 60 };

static uint64_t stacks[3][WORDS];

/* Threads with stacks that hold the same. */
static void begin(void)
{
    stage_set(3);
    memset(stacks, 0, sizeof(stacks));
    for (pl_tid t = 0; t < 3; t++) {
        stage_thread(t)->entry = &stacks[t][ENTRY];
        stage_thread(t)->stack_low = (uint64_t)stacks[t];
        stage_thread(t)->stack_high = (uint64_t)(stacks[t] + WORDS);
    }
}

/* The thread comes to an operation; whether it has come round for nothing. */
static bool visit(pl_tid tid, enum pl_op_kind kind, uint64_t addr, uint64_t pc)
{
    struct pl_thread *t = stage_thread(tid);

    t->op = machine_operation(kind, tid, addr);
    t->op.pc = pc;
    t->op.ordinal = t->ordinal++;
    return pl_spin_visit(t, &t->op) == PL_SPIN_IDLE;
}

/* It comes there and performs it. */
static bool perform(pl_tid tid, enum pl_op_kind kind, uint64_t addr, uint64_t pc)
{
    bool unchanged = visit(tid, kind, addr, pc);

    pl_spin_performed(stage_thread(tid));
    return unchanged;
}

/* A loop that reads the flag, until it is parked. */
static struct pl_thread *spin(pl_tid tid)
{
    struct pl_thread *t = stage_thread(tid);

    CHECK(!perform(tid, PL_OP_ATOMIC_LOAD, FLAG, 10));
    CHECK(visit(tid, PL_OP_ATOMIC_LOAD, FLAG, 10));
    pl_spin_park(t);
    return t;
}

/* ---- iterations ---- */

static void the_same_again_is_a_round(void)
{
    begin();
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    for (unsigned i = 1; i <= 5; i++) {
        CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
        CHECK(stage_thread(0)->spin.iterations == i);
    }
}

static void another_operation_is_none(void)
{
    begin();
    perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, OTHER, 10));
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 11));
    CHECK(!perform(0, PL_OP_READ, FLAG, 10));
    CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10)); /* the iteration had four */
}

/* Registers and stack are the state; who counts iterations is in another one. */
static void a_change_of_state_is_none(void)
{
    begin();
    for (unsigned i = 0; i < 10; i++) {
        stacks[0][ENTRY + i % 6]++;
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
    for (unsigned i = 0; i < 10; i++) {
        stacks[0][LOCAL]++;
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
    stacks[0][ENTRY - 1]++; /* below the frame there is nothing */
    CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
}

/* The first operation need not be one of the loop: another anchor is taken after a while. */
static void loops_of_any_length_are_found(void)
{
    for (unsigned length = 1; length <= 40; length++) {
        unsigned steps = 0;

        begin();
        perform(0, PL_OP_ATOMIC_LOAD, OTHER, 1);
        while (steps < 1000 && !perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10 + steps % length))
            steps++;
        CHECK(steps >= length && steps <= 4 * length + 8);
    }
}

/* ---- progress ---- */

static void a_write_is_progress(void)
{
    static const enum pl_op_kind kinds[] = {PL_OP_WRITE, PL_OP_ATOMIC_STORE, PL_OP_COND_SIGNAL,
                                            PL_OP_SEM_POST, PL_OP_THREAD_CREATE};

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        begin();
        perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
        perform(0, kinds[i], OTHER, 20);
        CHECK(!stage_thread(0)->spin.armed); /* the anchor is forgotten */
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
}

static void looking_is_none(void)
{
    static const enum pl_op_kind kinds[] = {
        PL_OP_READ,  PL_OP_MUTEX_TRYLOCK, PL_OP_YIELD,      PL_OP_SLEEP,      PL_OP_ATOMIC_CAS,
        PL_OP_FENCE, PL_OP_SEM_TRYWAIT,   PL_OP_TESTCANCEL, PL_OP_MUTEX_LOCK, PL_OP_MUTEX_UNLOCK};

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        begin();
        perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
        perform(0, kinds[i], OTHER, 20);
        CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
}

/* What a thread writes on its own stack is its state, and nobody's progress. */
static void own_variables_are_no_progress(void)
{
    begin();
    perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
    perform(0, PL_OP_WRITE, (uint64_t)&stacks[0][LOCAL], 20);
    CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    perform(0, PL_OP_WRITE, (uint64_t)&stacks[1][LOCAL], 20); /* another's are */
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
}

static void a_round_ends_where_something_was_changed(void)
{
    begin();
    spin(1);
    pl_spin_unpark(stage_thread(1));
    pl_stage->probation = 3;
    pl_spin_progress(stage_thread(1));
    CHECK(stage_thread(1)->spin.iterations == 0 && !stage_thread(1)->spin.armed);
    CHECK(pl_stage->probation == 0 &&
          pl_board->incomplete == PL_INCOMPLETE_UNFAIR); /* something hidden ended the loop */
}

/* ---- time ---- */

/* A deadline that is computed anew in each iteration, from what the clock says. */
static void time_is_no_state(void)
{
    static const uint64_t units[] = {1, 1000, 1000000, 1000000000};

    for (unsigned u = 0; u < 4; u++) {
        begin();
        for (uint64_t i = 0; i < 5; i++) {
            uint64_t now = (stage_seconds() + i) * 1000000000 + 1234567 * i;

            stage_thread(0)->clock_looks++;
            pl_spin_know(stage_thread(0), now);
            pl_spin_know(stage_thread(0), now + 5000000000);
            stacks[0][LOCAL] = now / units[u];
            stacks[0][ENTRY + 2] = (now + 5000000000) / units[u];
            CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10) == (i > 0));
            CHECK(stage_thread(0)->spin.timely == (i > 0));
        }
        stacks[0][LOCAL] = 7; /* no time */
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
}

/* A number that only looks like a time is one that counts. */
static void no_number_is_a_time_by_its_looks(void)
{
    begin();
    pl_spin_know(stage_thread(0), stage_seconds() * 1000000000);
    for (uint64_t i = 0; i < 5; i++) {
        stage_thread(0)->clock_looks++;
        stacks[0][LOCAL] = stage_seconds() + 1 + i;
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
}

/* Nobody has looked at the clock: what changes is not the time. */
static void what_no_look_has_changed_is_state(void)
{
    begin();
    for (uint64_t i = 0; i < 5; i++) {
        stacks[0][LOCAL] = stage_seconds() + i;
        pl_spin_ignore(stage_thread(0), &stacks[0][LOCAL], 16, stacks[0][LOCAL] * 1000000000);
        CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    }
}

/* Where a thread keeps a time that it has asked for, whatever is there is time. */
static void what_holds_a_time_is_no_state(void)
{
    begin();
    pl_spin_ignore(stage_thread(0), &stacks[0][LOCAL], 16, 123456789);
    for (uint64_t i = 0; i < 5; i++) {
        stage_thread(0)->clock_looks++;
        stacks[0][LOCAL] = i;
        stacks[0][LOCAL + 1] = 1000 * i;
        stacks[0][LOCAL + 4] = i % 2 ? 123456789 : 123456; /* the fraction, also in microseconds */
        CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10) == (i > 0));
    }
    stacks[0][LOCAL + 2]++;
    stage_thread(0)->clock_looks++;
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
}

/* ---- locks ---- */

/* A loop that polls under a lock is parked where it has given the lock back. */
static void the_anchor_is_where_the_fewest_locks_are_held(void)
{
    struct pl_thread *t;

    begin();
    t = stage_thread(0);
    t->n_held = 1;
    perform(0, PL_OP_ATOMIC_LOAD, OTHER, 20);
    t->n_held = 0;
    CHECK(!perform(0, PL_OP_MUTEX_LOCK, LOCK, 40)); /* a better anchor */
    CHECK(t->spin.held == 0);
    t->n_held = 1;
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, OTHER, 20));
    t->n_held = 0;
    CHECK(perform(0, PL_OP_MUTEX_LOCK, LOCK, 40));
}

/* ---- parked ---- */

static void whoever_writes_what_was_read_lets_it_go(void)
{
    begin();
    struct pl_thread *t = spin(0);

    CHECK(pl_stage->n_parked == 1 && t->spin.parked);
    CHECK(pl_shadow_known(FLAG)); /* whoever writes it has to come to a point */
    perform(1, PL_OP_WRITE, OTHER, 50);
    perform(1, PL_OP_ATOMIC_LOAD, FLAG, 60);
    CHECK(t->spin.parked);
    perform(1, PL_OP_ATOMIC_STORE, FLAG, 70);
    CHECK(!t->spin.parked && pl_stage->n_parked == 0);
    CHECK(t->op.waker == 1 && t->op.wake == 2); /* the third operation of thread 1 */
}

static void a_part_of_a_granule_is_enough(void)
{
    begin();
    struct pl_thread *t = spin(0);

    pl_spin_touch(FLAG - 8, 8, 1);
    CHECK(t->spin.parked);
    pl_spin_touch(FLAG - 8, 9, 0); /* by itself */
    CHECK(t->spin.parked);
    pl_spin_touch(FLAG - 8, 9, 1);
    CHECK(!t->spin.parked);
}

/* Accesses that are no points belong to the iteration. */
static void what_is_read_in_between_counts(void)
{
    begin();
    perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
    pl_spin_saw(stage_thread(0), OTHER, 8, false, 15);
    pl_spin_saw(stage_thread(0), LOCK, 8, true, 16); /* a write is told elsewhere */
    CHECK(visit(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    pl_spin_park(stage_thread(0));
    pl_spin_touch(LOCK, 8, 1);
    CHECK(stage_thread(0)->spin.parked);
    pl_spin_touch(OTHER, 8, 1);
    CHECK(!stage_thread(0)->spin.parked);
}

/* Between two visits: then the thread has something to see. */
static void a_round_in_which_somebody_wrote_is_none(void)
{
    begin();
    perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
    perform(1, PL_OP_ATOMIC_STORE, FLAG, 70);
    CHECK(!perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    CHECK(perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
}

/* It goes round once more, from where it was parked. */
static void a_new_round_begins(void)
{
    begin();
    struct pl_thread *t = spin(0);

    pl_spin_touch(FLAG, 8, 1);
    pl_spin_performed(t);
    CHECK(visit(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    pl_spin_park(t);
    CHECK(t->spin.parked && t->spin.iterations == 2);
}

/* A loop that reads nothing may be ended by anything, but not by others that spin. */
static void a_loop_about_which_nothing_is_known(void)
{
    begin();
    perform(0, PL_OP_YIELD, 0, 10);
    CHECK(visit(0, PL_OP_YIELD, 0, 10));
    pl_spin_park(stage_thread(0));
    CHECK(stage_thread(0)->spin.any);
    stage_thread(1)->spin.iterations = 1;
    pl_spin_other(1);
    CHECK(stage_thread(0)->spin.parked);
    perform(2, PL_OP_ATOMIC_LOAD, OTHER, 50);
    CHECK(!stage_thread(0)->spin.parked && stage_thread(0)->op.waker == 2);
}

/* More is read than can be remembered: any write may be the one. */
static void too_much_is_read(void)
{
    begin();
    perform(0, PL_OP_ATOMIC_LOAD, FLAG, 10);
    for (uint64_t i = 1; i <= PL_SPIN_READS; i++)
        pl_spin_saw(stage_thread(0), FLAG + 8 * i, 8, false, 15);
    CHECK(stage_thread(0)->spin.overflow);
    CHECK(visit(0, PL_OP_ATOMIC_LOAD, FLAG, 10));
    pl_spin_park(stage_thread(0));
    pl_spin_touch(FLAG + 80000, 1, 1);
    CHECK(!stage_thread(0)->spin.parked);
}

static void grant(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = spin(0);

        CHECK(stage_told.livelocks == 0);
        CHECK(pl_spin_grant() && !t->spin.parked && pl_stage->n_parked == 0);
        t->spin.armed = false;
    }
}

/* Nobody can go on: more iterations, in case something changes unseen.  It is a livelock when what
 * no hook has touched is still the same after as many again. */
static void rounds_are_granted(void)
{
    begin();
    CHECK(!pl_spin_grant());
    stage_detects(PL_DETECT_LIVELOCK);
    grant(2 * GRANTS);
    CHECK(stage_told.livelocks == 1);
}

/* A loop gets on in memory that no hook has touched: it is none. */
static void hidden_changes_are_progress(void)
{
    begin();
    stage_detects(PL_DETECT_LIVELOCK);
    for (unsigned i = 0; i < 5; i++) {
        grant(GRANTS);
        stage_told.hidden++;
    }
    CHECK(stage_told.livelocks == 0);
    stage_told.hidden--;
    grant(GRANTS);
    CHECK(stage_told.livelocks == 1);
}

/* A thread takes a lock, tries to get another one, gives the first one back and begins again. */
static void give_way(enum pl_effect of_try)
{
    begin();
    perform(0, PL_OP_MUTEX_LOCK, LOCK, 10);
    visit(0, PL_OP_MUTEX_TRYLOCK, LOCK + 64, 20);
    stage_thread(0)->op.effect = (uint8_t)of_try;
    pl_spin_performed(stage_thread(0));
    perform(0, PL_OP_MUTEX_UNLOCK, LOCK, 30);
    visit(0, PL_OP_MUTEX_LOCK, LOCK, 10);
}

static void giving_way_is_noticed(void)
{
    give_way(PL_EFFECT_WRITE);
    CHECK(stage_told.backed_off == 0);
    give_way(PL_EFFECT_READ);
    CHECK(stage_told.backed_off == 3);
}

int main(void)
{
    the_same_again_is_a_round();
    another_operation_is_none();
    a_change_of_state_is_none();
    loops_of_any_length_are_found();
    a_write_is_progress();
    looking_is_none();
    own_variables_are_no_progress();
    a_round_ends_where_something_was_changed();
    time_is_no_state();
    no_number_is_a_time_by_its_looks();
    what_no_look_has_changed_is_state();
    what_holds_a_time_is_no_state();
    the_anchor_is_where_the_fewest_locks_are_held();
    whoever_writes_what_was_read_lets_it_go();
    a_part_of_a_granule_is_enough();
    what_is_read_in_between_counts();
    a_round_in_which_somebody_wrote_is_none();
    a_new_round_begins();
    a_loop_about_which_nothing_is_known();
    too_much_is_read();
    rounds_are_granted();
    hidden_changes_are_progress();
    giving_way_is_noticed();
    return unit_result();
}
