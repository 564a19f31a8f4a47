/* SPDX-License-Identifier: MIT */
/* Reads-from constraints as machines: who waits, who is wanted, when one is met and when it is
 * over. */
#include "unit.h"

#include "model/reads_from.h"
#include "strategy/constraints.h"

enum { X = 0x1000, Y = 0x2000, LOCK = 0x3000 };
enum { SET = 1, OTHER = 2, GET = 3, ADD = 4, TAKE = 5, TAKE_TOO = 6 }; /* statements */
enum { INITIAL = PL_READS_FROM_INITIAL };

static struct pl_operation operation(unsigned kind, uint64_t addr, uint32_t statement)
{
    return (struct pl_operation){
        .kind = (uint8_t)kind,
        .way = PL_WAY_NORMAL,
        .effect = (uint8_t)pl_operation_effect(kind),
        .size = 4,
        .addr = addr,
        .statement = statement,
    };
}

static struct pl_operation store(uint64_t addr, uint32_t statement)
{
    return operation(PL_OP_ATOMIC_STORE, addr, statement);
}

static struct pl_operation load(uint64_t addr, uint32_t statement)
{
    return operation(PL_OP_ATOMIC_LOAD, addr, statement);
}

static struct pl_operation lock(uint32_t statement)
{
    return operation(PL_OP_MUTEX_LOCK, LOCK, statement);
}

static struct pl_constraints begin(struct pl_constraint constraint)
{
    struct pl_schedule s = {.n = 1, .constraints = {constraint}};
    struct pl_constraints c;

    pl_constraints_begin(&c, &s);
    return c;
}

static struct pl_constraint on_x(uint32_t write, uint32_t read)
{
    return (struct pl_constraint){.addr = X, .size = 4, .write = write, .read = read};
}

static enum pl_constraints_answer ask(struct pl_constraints *c, struct pl_operation op)
{
    return pl_constraints_ask(c, &op);
}

static void see(struct pl_constraints *c, struct pl_operation op)
{
    pl_constraints_see(c, &op);
}

static void a_read_waits_for_its_write(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));

    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    CHECK(ask(&c, store(X, SET)) == PL_CONSTRAINTS_FREE);
    CHECK(ask(&c, store(X, OTHER)) == PL_CONSTRAINTS_FREE);
    CHECK(ask(&c, load(Y, GET)) == PL_CONSTRAINTS_FREE); /* another variable */
    see(&c, store(X, OTHER));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    see(&c, store(X, SET));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_WANTED);
}

static void no_other_write_comes_between(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));

    see(&c, store(X, SET));
    CHECK(ask(&c, store(X, OTHER)) == PL_CONSTRAINTS_HELD);
    CHECK(ask(&c, store(Y, OTHER)) == PL_CONSTRAINTS_FREE);
    CHECK(ask(&c, load(X, OTHER)) == PL_CONSTRAINTS_FREE);
    see(&c, store(X, OTHER)); /* all had to wait, so it was let go */
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    see(&c, store(X, SET));
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 1);
    CHECK(ask(&c, store(X, OTHER)) == PL_CONSTRAINTS_FREE); /* it is over */
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
}

static void the_first_value_is_gone_once_written(void)
{
    struct pl_constraints c = begin(on_x(INITIAL, GET));

    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_WANTED);
    CHECK(ask(&c, store(X, SET)) == PL_CONSTRAINTS_HELD);
    see(&c, store(X, SET));
    CHECK(ask(&c, store(X, SET)) == PL_CONSTRAINTS_FREE);
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 0);
}

static void a_negative_one_holds_its_read_for_as_long_as_it_must(void)
{
    struct pl_constraint k = on_x(SET, GET);

    k.negative = true;
    struct pl_constraints c = begin(k);

    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
    CHECK(pl_constraints_met(&c).n == 0); /* nobody had to wait for it yet */
    see(&c, store(X, SET));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    CHECK(ask(&c, store(X, OTHER)) == PL_CONSTRAINTS_FREE);
    see(&c, store(X, OTHER));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
    see(&c, store(X, SET));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD); /* each time */
    CHECK(pl_constraints_met(&c).n == 1);
}

static void a_lock_is_read_by_who_takes_it(void)
{
    struct pl_constraint k = {.addr = LOCK, .size = 1, .write = TAKE, .read = TAKE_TOO};
    struct pl_constraints c = begin(k);

    CHECK(ask(&c, lock(TAKE_TOO)) == PL_CONSTRAINTS_HELD);
    CHECK(ask(&c, lock(TAKE)) == PL_CONSTRAINTS_FREE);
    see(&c, lock(TAKE));
    CHECK(ask(&c, operation(PL_OP_MUTEX_UNLOCK, LOCK, OTHER)) == PL_CONSTRAINTS_FREE);
    CHECK(ask(&c, lock(TAKE)) == PL_CONSTRAINTS_HELD); /* by a third thread */
    CHECK(ask(&c, lock(TAKE_TOO)) == PL_CONSTRAINTS_WANTED);
    see(&c, lock(TAKE_TOO));
    CHECK(pl_constraints_met(&c).n == 1);
}

static void a_statement_can_read_from_its_like(void)
{
    struct pl_constraints c = begin(on_x(ADD, ADD));
    struct pl_operation add = operation(PL_OP_ATOMIC_RMW, X, ADD);

    CHECK(ask(&c, add) == PL_CONSTRAINTS_FREE); /* one has to be the first */
    see(&c, add);
    CHECK(ask(&c, add) == PL_CONSTRAINTS_WANTED);
    CHECK(ask(&c, store(X, SET)) == PL_CONSTRAINTS_HELD);
    see(&c, add);
    CHECK(pl_constraints_met(&c).n == 1);
}

static void visits_pass_before(void)
{
    struct pl_constraint k = on_x(SET, GET);

    k.visits = 1;
    struct pl_constraints c = begin(k);

    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
    see(&c, load(X, GET));
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    see(&c, store(X, SET));
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 1 && pl_constraints_met(&c).constraints[0].visits == 1);
}

static void what_times_out_reads_nothing(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    struct pl_operation op = load(X, GET);

    op.way = PL_WAY_TIMEOUT;
    CHECK(ask(&c, op) == PL_CONSTRAINTS_FREE);
}

static void parts_of_a_variable_belong_to_it(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    struct pl_operation all = store(X - 4, SET), behind = store(X + 4, SET);

    all.size = 8;
    see(&c, behind);
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD);
    see(&c, all);
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_WANTED);
}

static void patience_ends(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    unsigned n = 0;

    while (ask(&c, load(X, GET)) == PL_CONSTRAINTS_HELD && n < 1000000)
        n++;
    CHECK(n > 100 && n < 1000000);
    CHECK(ask(&c, load(X, GET)) == PL_CONSTRAINTS_FREE);
}

/* Who waits for one constraint waits, whatever others want. */
static void holding_comes_before_wanting(void)
{
    struct pl_schedule s = {.n = 2, .constraints = {on_x(INITIAL, ADD), on_x(SET, ADD)}};
    struct pl_constraints c;

    pl_constraints_begin(&c, &s);
    CHECK(ask(&c, operation(PL_OP_ATOMIC_RMW, X, ADD)) == PL_CONSTRAINTS_HELD);
}

int main(void)
{
    a_read_waits_for_its_write();
    no_other_write_comes_between();
    the_first_value_is_gone_once_written();
    a_negative_one_holds_its_read_for_as_long_as_it_must();
    a_lock_is_read_by_who_takes_it();
    a_statement_can_read_from_its_like();
    visits_pass_before();
    what_times_out_reads_nothing();
    parts_of_a_variable_belong_to_it();
    patience_ends();
    holding_comes_before_wanting();
    return unit_result();
}
