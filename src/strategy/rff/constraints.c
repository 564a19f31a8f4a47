/* SPDX-License-Identifier: MIT */
/* See constraints.h. */
#include "strategy/rff/constraints.h"

#include "model/reads_from.h"

enum { PATIENCE = 20000 }; /* choices for which somebody waits */

/* For checks: those that are not over. */
__attribute__((unused)) static unsigned count_live(const struct pl_constraints *c)
{
    unsigned live = 0;

    for (unsigned i = 0; i < c->n; i++)
        live += !c->machines[i].over;
    return live;
}

static void look_where(struct pl_constraints *c)
{
    PL_CHECK(c->live == count_live(c));
    c->state++;
    c->places = 0;
    for (unsigned i = 0; i < c->n; i++) {
        const struct pl_constraint *k = &c->machines[i].constraint;

        if (!c->machines[i].over)
            c->places |= pl_constraints_places(k->addr, k->size);
    }
}

void pl_constraints_begin(struct pl_constraints *c, const struct pl_schedule *schedule)
{
    PL_ASSERT(schedule->n <= PL_CONSTRAINTS_MOST);
    c->n = c->live = schedule->n;
    for (unsigned i = 0; i < c->n; i++)
        c->machines[i] = (struct pl_constraints_machine){
            .constraint = schedule->constraints[i],
            .visits = schedule->constraints[i].visits,
            .written = schedule->constraints[i].write == PL_READS_FROM_INITIAL,
        };
    look_where(c);
}

static void finish(struct pl_constraints *c, struct pl_constraints_machine *m)
{
    PL_ASSERT(!m->over && c->live > 0);
    c->live--;
    m->over = true;
    look_where(c);
}

/* An operation as all machines look at it. */
struct subject {
    struct pl_depend_extent extent;
    uint32_t statement;
    bool reads, writes;
};

static inline struct subject subject_of(const struct pl_operation *op, unsigned effect)
{
    struct pl_depend_extent extent = pl_depend_pending(op);

    extent.effect = effect;
    return (struct subject){
        .extent = extent,
        .statement = op->statement,
        .reads = pl_constraints_reads(op),
        .writes = pl_constraints_writes(effect),
    };
}

static inline bool touches(const struct pl_constraints_machine *m, const struct subject *s)
{
    const struct pl_constraint *k = &m->constraint;
    struct pl_depend_extent bytes = {.from = k->addr, .to = k->addr + k->size};

    return !m->over & pl_depend_would_conflict(&s->extent, &bytes, PL_DEPEND_TOUCH);
}

/*
 * Whether it would violate the constraint.  The answers are hard to predict, so they are computed
 * without branches.
 */
static inline bool violates(const struct pl_constraints_machine *m, const struct subject *s)
{
    const struct pl_constraint *k = &m->constraint;
    bool at_read = s->statement == k->read, is_read = at_read & s->reads;
    bool negative = m->written & (m->visits == 0) & at_read;
    /* The first value is to stay until then; of other writes there may be more. */
    bool passes = (m->visits > 0) & (is_read | (k->write != PL_READS_FROM_INITIAL));
    /* Of two equal statements one has to be the first. */
    bool early = is_read & (s->statement != k->write), late = !is_read & s->writes;

    bool positive = m->written ? late : early;

    return k->negative ? negative : positive & !passes;
}

unsigned pl_constraints_against(const struct pl_constraints *c, const struct pl_operation *op)
{
    struct subject s = subject_of(op, pl_operation_effect(op->kind));
    unsigned against = 0;

    if ((c->places & pl_constraints_places(s.extent.from, s.extent.to - s.extent.from)) == 0 ||
        op->way != PL_WAY_NORMAL || !pl_constraints_counts(op))
        return 0;
    for (unsigned i = 0; i < c->n; i++) {
        const struct pl_constraints_machine *m = &c->machines[i];

        against |= (unsigned)(touches(m, &s) && violates(m, &s)) << i;
    }
    return against;
}

bool pl_constraints_hold(struct pl_constraints *c, unsigned against)
{
    bool held = false;

    for (; against != 0; against &= against - 1) {
        PL_ASSERT((unsigned)__builtin_ctz(against) < c->n);
        struct pl_constraints_machine *m = &c->machines[__builtin_ctz(against)];

        if (m->over)
            continue;
        held |= ++m->held <= PATIENCE;
        if (m->held > PATIENCE)
            finish(c, m);
    }
    return held;
}

static void see(struct pl_constraints *c, struct pl_constraints_machine *m, const struct subject *s)
{
    const struct pl_constraint *k = &m->constraint;

    PL_ASSERT(!m->over && !m->met);
    if (s->statement == k->read && s->reads) {
        if (m->visits == 0)
            m->met = m->written && !k->negative;
        else if (--m->visits == 0)
            c->state++;
    }
    bool written = s->writes ? s->statement == k->write : m->written;

    c->state += written != m->written;
    m->written = written;
    if (m->met || (s->writes && k->write == PL_READS_FROM_INITIAL))
        finish(c, m);
}

void pl_constraints_see_all(struct pl_constraints *c, const struct pl_operation *op)
{
    struct subject s = subject_of(op, op->effect);

    for (unsigned i = 0; i < c->n; i++) {
        if (touches(&c->machines[i], &s))
            see(c, &c->machines[i], &s);
    }
}

struct pl_schedule pl_constraints_met(const struct pl_constraints *c)
{
    struct pl_schedule s = {0};

    for (unsigned i = 0; i < c->n; i++) {
        const struct pl_constraints_machine *m = &c->machines[i];

        if (m->met || (m->constraint.negative && m->held > 0))
            s.constraints[s.n++] = m->constraint;
    }
    return s;
}
