/* SPDX-License-Identifier: MIT */
/*
 * See cover_holds.h.  Statements that are in no order do not matter, but several may have one
 * name: what speaks against one of them speaks against all.
 */
#include "engine/coverage/cover_holds.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- facts ---- */

static void add_fact(struct pl_cover_campaign *c, uint32_t number, unsigned fact)
{
    static bool (*const add[])(struct pl_covered *, uint32_t, uint32_t, struct pl_covered_first) = {
        pl_covered_with_lock,    pl_covered_without_lock,    pl_covered_first_in_hold,
        pl_covered_last_in_hold, pl_covered_lasting_in_hold,
    };
    _Static_assert(sizeof(add) / sizeof(add[0]) == PL_HOLD_FACTS, "there is a list for each");
    const struct pl_hold_statement *h = &c->session->common->cover.holds[number];
    struct pl_covered_first first = {c->campaign, h->first[fact]};
    uint32_t b = pl_cover_campaign_statement(c, number), a = b;

    PL_ASSERT(fact < PL_HOLD_FACTS);
    if (fact == 0 && h->lock == 0)
        return; /* nobody knows what took the lock */
    if (fact == 0)
        a = pl_cover_campaign_statement(c, h->lock - 1);
    if (first.execution == 0)
        first.execution = 1; /* whoever found it out has been killed before it said when */
    add[fact](&c->set, a, b, first);
}

void pl_cover_holds_read(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;

    for (uint32_t i = pl_cover_from(cover, 0); i < PL_COVER_STATEMENTS;
         i = pl_cover_from(cover, i + 1)) {
        uint32_t facts = cover->statements[i].info >> PL_HOLD_SHIFT;

        if (facts == 0 || !pl_cover_campaign_knows(c, i))
            continue;
        for (unsigned k = 0; k < PL_HOLD_FACTS; k++) {
            if ((facts >> k & 1) != 0)
                add_fact(c, i, k);
        }
    }
}

/* ---- orders that are sought ---- */

struct side {
    uint32_t *statements; /* indices in the set */
    size_t n;
    bool all; /* accesses to memory all of them */
};

/* What the statement is in orders; code of a system's header is what calls it. */
static uint32_t roles_of(const struct pl_sought *sought, const struct pl_cover_statement *s)
{
    uint32_t roles = pl_sought_find(sought, s->pc);

    return (roles & PL_SOUGHT_OUTER) != 0 && s->caller != 0 ? pl_sought_find(sought, s->caller)
                                                            : roles;
}

/* All that was performed there is named now, be it in an order or not. */
static struct side side_of(struct pl_cover_campaign *c, uint32_t role)
{
    const struct pl_cover *cover = &c->session->common->cover;
    struct side side = {pl_err_must(calloc(PL_COVER_STATEMENTS, sizeof(uint32_t))), 0, true};

    for (uint32_t i = pl_cover_from(cover, 0); i < PL_COVER_STATEMENTS;
         i = pl_cover_from(cover, i + 1)) {
        if (cover->statements[i].info == 0 ||
            (roles_of(&c->session->common->sought, &cover->statements[i]) & role) == 0)
            continue;
        if (pl_operation_object(pl_cover_kind_of(cover, i)) == PL_OBJECT_MEMORY)
            side.statements[side.n++] = pl_cover_campaign_statement(c, i);
        else
            side.all = false;
    }
    PL_ASSERT(side.n <= PL_COVER_STATEMENTS);
    return side;
}

static bool only_reads(const struct pl_covered_statement *s)
{
    return pl_operation_effect(pl_operation_find(s->operation)) == PL_EFFECT_READ;
}

/* The reason for all of two sides, if they have one; of several that of the first. */
static bool find_reason(const struct pl_cover_campaign *c, const struct pl_covered_hold *holds,
                        const struct side *a, const struct side *b, char *to, size_t size)
{
    bool found = false;

    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < b->n; k++) {
            uint32_t x = a->statements[i], y = b->statements[k];
            uint32_t locks[2] = {holds[x].lock, holds[y].lock};
            bool preceded;

            if (only_reads(&c->set.statements[x]) && only_reads(&c->set.statements[y]))
                continue;
            if (!pl_covered_apart(&holds[x], &holds[y], false, &preceded))
                return false;
            if (!found)
                pl_covered_describe_apart(&c->set, locks, preceded, to, size);
            found = true;
        }
    }
    return found;
}

static void explain(struct pl_result_order *order, struct pl_cover_campaign *c, unsigned i)
{
    struct side a = side_of(c, PL_SOUGHT_FIRST(i)), b = side_of(c, PL_SOUGHT_SECOND(i));
    size_t used = strlen(order->note);
    char reason[1400];

    pl_cover_holds_read(c);
    struct pl_covered_hold *holds = pl_covered_holds(&c->set);

    if (a.all && b.all && find_reason(c, holds, &a, &b, reason, sizeof(reason)))
        snprintf(order->note + used, sizeof(order->note) - used,
                 "; as far as is known it is impossible: %s", reason);
    free(a.statements);
    free(b.statements);
    free(holds);
}

void pl_cover_holds_explain(struct pl_result *result, struct pl_cover_campaign *c)
{
    if (!c->on || c->functions == NULL)
        return;
    for (unsigned i = 0; i < result->n_orders; i++) {
        struct pl_result_order *o = &result->orders[i];

        if (o->verdict != PL_ORDER_SHOWN && o->verdict != PL_ORDER_LATER && o->met > 0)
            explain(o, c, i);
    }
}
