/* SPDX-License-Identifier: MIT */
/* See covered.h: what is known of statements within holds of locks, and what follows from it. */
#include "base/assert.h"
#include "model/operation.h"
#include "trace/covered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pl_covered_hold *pl_covered_holds(const struct pl_covered *c)
{
    struct pl_covered_hold *holds = pl_err_must(calloc(c->n_statements + 1, sizeof(*holds)));

    for (size_t i = 0; i < c->n_statements; i++)
        holds[i].lock = UINT32_MAX;
    for (size_t i = 0; i < c->n_with_lock && !c->lost; i++) {
        uint32_t *lock = &holds[c->with_lock[i].b].lock;

        if (c->with_lock[i].a < *lock)
            *lock = c->with_lock[i].a;
    }
    for (size_t i = 0; i < c->n_without_lock; i++)
        holds[c->without_lock[i].b].without = true;
    for (size_t i = 0; i < c->n_first_in_hold; i++)
        holds[c->first_in_hold[i].b].first = true;
    for (size_t i = 0; i < c->n_last_in_hold; i++)
        holds[c->last_in_hold[i].b].last = true;
    for (size_t i = 0; i < c->n_lasting_in_hold; i++)
        holds[c->lasting_in_hold[i].b].lasting = true;
    return holds;
}

static bool is_within(const struct pl_covered_hold *h)
{
    return h->lock != UINT32_MAX && !h->without;
}

bool pl_covered_apart(const struct pl_covered_hold *a, const struct pl_covered_hold *b,
                      bool touched, bool *preceded)
{
    *preceded = !b->first;
    return is_within(a) && is_within(b) && (!b->first || !(touched ? a->last : a->lasting));
}

void pl_covered_describe_apart(const struct pl_covered *c, const uint32_t locks[2], bool preceded,
                               char *to, size_t size)
{
    const struct pl_covered_statement *a = &c->statements[locks[0]], *b = &c->statements[locks[1]];
    PL_ASSERT(locks[0] < c->n_statements && locks[1] < c->n_statements);
    enum pl_object_kind object = pl_operation_object(pl_operation_find(a->operation));
    char second[600] = "";

    if (strcmp(a->place, b->place) != 0)
        snprintf(second, sizeof(second), " and at %s", b->place);
    snprintf(to, size, "both have the %s taken at %s%s; the %s one's thread %s",
             pl_object_text(object), a->place, second, preceded ? "second" : "first",
             preceded ? "has always written there before"
                      : "always comes back there before it unlocks");
}
