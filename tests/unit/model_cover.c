/* SPDX-License-Identifier: MIT */
/*
 * The models of coverage against a plain restatement of their definitions, on sequences
 * of events written by hand and drawn at random.
 */
#include "model/cover.h"

#include "unit.h"

#include <pthread.h>
#include <stdlib.h>

enum { CODE = 0x1000, FUNCTIONS = 6, SIZE = 0x100, THREADS = 5, PLACES = 8 };

static struct pl_cover *cover;
static struct pl_cover_run *run;
static struct pl_cover_cell *far;
static struct pl_cover_thread threads[64];

/* Function f, from 1, has the code from CODE + f * SIZE on; every second one is of no interest. */
static void start(bool crowd)
{
    memset(cover, 0, sizeof(*cover));
    memset(run, 0, sizeof(*run));
    memset(far, 0, PL_COVER_FAR * sizeof(*far));
    memset(threads, 0, sizeof(threads));
    for (uint32_t f = 1; f <= FUNCTIONS; f++)
        cover->ranges[cover->n_ranges++] =
            (struct pl_cover_range){CODE + f * SIZE, CODE + f * SIZE + SIZE / 2, f};
    cover->n_functions = FUNCTIONS;
    pl_cover_run_begin(run, far, crowd);
}

static uint64_t pc_of(uint32_t function, unsigned place)
{
    return CODE + function * SIZE + 8 * place + 4;
}

static struct pl_operation operation(unsigned t, unsigned kind, uint64_t pc, uint64_t addr)
{
    return (struct pl_operation){.kind = (uint8_t)kind,
                                 .tid = (pl_tid)t,
                                 .name = 1000 + t,
                                 .pc = pc,
                                 .addr = addr,
                                 .size = 4};
}

static void come(unsigned t, const struct pl_operation *op, uint32_t depth, uint64_t execution)
{
    struct pl_cover_event e = {.execution = execution, .depth = depth, .several = true};

    pl_cover_run_at(cover, run, &threads[t], op, &e);
}

static void have(unsigned t, const struct pl_operation *op, uint64_t execution)
{
    pl_cover_run_see(cover, run, &threads[t], op, true, execution);
}

/* A thread comes to an access and has it at once. */
static void event(unsigned t, uint32_t function, unsigned place, uint64_t addr, bool write)
{
    struct pl_operation op =
        operation(t, write ? PL_OP_WRITE : PL_OP_READ, pc_of(function, place), addr);

    come(t, &op, 1, 1);
    have(t, &op, 1);
}

static bool marked(uint32_t function, uint32_t mark)
{
    return (cover->marks[function] & mark) != 0;
}

/* Entries of the log that are no news about something else. */
static uint32_t tasks_in_log(void)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cover->n_log && i < PL_COVER_LOG; i++)
        n += cover->log[i] % (1 << PL_COVER_TASK_BITS) != PL_COVER_TASK_CONCURRENT;
    return n;
}

static uint32_t statement(uint32_t function, unsigned place, bool write)
{
    return pl_cover_statement(cover, pc_of(function, place), 0, write ? PL_OP_WRITE : PL_OP_READ);
}

static void a_return_address_belongs_to_the_call_before_it(void)
{
    start(false);
    CHECK(pl_cover_function(cover, CODE + SIZE) == 0);
    CHECK(pl_cover_function(cover, CODE + SIZE + 1) == 1);
    CHECK(pl_cover_function(cover, CODE + SIZE + SIZE / 2) == 1);
    CHECK(pl_cover_function(cover, CODE + SIZE + SIZE / 2 + 1) == 0);
    CHECK(pl_cover_function(cover, CODE + FUNCTIONS * SIZE + 1) == FUNCTIONS);
    CHECK(pl_cover_function(cover, 0) == 0 && pl_cover_function(cover, UINT64_MAX) == 0);
}

static void a_thread_is_interrupted_where_it_stands(void)
{
    struct pl_operation first = operation(1, PL_OP_READ, pc_of(1, 0), 64);

    start(false);
    come(1, &first, 1, 7); /* it has come there, and no more */
    CHECK(!marked(1, PL_COVER_INTERRUPTED));
    event(2, 2, 0, 128, false);
    CHECK(marked(1, PL_COVER_INTERRUPTED) && !marked(2, PL_COVER_INTERRUPTED));
    CHECK(pl_cover_switched(cover, 1, 2) && !pl_cover_switched(cover, 2, 1));
    have(1, &first, 8);
    CHECK(pl_cover_switched(cover, 2, 1) && marked(2, PL_COVER_INTERRUPTED));
    CHECK(cover->interrupted[1] == 1 && cover->interrupted[2] == 8);
    CHECK(cover->counts[0] == 2 && cover->counts[1] == 2 && cover->counts[2] == 0);
    CHECK(cover->latest == 8);
}

static void whoever_has_left_is_not_interrupted(void)
{
    start(false);
    event(1, 1, 0, 64, false);
    CHECK(pl_cover_run_leaves(&threads[1], 1) && !pl_cover_run_leaves(&threads[1], 2));
    pl_cover_run_left(cover, run, &threads[1], 1, 3);
    CHECK(marked(1, PL_COVER_WHOLE) && cover->whole[1] == 3);
    event(2, 2, 0, 128, false);
    CHECK(!marked(1, PL_COVER_INTERRUPTED) && !pl_cover_switched(cover, 1, 2));
}

/* Interrupted in a call within it or before, a function is not executed whole. */
static void what_was_interrupted_once_is_not_whole(void)
{
    struct pl_operation inner = operation(1, PL_OP_READ, pc_of(2, 0), 64);

    start(false);
    event(1, 1, 0, 64, false);
    event(2, 3, 0, 128, false); /* interrupts 1 in function 1 */
    come(1, &inner, 2, 1);
    have(1, &inner, 1);
    pl_cover_run_left(cover, run, &threads[1], 2, 1);
    CHECK(marked(2, PL_COVER_WHOLE));
    event(1, 1, 1, 64, false); /* back in the same call */
    pl_cover_run_left(cover, run, &threads[1], 1, 1);
    CHECK(!marked(1, PL_COVER_WHOLE));
    event(1, 1, 0, 64, false); /* another call of it */
    pl_cover_run_left(cover, run, &threads[1], 1, 1);
    CHECK(marked(1, PL_COVER_WHOLE));
}

static void without_hooks_another_function_ends_the_one_before(void)
{
    struct pl_operation a = operation(1, PL_OP_READ, pc_of(1, 0), 64);
    struct pl_operation b = operation(1, PL_OP_READ, pc_of(2, 0), 64);

    start(false);
    come(1, &a, 0, 1);
    have(1, &a, 1);
    CHECK(!marked(1, PL_COVER_WHOLE));
    come(1, &b, 0, 1);
    have(1, &b, 1);
    CHECK(marked(1, PL_COVER_WHOLE) && !marked(2, PL_COVER_WHOLE));
}

static void an_ended_thread_stands_nowhere(void)
{
    struct pl_operation last = operation(1, PL_OP_THREAD_EXIT, pc_of(1, 0), 0);

    start(false);
    event(1, 1, 0, 64, false);
    come(1, &last, 1, 1);
    have(1, &last, 1);
    CHECK(run->slots == 0 && marked(1, PL_COVER_WHOLE));
    event(2, 2, 0, 64, true);
    CHECK(!marked(1, PL_COVER_INTERRUPTED));
    CHECK(cover->together[0][0] == 0);
}

static void one_thread_alone_covers_nothing(void)
{
    struct pl_operation op = operation(0, PL_OP_WRITE, pc_of(1, 0), 64);
    struct pl_cover_event e = {.execution = 1, .depth = 1, .several = false};

    start(false);
    pl_cover_run_at(cover, run, &threads[0], &op, &e);
    pl_cover_run_see(cover, run, &threads[0], &op, false, 1);
    CHECK(cover->marks[1] == PL_COVER_ALONE && cover->n_log == 0);
}

static void pairs_have_an_order(void)
{
    start(false);
    event(1, 1, 0, 64, true);
    event(2, 2, 0, 66, false); /* two bytes are the same */
    event(2, 2, 1, 72, false); /* others */
    event(2, 2, 1, 68, true);  /* beside them */
    CHECK(cover->counts[2] == 1);
    CHECK(pl_cover_paired(cover, statement(1, 0, true), statement(2, 0, false)));
    CHECK(!pl_cover_paired(cover, statement(2, 0, false), statement(1, 0, true)));
    CHECK(pl_cover_sharing(cover, pc_of(1, 0)) && pl_cover_sharing(cover, pc_of(2, 0)));
    CHECK(!pl_cover_sharing(cover, pc_of(2, 1)));
    CHECK(cover->statements[statement(1, 0, true)].open == 1);
    event(1, 1, 0, 64, true); /* after the look */
    CHECK(pl_cover_paired(cover, statement(2, 0, false), statement(1, 0, true)));
    CHECK(cover->statements[statement(1, 0, true)].open == 0);
    CHECK(cover->statements[statement(2, 0, false)].open == 0);
}

/* Two halves of 8 bytes have their orders each. */
static void neighbours_do_not_conflict(void)
{
    start(false);
    event(1, 1, 0, 64, true);
    event(2, 2, 0, 68, true);
    CHECK(cover->counts[2] == 0);
    event(3, 3, 0, 64, false);
    event(3, 3, 1, 68, true);
    CHECK(cover->counts[2] == 2);
    CHECK(pl_cover_paired(cover, statement(1, 0, true), statement(3, 0, false)));
    CHECK(pl_cover_paired(cover, statement(2, 0, true), statement(3, 1, true)));
    event(4, 4, 0, 68, false);
    CHECK(cover->counts[2] == 3);
    CHECK(pl_cover_paired(cover, statement(3, 1, true), statement(4, 0, false)));
}

/* Of more uses than are remembered, a look is the one that is forgotten. */
static void changes_outlast_looks(void)
{
    start(false);
    event(0, 1, 0, 64, true);
    for (unsigned t = 1; t <= PL_COVER_USES; t++)
        event(t, 2, t, 64, false);
    event(10, 3, 0, 64, true);
    CHECK(cover->counts[2] == 2 * PL_COVER_USES);
    CHECK(pl_cover_paired(cover, statement(1, 0, true), statement(3, 0, true)));
    CHECK(!pl_cover_paired(cover, statement(2, 1, false), statement(3, 0, true)));
}

static bool concurrent(uint32_t a, uint32_t b)
{
    uint64_t key = pl_cover_pair_key(a, b);

    for (uint32_t i = 0; i < PL_COVER_PAIRS; i++) {
        if (cover->pairs[i].key == key)
            return cover->pairs[i].met != 0;
    }
    CHECK(!"there is such a pair");
    return false;
}

/* Thread 0 creates 1, which creates 2 and ends; 0 joins it and creates 3. */
static void creation_and_join_order_threads(void)
{
    start(false);
    event(0, 1, 0, 64, true);
    pl_cover_run_created(run, 0, 1);
    event(1, 2, 0, 64, true); /* after what its creator did before */
    CHECK(!concurrent(statement(1, 0, true), statement(2, 0, true)));
    event(0, 1, 1, 128, true);
    event(1, 2, 1, 128, true); /* but not after what it did later */
    CHECK(concurrent(statement(1, 1, true), statement(2, 1, true)));
    pl_cover_run_created(run, 1, 2);
    event(2, 3, 0, 64, true);
    CHECK(!concurrent(statement(2, 0, true), statement(3, 0, true)));
    event(1, 2, 2, 192, true);
    pl_cover_run_joined(run, 0, 1);
    event(0, 1, 2, 192, true);
    CHECK(!concurrent(statement(2, 2, true), statement(1, 2, true)));
    event(0, 1, 3, 64, true); /* nobody waited for thread 2 */
    CHECK(concurrent(statement(3, 0, true), statement(1, 3, true)));
    event(1, 2, 3, 256, true);
    pl_cover_run_created(run, 0, 3);
    event(3, 4, 0, 256, true); /* through the one that created it */
    CHECK(!concurrent(statement(2, 3, true), statement(4, 0, true)));
}

/* An order once seen to be free stays so; many threads are free. */
static void what_is_not_known_to_be_ordered_is_concurrent(void)
{
    start(false);
    for (unsigned i = 0; i < 40; i++)
        pl_cover_run_created(run, 0, (pl_tid)(i + 1));
    event(0, 1, 0, 64, true);
    pl_cover_run_created(run, 0, 41);
    event(41, 2, 0, 64, true);
    CHECK(concurrent(statement(1, 0, true), statement(2, 0, true)));
    start(true);
    event(0, 1, 0, 64, true);
    pl_cover_run_created(run, 0, 1);
    event(1, 2, 0, 64, true);
    CHECK(concurrent(statement(1, 0, true), statement(2, 0, true)));
}

static void looks_do_not_conflict(void)
{
    start(false);
    event(1, 1, 0, 64, false);
    event(2, 2, 0, 64, false);
    event(1, 1, 0, 64, false);
    CHECK(cover->counts[2] == 0);
    event(3, 3, 0, 64, true); /* after both of them */
    CHECK(cover->counts[2] == 2);
}

static void locks_conflict_and_unlocks_come_first(void)
{
    struct pl_operation lock = operation(1, PL_OP_MUTEX_LOCK, pc_of(1, 0), 64);
    struct pl_operation unlock = operation(1, PL_OP_MUTEX_UNLOCK, pc_of(1, 1), 64);

    start(false);
    for (unsigned t = 1; t <= 2; t++) {
        lock.tid = unlock.tid = (pl_tid)t;
        lock.name = unlock.name = 1000 + t;
        come(t, &lock, 1, 1);
        have(t, &lock, 1);
        come(t, &unlock, 1, 1);
        have(t, &unlock, 1);
    }
    uint32_t u = pl_cover_statement(cover, unlock.pc, 0, PL_OP_MUTEX_UNLOCK);
    uint32_t l = pl_cover_statement(cover, lock.pc, 0, PL_OP_MUTEX_LOCK);

    CHECK(cover->counts[2] == 1 && pl_cover_paired(cover, u, l));
    CHECK(cover->statements[u].open == 0 && cover->statements[l].open == 0);
}

static void the_caller_is_part_of_a_statement(void)
{
    start(false);
    uint32_t a = pl_cover_statement(cover, pc_of(1, 0), 0, PL_OP_READ);

    CHECK(a == pl_cover_statement(cover, pc_of(1, 0), 0, PL_OP_READ));
    CHECK(a != pl_cover_statement(cover, pc_of(1, 0), pc_of(2, 0), PL_OP_READ));
    CHECK(a != pl_cover_statement(cover, pc_of(1, 0), 0, PL_OP_WRITE));
    CHECK(pl_cover_function_of(cover, a) == 1 && pl_cover_kind_of(cover, a) == PL_OP_READ);
}

/* ---- direction ---- */

static void interest_is_in_what_is_new(void)
{
    struct pl_operation op = operation(1, PL_OP_WRITE, pc_of(1, 0), 64);

    start(false);
    come(1, &op, 1, 1);
    run->direct = PL_COVER_M1;
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_NEW);
    run->direct = PL_COVER_M2;
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) ==
          PL_COVER_DULL);       /* nobody else is there */
    event(2, 2, 0, 128, false); /* (1, 2) */
    run->direct = PL_COVER_M1;
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_DULL);
    run->direct = PL_COVER_M2;
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) ==
          PL_COVER_PREPARES);                                              /* it prepares (2, 1) */
    CHECK(pl_cover_run_interest(cover, run, &threads[2]) == PL_COVER_NEW); /* or by waiting there */
    have(1, &op, 1);
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_DULL);
    CHECK(pl_cover_run_interest(cover, run, &threads[2]) == PL_COVER_DULL);
    run->direct = PL_COVER_M3;
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_DULL);
    event(2, 2, 1, 64, false); /* the write was first, and has a partner now */
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_NEW);
    CHECK(pl_cover_run_interest(cover, run, &threads[2]) == PL_COVER_DULL);
}

/* Thread 2 has gone from function 2 to 3 before: whoever waits may see that again. */
static void interest_is_in_what_may_still_come(void)
{
    struct pl_operation op = operation(1, PL_OP_WRITE, pc_of(1, 0), 64);

    start(false);
    event(2, 2, 0, 128, false);
    pl_cover_run_left(cover, run, &threads[2], 1, 1);
    event(2, 3, 0, 128, false);
    pl_cover_run_left(cover, run, &threads[2], 1, 1);
    memset(&threads[2], 0, sizeof(threads[2])); /* another execution */
    memset(run, 0, sizeof(*run));
    pl_cover_run_begin(run, far, false);
    run->direct = PL_COVER_M2;
    come(1, &op, 1, 2);
    event(2, 2, 0, 128, false); /* (1, 2) is known now, (1, 3) is not */
    CHECK(pl_cover_switched(cover, 1, 2) && !pl_cover_switched(cover, 1, 3));
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) == PL_COVER_NEW);
    pl_cover_run_left(cover, run, &threads[2], 1, 2);
    event(2, 3, 0, 128, false);
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) ==
          1); /* no more than that others stand there */
}

/* A thread that never goes back does not come to what lies behind it. */
static void interest_is_not_in_what_is_over(void)
{
    struct pl_operation op = operation(1, PL_OP_WRITE, pc_of(1, 0), 64);

    start(false);
    run->direct = PL_COVER_M2;
    event(2, 2, 0, 128, false);
    pl_cover_run_left(cover, run, &threads[2], 1, 1);
    event(2, 3, 0, 128, false);
    come(1, &op, 1, 1);
    event(2, 3, 1, 128, false); /* (1, 3); (1, 2) is not known */
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) ==
          1); /* no more than that others stand there */
    pl_cover_run_left(cover, run, &threads[2], 1, 1);
    event(2, 2, 0, 128, false);
    pl_cover_run_left(cover, run, &threads[2], 1, 1);
    event(2, 3, 0, 128, false); /* it does go back; */
    CHECK(pl_cover_run_interest(cover, run, &threads[1]) ==
          PL_COVER_PREPARES); /* but (1, 2) is known by then */
    CHECK(cover->looping[threads[2].kind]);
}

/* ---- at random ---- */

/* What the definitions say, word for word. */
struct reference {
    uint32_t stands[THREADS]; /* 0: nowhere */
    bool broken[THREADS];     /* since it came into the function */
    bool interrupted[FUNCTIONS + 1], whole[FUNCTIONS + 1];
    bool switches[FUNCTIONS + 1][FUNCTIONS + 1];
    int last_change[PLACES], looks[PLACES][THREADS]; /* statement plus 1, by place in memory */
    int changer[PLACES];
    bool pairs[64][64];
};

static int number(uint32_t function, unsigned place, bool write)
{
    return (int)((function * 2 + place) * 2 + write);
}

static void leave(struct reference *r, unsigned t)
{
    if (r->stands[t] != 0 && !r->broken[t])
        r->whole[r->stands[t]] = true;
    r->stands[t] = 0;
    pl_cover_run_left(cover, run, &threads[t], 1, 1);
}

static void refer(struct reference *r, unsigned t, uint32_t f, unsigned place, unsigned cell,
                  bool write)
{
    int me = number(f, place, write);

    if (r->stands[t] != f)
        r->broken[t] = false;
    r->stands[t] = f;
    for (unsigned o = 0; o < THREADS; o++) {
        if (o == t || r->stands[o] == 0)
            continue;
        r->broken[o] = r->interrupted[r->stands[o]] = r->switches[r->stands[o]][f] = true;
    }
    if (r->last_change[cell] != 0 && r->changer[cell] != (int)t)
        r->pairs[r->last_change[cell] - 1][me] = true;
    for (unsigned o = 0; o < THREADS && write; o++) {
        if (o != t && r->looks[cell][o] != 0)
            r->pairs[r->looks[cell][o] - 1][me] = true;
        r->looks[cell][o] = 0;
    }
    if (write) {
        r->last_change[cell] = me + 1;
        r->changer[cell] = (int)t;
    } else {
        r->looks[cell][t] = me + 1;
    }
}

/* Of looks those of three threads are remembered: no more than there are here. */
static void compare(const struct reference *r)
{
    for (uint32_t a = 1; a <= FUNCTIONS; a++) {
        CHECK(marked(a, PL_COVER_INTERRUPTED) == r->interrupted[a]);
        CHECK(marked(a, PL_COVER_WHOLE) == r->whole[a]);
        for (uint32_t b = 1; b <= FUNCTIONS; b++)
            CHECK(pl_cover_switched(cover, a, b) == r->switches[a][b]);
    }
    for (int a = 4; a < 4 * (FUNCTIONS + 1); a++) {
        for (int b = 4; b < 4 * (FUNCTIONS + 1); b++)
            CHECK(pl_cover_paired(cover, statement((uint32_t)a / 4, a / 2 % 2, a % 2),
                                  statement((uint32_t)b / 4, b / 2 % 2, b % 2)) == r->pairs[a][b]);
    }
}

static void random_events_show_what_the_definitions_say(unsigned seed, bool crowd)
{
    struct reference *r = calloc(1, sizeof(*r));
    uint64_t shown = 0, counted;

    start(crowd);
    srand(seed);
    for (unsigned i = 0; i < 3 + seed % 60; i++) {
        unsigned t = (unsigned)rand() % 3, place = (unsigned)rand() % 2;
        unsigned cell = (unsigned)rand() % PLACES;
        uint32_t f = r->stands[t] != 0 ? r->stands[t] : 1 + (uint32_t)rand() % FUNCTIONS;
        bool write = rand() % 2;

        event(t, f, place, 64 + 8 * cell, write);
        refer(r, t, f, place, cell, write);
        if (rand() % 3 == 0)
            leave(r, t);
    }
    compare(r);
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++)
            shown += r->pairs[a][b];
    }
    counted = cover->counts[2];
    CHECK(counted == shown);
    CHECK(tasks_in_log() == cover->counts[0] + cover->counts[1] + cover->counts[2]);
    free(r);
}

/* More cells than the near ones hold: nothing is forgotten on the way. */
static void cells_move_when_they_are_many(void)
{
    start(false);
    for (uint64_t i = 1; i <= 5000; i++)
        event(1, 1, 0, 64 * i, true);
    CHECK(run->capacity == 16384 && cover->lost == 0);
    CHECK(cover->counts[2] == 0);
    event(2, 2, 0, 64 * 17, false);
    CHECK(cover->counts[2] == 1);
    CHECK(pl_cover_paired(cover, statement(1, 0, true), statement(2, 0, false)));
}

static void what_does_not_fit_is_counted(void)
{
    start(false);
    for (uint64_t i = 1; i <= 200000; i++)
        event(1, 1, 0, 64 * i, true);
    CHECK(cover->lost > 0 && run->capacity == PL_COVER_CELLS);
}

static void threads_beyond_the_slots_are_not_seen_standing(void)
{
    start(false);
    for (unsigned t = 0; t < 64; t++)
        event(t, 1 + t % FUNCTIONS, 0, 64, false);
    CHECK(run->slots == UINT64_MAX);
    struct pl_operation last = operation(5, PL_OP_THREAD_EXIT, pc_of(1, 0), 0);

    have(5, &last, 1);
    CHECK(run->slots == ~(UINT64_C(1) << 5));
}

/* ---- several processors ---- */

static void *hammer(void *arg)
{
    unsigned t = (unsigned)(uintptr_t)arg;

    for (unsigned i = 0; i < 20000; i++) {
        event(t, 1 + (i + t) % FUNCTIONS, i % 2, 64 + 8 * (i % PLACES), i % 3 == 0);
        if (i % 5 == 0)
            pl_cover_run_left(cover, run, &threads[t], 1, 1);
    }
    return NULL;
}

static void threads_at_once_leave_everything_consistent(void)
{
    pthread_t ids[4];
    uint64_t orders = 0, pairs = 0;

    start(true);
    for (uintptr_t t = 0; t < 4; t++)
        pthread_create(&ids[t], NULL, hammer, (void *)t);
    for (unsigned t = 0; t < 4; t++)
        pthread_join(ids[t], NULL);
    for (unsigned i = 0; i < PL_COVER_PAIRS; i++) {
        orders += (unsigned)__builtin_popcount(cover->pairs[i].seen & 3);
        pairs += cover->pairs[i].key != 0;
    }
    CHECK(orders == cover->counts[2] && orders > pairs / 2);
    CHECK(cover->counts[0] + cover->counts[1] + cover->counts[2] == tasks_in_log());
    for (uint32_t i = 0; i < cover->n_log; i++)
        CHECK(cover->log[i] != 0);
    for (unsigned i = 0; i < PL_COVER_STATEMENTS; i++) {
        const struct pl_cover_statement *s = &cover->statements[i];

        CHECK(s->key == 0 || (s->info != 0 && s->open >= 0));
    }
}

/* What has not been had is at risk if and only if having it shows something. */
static void risk_is_what_would_be_shown(unsigned seed)
{
    unsigned risky = 0;

    srand(seed);
    start(false);
    for (unsigned i = 0; i < 400; i++) {
        unsigned t = (unsigned)rand() % THREADS, kind = (unsigned)rand() % 4;
        static const uint8_t kinds[] = {PL_OP_READ, PL_OP_WRITE, PL_OP_MUTEX_LOCK, PL_OP_COND_WAIT};
        struct pl_operation op = operation(
            t, kinds[kind], pc_of(1 + (unsigned)rand() % FUNCTIONS, (unsigned)rand() % PLACES),
            64 + 4 * ((unsigned)rand() % 6));

        op.other = kinds[kind] == PL_OP_COND_WAIT ? 256 : 0;
        uint64_t before = cover->counts[2];

        come(t, &op, 1, 1);
        unsigned risk = pl_cover_run_risk(cover, run, &threads[t], &op);

        have(t, &op, 1);
        CHECK((risk > 0) == (cover->counts[2] > before) && risk >= cover->counts[2] - before);
        CHECK(pl_cover_run_risk(cover, run, &threads[t], &op) == 0); /* it has had it */
        risky += risk > 0;
    }
    CHECK(risky > 20 && risky < 380);
}

static void what_earlier_campaigns_have_shown_is_at_risk_all_the_same(void)
{
    struct pl_operation op = operation(2, PL_OP_WRITE, pc_of(2, 0), 64);

    start(false);
    uint32_t a = statement(1, 0, true), b = statement(2, 0, true);

    pl_cover_pair(cover, a, b, false, 0);
    CHECK(pl_cover_paired(cover, a, b) && !pl_cover_shown(cover, a, b) && cover->counts[2] == 1);
    event(1, 1, 0, 64, true);
    come(2, &op, 1, 1);
    CHECK(pl_cover_run_risk(cover, run, &threads[2], &op) == 1);
    have(2, &op, 1);
    CHECK(pl_cover_shown(cover, a, b) && !pl_cover_shown(cover, b, a) && cover->counts[2] == 1);
}

int main(void)
{
    cover = calloc(1, sizeof(*cover));
    run = calloc(1, sizeof(*run));
    far = calloc(PL_COVER_FAR, sizeof(*far));
    a_return_address_belongs_to_the_call_before_it();
    a_thread_is_interrupted_where_it_stands();
    whoever_has_left_is_not_interrupted();
    what_was_interrupted_once_is_not_whole();
    without_hooks_another_function_ends_the_one_before();
    an_ended_thread_stands_nowhere();
    one_thread_alone_covers_nothing();
    pairs_have_an_order();
    neighbours_do_not_conflict();
    changes_outlast_looks();
    creation_and_join_order_threads();
    what_is_not_known_to_be_ordered_is_concurrent();
    looks_do_not_conflict();
    locks_conflict_and_unlocks_come_first();
    the_caller_is_part_of_a_statement();
    interest_is_in_what_is_new();
    interest_is_in_what_may_still_come();
    interest_is_not_in_what_is_over();
    for (unsigned seed = 1; seed <= 40; seed++) {
        random_events_show_what_the_definitions_say(seed, false);
        random_events_show_what_the_definitions_say(seed, true);
    }
    for (unsigned seed = 1; seed <= 20; seed++)
        risk_is_what_would_be_shown(seed);
    what_earlier_campaigns_have_shown_is_at_risk_all_the_same();
    cells_move_when_they_are_many();
    what_does_not_fit_is_counted();
    threads_beyond_the_slots_are_not_seen_standing();
    threads_at_once_leave_everything_consistent();
    free(cover);
    free(run);
    free(far);
    return unit_result();
}
