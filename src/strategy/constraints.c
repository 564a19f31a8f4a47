/* SPDX-License-Identifier: MIT */
/* See constraints.h. */
#include "strategy/constraints.h"

#include "model/profile.h"
#include "model/reads_from.h"
#include "strategy/depend.h"

enum { PATIENCE = 20000 }; /* choices for which somebody waits */

/* ---- operations ---- */

bool pl_constraints_counts(const struct pl_operation *op)
{
    return pl_profile_counts(op) && op->kind != PL_OP_OUTPUT && !op->private && !op->nested;
}

bool pl_constraints_reads(const struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_WRITE:
    case PL_OP_ATOMIC_STORE:
    case PL_OP_FREE:
    case PL_OP_OBJECT_INIT:
    case PL_OP_OBJECT_DESTROY:
        return false;
    default:
        return true;
    }
}

bool pl_constraints_writes(unsigned effect)
{
    return effect == PL_EFFECT_WRITE || effect == PL_EFFECT_ADD;
}

static bool touches(const struct pl_constraint *k, const struct pl_operation *op)
{
    uint64_t object = pl_depend_object(op);

    return object < k->addr + k->size && k->addr < object + pl_depend_size(op);
}

/* ---- machines ---- */

void pl_constraints_begin(struct pl_constraints *c, const struct pl_schedule *schedule)
{
    c->n = c->live = schedule->n;
    for (unsigned i = 0; i < c->n; i++)
        c->machines[i] = (struct pl_constraints_machine){
            .constraint = schedule->constraints[i],
            .visits = schedule->constraints[i].visits,
            .written = schedule->constraints[i].write == PL_READS_FROM_INITIAL,
        };
}

static enum pl_constraints_answer ask_negative(const struct pl_constraints_machine *m,
                                               const struct pl_operation *op)
{
    return m->written && m->visits == 0 && op->statement == m->constraint.read
               ? PL_CONSTRAINTS_HELD
               : PL_CONSTRAINTS_FREE;
}

static enum pl_constraints_answer ask_positive(const struct pl_constraints_machine *m,
                                               const struct pl_operation *op)
{
    bool is_read = op->statement == m->constraint.read && pl_constraints_reads(op);

    if (m->visits > 0 && (is_read || m->constraint.write != PL_READS_FROM_INITIAL))
        return PL_CONSTRAINTS_FREE;
    if (m->written && is_read)
        return PL_CONSTRAINTS_WANTED;
    if (m->written && pl_constraints_writes(pl_operation_effect(op->kind)))
        return PL_CONSTRAINTS_HELD;
    /* Of two equal statements one has to be the first. */
    if (!m->written && is_read && op->statement != m->constraint.write)
        return PL_CONSTRAINTS_HELD;
    return PL_CONSTRAINTS_FREE;
}

static void finish(struct pl_constraints *c, struct pl_constraints_machine *m)
{
    c->live -= !m->over;
    m->over = true;
}

static enum pl_constraints_answer ask(struct pl_constraints *c, struct pl_constraints_machine *m,
                                      const struct pl_operation *op)
{
    if (m->over || !touches(&m->constraint, op))
        return PL_CONSTRAINTS_FREE;
    enum pl_constraints_answer a =
        m->constraint.negative ? ask_negative(m, op) : ask_positive(m, op);

    if (a == PL_CONSTRAINTS_HELD && ++m->held > PATIENCE) {
        finish(c, m);
        return PL_CONSTRAINTS_FREE;
    }
    return a;
}

enum pl_constraints_answer pl_constraints_ask(struct pl_constraints *c,
                                              const struct pl_operation *op)
{
    enum pl_constraints_answer most = PL_CONSTRAINTS_FREE;

    if (c->live == 0 || op->way != PL_WAY_NORMAL || !pl_constraints_counts(op))
        return PL_CONSTRAINTS_FREE;
    for (unsigned i = 0; i < c->n; i++) {
        enum pl_constraints_answer a = ask(c, &c->machines[i], op);

        if (a > most)
            most = a;
    }
    return most;
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

void pl_constraints_see(struct pl_constraints *c, const struct pl_operation *op)
{
    for (unsigned i = 0; c->live > 0 && i < c->n; i++) {
        if (!c->machines[i].over && touches(&c->machines[i].constraint, op))
            see(c, &c->machines[i], op);
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
