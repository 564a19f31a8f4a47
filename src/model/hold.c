/* SPDX-License-Identifier: MIT */
/*
 * See hold.h.  Whether something follows an access in its hold is known when the hold ends, so
 * accesses are kept until then, in a short list of their thread.  Those of statements about which
 * it is known already that nothing need follow are not, which soon is most of them.
 */
#include "model/hold.h"

#include "base/assert.h"
#include "model/cover.h"

#include <stdatomic.h>
#include <stddef.h>

enum { AFTER = PL_HOLD_LAST | PL_HOLD_LASTING };
_Static_assert(PL_HOLD_SHIFT + PL_HOLD_FACTS <= 32, "all facts fit");

static uint32_t facts_of(const struct pl_cover *c, uint32_t statement)
{
    PL_CHECK(statement < PL_COVER_STATEMENTS);
    return atomic_load_explicit(&c->statements[statement].info, memory_order_relaxed);
}

__attribute__((noinline)) static void add_facts(struct pl_cover *c, uint32_t statement,
                                                uint32_t facts, uint64_t execution)
{
    uint32_t fresh = facts & ~atomic_fetch_or(&c->statements[statement].info, facts);

    PL_ASSERT(facts >> PL_HOLD_SHIFT << PL_HOLD_SHIFT == facts);
    for (unsigned i = 0; i < PL_HOLD_FACTS; i++) {
        if ((fresh >> (PL_HOLD_SHIFT + i) & 1) != 0)
            c->holds[statement].first[i] = execution;
    }
}

static inline void note(struct pl_cover *c, uint32_t statement, uint32_t facts, uint64_t execution)
{
    if ((facts_of(c, statement) & facts) != facts)
        add_facts(c, statement, facts, execution);
}

void pl_hold_note(struct pl_cover *c, uint32_t statement, uint32_t facts, uint64_t execution)
{
    note(c, statement, facts, execution);
}

/* ---- accesses in holds that go on ---- */

/* Nothing follows the access any more. */
static void settle(struct pl_cover *c, const struct pl_hold_access *a, uint64_t execution)
{
    note(c, a->statement, a->again ? PL_HOLD_LASTING : AFTER, execution);
}

static void remove_pending(struct pl_hold_pending *p, unsigned i)
{
    PL_ASSERT(i < p->n && p->n <= PL_HOLD_PENDING);
    p->n--;
    for (; i < p->n; i++)
        p->accesses[i] = p->accesses[i + 1];
}

static void settle_all(struct pl_cover *c, struct pl_hold_pending *p, uint32_t key,
                       uint64_t execution)
{
    for (unsigned i = p->n; i > 0; i--) {
        const struct pl_hold_access *a = &p->accesses[i - 1];

        if (a->locks[0] != key && a->locks[1] != key)
            continue;
        settle(c, a, execution);
        remove_pending(p, i - 1);
    }
}

void pl_hold_end(struct pl_cover *c, struct pl_hold_pending *p, struct pl_hold_thread *t,
                 uint64_t lock, uint64_t execution)
{
    uint32_t key = pl_hold_key(lock);
    unsigned i = t->n_locks;

    PL_ASSERT(i <= PL_HOLD_LOCKS);
    while (i > 0 && t->locks[i - 1].key != key)
        i--;
    if (i == 0)
        return;
    if (p->n > 0 && !t->locks[i - 1].shared)
        settle_all(c, p, key, execution);
    t->n_locks--;
    for (; i - 1 < t->n_locks; i++)
        t->locks[i - 1] = t->locks[i];
}

/* What an access means for those before it in the hold. */
static void follow(struct pl_hold_pending *p, const struct pl_hold_access *access)
{
    for (unsigned i = p->n; i > 0; i--) {
        struct pl_hold_access *a = &p->accesses[i - 1];

        if (a->cell != access->cell || (a->bytes & ~access->bytes) != 0)
            continue;
        if (access->writes || (a->statement == access->statement && a->bytes == access->bytes))
            remove_pending(p, i - 1); /* or it is about to take its place */
        else if (a->reads)
            a->again = true;
    }
}

static void keep(struct pl_cover *c, struct pl_hold_pending *p, const struct pl_hold_cell *cell,
                 const struct pl_hold_access *access, uint64_t execution)
{
    if (p->n == PL_HOLD_PENDING) {
        settle(c, &p->accesses[0], execution);
        remove_pending(p, 0);
    }
    struct pl_hold_access *to = &p->accesses[p->n++];

    *to = *access;
    to->again = false;
    for (unsigned i = 0; i < PL_HOLD_CANDIDATES; i++)
        to->locks[i] = cell->locks[i];
}

/* ---- the lock that memory is accessed with ---- */

/* The thread's hold of the lock, if it keeps others from what conflicts with the access. */
static const struct pl_hold_lock *hold_of(const struct pl_hold_thread *t, uint32_t key, bool reads)
{
    for (unsigned i = t->n_locks; i > 0; i--) {
        const struct pl_hold_lock *l = &t->locks[i - 1];

        if (l->key == key && (reads || !l->shared))
            return l;
    }
    return NULL;
}

/* The outermost lock and the innermost one: either may be what others have, too. */
static void choose(struct pl_hold_cell *cell, const struct pl_hold_thread *t, bool reads)
{
    for (unsigned i = 0; i < t->n_locks && cell->locks[0] == 0; i++) {
        if (reads || !t->locks[i].shared)
            cell->locks[0] = t->locks[i].key;
    }
    for (unsigned i = t->n_locks; i > 0 && cell->locks[1] == 0; i--) {
        if (reads || !t->locks[i - 1].shared)
            cell->locks[1] = t->locks[i - 1].key;
    }
    if (cell->locks[1] == cell->locks[0])
        cell->locks[1] = 0;
    PL_ASSERT(cell->locks[0] != 0 || cell->locks[1] == 0);
}

/* What the thread has of the candidates. */
struct common {
    const struct pl_hold_lock *lock; /* that which was taken last; or NULL */
    bool shared;                     /* one of them is not held for writing */
};

/* Candidates that the thread does not have are none any more. */
static struct common narrow(struct pl_hold_cell *cell, const struct pl_hold_thread *t, bool reads)
{
    struct common common = {NULL, false};
    uint32_t kept[PL_HOLD_CANDIDATES] = {0};
    unsigned n = 0;

    if (cell->locks[0] == 0)
        choose(cell, t, reads);
    for (unsigned i = 0; i < PL_HOLD_CANDIDATES && cell->locks[i] != 0; i++) {
        const struct pl_hold_lock *l = hold_of(t, cell->locks[i], reads);

        if (l == NULL)
            continue;
        kept[n++] = cell->locks[i];
        common.shared |= l->shared;
        if (common.lock == NULL || l->hold > common.lock->hold)
            common.lock = l;
    }
    for (unsigned i = 0; i < PL_HOLD_CANDIDATES && n > 0; i++)
        cell->locks[i] = kept[i];
    return common;
}

/* Nearly always memory has one lock, and it is the one that was taken last. */
static inline struct common common_of(struct pl_hold_cell *cell, const struct pl_hold_thread *t,
                                      bool reads)
{
    const struct pl_hold_lock *last = &t->locks[t->n_locks - 1];

    if (last->key == cell->locks[0] && cell->locks[1] == 0 && !last->shared)
        return (struct common){last, false};
    return narrow(cell, t, reads);
}

/* ---- accesses ---- */

/* Say with which lock, once. */
__attribute__((noinline)) static void tell_lock(struct pl_cover *c, uint32_t statement,
                                                uint32_t lock, uint64_t execution)
{
    uint32_t none = 0;

    atomic_compare_exchange_strong(&c->holds[statement].lock, &none, lock + 1);
    add_facts(c, statement, PL_HOLD_WITH, execution);
}

/* Within a hold that keeps all others out. */
static inline void see_within(struct pl_cover *c, struct pl_hold_pending *p,
                              struct pl_hold_cell *cell, const struct pl_hold_access *access,
                              uint32_t hold, uint64_t execution)
{
    uint32_t facts = facts_of(c, access->statement);

    if (cell->hold != hold) {
        cell->hold = hold;
        cell->wrote = 0;
        cell->pending = false;
    }
    if (cell->pending)
        follow(p, access);
    if ((facts & PL_HOLD_FIRST) == 0 && (access->bytes & ~cell->wrote) != 0)
        note(c, access->statement, PL_HOLD_FIRST, execution);
    if (access->writes)
        cell->wrote |= access->bytes;
    if ((facts & AFTER) == AFTER)
        return;
    keep(c, p, cell, access, execution);
    cell->pending = true;
}

void pl_hold_see(struct pl_cover *c, struct pl_hold_pending *p, const struct pl_hold_thread *t,
                 struct pl_hold_cell *cell, const struct pl_hold_access *access, uint64_t execution)
{
    struct common common = {NULL, false};

    if (t->n_locks > 0)
        common = common_of(cell, t, access->reads);
    PL_ASSERT(access->bytes != 0 && t->n_locks <= PL_HOLD_LOCKS);
    if (common.lock == NULL) {
        note(c, access->statement, PL_HOLD_WITHOUT, execution);
        return;
    }
    if ((facts_of(c, access->statement) & PL_HOLD_WITH) == 0)
        tell_lock(c, access->statement, common.lock->statement, execution);
    if (common.shared)
        note(c, access->statement, PL_HOLD_FIRST | AFTER, execution);
    else
        see_within(c, p, cell, access, common.lock->hold, execution);
}
