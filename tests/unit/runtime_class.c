/* SPDX-License-Identifier: MIT */
/*
 * The class of an execution as the runtime computes it, while the operations are performed: equal
 * for executions that differ in the order of independent operations only, and different for all
 * others.  What is independent is said by the machine, by another way of computing classes, and by
 * swapping neighbours.
 */
#include "unit.h"

#include "base/rng.h"
#include "machine.h"
#include "model/depend.h"
#include "runtime_stage.h"
#include "strategy/shared/table.h"

#include <stdlib.h>

enum { THREADS = 3, PROGRAMS = 60, MOST = 2000, X = 0x10000 };

static uint64_t class_of(const struct pl_operation *ops, unsigned n)
{
    stage_again(THREADS);
    for (unsigned i = 0; i < n; i++)
        stage_perform(&ops[i]);
    CHECK(!pl_stage->class_overflow);
    return pl_board->class_hash;
}

static struct pl_operation access_of(enum pl_op_kind kind, pl_tid tid, uint64_t addr, uint32_t size)
{
    struct pl_operation op = machine_operation(kind, tid, addr);

    op.size = size;
    return op;
}

static struct pl_operation write_of(pl_tid tid, uint64_t addr, uint32_t size)
{
    return access_of(PL_OP_WRITE, tid, addr, size);
}

static struct pl_operation read_of(pl_tid tid, uint64_t addr, uint32_t size)
{
    return access_of(PL_OP_READ, tid, addr, size);
}

/* Whether the class is the same when operations i and i + 1 come in the other order. */
static bool same_if_swapped(struct pl_operation *ops, unsigned n, unsigned i)
{
    uint64_t before = class_of(ops, n);
    struct pl_operation first = ops[i];

    ops[i] = ops[i + 1];
    ops[i + 1] = first;
    bool same = class_of(ops, n) == before;

    ops[i + 1] = ops[i];
    ops[i] = first;
    return same;
}

/* ---- all executions of programs ---- */

/* An execution: what the machine says and what the runtime says. */
struct pair {
    uint64_t machine, runtime;
};

static int by_machine(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    return p->machine < q->machine ? -1 : p->machine > q->machine;
}

static int by_runtime(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    return p->runtime < q->runtime ? -1 : p->runtime > q->runtime;
}

/*
 * Each class of the runtime is one of the machine, and if it is `exact` the other way round.  It
 * is not where additions are to bytes that are accessed in several sizes: those count as writes.
 */
static unsigned compare(struct pair *pairs, unsigned n, bool exact)
{
    unsigned classes = 1;

    qsort(pairs, n, sizeof(*pairs), by_machine);
    for (unsigned i = 1; i < n; i++) {
        CHECK(!exact || pairs[i].machine != pairs[i - 1].machine ||
              pairs[i].runtime == pairs[i - 1].runtime);
        classes += pairs[i].machine != pairs[i - 1].machine;
    }
    qsort(pairs, n, sizeof(*pairs), by_runtime);
    for (unsigned i = 1; i < n; i++)
        CHECK(pairs[i].runtime != pairs[i - 1].runtime || pairs[i].machine == pairs[i - 1].machine);
    return classes;
}

static bool has_additions_in_parts(const struct machine_program *p)
{
    bool adds = false, parts = false;

    for (unsigned t = 0; t < p->n; t++) {
        for (const struct machine_step *s = p->threads[t].steps; s->kind != PL_OP_NONE; s++) {
            adds |= s->adds;
            parts |= s->addr % MACHINE_SIZE != 0;
        }
    }
    return adds && parts;
}

static unsigned explore(const struct machine_program *p, unsigned *executions)
{
    static struct pair pairs[MOST];
    static struct machine m;
    struct pl_strategy_context c = machine_context("", 1 << 20);
    bool more = true;
    unsigned n = 0;

    CHECK(pl_dfs.start(&c) == NULL);
    for (; more && n < MOST; n++) {
        machine_execute(&m, p, &pl_dfs, &c, n + 1, MACHINE_ALL);
        pairs[n] = (struct pair){machine_class(&m), class_of(m.performed, m.run.n)};
        more = pl_dfs.end(&c, PL_OUTCOME_DONE, false);
    }
    *executions += n;
    return compare(pairs, n, !has_additions_in_parts(p));
}

static void classes_are_those_of_the_machine(enum machine_palette palette)
{
    unsigned executions = 0, classes = 0;

    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        const struct machine_program p = machine_draw(THREADS, palette, seed);

        classes += explore(&p, &executions);
    }
    CHECK(classes > 2 * PROGRAMS && executions > 2 * classes);
}

/* ---- cells ---- */

static void bytes_are_told_apart(void)
{
    struct pl_operation apart[] = {write_of(0, X, 4), write_of(1, X + 4, 4), read_of(2, X, 8)};
    struct pl_operation overlap[] = {write_of(0, X, 4), write_of(1, X + 3, 4), read_of(2, X, 8)};
    struct pl_operation across[] = {write_of(0, X + 4, 8), write_of(1, X + 12, 4)};
    struct pl_operation late[] = {read_of(0, X, 8), read_of(1, X, 8), write_of(2, X + 7, 1)};

    CHECK(same_if_swapped(apart, 3, 0) && !same_if_swapped(apart, 3, 1));
    CHECK(!same_if_swapped(overlap, 3, 0));
    CHECK(same_if_swapped(across, 2, 0));
    CHECK(same_if_swapped(late, 3, 0) && !same_if_swapped(late, 3, 1));
}

/* A granule has one cell while all accesses to it are alike: what a split leaves is the same. */
static void a_split_keeps_what_was(void)
{
    const struct pl_operation small[] = {write_of(0, X, 1), write_of(1, X, 8), read_of(2, X, 8)};
    struct pl_operation split[] = {write_of(0, X, 8), read_of(1, X, 8), read_of(2, X, 8),
                                   write_of(0, X, 2), read_of(1, X + 4, 2)};

    CHECK(same_if_swapped(split, 5, 1));  /* two readers, before it */
    CHECK(!same_if_swapped(split, 5, 2)); /* a reader and the write that makes it */
    CHECK(same_if_swapped(split, 5, 3));
    class_of(split, 3);
    CHECK(pl_stage->n_cells == 1 && pl_stage->cells[0].bytes == 0);
    class_of(small, 3);
    CHECK(pl_stage->n_cells == 9 && pl_stage->cells[0].bytes != 0);
}

/* Additions commute with their like, and with nothing else. */
static void additions_commute(void)
{
    struct pl_operation ops[] = {access_of(PL_OP_ATOMIC_RMW, 0, X, 4),
                                 access_of(PL_OP_ATOMIC_RMW, 1, X, 4), read_of(2, X, 4)};

    ops[0].effect = ops[1].effect = PL_EFFECT_ADD;
    CHECK(same_if_swapped(ops, 3, 0) && !same_if_swapped(ops, 3, 1));
    ops[1].size = 2; /* of another part of the number */
    CHECK(!same_if_swapped(ops, 3, 0));
}

/* A wait gives its mutex up: it depends on both of its objects. */
static void two_objects_count(void)
{
    struct pl_operation ops[] = {machine_operation(PL_OP_COND_WAIT, 0, X),
                                 machine_operation(PL_OP_MUTEX_LOCK, 1, X + 64),
                                 machine_operation(PL_OP_COND_SIGNAL, 2, X)};

    ops[0].other = X + 64;
    ops[0].other_effect = PL_EFFECT_WRITE;
    CHECK(!same_if_swapped(ops, 3, 0));
    CHECK(same_if_swapped(ops, 3, 1));
    ops[0].other = 0;
    ops[0].other_effect = PL_EFFECT_NONE;
    CHECK(same_if_swapped(ops, 3, 0));
}

/* What an operation was and how it went is part of the class, and so is a result that is noted. */
static void what_happened_counts(void)
{
    const struct pl_operation lock = machine_operation(PL_OP_MUTEX_TIMEDLOCK, 0, X);
    struct pl_operation late = lock;
    uint64_t class = class_of(&lock, 1);

    CHECK(class_of(&lock, 1) == class && class != 0);
    late.way = PL_WAY_TIMEOUT;
    CHECK(class_of(&late, 1) != class);
    late = lock;
    late.effect = PL_EFFECT_READ;
    CHECK(class_of(&late, 1) != class);
    class_of(&lock, 1);
    pl_class_note(stage_thread(0), 0);
    uint64_t zero = pl_board->class_hash;

    class_of(&lock, 1);
    pl_class_note(stage_thread(0), 1);
    CHECK(zero != class && pl_board->class_hash != zero && pl_board->class_hash != class);
}

/* Accesses of any size to a few granules: a swap of neighbours changes the class if it matters. */
static void neighbours_of_any_size(void)
{
    enum { N = 12, ROUNDS = 400 };
    unsigned same = 0, different = 0;
    uint64_t rng = 1;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pl_operation ops[N];

        for (unsigned i = 0; i < N; i++)
            ops[i] = access_of(pl_rng_below(&rng, 2) ? PL_OP_READ : PL_OP_WRITE,
                               (pl_tid)pl_rng_below(&rng, THREADS), X + pl_rng_below(&rng, 24),
                               1 + pl_rng_below(&rng, pl_rng_below(&rng, 8) ? 8 : 30));
        unsigned i = pl_rng_below(&rng, N - 1);

        if (ops[i].tid == ops[i + 1].tid)
            continue;
        bool depend = pl_depend(&ops[i], &ops[i + 1]);

        CHECK(same_if_swapped(ops, N, i) == !depend);
        same += !depend;
        different += depend;
    }
    CHECK(same > ROUNDS / 8 && different > ROUNDS / 8);
}

/*
 * More granules than the small table of chains is for: all are found again.  What thread 2 does has
 * nothing to do with the others, so that the last operation may as well come before it.
 */
static void many_granules(void)
{
    enum { N = 4 * PL_BUCKETS_NEAR };
    static struct pl_operation ops[N + 2];

    for (unsigned i = 0; i < N; i += 37) {
        for (unsigned k = 0; k < N; k++)
            ops[k + 1] = write_of(2, X + 64 * k, k % 5 == 0 ? 4 : 8);
        ops[0] = write_of(0, X + 64 * i + 32, 8);
        ops[N + 1] = write_of(1, X + 64 * i + 32, 8);
        uint64_t class = class_of(ops, N + 2);

        CHECK(pl_stage->n_cells > 2 * PL_BUCKETS_NEAR);
        memmove(&ops[2], &ops[1], N * sizeof(ops[0]));
        ops[1] = write_of(1, X + 64 * i + 32, 8);
        CHECK(class_of(ops, N + 2) == class);
        CHECK(!same_if_swapped(ops, N + 2, 0));
    }
}

static void no_room_is_said(void)
{
    stage_set(1);
    for (uint64_t i = 0; !pl_stage->class_overflow && i <= PL_CELLS; i++) {
        struct pl_operation op = write_of(0, X + 8 * i, 8);

        stage_perform(&op);
    }
    CHECK(pl_stage->class_overflow && pl_stage->n_cells <= PL_CELLS);
}

int main(void)
{
    classes_are_those_of_the_machine(MACHINE_MEMORY);
    classes_are_those_of_the_machine(MACHINE_SYNC);
    bytes_are_told_apart();
    a_split_keeps_what_was();
    additions_commute();
    two_objects_count();
    what_happened_counts();
    neighbours_of_any_size();
    many_granules();
    no_room_is_said();
    return unit_result();
}
