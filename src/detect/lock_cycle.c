/* SPDX-License-Identifier: MIT */
/*
 * Circles of acquisitions, each of which waits for what the thread of the next
 * one has.  Threads could all stand at them at the same time if nothing keeps two
 * of them apart:
 *
 *  - what they have goes together: no lock that both have, unless both read it.
 *    That rules out acquisitions behind a common gate lock;
 *  - they can come to have it: not if each has taken and given up, since it had its
 *    lock, the lock that the other has since before.  (Kahlon, Ivancic and Gupta,
 *    "Reasoning about threads communicating via locks", CAV 2005: acquisition
 *    histories.)
 *  - neither is over before the other begins by creation or join.
 *
 * Whether values keep them apart is not known here: predictions are driven.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "detect/host.h"
#include "detect/lock_order.h"
#include "model/cycle.h"

enum { STEPS = 20000 }; /* of one search; then it is given up */
enum { SLOTS_FIRST = 256 };

struct search {
    struct pl_order_holders *holders;
    const struct pl_order_want *chain[PL_CYCLE_MAX];
    const struct pl_order_hold
        *entry[PL_CYCLE_MAX]; /* what chain[i] has that the one before wants */
    unsigned n;
    unsigned steps;
};

bool pl_lock_cycle_start(struct pl_order_holders *holders)
{
    if (!pl_index_start(&holders->table, SLOTS_FIRST, false))
        return false;
    holders->base = holders->table.memory;
    return true;
}

static struct pl_order_lock *find_lock(const struct pl_order_holders *holders, uint64_t lock)
{
    PL_TABLE_EACH(i, &holders->table, pl_hash_mix(lock))
    {
        struct pl_order_lock *l = pl_index_memory(holders->base, i);

        if (l->lock == lock)
            return l;
    }
    return NULL;
}

bool pl_lock_cycle_add(struct pl_order_holders *holders, struct pl_order_hold *hold)
{
    struct pl_order_lock *l = find_lock(holders, hold->lock);

    if (l == NULL) {
        l = pl_host_allocate(sizeof(*l));
        if (l == NULL || !pl_index_add(&holders->table, pl_hash_mix(hold->lock),
                                       pl_index_number(holders->base, l)))
            return false;
        l->lock = hold->lock;
    }
    PL_ASSERT(l->lock == hold->lock && hold->want != NULL);
    hold->next = l->holds;
    l->holds = hold;
    return true;
}

static bool is_before(const struct pl_order_want *a, const struct pl_order_want *b)
{
    return b->clock != NULL && pl_clock_get(b->clock, a->tid) > a->segment;
}

/* Whether, since it had h, the thread of `w` took what somebody else has. */
static bool took(const struct pl_order_want *w, const struct pl_order_hold *h,
                 const struct pl_order_hold *other)
{
    for (unsigned i = h->rank; h->rank != 0 && i < w->n_past; i++) {
        if (w->past[i].lock == other->lock && !(w->past[i].shared && other->shared))
            return true;
    }
    return false;
}

/* Whether their threads could have all of it at the same time. */
static bool goes_together(const struct pl_order_want *a, const struct pl_order_want *b)
{
    for (unsigned i = 0; i < a->n; i++) {
        for (unsigned j = 0; j < b->n; j++) {
            const struct pl_order_hold *x = &a->held[i], *y = &b->held[j];

            if (x->lock == y->lock && x->lock != 0 && !(x->shared && y->shared))
                return false;
            if (took(a, x, y) && took(b, y, x))
                return false;
        }
    }
    return true;
}

static bool fits(const struct search *s, const struct pl_order_want *want)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct pl_order_want *other = s->chain[i];

        if (other->tid == want->tid || is_before(other, want) || is_before(want, other) ||
            !goes_together(other, want))
            return false;
    }
    return true;
}

/* What the first one has that `want` waits for, or NULL. */
static const struct pl_order_hold *closing(const struct search *s, const struct pl_order_want *want)
{
    const struct pl_order_want *first = s->chain[0];

    for (unsigned i = 0; i < first->n; i++) {
        if (first->held[i].lock == want->lock && !(first->held[i].shared && want->shared))
            return &first->held[i];
    }
    return NULL;
}

static void report(const struct search *s, const struct pl_order_hold *closing)
{
    struct pl_cycle cycle = {.n = s->n};

    PL_ASSERT(s->n >= 2 && s->n <= PL_CYCLE_MAX);
    for (unsigned i = 0; i < s->n; i++) {
        const struct pl_order_want *w = s->chain[i];
        const struct pl_order_hold *has = i == 0 ? closing : s->entry[i];

        cycle.members[i] = (struct pl_cycle_member){
            .tid = w->tid,
            .op = w->op,
            .shared = w->shared,
            .holds_shared = has->shared,
            .name = pl_host_name(w->tid),
            .wants = w->object,
            .wants_pc = w->pc,
            .holds = s->chain[(i + s->n - 1) % s->n]->object,
            .holds_pc = has->pc,
        };
    }
    pl_host_predict(&cycle);
}

static void extend(struct search *s)
{
    PL_ASSERT(s->n >= 1 && s->n < PL_CYCLE_MAX);
    const struct pl_order_want *last = s->chain[s->n - 1];

    const struct pl_order_lock *l = last->lock != 0 ? find_lock(s->holders, last->lock) : NULL;

    for (const struct pl_order_hold *h = l != NULL ? l->holds : NULL; h != NULL && s->steps < STEPS;
         h = h->next) {
        s->steps++;
        if (h->lock != last->lock || (h->shared && last->shared) || !fits(s, h->want))
            continue;
        s->chain[s->n] = h->want;
        s->entry[s->n++] = h;
        const struct pl_order_hold *end = closing(s, h->want);

        if (end != NULL)
            report(s, end);
        else if (s->n < PL_CYCLE_MAX)
            extend(s);
        s->n--;
    }
}

void pl_lock_cycle_search(struct pl_order_holders *holders, const struct pl_order_want *want)
{
    struct search s = {.holders = holders, .n = 1};

    s.chain[0] = want;
    extend(&s);
}
