/* SPDX-License-Identifier: MIT */
/*
 * See covered.h: everything that is known about orders of two statements as one list.
 * Each source puts marks on an order or on its opposite; sorting brings the marks of an
 * order together, and what they mean is decided once.
 */
#include "base/assert.h"
#include "trace/covered.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEEN = 1,       /* M3 */
    GOOD = 2,       /* a predecessor set has it */
    TRIED = 4,      /* in vain */
    CONCURRENT = 8, /* these two were seen without an order by creation or join */
    OPPOSITE = 16,  /* M3 has the opposite */
    OTHER = 32,     /* a predecessor set has the opposite */
    FAILED = 64,    /* an execution that failed had it */
};

struct marked {
    uint32_t a, b, marks;
    struct pl_covered_first first;
};

struct marks {
    const struct pl_covered *set;
    const struct pl_covered_hold *holds;
    struct marked *items;
    size_t n;
};

static void put(struct marks *m, const struct pl_covered_task *tasks, size_t n, uint32_t mark,
                uint32_t opposite)
{
    for (size_t i = 0; i < n; i++) {
        const struct pl_covered_task *t = &tasks[i];
        const struct pl_covered_first none = {0};

        m->items[m->n++] =
            (struct marked){t->a, t->b, mark, mark & (SEEN | GOOD | FAILED) ? t->first : none};
        if (opposite != 0)
            m->items[m->n++] = (struct marked){t->b, t->a, opposite, none};
    }
}

static int by_statements(const void *a, const void *b)
{
    const struct marked *x = a, *y = b;

    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static bool is_one_of(const char *operation, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(operation, *list) == 0)
            return true;
    }
    return false;
}

/*
 * Nobody else comes between taking a lock and leaving it: a has the lock, and b has to have
 * it as well, or gives it away.  Attempts that may fail do come between.
 */
static bool is_held(const struct pl_covered *c, const struct marked *m)
{
    static const char *const takes[] = {"mutex lock", "cond wake-up", "spin lock",
                                        "rwlock write lock", NULL};
    static const char *const has[] = {
        "mutex lock",    "mutex unlock",     "cond wait",   "cond timedwait",
        "cond wake-up",  "spin lock",        "spin unlock", "rwlock write lock",
        "rwlock unlock", "rwlock read lock", NULL};

    return is_one_of(c->statements[m->a].operation, takes) &&
           is_one_of(c->statements[m->b].operation, has);
}

/* Locks keep two accesses apart.  That these touch the same memory their opposite has shown. */
static bool is_apart(const struct marks *all, const struct marked *m, struct pl_covered_order *o)
{
    const struct pl_covered_hold *a = &all->holds[m->a], *b = &all->holds[m->b];

    o->locks[0] = a->lock;
    o->locks[1] = b->lock;
    return (m->marks & (OPPOSITE | OTHER)) != 0 && pl_covered_apart(a, b, true, &o->preceded);
}

/* Releases of locks have no part in predecessor sets, so locks follow each other there. */
static enum pl_covered_why why_not(const struct marks *all, const struct marked *m,
                                   struct pl_covered_order *o)
{
    bool pair = (m->marks & OPPOSITE) != 0 && (m->marks & OTHER) == 0;

    if (pair && is_held(all->set, m))
        return PL_COVERED_HELD;
    if (is_apart(all, m, o))
        return PL_COVERED_APART;
    if (pair && (m->marks & CONCURRENT) == 0)
        return PL_COVERED_ORDERED;
    return (m->marks & TRIED) != 0 ? PL_COVERED_VAIN : PL_COVERED_WHY_NOT;
}

static struct pl_covered_order order_of(const struct marks *all, const struct marked *m)
{
    struct pl_covered_order o = {
        .a = m->a,
        .b = m->b,
        .first = m->first,
        .pair = (m->marks & (SEEN | OPPOSITE)) != 0,
        .seen = (m->marks & SEEN) != 0,
        .good = (m->marks & GOOD) != 0,
        .failed = (m->marks & FAILED) != 0,
        .tried = (m->marks & TRIED) != 0,
    };

    if (o.seen || o.good || o.failed)
        return o;
    o.why = why_not(all, m, &o);
    o.state = o.why == PL_COVERED_WHY_NOT ? PL_COVERED_OPEN : PL_COVERED_NEVER;
    PL_ASSERT(o.a < all->set->n_statements && o.b < all->set->n_statements);
    return o;
}

/* The marks of equal orders become one. */
static void unite(struct marks *m)
{
    size_t n = 0;

    qsort(m->items, m->n, sizeof(*m->items), by_statements);
    for (size_t i = 0; i < m->n; i++) {
        struct marked *to = n > 0 ? &m->items[n - 1] : NULL;

        if (to == NULL || by_statements(to, &m->items[i]) != 0) {
            m->items[n++] = m->items[i];
            continue;
        }
        to->marks |= m->items[i].marks;
        if (pl_covered_earlier(m->set, m->items[i].first, to->first))
            to->first = m->items[i].first;
    }
    PL_ASSERT(n <= m->n);
    m->n = n;
}

void pl_covered_orders(struct pl_covered_orders *orders, const struct pl_covered *c)
{
    size_t most =
        2 * (c->n_pairs + c->n_predecessors + c->n_failing + c->n_concurrent) + c->n_tried + 1;
    struct pl_covered_hold *holds = pl_covered_holds(c);
    struct marks m = {
        .set = c, .holds = holds, .items = pl_err_must(calloc(most, sizeof(*m.items)))};

    put(&m, c->pairs, c->n_pairs, SEEN, OPPOSITE);
    put(&m, c->predecessors, c->n_predecessors, GOOD, OTHER);
    put(&m, c->failing, c->n_failing, FAILED, OTHER);
    put(&m, c->tried, c->n_tried, TRIED, 0);
    put(&m, c->concurrent, c->n_concurrent, CONCURRENT, CONCURRENT);
    PL_ASSERT(m.n < most);
    unite(&m);
    *orders =
        (struct pl_covered_orders){.items = pl_err_must(calloc(m.n + 1, sizeof(*orders->items)))};
    for (size_t i = 0; i < m.n; i++) {
        if (m.items[i].marks != CONCURRENT)
            orders->items[orders->n++] = order_of(&m, &m.items[i]);
    }
    free(m.items);
    free(holds);
}

void pl_covered_orders_free(struct pl_covered_orders *orders)
{
    free(orders->items);
    *orders = (struct pl_covered_orders){0};
}
