/* SPDX-License-Identifier: MIT */
/*
 * The strategy drive, on small programs that are simulated here: threads that
 * lock, unlock, write and read.  The goal names places; what must be reached is
 * the deadlock there, or two accesses next to each other in either order.
 */
#include "unit.h"

#include "model/driven.h"
#include "strategy/shared/table.h"

#include <sys/mman.h>

enum { THREADS = 3, LONGEST = 24, CELLS = 8, BUDGET = 300 };

enum what { END, LOCK, UNLOCK, WRITE, READ };

struct act {
    enum what what;
    unsigned cell;
    unsigned value; /* written; for READ: the value that makes the execution fail; 0: none */
    uint64_t pc;
};

struct script {
    struct act acts[LONGEST];
};

/* An execution. */
struct run {
    const struct script *threads;
    unsigned at[THREADS];
    int owner[CELLS]; /* of a lock: thread, or -1 */
    unsigned values[CELLS];
    int last; /* member whose access was the last operation, or -1 */
    unsigned cell;
    bool failed;
};

static struct pl_board *board;
static struct pl_strategy_context context;
static struct pl_settings settings;

static const struct act *act_of(const struct run *r, unsigned t)
{
    return &r->threads[t].acts[r->at[t]];
}

static struct pl_operation operation(const struct run *r, unsigned t)
{
    static const uint8_t kinds[] = {PL_OP_NONE, PL_OP_MUTEX_LOCK, PL_OP_MUTEX_UNLOCK, PL_OP_WRITE,
                                    PL_OP_READ};
    const struct act *a = act_of(r, t);

    return (struct pl_operation){.kind = kinds[a->what],
                                 .way = PL_WAY_NORMAL,
                                 .tid = (pl_tid)t,
                                 .name = 100 + t,
                                 .ordinal = r->at[t],
                                 .pc = a->pc,
                                 .addr = 0x1000 + 8u * a->cell,
                                 .size = 4};
}

static bool is_enabled(const struct run *r, unsigned t)
{
    const struct act *a = act_of(r, t);

    return a->what != END && (a->what != LOCK || r->owner[a->cell] < 0);
}

static void look(struct run *r, unsigned t, const struct act *a)
{
    const struct pl_goal *goal = &board->goal;
    struct pl_meeting *m = &board->meeting;
    int member = -1;

    for (int i = 0; i < 2 && goal->kind == PL_FINDING_RACE; i++) {
        if (goal->members[i].pc == a->pc && goal->members[i].name == 100 + t)
            member = i;
    }
    if (member >= 0) {
        m->sides[member] = (struct pl_meeting_side){
            .reads = a->what == READ, .n_saw = 1, .saw = {(unsigned char)r->values[a->cell]}};
        if (r->last == 1 - member && r->cell == a->cell) {
            m->happened = true;
            m->first = (uint8_t)r->last;
        }
    }
    r->last = member;
    r->cell = a->cell;
}

static void perform(struct run *r, unsigned t)
{
    const struct act *a = act_of(r, t);

    if (!board->meeting.happened)
        look(r, t, a);
    if (a->what == LOCK)
        r->owner[a->cell] = (int)t;
    if (a->what == UNLOCK)
        r->owner[a->cell] = -1;
    if (a->what == WRITE)
        r->values[a->cell] = a->value;
    if (a->what == READ && a->value != 0 && r->values[a->cell] == a->value)
        r->failed = true;
    r->at[t]++;
}

static bool step(struct run *r, int *running)
{
    struct pl_operation next[THREADS];
    const struct pl_operation *ready[THREADS];
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .running = -1};

    for (unsigned t = 0; t < THREADS; t++) {
        if (!is_enabled(r, t))
            continue;
        next[t] = operation(r, t);
        if ((int)t == *running)
            view.running = (int)view.options;
        ready[view.options++] = &next[t];
    }
    if (view.options == 0 || r->failed)
        return false;
    view.next = ready;
    view.at = *ready[view.running >= 0 ? view.running : 0];
    view.depth = board->n_choices++;
    unsigned taken = view.options > 1 ? pl_drive.choose(&context, &view) : 0;

    CHECK(taken < view.options);
    *running = ready[taken]->tid;
    pl_drive.observe(&context, ready[taken]);
    perform(r, (unsigned)*running);
    return true;
}

/* Whoever is not at its end is blocked. */
static void judge(const struct run *r)
{
    struct pl_finding *f = &board->finding;

    board->outcome = PL_OUTCOME_DONE;
    memset(f, 0, sizeof(*f));
    for (unsigned t = 0; t < THREADS && !r->failed; t++) {
        if (act_of(r, t)->what != END)
            f->rows[f->n_rows++] = (struct pl_row){
                .tid = (pl_tid)t, .op = PL_OP_MUTEX_LOCK, .waits = 1, .pc = act_of(r, t)->pc};
    }
    if (f->n_rows == 0 && !r->failed)
        return;
    f->kind = r->failed ? PL_FINDING_ASSERTION : PL_FINDING_DEADLOCK;
    f->signature = 1;
    board->outcome = PL_OUTCOME_FINDING;
}

static bool execute(const struct script *threads)
{
    struct run r = {.threads = threads, .last = -1};
    int running = -1;

    for (unsigned i = 0; i < CELLS; i++)
        r.owner[i] = -1;
    memset(&board->meeting, 0, sizeof(board->meeting));
    board->n_choices = 0;
    board->n_threads = THREADS;
    board->execution++;
    pl_drive.begin(&context, board->execution);
    while (step(&r, &running)) {
    }
    for (unsigned i = 0; i < 2 && board->meeting.happened; i++) {
        board->meeting.sides[i].n_left = 1;
        board->meeting.sides[i].left[0] = (unsigned char)r.values[0];
    }
    judge(&r);
    return pl_drive.end(&context, (enum pl_outcome)board->outcome, false);
}

static const struct pl_driven *drive(const struct script *threads, const struct pl_goal *goal)
{
    madvise(board->arena, sizeof(board->arena), MADV_DONTNEED);
    board->execution = 0;
    board->goal = *goal;
    board->goal.budget = BUDGET;
    context = (struct pl_strategy_context){.settings = &settings,
                                           .arena = board->arena,
                                           .arena_size = sizeof(board->arena),
                                           .steps = board->steps,
                                           .board = board};
    CHECK(pl_drive.start(&context) == NULL);
    while (execute(threads))
        CHECK(board->execution <= BUDGET);
    return (const struct pl_driven *)board->arena;
}

static struct pl_goal goal_of(uint8_t kind, uint8_t op, const uint64_t *places, unsigned n)
{
    struct pl_goal goal = {.kind = kind, .n_members = n};

    for (unsigned i = 0; i < n; i++)
        goal.members[i] = (struct pl_goal_member){.name = 100 + i, .pc = places[i], .op = op};
    return goal;
}

/* ---- deadlocks ---- */

static const struct script two_orders[THREADS] = {
    {{{LOCK, 0, 0, 1}, {LOCK, 1, 0, 2}, {UNLOCK, 1, 0, 3}, {UNLOCK, 0, 0, 4}}},
    {{{LOCK, 1, 0, 11}, {LOCK, 0, 0, 12}, {UNLOCK, 0, 0, 13}, {UNLOCK, 1, 0, 14}}},
};

static void a_deadlock_is_reached_at_once(void)
{
    const uint64_t places[] = {2, 12};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 2);
    const struct pl_driven *a = drive(two_orders, &goal);

    CHECK(a->finished && a->reached == 1);
    CHECK(a->tries <= 2 && a->first == a->tries);
}

static void a_circle_of_three_is_reached(void)
{
    static const struct script circle[THREADS] = {
        {{{LOCK, 0, 0, 1}, {LOCK, 1, 0, 2}, {UNLOCK, 1, 0, 3}, {UNLOCK, 0, 0, 4}}},
        {{{LOCK, 1, 0, 11}, {LOCK, 2, 0, 12}, {UNLOCK, 2, 0, 13}, {UNLOCK, 1, 0, 14}}},
        {{{LOCK, 2, 0, 21}, {LOCK, 0, 0, 22}, {UNLOCK, 0, 0, 23}, {UNLOCK, 2, 0, 24}}},
    };
    const uint64_t places[] = {2, 12, 22};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 3);

    CHECK(drive(circle, &goal)->reached == 1);
}

static void a_place_is_passed_before_it_is_the_right_time(void)
{
    /* The first thread comes to place 2 four times, only the third with what the other wants. */
    static const struct script late[THREADS] = {
        {{{LOCK, 2, 0, 1},
          {LOCK, 1, 0, 2},
          {UNLOCK, 1, 0, 3},
          {UNLOCK, 2, 0, 4},
          {LOCK, 2, 0, 1},
          {LOCK, 1, 0, 2},
          {UNLOCK, 1, 0, 3},
          {UNLOCK, 2, 0, 4},
          {LOCK, 0, 0, 1},
          {LOCK, 1, 0, 2},
          {UNLOCK, 1, 0, 3},
          {UNLOCK, 0, 0, 4},
          {LOCK, 2, 0, 1},
          {LOCK, 1, 0, 2},
          {UNLOCK, 1, 0, 3},
          {UNLOCK, 2, 0, 4}}},
        {{{LOCK, 1, 0, 11}, {LOCK, 0, 0, 12}, {UNLOCK, 0, 0, 13}, {UNLOCK, 1, 0, 14}}},
    };
    const uint64_t places[] = {2, 12};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 2);

    CHECK(drive(late, &goal)->reached == 1);
}

static void what_cannot_be_is_given_up(void)
{
    static const struct script gated[THREADS] = {
        {{{LOCK, 2, 0, 5},
          {LOCK, 0, 0, 1},
          {LOCK, 1, 0, 2},
          {UNLOCK, 1, 0, 3},
          {UNLOCK, 0, 0, 4},
          {UNLOCK, 2, 0, 6}}},
        {{{LOCK, 2, 0, 15},
          {LOCK, 1, 0, 11},
          {LOCK, 0, 0, 12},
          {UNLOCK, 0, 0, 13},
          {UNLOCK, 1, 0, 14},
          {UNLOCK, 2, 0, 16}}},
    };
    const uint64_t places[] = {2, 12};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 2);
    const struct pl_driven *a = drive(gated, &goal);

    CHECK(a->finished && a->reached == 0 && a->tries == BUDGET);
}

static void another_deadlock_is_not_the_goal(void)
{
    const uint64_t places[] = {2, 99};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 2);

    CHECK(drive(two_orders, &goal)->reached == 0);
}

/* ---- races ---- */

static const struct pl_driven *race(const struct script *threads, uint64_t first, uint64_t second)
{
    const uint64_t places[] = {first, second};
    struct pl_goal goal = goal_of(PL_FINDING_RACE, PL_OP_NONE, places, 2);
    const struct pl_driven *a = drive(threads, &goal);

    if (a->best != 0) {
        CHECK(a->sides[a->best - 1][0].meeting.first == 0);
        CHECK(a->sides[a->best - 1][1].meeting.first == 1);
        CHECK(a->sides[a->best - 1][0].kept.n_threads == THREADS);
        CHECK(a->sides[a->best - 1][0].kept.n_choices > 0);
    }
    return a;
}

static void equal_writes_change_nothing(void)
{
    static const struct script threads[THREADS] = {
        {{{LOCK, 3, 0, 1}, {UNLOCK, 3, 0, 2}, {WRITE, 0, 7, 3}}},
        {{{LOCK, 4, 0, 11}, {UNLOCK, 4, 0, 12}, {WRITE, 0, 7, 13}}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_NO_EFFECT);
    CHECK(a->couples > 1 && a->tries < BUDGET);
}

static void different_writes_leave_different_values(void)
{
    static const struct script threads[THREADS] = {
        {{{WRITE, 0, 7, 3}}},
        {{{WRITE, 0, 8, 13}}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_VALUE);
}

static void a_read_before_or_after_sees_different_values(void)
{
    static const struct script threads[THREADS] = {
        {{{WRITE, 0, 7, 3}, {WRITE, 0, 9, 4}}},
        {{{READ, 0, 0, 13}}},
        {{{WRITE, 1, 1, 21}, {WRITE, 1, 2, 22}}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_VALUE);
}

static void a_failure_in_one_order_is_the_worst(void)
{
    static const struct script threads[THREADS] = {
        {{{WRITE, 0, 7, 3}}},
        {{{READ, 0, 7, 13}}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_FAILURE);
    const struct pl_driven_side *sides = a->sides[a->best - 1];

    CHECK(sides[0].outcome == PL_OUTCOME_FINDING && sides[1].outcome == PL_OUTCOME_DONE);
    CHECK(a->couples == 1); /* it cannot become worse */
}

static void other_cells_do_not_meet(void)
{
    static const struct script threads[THREADS] = {
        {{{WRITE, 0, 7, 3}}},
        {{{WRITE, 5, 7, 13}}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best == 0 && a->reached == 0 && a->tries == BUDGET);
}

int main(void)
{
    board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(board != MAP_FAILED);
    settings.seed = 1;
    a_deadlock_is_reached_at_once();
    a_circle_of_three_is_reached();
    a_place_is_passed_before_it_is_the_right_time();
    what_cannot_be_is_given_up();
    another_deadlock_is_not_the_goal();
    equal_writes_change_nothing();
    different_writes_leave_different_values();
    a_read_before_or_after_sees_different_values();
    a_failure_in_one_order_is_the_worst();
    other_cells_do_not_meet();
    return unit_result();
}
