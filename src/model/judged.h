/* SPDX-License-Identifier: MIT */
/*
 * What is known of the orders of static pairs (model/pair.h): for each pair and direction which
 * attempts there were to show it, and what came of them.  It lies in the common: all workers add to
 * it, and the tool reads it when the campaign is over.
 *
 * Direction 0 of a pair is a before b, direction 1 b before a.  A pair of a site with itself has
 * direction 0 only.
 */
#ifndef PL_MODEL_JUDGED_H
#define PL_MODEL_JUDGED_H

#include "model/pair.h"

enum pl_judged_kind {
#define PL_JUDGED(name, text, phrase) PL_JUDGED_##name,
#include "model/judged.def"
#undef PL_JUDGED
    PL_JUDGED_KINDS
};

enum {
    PL_JUDGED_PAIRS = 8192, /* pairs beyond have no verdicts */
};

/* Of one direction of one pair; fields only grow, but for those of the last attempt. */
struct pl_judged {
    uint32_t attempts;
    uint32_t of[PL_JUDGED_KINDS]; /* how many came to what */
    uint32_t shown;  /* whether executions have performed one before the other, to the same object
                      */
    uint32_t failed; /* executions with a finding that an attempt at it led to */
    uint64_t execution; /* the first of these */
    /* The last attempt that was in vain: */
    uint8_t why;       /* enum pl_judged_kind, plus 1; 0: there was none */
    uint16_t thread;   /* which was to come to the statement, or is in the way */
    uint64_t from, to; /* BRANCH, CALLEE: it went from this pc to that one, 0 being its end;
                          ALIAS: the two addresses; BLOCKED: where it waits */
};

struct pl_judgements {
    uint32_t overlooked; /* executions were too long for all that they show to be seen */
    uint64_t attempts, switches;
    uint64_t of[PL_JUDGED_KINDS];
    struct pl_judged pairs[PL_JUDGED_PAIRS][2];
};

const char *pl_judged_text(unsigned kind);
const char *pl_judged_phrase(unsigned kind);

/* The direction of a pair in which the site comes first. */
static inline unsigned pl_judged_direction(const struct pl_pair *p, uint32_t first)
{
    return p->a == first ? 0 : 1;
}

/* NULL: there is no room for the pair. */
static inline struct pl_judged *pl_judged_of(struct pl_judgements *v, uint32_t pair,
                                             unsigned direction)
{
    return v != NULL && pair < PL_JUDGED_PAIRS ? &v->pairs[pair][direction] : NULL;
}

/* The pair was tried; it came to something; it was shown. */
void pl_judged_try(struct pl_judgements *v, uint32_t pair, unsigned direction);
void pl_judged_add(struct pl_judgements *v, uint32_t pair, unsigned direction,
                   const struct pl_judged *what, enum pl_judged_kind kind);
/* It needs no attempt: others have shown that the two are at different objects. */
void pl_judged_delete(struct pl_judgements *v, uint32_t pair, unsigned direction,
                      const struct pl_judged *what);
void pl_judged_show(struct pl_judgements *v, uint32_t pair, unsigned direction);
void pl_judged_fail(struct pl_judgements *v, uint32_t pair, unsigned direction, uint64_t execution);

#endif /* PL_MODEL_JUDGED_H */
