/* SPDX-License-Identifier: MIT */
/* See depend.h. */
#include "model/depend.h"

#include "base/assert.h"

/* An object of 0 is none. */
static bool touch(uint64_t a, uint64_t a_size, unsigned a_effect, uint64_t b, uint64_t b_size,
                  unsigned b_effect)
{
    return a != 0 && b != 0 && pl_depend_touch(a, a_size, a_effect, b, b_size, b_effect);
}

static bool cancels(const struct pl_operation *a, const struct pl_operation *b)
{
    return pl_depend_cancels(a) && a->aux == b->tid && pl_depend_reaches(a, b);
}

/* A copy of everything has what was done before, and not what is done after. */
static bool copies(const struct pl_operation *a, const struct pl_operation *b)
{
    return pl_operation_is(a->kind, PL_ROLE_COPIES) &&
           (b->effect != PL_EFFECT_NONE || b->other != 0 ||
            pl_operation_is(b->kind, PL_ROLE_COPIES));
}

/* Whoever waits for input may wait for any output; so does one that a signal comes before. */
static bool awaits_any(const struct pl_operation *a, const struct pl_operation *b)
{
    return pl_depend_object(a) == PL_DEPEND_FILES && a->effect != PL_EFFECT_NONE &&
           b->effect != PL_EFFECT_NONE && pl_operation_object(b->kind) == PL_OBJECT_FILE;
}

bool pl_depend(const struct pl_operation *a, const struct pl_operation *b)
{
    uint64_t a_object = pl_depend_object(a), b_object = pl_depend_object(b);

    PL_ASSERT(a->effect <= PL_EFFECT_WRITE && a->other_effect <= PL_EFFECT_WRITE);
    PL_ASSERT(b->effect <= PL_EFFECT_WRITE && b->other_effect <= PL_EFFECT_WRITE);
    if (touch(a_object, pl_depend_size(a), a->effect, b_object, pl_depend_size(b), b->effect))
        return true;
    if (a->other != 0 &&
        touch(a->other, 1, a->other_effect, b_object, pl_depend_size(b), b->effect))
        return true;
    if (b->other != 0 &&
        touch(b->other, 1, b->other_effect, a_object, pl_depend_size(a), a->effect))
        return true;
    if (a->other != 0 && b->other != 0 &&
        touch(a->other, 1, a->other_effect, b->other, 1, b->other_effect))
        return true;
    return cancels(a, b) || cancels(b, a) || copies(a, b) || copies(b, a) || awaits_any(a, b) ||
           awaits_any(b, a);
}
