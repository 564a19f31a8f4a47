/* SPDX-License-Identifier: MIT */
/* See judged.h.  Numbers are added to by several workers at once. */
#include "model/judged.h"

static const struct {
    const char *text, *phrase;
} verdicts[PL_JUDGED_KINDS] = {
#define PL_JUDGED(name, text, phrase) {text, phrase},
#include "model/judged.def"
#undef PL_JUDGED
};

const char *pl_judged_text(unsigned kind)
{
    PL_ASSERT(kind < PL_JUDGED_KINDS);
    return verdicts[kind].text;
}

const char *pl_judged_phrase(unsigned kind)
{
    PL_ASSERT(kind < PL_JUDGED_KINDS);
    return verdicts[kind].phrase;
}

static void count(uint32_t *n)
{
    __atomic_fetch_add(n, 1, __ATOMIC_RELAXED);
}

static void note(struct pl_judged *of, const struct pl_judged *what, enum pl_judged_kind kind)
{
    of->why = (uint8_t)(kind + 1);
    of->thread = what->thread;
    of->from = what->from;
    of->to = what->to;
}

void pl_judged_try(struct pl_judgements *v, uint32_t pair, unsigned direction)
{
    struct pl_judged *of = pl_judged_of(v, pair, direction);

    if (v != NULL)
        __atomic_fetch_add(&v->attempts, 1, __ATOMIC_RELAXED);
    if (of != NULL)
        count(&of->attempts);
}

void pl_judged_add(struct pl_judgements *v, uint32_t pair, unsigned direction,
                   const struct pl_judged *what, enum pl_judged_kind kind)
{
    struct pl_judged *of = pl_judged_of(v, pair, direction);

    if (v != NULL)
        __atomic_fetch_add(&v->of[kind], 1, __ATOMIC_RELAXED);
    if (of == NULL)
        return;
    count(&of->of[kind]);
    if (kind != PL_JUDGED_FULFILLED && kind != PL_JUDGED_SUPERSEDED)
        note(of, what, kind);
}

void pl_judged_delete(struct pl_judgements *v, uint32_t pair, unsigned direction,
                      const struct pl_judged *what)
{
    struct pl_judged *of = pl_judged_of(v, pair, direction);

    if (of != NULL && of->why == 0)
        note(of, what, PL_JUDGED_ALIAS);
}

void pl_judged_show(struct pl_judgements *v, uint32_t pair, unsigned direction)
{
    struct pl_judged *of = pl_judged_of(v, pair, direction);

    if (of != NULL)
        of->shown = 1;
}

void pl_judged_fail(struct pl_judgements *v, uint32_t pair, unsigned direction, uint64_t execution)
{
    struct pl_judged *of = pl_judged_of(v, pair, direction);

    if (of == NULL)
        return;
    if (of->failed == 0)
        of->execution = execution;
    count(&of->failed);
}
