/* SPDX-License-Identifier: MIT */
/*
 * The strategy drive, on small programs that are simulated here: threads that
 * lock, unlock, write and read.  The goal names places; what must be reached is
 * the deadlock there, or two accesses next to each other in either order.
 */
#include "unit.h"

#include "machine.h"
#include "model/driven.h"
#include "strategy/shared/table.h"

enum { THREADS = 3, BUDGET = 300 };
enum { A = 0x1000, B = 0x1008, C = 0x1010, D = 0x1018, E = 0x1020, F = 0x1028 };

/* Where a thread does what; a write of a value, a read that fails if it sees it. */
#define LOCK(where, place)                                       \
    {                                                            \
        .kind = PL_OP_MUTEX_LOCK, .addr = (where), .pc = (place) \
    }
#define UNLOCK(where, place)                                       \
    {                                                              \
        .kind = PL_OP_MUTEX_UNLOCK, .addr = (where), .pc = (place) \
    }
#define WRITE(where, what, place)                                            \
    {                                                                        \
        .kind = PL_OP_WRITE, .addr = (where), .value = (what), .pc = (place) \
    }
#define READ(where, what, place)                                            \
    {                                                                       \
        .kind = PL_OP_READ, .addr = (where), .value = (what), .pc = (place) \
    }

static struct pl_strategy_context context;

/* The last operation of an execution, as one of two accesses that are to meet. */
struct meeting {
    int member; /* or -1 */
    uint64_t addr;
};

static void look(const struct machine *m, struct meeting *last)
{
    const struct pl_operation *op = &m->performed[m->run.n - 1];
    const struct pl_goal *goal = &given.board->goal;
    struct pl_meeting *meeting = &given.board->meeting;
    int member = -1;

    for (int i = 0; i < 2 && goal->kind == PL_FINDING_RACE; i++) {
        if (goal->members[i].pc == op->pc && goal->members[i].name == op->name)
            member = i;
    }
    if (member >= 0) {
        meeting->sides[member] =
            (struct pl_meeting_side){.reads = op->kind == PL_OP_READ,
                                     .n_saw = 1,
                                     .saw = {(unsigned char)m->run.saw[m->run.n - 1]}};
        if (last->member == 1 - member && last->addr == op->addr) {
            meeting->happened = true;
            meeting->first = (uint8_t)last->member;
        }
    }
    *last = (struct meeting){member, op->addr};
}

/* Whoever is not at its end is blocked. */
static void judge(const struct machine *m)
{
    struct pl_board *board = given.board;
    struct pl_finding *f = &board->finding;

    board->outcome = PL_OUTCOME_DONE;
    memset(f, 0, sizeof(*f));
    for (unsigned i = 0; i < m->n_blocked && !m->failed; i++)
        f->rows[f->n_rows++] = (struct pl_row){.tid = m->blocked[i]->tid,
                                               .op = PL_OP_MUTEX_LOCK,
                                               .waits = PL_ROW_BLOCKED,
                                               .pc = m->blocked[i]->pc};
    if (f->n_rows == 0 && !m->failed)
        return;
    f->kind = m->failed ? PL_FINDING_ASSERTION : PL_FINDING_DEADLOCK;
    f->signature = 1;
    board->outcome = PL_OUTCOME_FINDING;
}

static bool execute(const struct machine_program *p)
{
    static struct machine m;
    struct pl_board *board = given.board;
    struct meeting last = {.member = -1};

    machine_begin(&m, p);
    memset(&board->meeting, 0, sizeof(board->meeting));
    board->n_choices = 0;
    board->n_threads = THREADS;
    board->execution++;
    pl_drive.begin(&context, board->execution);
    while (machine_step(&m, &pl_drive, &context)) {
        if (!board->meeting.happened)
            look(&m, &last);
    }
    for (unsigned i = 0; i < 2 && board->meeting.happened; i++) {
        board->meeting.sides[i].n_left = 1;
        board->meeting.sides[i].left[0] = (unsigned char)machine_value(&m, A);
    }
    judge(&m);
    return pl_drive.end(&context, (enum pl_outcome)board->outcome, false);
}

static const struct pl_driven *drive(const struct machine_thread threads[THREADS],
                                     const struct pl_goal *goal)
{
    struct machine_program p = {.n = THREADS};

    memcpy(p.threads, threads, THREADS * sizeof(threads[0]));
    context = machine_board();
    given.board->settings.seed = 1;
    given.board->goal = *goal;
    given.board->goal.budget = BUDGET;
    CHECK(pl_drive.start(&context) == NULL);
    while (execute(&p))
        CHECK(given.board->execution <= BUDGET);
    return (const struct pl_driven *)given.board->arena;
}

static struct pl_goal goal_of(uint8_t kind, uint8_t op, const uint64_t *places, unsigned n)
{
    struct pl_goal goal = {.kind = kind, .n_members = n};

    for (unsigned i = 0; i < n; i++)
        goal.members[i] =
            (struct pl_goal_member){.name = MACHINE_NAME + i, .pc = places[i], .op = op};
    return goal;
}

/* ---- deadlocks ---- */

static const struct machine_thread two_orders[THREADS] = {
    {{LOCK(A, 1), LOCK(B, 2), UNLOCK(B, 3), UNLOCK(A, 4)}},
    {{LOCK(B, 11), LOCK(A, 12), UNLOCK(A, 13), UNLOCK(B, 14)}},
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
    static const struct machine_thread circle[THREADS] = {
        {{LOCK(A, 1), LOCK(B, 2), UNLOCK(B, 3), UNLOCK(A, 4)}},
        {{LOCK(B, 11), LOCK(C, 12), UNLOCK(C, 13), UNLOCK(B, 14)}},
        {{LOCK(C, 21), LOCK(A, 22), UNLOCK(A, 23), UNLOCK(C, 24)}},
    };
    const uint64_t places[] = {2, 12, 22};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 3);

    CHECK(drive(circle, &goal)->reached == 1);
}

static void a_place_is_passed_before_it_is_the_right_time(void)
{
    /* The first thread comes to place 2 four times, only the third with what the other wants. */
    static const struct machine_thread late[THREADS] = {
        {{LOCK(C, 1), LOCK(B, 2), UNLOCK(B, 3), UNLOCK(C, 4), LOCK(C, 1), LOCK(B, 2), UNLOCK(B, 3),
          UNLOCK(C, 4), LOCK(A, 1), LOCK(B, 2), UNLOCK(B, 3), UNLOCK(A, 4), LOCK(C, 1), LOCK(B, 2),
          UNLOCK(B, 3), UNLOCK(C, 4)}},
        {{LOCK(B, 11), LOCK(A, 12), UNLOCK(A, 13), UNLOCK(B, 14)}},
    };
    const uint64_t places[] = {2, 12};
    struct pl_goal goal = goal_of(PL_FINDING_LOCK_ORDER, PL_OP_MUTEX_LOCK, places, 2);

    CHECK(drive(late, &goal)->reached == 1);
}

static void what_cannot_be_is_given_up(void)
{
    static const struct machine_thread gated[THREADS] = {
        {{LOCK(C, 5), LOCK(A, 1), LOCK(B, 2), UNLOCK(B, 3), UNLOCK(A, 4), UNLOCK(C, 6)}},
        {{LOCK(C, 15), LOCK(B, 11), LOCK(A, 12), UNLOCK(A, 13), UNLOCK(B, 14), UNLOCK(C, 16)}},
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

static const struct pl_driven *race(const struct machine_thread *threads, uint64_t first,
                                    uint64_t second)
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
    static const struct machine_thread threads[THREADS] = {
        {{LOCK(D, 1), UNLOCK(D, 2), WRITE(A, 7, 3)}},
        {{LOCK(E, 11), UNLOCK(E, 12), WRITE(A, 7, 13)}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_NO_EFFECT);
    CHECK(a->couples > 1 && a->tries < BUDGET);
}

static void different_writes_leave_different_values(void)
{
    static const struct machine_thread threads[THREADS] = {
        {{WRITE(A, 7, 3)}},
        {{WRITE(A, 8, 13)}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_VALUE);
}

static void a_read_before_or_after_sees_different_values(void)
{
    static const struct machine_thread threads[THREADS] = {
        {{WRITE(A, 7, 3), WRITE(A, 9, 4)}},
        {{READ(A, 0, 13)}},
        {{WRITE(B, 1, 21), WRITE(B, 2, 22)}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_VALUE);
}

static void a_failure_in_one_order_is_the_worst(void)
{
    static const struct machine_thread threads[THREADS] = {
        {{WRITE(A, 7, 3)}},
        {{READ(A, 7, 13)}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best != 0 && a->effect == PL_DRIVEN_FAILURE);
    const struct pl_driven_side *sides = a->sides[a->best - 1];

    CHECK(sides[0].outcome == PL_OUTCOME_FINDING && sides[1].outcome == PL_OUTCOME_DONE);
    CHECK(a->couples == 1); /* it cannot become worse */
}

static void other_cells_do_not_meet(void)
{
    static const struct machine_thread threads[THREADS] = {
        {{WRITE(A, 7, 3)}},
        {{WRITE(F, 7, 13)}},
    };
    const struct pl_driven *a = race(threads, 3, 13);

    CHECK(a->best == 0 && a->reached == 0 && a->tries == BUDGET);
}

int main(void)
{
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
