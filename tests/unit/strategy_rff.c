/* SPDX-License-Identifier: MIT */
/*
 * rff and its parts on programs that are lists of stores and loads: who reads from
 * whom, what constraints are made of, which schedules are kept, and that it finds what chance does
 * not.
 */
#include "unit.h"

#include "machine.h"
#include "model/cover.h"
#include "strategy/rff/corpus.h"
#include "strategy/shared/table.h"

#include <stdlib.h>
#include <string.h>

enum { A = 0x1000, B = 0x2000 };

static struct pl_operation operation(enum pl_op_kind kind, pl_tid tid, uint64_t addr,
                                     uint32_t statement)
{
    struct pl_operation op = machine_operation(kind, tid, addr);

    op.size = 4;
    op.statement = statement;
    return op;
}

/* ---- who reads from whom ---- */

static struct {
    unsigned n;
    uint32_t writers[PL_SOURCES_LONGEST];
} told;

static void see(struct pl_sources *s, struct pl_operation op, uint32_t size)
{
    op.size = size;
    told.n = 0;
    for (struct pl_sources_piece p = pl_sources_piece(&op, 0); p.size > 0;
         p = pl_sources_piece(&op, p.addr))
        told.n += pl_sources_see(s, &op, p, told.writers + told.n);
}

static void a_read_reads_from_the_last_write_of_each_byte(void)
{
    struct pl_sources *s = calloc(1, sizeof(*s));

    pl_sources_begin(s);
    see(s, operation(PL_OP_READ, 0, A, 1), 4);
    CHECK(told.n == 1 && told.writers[0] == PL_READS_FROM_INITIAL);
    see(s, operation(PL_OP_WRITE, 0, A, 2), 4);
    CHECK(told.n == 0);
    see(s, operation(PL_OP_WRITE, 1, A, 3), 2);
    see(s, operation(PL_OP_READ, 0, A, 1), 8);
    CHECK(told.n == 3 && told.writers[0] == 3 && told.writers[1] == 2 &&
          told.writers[2] == PL_READS_FROM_INITIAL);
    see(s, operation(PL_OP_READ_WRITE, 0, A, 4), 4); /* reads what it then writes */
    CHECK(told.n == 2);
    see(s, operation(PL_OP_READ, 1, A + 3, 5), 1);
    CHECK(told.n == 1 && told.writers[0] == 4);
    pl_sources_begin(s);
    see(s, operation(PL_OP_READ, 1, A + 3, 5), 1);
    CHECK(told.n == 1 && told.writers[0] == PL_READS_FROM_INITIAL);
    free(s);
}

static void long_accesses_come_in_pieces(void)
{
    struct pl_sources *s = calloc(1, sizeof(*s));

    pl_sources_begin(s);
    see(s, operation(PL_OP_WRITE, 0, A + 4, 2), 20);
    see(s, operation(PL_OP_READ, 0, A + 16, 1), 16);
    CHECK(told.n == 2 && told.writers[0] == 2 && told.writers[1] == PL_READS_FROM_INITIAL);
    free(s);
}

/* More granules than cells: what is not known any more is not told. */
static void what_is_forgotten_is_not_told(void)
{
    struct pl_sources *s = calloc(1, sizeof(*s));
    unsigned wrong = 0;

    pl_sources_begin(s);
    for (uint64_t i = 0; i < 4 * PL_SOURCES_CELLS; i++)
        see(s, operation(PL_OP_WRITE, 0, A + 8 * i, 2), 8);
    for (uint64_t i = 0; i < 4 * PL_SOURCES_CELLS; i++) {
        see(s, operation(PL_OP_READ, 1, A + 8 * i, 3), 8);
        wrong += told.n > 0 && told.writers[0] != 2;
    }
    CHECK(wrong == 0);
    free(s);
}

/* ---- schedules ---- */

static struct pl_reads_from *reads;

static void note(struct pl_corpus *c, struct pl_operation op, uint32_t ordinal)
{
    op.ordinal = ordinal;
    pl_corpus_note(c, &op, pl_sources_piece(&op, 0));
}

static struct pl_corpus *corpus(unsigned most)
{
    struct pl_corpus *c = calloc(1, sizeof(*c));

    memset(reads, 0, sizeof(*reads));
    pl_corpus_start(c, most);
    return c;
}

static void a_constraint_is_about_what_another_thread_writes(void)
{
    struct pl_corpus *c = corpus(4);
    uint64_t rng = 1;
    unsigned from_other = 0, initial = 0;

    CHECK(pl_corpus_child(c, reads, &rng).n == 0); /* nothing is known yet */
    note(c, operation(PL_OP_WRITE, 1, A, 2), 0);   /* its own */
    note(c, operation(PL_OP_READ, 1, A, 3), 1);
    note(c, operation(PL_OP_WRITE, 2, A, 4), 0);
    note(c, operation(PL_OP_READ, 2, B, 5), 1);
    for (unsigned i = 0; i < 200; i++) {
        struct pl_schedule s = pl_corpus_child(c, reads, &rng);

        CHECK(s.n <= 4);
        for (unsigned k = 0; k < s.n; k++) {
            const struct pl_constraint *a = &s.constraints[k];

            from_other += a->read == 3 && a->write == 4 && a->addr == A && a->size == 4;
            initial += a->read == 5 && a->write == PL_READS_FROM_INITIAL && a->addr == B;
            CHECK(a->read == 3 ? a->write == 4 : a->read == 5);
        }
    }
    CHECK(from_other > 20 && initial > 20);
    free(c);
}

static bool is_drawn(struct pl_corpus *c, uint32_t write, uint64_t *rng)
{
    bool drawn = false;

    for (unsigned i = 0; i < 200; i++) {
        struct pl_schedule s = pl_corpus_child(c, reads, rng);

        for (unsigned k = 0; k < s.n; k++)
            drawn |= s.constraints[k].write == write;
    }
    return drawn;
}

/* What has been drawn from before is found anew when there is more, or something else is known. */
static void what_is_noted_later_is_drawn_too(void)
{
    struct pl_corpus *c = corpus(4);
    uint64_t rng = 1;

    note(c, operation(PL_OP_READ, 1, A, 3), 0);
    note(c, operation(PL_OP_WRITE, 1, A, 4), 1);
    CHECK(!is_drawn(c, 4, &rng) && !is_drawn(c, 6, &rng));
    note(c, operation(PL_OP_WRITE, 2, A, 6), 0);
    CHECK(!is_drawn(c, 4, &rng) && is_drawn(c, 6, &rng));
    note(c, operation(PL_OP_WRITE, 2, A, 4), 1); /* both threads make it */
    CHECK(is_drawn(c, 4, &rng));
    note(c, operation(PL_OP_READ, 2, A, 7), 2);
    CHECK(!is_drawn(c, 7, &rng));
    note(c, operation(PL_OP_READ_WRITE, 2, A, 7), 3); /* it may write as well as read */
    CHECK(is_drawn(c, 7, &rng));
    free(c);
}

static void what_was_never_shown_comes_first(void)
{
    struct pl_corpus *c = corpus(1);
    uint64_t rng = 1;
    unsigned known = 0;

    note(c, operation(PL_OP_READ, 1, A, 3), 0);
    note(c, operation(PL_OP_WRITE, 2, A, 4), 0);
    for (unsigned i = 0; i < 10; i++)
        pl_reads_from_show(reads, pl_reads_from_place(reads, PL_READS_FROM_INITIAL, 3), true, 1);
    for (unsigned i = 0; i < 100; i++)
        known += pl_corpus_child(c, reads, &rng).constraints[0].write != 4;
    CHECK(known == 0);
    for (unsigned i = 0; i < 10; i++)
        pl_reads_from_try(reads, 4, 3); /* in vain: the other one is as good */
    for (unsigned i = 0; i < 100; i++)
        known += pl_corpus_child(c, reads, &rng).constraints[0].write != 4;
    CHECK(known == 100);
    free(c);
}

/* Two are kept; the executions of one are all the same, so the other has the children. */
static void the_rare_one_has_the_children(void)
{
    struct pl_corpus *c = corpus(4);
    struct pl_schedule s = {.n = 1, .constraints = {{.addr = A, .size = 4, .fresh = true}}};
    unsigned turns[3] = {0};

    pl_corpus_keep(c, reads, &s, 100);
    pl_corpus_keep(c, reads, &s, 200);
    CHECK(c->n_kept == 3 && !c->kept[1].schedule.constraints[0].fresh);
    for (unsigned i = 0; i < 50; i++)
        pl_reads_from_count(reads, 100);
    for (unsigned i = 0; i < 60; i++) {
        turns[c->current]++;
        pl_corpus_spend(c, reads);
    }
    CHECK(turns[1] == 0 && turns[0] > 10 && turns[2] > 10);
    free(c);
}

static void there_is_room_for_one_more(void)
{
    struct pl_corpus *c = corpus(4);
    struct pl_schedule s = {.n = 1, .constraints = {{.addr = A, .size = 4}}}, none = {0};

    for (uint64_t i = 1; i <= 2 * PL_CORPUS_KEPT; i++)
        pl_corpus_keep(c, reads, &s, i * 2);
    CHECK(c->n_kept == PL_CORPUS_KEPT && c->kept[0].schedule.n == 0);
    pl_corpus_keep(c, reads, &none, 7); /* that without constraints is there already */
    CHECK(c->n_kept == PL_CORPUS_KEPT && c->kept[0].signature == 7);
    free(c);
}

/* ---- the strategy ---- */

struct run {
    struct machine_run made;
    bool torn; /* the reader got A of a writer, and B of none */
};

static struct pl_strategy_context ready(uint64_t seed)
{
    struct pl_strategy_context c = machine_context("", 1 << 20);

    given.settings.seed = seed;
    CHECK(pl_rff.start(&c) == NULL);
    return c;
}

static struct run execute(struct pl_strategy_context *c, const struct machine_program *p,
                          uint64_t n)
{
    const struct pl_operation create = operation(PL_OP_THREAD_CREATE, 0, 0, PL_COVER_NOTHING);
    static struct machine m;
    bool got_a = false;

    machine_begin(&m, p);
    pl_rff.begin(c, n);
    pl_rff.observe(c, &create);
    while (machine_step(&m, &pl_rff, c)) {
    }
    struct run run = {.made = m.run};

    for (unsigned i = 0; i < m.run.n; i++) {
        if (m.performed[i].kind != PL_OP_ATOMIC_LOAD)
            continue;
        run.torn |= m.run.addr[i] == B && got_a && m.run.saw[i] == 0;
        got_a |= m.run.addr[i] == A && m.run.saw[i] != 0;
    }
    return run;
}

static void does(struct machine_program *p, unsigned t, enum pl_op_kind kind, uint64_t addr,
                 uint32_t statement)
{
    struct machine_step *s = machine_add(p, t, kind, addr);

    s->pc = statement;
    s->value = kind == PL_OP_ATOMIC_STORE;
}

/* The last thread reads what the others write: A, then B. */
static struct machine_program writers_and_reader(unsigned writers)
{
    struct machine_program p = {.n = writers + 1};

    for (unsigned i = 0; i < writers; i++) {
        does(&p, i, PL_OP_ATOMIC_STORE, A, 1);
        does(&p, i, PL_OP_ATOMIC_STORE, B, 2);
    }
    does(&p, writers, PL_OP_ATOMIC_LOAD, A, 3);
    does(&p, writers, PL_OP_ATOMIC_LOAD, B, 4);
    return p;
}

/* Executions until the reader comes between all first and all second writes; `most` when it never
 * does. */
static unsigned find(uint64_t seed, unsigned writers, unsigned most)
{
    struct pl_strategy_context c = ready(seed);
    struct machine_program p = writers_and_reader(writers);
    unsigned n = 1;

    while (n < most && !execute(&c, &p, n).torn) {
        pl_rff.end(&c, PL_OUTCOME_DONE, false);
        n++;
    }
    return n;
}

/* By chance it would be one of some thousands of executions with 20 writers. */
static void it_does_not_take_longer_with_more_threads(void)
{
    unsigned few = 0, many = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        few += find(seed, 3, 1000);
        many += find(seed, 20, 1000);
    }
    CHECK(few < 20 * 20 && many < 20 * 20);
}

static bool equal(const struct run *a, const struct run *b)
{
    return machine_same(&a->made, &b->made);
}

static void the_same_seed_gives_the_same_executions(void)
{
    struct machine_program p = writers_and_reader(4);
    struct run runs[50];
    unsigned differ = 0;

    for (unsigned round = 0; round < 3; round++) {
        struct pl_strategy_context c = ready(round < 2 ? 5 : 6);

        for (unsigned i = 0; i < 50; i++) {
            struct run run = execute(&c, &p, i + 1);

            pl_rff.end(&c, PL_OUTCOME_DONE, false);
            if (round == 0)
                runs[i] = run;
            else if (round == 1)
                CHECK(equal(&run, &runs[i]));
            else
                differ += !equal(&run, &runs[i]);
        }
    }
    CHECK(differ > 10);
}

/* What was lost is done again as it was, and changes nothing that comes later. */
static void a_lost_execution_is_done_again(void)
{
    struct machine_program p = writers_and_reader(4);
    struct run runs[40];

    for (unsigned round = 0; round < 2; round++) {
        struct pl_strategy_context c = ready(9);

        for (unsigned i = 0; i < 40; i++) {
            if (round == 1 && i % 3 == 0) {
                execute(&c, &p, i + 1);
                pl_rff.end(&c, PL_OUTCOME_LOST, false);
            }
            struct run run = execute(&c, &p, i + 1);

            pl_rff.end(&c, PL_OUTCOME_DONE, false);
            pl_rff.end(&c, PL_OUTCOME_DONE, false); /* after a death */
            if (round == 0)
                runs[i] = run;
            else
                CHECK(equal(&run, &runs[i]));
        }
    }
}

static void pairs_are_shown_with_the_good_executions(void)
{
    struct machine_program p = writers_and_reader(2);
    struct pl_strategy_context c = ready(3);

    execute(&c, &p, 1);
    pl_rff.end(&c, PL_OUTCOME_FINDING, false);
    CHECK(reads->n == 0); /* a failing one teaches later campaigns nothing */
    for (unsigned i = 2; i < 60; i++) {
        execute(&c, &p, i);
        pl_rff.end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(reads->n == 4); /* of two reads, each from the write and from the beginning */
    CHECK(pl_reads_from_known(reads, 1, 3).shown && pl_reads_from_known(reads, 2, 4).shown);
}

/* Other statements in each execution: more pairs than are remembered from one to the next. */
static void no_pair_is_lost_however_many_there_are(void)
{
    enum { EXECUTIONS = 6000 };
    struct pl_strategy_context c = ready(3);
    unsigned missing = 0;

    for (uint32_t n = 1; n <= EXECUTIONS; n++) {
        struct machine_program p = writers_and_reader(2);

        for (unsigned i = 0; i < p.n; i++) {
            for (unsigned k = 0; k < 2; k++)
                p.threads[i].steps[k].pc += 4 * n;
        }
        execute(&c, &p, n);
        pl_rff.end(&c, PL_OUTCOME_DONE, false);
    }
    for (uint32_t n = 1; n <= EXECUTIONS; n++) {
        for (uint32_t k = 1; k <= 2; k++)
            missing += pl_reads_from_known(reads, 4 * n + k, 4 * n + k + 2).times +
                           pl_reads_from_known(reads, PL_READS_FROM_INITIAL, 4 * n + k + 2).times !=
                       1;
    }
    CHECK(missing == 0 && reads->n == 2 * EXECUTIONS);
}

static void parameters_are_looked_at(void)
{
    static const char *const bad[] = {"constraints=0", "constraints=9", "context=5", "3", "x=1"};
    struct pl_strategy_context c = ready(1);

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        c = machine_context(bad[i], 1 << 20);
        CHECK(pl_rff.start(&c) != NULL);
    }
    c = machine_context("constraints=2,context=3", 1 << 20);
    CHECK(pl_rff.start(&c) == NULL && pl_rff.callers(&c) == 3);
}

int main(void)
{
    machine_context("", 0);
    reads = given.reads_from;
    a_read_reads_from_the_last_write_of_each_byte();
    long_accesses_come_in_pieces();
    what_is_forgotten_is_not_told();
    a_constraint_is_about_what_another_thread_writes();
    what_is_noted_later_is_drawn_too();
    what_was_never_shown_comes_first();
    the_rare_one_has_the_children();
    there_is_room_for_one_more();
    it_does_not_take_longer_with_more_threads();
    the_same_seed_gives_the_same_executions();
    a_lost_execution_is_done_again();
    pairs_are_shown_with_the_good_executions();
    no_pair_is_lost_however_many_there_are();
    parameters_are_looked_at();
    return unit_result();
}
