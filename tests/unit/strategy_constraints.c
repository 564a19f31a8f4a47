/* SPDX-License-Identifier: MIT */
/* Reads-from constraints as machines: who waits, when one is met and when it is
 * over. */
#include "unit.h"

#include "base/rng.h"
#include "machine.h"
#include "model/reads_from.h"
#include "strategy/rff/constraints.h"

enum { X = 0x1000, Y = 0x2000, LOCK = 0x3000 };
enum { SET = 1, OTHER = 2, GET = 3, ADD = 4, TAKE = 5, TAKE_TOO = 6 }; /* statements */
enum { INITIAL = PL_READS_FROM_INITIAL };

static struct pl_operation operation(enum pl_op_kind kind, uint64_t addr, uint32_t statement)
{
    struct pl_operation op = machine_operation(kind, 0, addr);

    op.size = 4;
    op.statement = statement;
    return op;
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

static bool waits(struct pl_constraints *c, struct pl_operation op)
{
    return pl_constraints_hold(c, pl_constraints_against(c, &op));
}

static void see(struct pl_constraints *c, struct pl_operation op)
{
    pl_constraints_see(c, &op);
}

static void a_read_waits_for_its_write(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));

    CHECK(waits(&c, load(X, GET)));
    CHECK(!waits(&c, store(X, SET)));
    CHECK(!waits(&c, store(X, OTHER)));
    CHECK(!waits(&c, load(Y, GET))); /* another variable */
    see(&c, store(X, OTHER));
    CHECK(waits(&c, load(X, GET)));
    see(&c, store(X, SET));
    CHECK(!waits(&c, load(X, GET)));
}

static void no_other_write_comes_between(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));

    see(&c, store(X, SET));
    CHECK(waits(&c, store(X, OTHER)));
    CHECK(!waits(&c, store(Y, OTHER)));
    CHECK(!waits(&c, load(X, OTHER)));
    see(&c, store(X, OTHER)); /* all had to wait, so it was let go */
    CHECK(waits(&c, load(X, GET)));
    see(&c, store(X, SET));
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 1);
    CHECK(!waits(&c, store(X, OTHER))); /* it is over */
    CHECK(!waits(&c, load(X, GET)));
}

static void the_first_value_is_gone_once_written(void)
{
    struct pl_constraints c = begin(on_x(INITIAL, GET));

    CHECK(!waits(&c, load(X, GET)));
    CHECK(waits(&c, store(X, SET)));
    see(&c, store(X, SET));
    CHECK(!waits(&c, store(X, SET)));
    CHECK(!waits(&c, load(X, GET)));
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 0);
}

static void a_negative_one_holds_its_read_for_as_long_as_it_must(void)
{
    struct pl_constraint k = on_x(SET, GET);

    k.negative = true;
    struct pl_constraints c = begin(k);

    CHECK(!waits(&c, load(X, GET)));
    CHECK(pl_constraints_met(&c).n == 0); /* nobody had to wait for it yet */
    see(&c, store(X, SET));
    CHECK(waits(&c, load(X, GET)));
    CHECK(!waits(&c, store(X, OTHER)));
    see(&c, store(X, OTHER));
    CHECK(!waits(&c, load(X, GET)));
    see(&c, store(X, SET));
    CHECK(waits(&c, load(X, GET))); /* each time */
    CHECK(pl_constraints_met(&c).n == 1);
}

static void a_lock_is_read_by_who_takes_it(void)
{
    struct pl_constraint k = {.addr = LOCK, .size = 1, .write = TAKE, .read = TAKE_TOO};
    struct pl_constraints c = begin(k);

    CHECK(waits(&c, lock(TAKE_TOO)));
    CHECK(!waits(&c, lock(TAKE)));
    see(&c, lock(TAKE));
    CHECK(!waits(&c, operation(PL_OP_MUTEX_UNLOCK, LOCK, OTHER)));
    CHECK(waits(&c, lock(TAKE))); /* by a third thread */
    CHECK(!waits(&c, lock(TAKE_TOO)));
    see(&c, lock(TAKE_TOO));
    CHECK(pl_constraints_met(&c).n == 1);
}

static void a_statement_can_read_from_its_like(void)
{
    struct pl_constraints c = begin(on_x(ADD, ADD));
    struct pl_operation add = operation(PL_OP_ATOMIC_RMW, X, ADD);

    CHECK(!waits(&c, add)); /* one has to be the first */
    see(&c, add);
    CHECK(!waits(&c, add));
    CHECK(waits(&c, store(X, SET)));
    see(&c, add);
    CHECK(pl_constraints_met(&c).n == 1);
}

static void visits_pass_before(void)
{
    struct pl_constraint k = on_x(SET, GET);

    k.visits = 1;
    struct pl_constraints c = begin(k);

    CHECK(!waits(&c, load(X, GET)));
    see(&c, load(X, GET));
    CHECK(waits(&c, load(X, GET)));
    see(&c, store(X, SET));
    see(&c, load(X, GET));
    CHECK(pl_constraints_met(&c).n == 1 && pl_constraints_met(&c).constraints[0].visits == 1);
}

static void what_times_out_reads_nothing(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    struct pl_operation op = load(X, GET);

    op.way = PL_WAY_TIMEOUT;
    CHECK(!waits(&c, op));
}

static void parts_of_a_variable_belong_to_it(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    struct pl_operation all = store(X - 4, SET), behind = store(X + 4, SET);

    all.size = 8;
    see(&c, behind);
    CHECK(waits(&c, load(X, GET)));
    see(&c, all);
    CHECK(!waits(&c, load(X, GET)));
}

static void patience_ends(void)
{
    struct pl_constraints c = begin(on_x(SET, GET));
    unsigned n = 0;

    while (waits(&c, load(X, GET)) && n < 1000000)
        n++;
    CHECK(n > 100 && n < 1000000);
    CHECK(!waits(&c, load(X, GET)));
}

/* Who waits for one constraint waits, whatever others say. */
static void one_constraint_is_enough_to_wait(void)
{
    struct pl_schedule s = {.n = 2, .constraints = {on_x(INITIAL, ADD), on_x(SET, ADD)}};
    struct pl_constraints c;

    pl_constraints_begin(&c, &s);
    CHECK(waits(&c, operation(PL_OP_ATOMIC_RMW, X, ADD)));
}

/* As long as the state is the same number nobody has to wait who need not before, or the reverse.
 */
static void answers_last_as_long_as_the_state(void)
{
    static const unsigned kinds[] = {PL_OP_ATOMIC_LOAD, PL_OP_ATOMIC_STORE, PL_OP_ATOMIC_RMW};
    uint64_t rng = 1;
    unsigned same = 0, changed = 0;

    for (unsigned round = 0; round < 300; round++) {
        struct pl_schedule s = {.n = 3};
        struct pl_constraints c;
        struct pl_operation ops[12];

        for (unsigned i = 0; i < 12; i++)
            ops[i] = operation(kinds[i % 3], i % 2 == 0 ? X : Y, 1 + pl_rng_below(&rng, 4));
        for (unsigned i = 0; i < s.n; i++) {
            s.constraints[i] = on_x(1 + pl_rng_below(&rng, 4), 1 + pl_rng_below(&rng, 4));
            s.constraints[i].addr = pl_rng_below(&rng, 2) == 0 ? X : Y;
            s.constraints[i].write = i == 0 ? INITIAL : s.constraints[i].write;
            s.constraints[i].negative = pl_rng_below(&rng, 2) == 0;
            s.constraints[i].visits = (uint16_t)pl_rng_below(&rng, 3);
        }
        pl_constraints_begin(&c, &s);
        for (unsigned step = 0; step < 30; step++) {
            uint64_t state = c.state;
            unsigned before[12];

            for (unsigned i = 0; i < 12; i++)
                before[i] = pl_constraints_against(&c, &ops[i]);
            see(&c, ops[pl_rng_below(&rng, 12)]);
            same += c.state == state;
            changed += c.state != state;
            for (unsigned i = 0; i < 12; i++)
                CHECK(c.state != state || pl_constraints_against(&c, &ops[i]) == before[i]);
        }
    }
    CHECK(same > 1000 && changed > 200);
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
    one_constraint_is_enough_to_wait();
    answers_last_as_long_as_the_state();
    return unit_result();
}
