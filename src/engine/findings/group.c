/* SPDX-License-Identifier: MIT */
/*
 * See group.h.  Words are compared, not addresses: the same field of two objects, and two elements
 * of one array, are one variable of the program's text.
 */
#include "engine/findings/group.h"

#include "base/assert.h"
#include "base/err.h"
#include "model/finding.h"

#include <stdlib.h>
#include <string.h>

/* The variable's name without subscripts: "accounts[].balance"; empty when it has none. */
static void name_variable(char *to, size_t size, const char *object)
{
    size_t n = 0;

    if (strncmp(object, "stack of ", 9) == 0 || strncmp(object, "block ", 6) == 0)
        object = "";
    while (*object != '\0' && n + 1 < size) {
        to[n++] = *object;
        object += *object == '[' ? 1 + strspn(object + 1, "0123456789") : 1;
    }
    to[n] = '\0';
}

static bool same_variable(const char *a, const char *b)
{
    char names[2][PL_RESULT_LINE];

    name_variable(names[0], sizeof(names[0]), a);
    name_variable(names[1], sizeof(names[1]), b);
    return names[0][0] != '\0' && strcmp(names[0], names[1]) == 0;
}

/* Blocks that the same statement allocated, and the same place in them. */
static bool same_field(const char *a, const char *b)
{
    const char *from_a = strncmp(a, "block ", 6) == 0 ? strstr(a, " from ") : NULL;
    const char *from_b = strncmp(b, "block ", 6) == 0 ? strstr(b, " from ") : NULL;

    return from_a != NULL && from_b != NULL && strcmp(from_a, from_b) == 0;
}

static bool same_access(const struct pl_result_access *a, const struct pl_result_access *b)
{
    return a->location[0] != '\0' && strcmp(a->location, b->location) == 0 &&
           strcmp(a->operation, b->operation) == 0;
}

static bool has_access(const struct pl_result_finding *race, const struct pl_result_access *a)
{
    for (size_t i = 0; i < race->n_accesses; i++) {
        if (same_access(&race->accesses[i], a))
            return true;
    }
    return false;
}

static bool same_lines(const struct pl_result_finding *a, const struct pl_result_finding *b)
{
    const struct pl_result_access *x = a->accesses, *y = b->accesses;

    return (same_access(&x[0], &y[0]) && same_access(&x[1], &y[1])) ||
           (same_access(&x[0], &y[1]) && same_access(&x[1], &y[0]));
}

/* One statement allocates for many in some programs: of such blocks it must be a known access. */
static bool belongs(const struct pl_result_finding *race, const struct pl_result_finding *pair)
{
    return same_variable(race->object, pair->object) || same_lines(race, pair) ||
           (same_field(race->object, pair->object) &&
            (has_access(race, &pair->accesses[0]) || has_access(race, &pair->accesses[1])));
}

static bool is_race(const struct pl_result_finding *f)
{
    return strcmp(f->kind, pl_finding_text(PL_FINDING_RACE)) == 0 && f->n_accesses >= 2;
}

struct pl_result_finding *pl_group_find(struct pl_result_finding *findings, size_t n,
                                        const struct pl_result_finding *pair)
{
    for (size_t i = 0; is_race(pair) && i < n; i++) {
        if (&findings[i] != pair && is_race(&findings[i]) && belongs(&findings[i], pair))
            return &findings[i];
    }
    return NULL;
}

void pl_group_join(struct pl_result_finding *race, const struct pl_result_finding *pair)
{
    PL_ASSERT(race != pair && is_race(race) && is_race(pair));
    race->pairs++;
    for (size_t i = 0; i < 2; i++) {
        if (has_access(race, &pair->accesses[i]))
            continue;
        race->accesses =
            pl_err_must(realloc(race->accesses, (race->n_accesses + 1) * sizeof(*race->accesses)));
        race->accesses[race->n_accesses++] = pair->accesses[i];
    }
}
