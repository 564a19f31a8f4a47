/* SPDX-License-Identifier: MIT */
/*
 * See covered.h: which functions could be interrupted by which.
 *
 * A program may have a hundred thousand functions, and a table of all their pairs fits nowhere. But
 * what is possible is decided by the threads that ran them: functions that the same threads ran are
 * of one sort, and of sorts there are few.  What was seen although nothing says that it could be
 * stands in a list of its own.
 */
#include "base/assert.h"
#include "trace/covered.h"

#include <stdlib.h>
#include <string.h>

/* Where there are more, functions of several sorts are taken for one: too much is possible then. */
enum { SORTS_MAX = 4096 };

static void *list_of(size_t n, size_t size)
{
    return pl_err_must(calloc(n + 1, size));
}

static void number_rows(struct pl_covered_possible *p, const struct pl_covered *c)
{
    p->functions = list_of(c->n_functions, sizeof(*p->functions));
    p->rows = list_of(c->n_functions, sizeof(*p->rows));
    for (size_t i = 0; i < c->n_functions; i++) {
        p->rows[i] = c->functions[i].executed ? (uint32_t)p->n : UINT32_MAX;
        if (c->functions[i].executed)
            p->functions[p->n++] = (uint32_t)i;
    }
    PL_ASSERT(p->n <= c->n_functions);
}

/* ---- sorts ---- */

struct split {
    uint32_t *size;    /* of each sort */
    uint32_t *here;    /* how many of them the thread ran */
    uint32_t *becomes; /* the sort of these, from now on; 0: as before */
};

/* A thread ran some functions of a sort and not others: they are two from now on. */
static void split_by(struct pl_covered_possible *p, const struct pl_covered_thread *t,
                     struct split *s)
{
    memset(s->here, 0, p->n_sorts * sizeof(*s->here));
    memset(s->becomes, 0, SORTS_MAX * sizeof(*s->becomes));
    for (size_t i = 0; i < t->n_functions; i++) {
        if (p->rows[t->functions[i]] != UINT32_MAX)
            s->here[p->sorts[p->rows[t->functions[i]]]]++;
    }
    for (uint32_t k = 0, n = (uint32_t)p->n_sorts; k < n && p->n_sorts < SORTS_MAX; k++) {
        if (s->here[k] > 0 && s->here[k] < s->size[k]) {
            s->size[p->n_sorts] = s->here[k];
            s->size[k] -= s->here[k];
            s->becomes[k] = (uint32_t)p->n_sorts++;
        }
    }
    for (size_t i = 0; i < t->n_functions; i++) {
        uint32_t row = p->rows[t->functions[i]];

        if (row != UINT32_MAX && s->becomes[p->sorts[row]] != 0)
            p->sorts[row] = s->becomes[p->sorts[row]];
    }
}

static void sort_out(struct pl_covered_possible *p, const struct pl_covered *c)
{
    struct split s = {list_of(SORTS_MAX, sizeof(*s.size)), list_of(SORTS_MAX, sizeof(*s.here)),
                      list_of(SORTS_MAX, sizeof(*s.becomes))};

    p->sorts = list_of(p->n, sizeof(*p->sorts));
    p->n_sorts = 1;
    s.size[0] = (uint32_t)p->n;
    for (size_t i = 0; i < c->n_threads; i++)
        split_by(p, &c->threads[i], &s);
    p->starts = list_of(p->n_sorts + 1, sizeof(*p->starts));
    p->members = list_of(p->n, sizeof(*p->members));
    for (size_t k = 0; k < p->n_sorts; k++)
        p->starts[k + 1] = p->starts[k] + s.size[k];
    memcpy(s.here, p->starts, p->n_sorts * sizeof(*s.here));
    for (uint32_t row = 0; row < p->n; row++)
        p->members[s.here[p->sorts[row]]++] = row;
    PL_ASSERT(p->starts[p->n_sorts] == p->n);
    free(s.size);
    free(s.here);
    free(s.becomes);
}

/* Whatever a thread ran could be interrupted by what those ran that were alive with it. */
static void relate(struct pl_covered_possible *p, const struct pl_covered *c)
{
    size_t words = p->n_sorts / 64 + 1;
    uint64_t *ran = list_of(c->n_threads * words, sizeof(*ran));
    uint64_t *others = list_of(words, sizeof(*others));

    p->bits = list_of(p->n_sorts * words, sizeof(*p->bits));
    for (size_t i = 0; i < c->n_threads; i++) {
        for (size_t k = 0; k < c->threads[i].n_functions; k++) {
            uint32_t row = p->rows[c->threads[i].functions[k]];

            if (row != UINT32_MAX)
                ran[i * words + p->sorts[row] / 64] |= UINT64_C(1) << (p->sorts[row] % 64);
        }
    }
    for (size_t i = 0; i < c->n_threads; i++) {
        const struct pl_covered_thread *t = &c->threads[i];

        memset(others, 0, words * sizeof(*others));
        for (size_t k = 0; k < t->n_together; k++) {
            for (size_t w = 0; w < words; w++)
                others[w] |= ran[t->together[k] * words + w];
        }
        for (size_t sort = 0; sort < p->n_sorts; sort++) {
            bool mine = (ran[i * words + sort / 64] >> (sort % 64) & 1) != 0;

            for (size_t w = 0; w < words && mine; w++)
                p->bits[sort * words + w] |= others[w];
        }
    }
    free(ran);
    free(others);
}

/* ---- pairs ---- */

bool pl_covered_related(const struct pl_covered_possible *p, size_t sort, size_t other)
{
    PL_ASSERT(sort < p->n_sorts && other < p->n_sorts);
    return (p->bits[sort * (p->n_sorts / 64 + 1) + other / 64] >> (other % 64) & 1) != 0;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

bool pl_covered_can(const struct pl_covered_possible *p, size_t a, size_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;

    PL_ASSERT(a < p->n && b < p->n);
    return pl_covered_related(p, p->sorts[a], p->sorts[b]) ||
           (p->n_more > 0 && bsearch(&key, p->more, p->n_more, sizeof(key), by_number) != NULL);
}

static void add_seen(struct pl_covered_possible *p, const struct pl_covered *c)
{
    p->more = list_of(c->n_switches, sizeof(*p->more));
    for (size_t i = 0; i < c->n_switches; i++) {
        uint32_t a = p->rows[c->switches[i].a], b = p->rows[c->switches[i].b];

        if (a != UINT32_MAX && b != UINT32_MAX && !pl_covered_related(p, p->sorts[a], p->sorts[b]))
            p->more[p->n_more++] = (uint64_t)a << 32 | b;
    }
    if (p->n_more > 0)
        qsort(p->more, p->n_more, sizeof(*p->more), by_number);
}

void pl_covered_possible(struct pl_covered_possible *p, const struct pl_covered *c)
{
    *p = (struct pl_covered_possible){0};
    number_rows(p, c);
    sort_out(p, c);
    relate(p, c);
    add_seen(p, c);
    p->total = p->n_more;
    for (size_t k = 0; k < p->n_sorts; k++) {
        uint64_t size = p->starts[k + 1] - p->starts[k];

        for (size_t other = 0; other < p->n_sorts; other++) {
            if (pl_covered_related(p, k, other))
                p->total += size * (p->starts[other + 1] - p->starts[other]);
        }
    }
}

void pl_covered_possible_free(struct pl_covered_possible *p)
{
    free(p->functions);
    free(p->rows);
    free(p->sorts);
    free(p->starts);
    free(p->members);
    free(p->bits);
    free(p->more);
    *p = (struct pl_covered_possible){0};
}
