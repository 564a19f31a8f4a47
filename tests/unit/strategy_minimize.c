/* SPDX-License-Identifier: MIT */
/*
 * The strategy minimize, on a program of two threads with four operations each
 * that is simulated here.  What fails is an order of operations that needs a
 * known number of preemptions; the schedule to begin with switches after every
 * operation.
 */
#include "unit.h"

#include "machine.h"
#include "model/minimal.h"
#include "strategy/shared/table.h"

#include <string.h>

enum { THREADS = 2, OPERATIONS = 4, LIMIT = 20000 };

static struct pl_strategy_context context;

static bool (*fails)(const struct machine_run *order);

/* When the k-th operation of a thread came. */
static unsigned when(const struct machine_run *o, unsigned thread, unsigned k)
{
    unsigned i = 0;

    for (; i < o->n; i++) {
        if (o->who[i] == thread && k-- == 0)
            break;
    }
    return i;
}

static bool second_first(const struct machine_run *o)
{
    return when(o, 2, 0) < when(o, 1, 0);
}

static bool between(const struct machine_run *o)
{
    return when(o, 1, 0) < when(o, 2, 0) && when(o, 2, 0) < when(o, 1, 1);
}

static bool there_and_back(const struct machine_run *o)
{
    return between(o) && when(o, 1, 1) < when(o, 2, 1);
}

static bool twice(const struct machine_run *o)
{
    return there_and_back(o) && when(o, 2, 1) < when(o, 1, 2);
}

static bool always(const struct machine_run *o)
{
    return true;
}

static bool never(const struct machine_run *o)
{
    return false;
}

/* Who goes on, in place of the strategy: whoever is not running. */
static unsigned alternate(struct pl_strategy_context *c, const struct pl_view *view)
{
    return view->running < 0 ? fails == second_first : view->running == 0;
}

static const struct pl_strategy alternating = {.name = "alternating", .choose = alternate};

/* New threads stop at their first operation, and the main thread goes on. */
static void create_threads(void)
{
    for (unsigned t = 1; t <= THREADS; t++)
        given.board->choices[given.board->n_choices++] =
            (struct pl_choice){.kind = PL_CHOICE_THREAD, .tid = (pl_tid)t, .options = 1};
}

/* The main thread, 0, has come to its end. */
static struct machine_run execute(const struct pl_strategy *s)
{
    static struct machine m;
    struct machine_program p = {.n = 1 + THREADS};

    for (unsigned i = 0; i < THREADS * OPERATIONS; i++)
        machine_add(&p, 1 + i % THREADS, PL_OP_WRITE, 64);
    machine_begin(&m, &p);
    given.board->n_choices = 0;
    create_threads();
    while (machine_step(&m, s, &context)) {
    }
    CHECK(m.run.n == THREADS * OPERATIONS);
    return m.run;
}

/* The schedule that switches whenever it can. */
static void record_schedule(void)
{
    struct machine_run order = execute(&alternating);
    struct pl_board *board = given.board;

    CHECK(fails == never || fails(&order));
    context.n_steps = 0;
    for (uint64_t i = 0; i < board->n_choices; i++) {
        const struct pl_choice *c = &board->choices[i];

        if (!c->is_default)
            board->steps[context.n_steps++] = (struct pl_step){.at = MACHINE_NAME + c->tid,
                                                               .target = MACHINE_NAME + c->target,
                                                               .ordinal = c->ordinal,
                                                               .taken = c->taken,
                                                               .kind = c->kind};
    }
}

static void start_with(bool (*what)(const struct machine_run *))
{
    context = machine_board();
    struct pl_board *board = given.board;

    fails = what;
    board->goal = (struct pl_goal){.signature = 77, .kind = PL_FINDING_ASSERTION};
    board->instrumented = true;
    board->n_threads = THREADS + 1;
    for (unsigned t = 0; t <= THREADS; t++)
        board->threads[t].name = MACHINE_NAME + t;
    record_schedule();
}

/* One execution; false when the strategy is done. */
static bool step(uint64_t n, bool again, bool lost)
{
    pl_minimize.begin(&context, n);
    struct machine_run order = execute(&pl_minimize);
    bool failed = fails(&order);

    if (lost)
        return pl_minimize.end(&context, PL_OUTCOME_LOST, false);
    given.board->finding.kind = failed ? PL_FINDING_ASSERTION : PL_FINDING_NONE;
    given.board->finding.signature = failed ? 77 : 0;
    given.board->outcome = failed ? PL_OUTCOME_FINDING : PL_OUTCOME_DONE;
    return pl_minimize.end(&context, given.board->outcome, again);
}

static const struct pl_minimal *search(void)
{
    uint64_t n = 1;

    CHECK(pl_minimize.start(&context) == NULL);
    while (n < LIMIT && step(n, false, false))
        n++;
    CHECK(n < LIMIT);
    return (const struct pl_minimal *)given.board->arena;
}

static void it_comes_down_to(unsigned preemptions, bool (*what)(const struct machine_run *))
{
    start_with(what);
    const struct pl_minimal *answer = search();

    CHECK(answer->finished && answer->failing != 0);
    CHECK(answer->proven);
    CHECK(answer->kept[answer->failing - 1].preemptions == preemptions);
    CHECK(answer->decided == PL_DECIDED_CHOICE && answer->passing != 0);
    const struct pl_kept *f = &answer->kept[answer->failing - 1];
    const struct pl_kept *p = &answer->kept[answer->passing - 1];

    for (uint64_t i = 0; i < answer->choice; i++)
        CHECK(f->choices[i].taken == p->choices[i].taken);
    CHECK(f->choices[answer->choice].taken != p->choices[answer->choice].taken);
}

static void the_fewest_preemptions_are_found_and_proven(void)
{
    it_comes_down_to(0, second_first);
    it_comes_down_to(1, between);
    it_comes_down_to(2, there_and_back);
    it_comes_down_to(3, twice);
}

static void a_schedule_that_does_not_fail_gives_nothing(void)
{
    start_with(never);
    CHECK(search()->failing == 0);
}

static void what_always_fails_is_decided_by_nothing(void)
{
    start_with(always);
    const struct pl_minimal *answer = search();

    CHECK(answer->decided == PL_DECIDED_NOTHING);
    CHECK(answer->kept[answer->failing - 1].preemptions == 0);
    CHECK(answer->kept[answer->failing - 1].switches == 1);
}

static void the_same_schedule_gives_the_same_answer(void)
{
    static struct pl_kept first;

    start_with(there_and_back);
    const struct pl_minimal *answer = search();

    first = answer->kept[answer->failing - 1];
    start_with(there_and_back);
    answer = search();
    CHECK(memcmp(&first, &answer->kept[answer->failing - 1], sizeof(first)) == 0);
}

static void lost_executions_and_new_knowledge_change_nothing(void)
{
    start_with(between);
    CHECK(pl_minimize.start(&context) == NULL);
    bool more = true;
    uint64_t n = 1;

    for (; more && n < LIMIT; n++) {
        CHECK(step(n, false, true)); /* lost: it is done again */
        more = step(n, n == 1 || n == 20 || n == 60, false);
    }
    const struct pl_minimal *answer = (const struct pl_minimal *)given.board->arena;

    CHECK(answer->finished && answer->proven);
    CHECK(answer->kept[answer->failing - 1].preemptions == 1);
}

/* With a budget for a few executions only, nothing is claimed that was not seen. */
static void a_small_budget_proves_nothing(void)
{
    start_with(twice);
    given.board->goal.budget = 4;
    const struct pl_minimal *answer = search();

    CHECK(answer->failing != 0 && !answer->proven);
    CHECK(answer->decided == PL_DECIDED_UNKNOWN);
}

int main(void)
{
    the_fewest_preemptions_are_found_and_proven();
    a_schedule_that_does_not_fail_gives_nothing();
    what_always_fails_is_decided_by_nothing();
    the_same_schedule_gives_the_same_answer();
    lost_executions_and_new_knowledge_change_nothing();
    a_small_budget_proves_nothing();
    return unit_result();
}
