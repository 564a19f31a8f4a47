/* SPDX-License-Identifier: MIT */
/*
 * dpor: how an operation may be in another order than it was found in.  That depends on the state
 * there, which nobody knows beforehand, so the least that it can be is assumed.
 */
#include "strategy/dpor/dpor.h"

static void lessen(struct pl_operation *op)
{
    unsigned least = pl_operation_least(op->kind);

    if (op->way == PL_WAY_NORMAL && least < op->effect && !op->steady && !op->untimed)
        op->effect = (uint8_t)least;
    /* Who looks at the word of a futex need not find what it wants there. */
    if (pl_operation_is(op->kind, PL_ROLE_QUEUES) && least == PL_EFFECT_READ) {
        op->other = 0;
        op->other_effect = PL_EFFECT_NONE;
    }
}

void pl_dpor_lessen(struct pl_past_record *r)
{
    lessen(&r->op);
    r->ends = false;
    r->outcome[0] = r->outcome[1] = 0;
}

static bool only_reads(const struct pl_operation *op)
{
    return op->effect <= PL_EFFECT_READ && (op->other == 0 || op->other_effect <= PL_EFFECT_READ);
}

/*
 * Whoever looks at the word of a futex finds there what it found, unless what it goes before
 * changes the word: who wakes others does not.
 */
static bool finds_the_same(const struct pl_dpor *s, const struct pl_past_record *look,
                           const struct pl_past_race *race)
{
    for (uint32_t i = 0; i < race->n; i++) {
        if (pl_past_depend(&s->past, pl_past_record_of(&s->past, race->taken[i]), look))
            return false;
    }
    return pl_operation_is(look->op.kind, PL_ROLE_QUEUES);
}

/* The first byte of a text that the operation has changed, or its size. */
static uint32_t first_changed(const struct pl_operation *text, const struct pl_operation *by)
{
    uint64_t first = pl_depend_object(by), end = text->addr + text->size;

    if (by->effect <= PL_EFFECT_READ || first >= end || first + pl_depend_size(by) <= text->addr)
        return text->size;
    return first > text->addr ? (uint32_t)(first - text->addr) : 0;
}

void pl_dpor_shorten(const struct pl_dpor *s, struct pl_operation *text,
                     const struct pl_past_race *race)
{
    const struct pl_past *p = &s->past;
    const uint32_t end = race->pending ? p->n_events : race->second;

    for (uint32_t i = pl_past_first(race); text->text && i < end; i++) {
        uint32_t first = first_changed(text, &pl_past_record_of(p, i)->op);

        if (first < text->size && pl_past_is_taken(p, race, i))
            text->size = first + 1;
    }
}

uint32_t pl_dpor_at_least(struct pl_dpor *s, const struct pl_past_record *r,
                          const struct pl_past_race *race)
{
    const struct pl_operation *before = &pl_past_record_of(&s->past, race->taken[0])->op;
    struct pl_past_record least = *r;

    pl_dpor_lessen(&least);
    if ((race->n == 1 && only_reads(before)) || finds_the_same(s, &least, race)) {
        least.op.effect = r->op.effect;
        least.op.other = r->op.other;
        least.op.other_effect = r->op.other_effect;
    } else if (pl_operation_is(r->op.kind, PL_ROLE_INITIALISES) &&
               pl_operation_is(before->kind, PL_ROLE_INITIALISES)) {
        least.op.effect = PL_EFFECT_WRITE; /* whoever comes first does the work; others wait */
    } else {
        pl_dpor_shorten(s, &least.op, race);
    }
    return pl_past_record(&s->past, &least);
}
