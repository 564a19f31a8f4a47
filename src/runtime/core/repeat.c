/* SPDX-License-Identifier: MIT */
/* See repeat.h. */
#include "runtime/core/repeat.h"

#include "runtime/ground/entry.h"

void pl_repeat_plan(bool helps)
{
    const struct pl_strategy_resumes *r = pl_stage->strategy->resumes;
    struct pl_board_asked_list *known = &pl_board->asked;
    bool same = known->of_search && !helps && known->shared_known == pl_board->shared_known;

    known->repeats = same && r != NULL ? r->repeats(&pl_stage->context) : 0;
}

void pl_repeat_begun(void)
{
    pl_board->asked.of_search = pl_stage->repeatable;
    pl_board->asked.shared_known = pl_board->shared_known;
}

static struct pl_board_offer offer_of(const struct pl_operation *op)
{
    return (struct pl_board_offer){.addr = op->addr,
                                   .pc = op->pc,
                                   .name = op->name,
                                   .ordinal = op->ordinal,
                                   .tid = op->tid,
                                   .kind = op->kind,
                                   .way = op->way};
}

static struct pl_operation operation_of(const struct pl_board_offer *o)
{
    return (struct pl_operation){.kind = o->kind,
                                 .way = o->way,
                                 .tid = o->tid,
                                 .addr = o->addr,
                                 .pc = o->pc,
                                 .name = o->name};
}

/* In what an operation is another than it was; NULL: in nothing. */
static const char *difference(const struct pl_board_offer *was, const struct pl_board_offer *is)
{
    if (was->name != is->name || was->kind != is->kind)
        return "did not repeat another: it came to another operation";
    if (was->addr != is->addr)
        return "did not repeat another: its operation is on another object";
    /* Where a call of libc was made is known by and by: the first time through the loader. */
    if (was->pc != is->pc && pl_operation_is(is->kind, PL_ROLES(PLAIN, ATOMIC)))
        return "did not repeat another: its operation is at another place";
    if (was->way != is->way)
        return "did not repeat another: its operation goes on in another way";
    if (was->ordinal != is->ordinal)
        return "did not repeat another: the thread has done more or less up to its operation";
    return NULL;
}

/* True when the two differ, which is said. */
static bool differs(const struct pl_board_offer *was, const struct pl_board_offer *is)
{
    const char *why = difference(was, is);

    if (why == NULL)
        return false;
    const struct pl_operation expected = operation_of(was), actual = operation_of(is);

    pl_strategy_stray_at(&pl_stage->context, why, &expected, &actual);
    return true;
}

static void compare(const struct pl_board_asked *was, const struct pl_view *view, uint16_t n)
{
    const struct pl_board_offer *offers = &pl_board->asked.offers[was->first];
    const struct pl_board_offer at = offer_of(&view->at);
    char why[128];

    for (unsigned i = 0; i < n && i < was->n; i++) {
        const struct pl_board_offer is = offer_of(view->next[i]);

        if (differs(&offers[i], &is))
            return;
    }
    if (differs(&was->at, &at))
        return;
    if (was->options != view->options) {
        pl_text_format(why, sizeof(why), "did not repeat another: %u ways to go on instead of %u",
                       view->options, was->options);
        pl_strategy_stray_at(&pl_stage->context, why, NULL, &view->at);
    } else if (was->course != pl_stage->course) {
        pl_strategy_stray_at(&pl_stage->context,
                             "did not repeat another: something else was done up to here", NULL,
                             &view->at);
    }
}

void pl_repeat_look(const struct pl_view *view)
{
    struct pl_board_asked_list *known = &pl_board->asked;
    uint64_t i = pl_board->n_asked;

    if (!pl_stage->repeatable || i >= PL_BOARD_ASKED)
        return;
    struct pl_board_asked *asked = &known->list[i];
    uint16_t n = (uint16_t)(view->next != NULL ? view->options : 0);
    uint32_t first = i > 0 ? asked[-1].first + asked[-1].n : 0;

    if (i < known->repeats && !pl_incomplete_has(&pl_board->incomplete, PL_INCOMPLETE_PREEMPTED))
        compare(asked, view, n);
    if (first + n > PL_BOARD_OFFERS)
        n = 0; /* of what comes now only the operation at the choice is known */
    *asked = (struct pl_board_asked){.course = pl_stage->course,
                                     .first = first,
                                     .n = n,
                                     .options = (uint16_t)view->options,
                                     .at = offer_of(&view->at)};
    for (unsigned k = 0; k < n; k++)
        known->offers[first + k] = offer_of(view->next[k]);
}
