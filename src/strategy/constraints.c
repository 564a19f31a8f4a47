/* SPDX-License-Identifier: MIT */
/* See constraints.h. */
#include "strategy/constraints.h"

#include "model/reads_from.h"

enum { PATIENCE = 20000 }; /* choices for which somebody waits */

static bool touches(const struct pl_constraint *k, uint64_t object, uint64_t size)
{
    return object < k->addr + k->size && k->addr < object + size;
}

static void look_where(struct pl_constraints *c)
{
    c->places = 0;
    for (unsigned i = 0; i < c->n; i++) {
        const struct pl_constraint *k = &c->machines[i].constraint;

        if (!c->machines[i].over)
            c->places |= pl_constraints_places(k->addr, k->size);
    }
}

void pl_constraints_begin(struct pl_constraints *c, const struct pl_schedule *schedule)
{
    c->n = c->live = schedule->n;
    for (unsigned i = 0; i < c->n; i++)
        c->machines[i] = (struct pl_constraints_machine){
            .constraint = schedule->constraints[i],
            .visits = schedule->constraints[i].visits,
            .written = schedule->constraints[i].write == PL_READS_FROM_INITIAL,
        };
    look_where(c);
}

static bool negative_holds(const struct pl_constraints_machine *m, const struct pl_operation *op)
{
    return m->written && m->visits == 0 && op->statement == m->constraint.read;
}

static bool positive_holds(const struct pl_constraints_machine *m, const struct pl_operation *op)
{
    bool is_read = op->statement == m->constraint.read && pl_constraints_reads(op);

    /* The first value is to stay until then; of other writes there may be more. */
    if (m->visits > 0 && (is_read || m->constraint.write != PL_READS_FROM_INITIAL))
        return false;
    if (m->written)
        return !is_read && pl_constraints_writes(pl_operation_effect(op->kind));
    /* Of two equal statements one has to be the first. */
    return is_read && op->statement != m->constraint.write;
}

static void finish(struct pl_constraints *c, struct pl_constraints_machine *m)
{
    c->live--;
    m->over = true;
    look_where(c);
}

static bool hold(struct pl_constraints *c, struct pl_constraints_machine *m,
                 const struct pl_operation *op)
{
    if (!(m->constraint.negative ? negative_holds(m, op) : positive_holds(m, op)))
        return false;
    if (++m->held <= PATIENCE)
        return true;
    finish(c, m);
    return false;
}

bool pl_constraints_hold_any(struct pl_constraints *c, const struct pl_operation *op)
{
    uint64_t object = pl_depend_object(op), size = pl_depend_size(op);
    bool held = false;

    if (op->way != PL_WAY_NORMAL || !pl_constraints_counts(op))
        return false;
    for (unsigned i = 0; i < c->n; i++) {
        struct pl_constraints_machine *m = &c->machines[i];

        if (!m->over && touches(&m->constraint, object, size))
            held |= hold(c, m, op);
    }
    return held;
}

static void see(struct pl_constraints *c, struct pl_constraints_machine *m,
                const struct pl_operation *op)
{
    const struct pl_constraint *k = &m->constraint;

    if (op->statement == k->read && pl_constraints_reads(op)) {
        if (m->visits > 0)
            m->visits--;
        else if (m->written && !k->negative)
            m->met = true;
    }
    bool writes = pl_constraints_writes(op->effect);

    if (writes)
        m->written = op->statement == k->write;
    if (m->met || (writes && k->write == PL_READS_FROM_INITIAL))
        finish(c, m);
}

void pl_constraints_see_all(struct pl_constraints *c, const struct pl_operation *op)
{
    uint64_t object = pl_depend_object(op), size = pl_depend_size(op);

    for (unsigned i = 0; i < c->n; i++) {
        struct pl_constraints_machine *m = &c->machines[i];

        if (!m->over && touches(&m->constraint, object, size))
            see(c, m, op);
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
