/* SPDX-License-Identifier: MIT */
/*
 * See locks.h.  Elements of sets are addresses in ascending order.  Records lie
 * densely and are found through tables.
 */
#include "detect/locks.h"

#include "base/assert.h"
#include "base/hash.h"
#include "detect/host.h"
#include "detect/index.h"

enum {
    SLOTS_FIRST = 1 << 8,
    HELDS = 1 << 15,
    SETS = 1 << 15,
    ELEMENTS = 1 << 17, /* of all sets together */
    ENTRIES = 1 << 17,  /* of all that threads have had */
    ANSWERS = 1 << 10,
    MOST = 64, /* locks that one thread has */
};

struct entry {
    uint64_t addr, pc;
    uint8_t object;
    bool shared;
};

/* Some locks in the order of their acquisition. */
struct held {
    uint32_t first, n;
    uint32_t any, writing; /* sets */
};

struct set {
    uint32_t first, n;
};

/* An intersection that was asked for lately. */
struct answer {
    uint32_t a, b, common;
};

struct pl_locks {
    uint32_t n_helds, n_sets, n_elements, n_entries;
    uint32_t of_thread[PL_THREADS_MAX]; /* what it has; 0: to be found out */
    struct pl_table held_table, set_table;
    struct answer answers[ANSWERS];
    struct held helds[HELDS];
    struct set sets[SETS];
    struct entry entries[ENTRIES];
    uint64_t elements[ELEMENTS];
};

static inline bool is_ascending(const uint64_t *elements, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (elements[i - 1] >= elements[i])
            return false;
    }
    return true;
}

/* The number of a set whose elements ascend. */
static uint32_t set_of(struct pl_locks *l, const uint64_t *elements, uint32_t n)
{
    uint64_t hash = pl_hash_words(n, elements, n);

    PL_ASSERT(n <= MOST);
    PL_CHECK(is_ascending(elements, n));
    if (n == 0)
        return PL_LOCKS_NONE;
    PL_TABLE_EACH(i, &l->set_table, hash)
    {
        const struct set *s = &l->sets[i];
        uint32_t k = 0;

        while (k < n && s->n == n && l->elements[s->first + k] == elements[k])
            k++;
        if (k == n)
            return i;
    }
    if (l->n_sets == SETS || n > ELEMENTS - l->n_elements ||
        !pl_index_add(&l->set_table, hash, l->n_sets))
        return PL_LOCKS_ALL;
    l->sets[l->n_sets] = (struct set){.first = l->n_elements, .n = n};
    for (uint32_t k = 0; k < n; k++)
        l->elements[l->n_elements++] = elements[k];
    return l->n_sets++;
}

struct pl_locks *pl_locks_open(void)
{
    struct pl_locks *l = pl_host_allocate(sizeof(*l));

    if (l == NULL || !pl_index_start(&l->held_table, SLOTS_FIRST, false) ||
        !pl_index_start(&l->set_table, SLOTS_FIRST, false))
        return NULL;
    l->n_sets = PL_LOCKS_NONE + 1;
    return l;
}

void pl_locks_changed(struct pl_locks *l, pl_tid tid)
{
    PL_ASSERT(tid < PL_THREADS_MAX);
    l->of_thread[tid] = 0;
}

/* The locks as a set: ascending, each once. */
static uint32_t sorted(struct pl_locks *l, const struct pl_finding_lock *locks, unsigned n,
                       bool writing)
{
    uint64_t to[MOST];
    unsigned count = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned at = count;

        if (writing && locks[i].shared)
            continue;
        while (at > 0 && to[at - 1] > locks[i].addr)
            at--;
        if (at > 0 && to[at - 1] == locks[i].addr)
            continue;
        for (unsigned k = count++; k > at; k--)
            to[k] = to[k - 1];
        to[at] = locks[i].addr;
    }
    return set_of(l, to, count);
}

static bool is_entry(const struct entry *e, const struct pl_finding_lock *lock)
{
    return e->addr == lock->addr && e->pc == lock->pc && e->shared == lock->shared;
}

static bool is_held(const struct pl_locks *l, const struct held *h,
                    const struct pl_finding_lock *locks, uint32_t n)
{
    uint32_t i = 0;

    while (i < n && h->n == n && is_entry(&l->entries[h->first + i], &locks[i]))
        i++;
    return h->n == n && i == n;
}

/* The number of the new set plus 1; 0 when there is no room. */
static uint32_t add_held(struct pl_locks *l, uint64_t hash, const struct pl_finding_lock *locks,
                         uint32_t n)
{
    if (l->n_helds == HELDS || n > ENTRIES - l->n_entries ||
        !pl_index_add(&l->held_table, hash, l->n_helds))
        return 0;
    l->helds[l->n_helds] = (struct held){.first = l->n_entries,
                                         .n = n,
                                         .any = sorted(l, locks, n, false),
                                         .writing = sorted(l, locks, n, true)};
    for (uint32_t i = 0; i < n; i++)
        l->entries[l->n_entries++] =
            (struct entry){locks[i].addr, locks[i].pc, locks[i].object, locks[i].shared};
    return ++l->n_helds;
}

uint32_t pl_locks_held(struct pl_locks *l, pl_tid tid)
{
    struct pl_finding_lock locks[MOST];
    uint64_t h = 0;

    if (l->of_thread[tid] != 0)
        return l->of_thread[tid];
    unsigned n = pl_host_locks(tid, locks, MOST);

    if (n > MOST)
        n = MOST;
    for (unsigned i = 0; i < n; i++)
        h = pl_hash_add(pl_hash_add(h, locks[i].addr), locks[i].pc + locks[i].shared);
    PL_TABLE_EACH(i, &l->held_table, h)
    {
        if (is_held(l, &l->helds[i], locks, n))
            return l->of_thread[tid] = i + 1;
    }
    return l->of_thread[tid] = add_held(l, h, locks, n);
}

uint32_t pl_locks_any(const struct pl_locks *l, uint32_t held)
{
    PL_ASSERT(held <= l->n_helds);
    return held == 0 ? PL_LOCKS_ALL : l->helds[held - 1].any;
}

uint32_t pl_locks_writing(const struct pl_locks *l, uint32_t held)
{
    PL_ASSERT(held <= l->n_helds);
    return held == 0 ? PL_LOCKS_ALL : l->helds[held - 1].writing;
}

static uint32_t intersect(struct pl_locks *l, const struct set *a, const struct set *b)
{
    uint64_t both[MOST];
    uint32_t n = 0;

    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
        uint64_t x = l->elements[a->first + i], y = l->elements[b->first + k];

        if (x == y)
            both[n++] = x;
        i += x <= y;
        k += y <= x;
    }
    return set_of(l, both, n);
}

uint32_t pl_locks_common(struct pl_locks *l, uint32_t a, uint32_t b)
{
    PL_ASSERT(a < l->n_sets && b < l->n_sets);
    if (a == b || b == PL_LOCKS_ALL)
        return a;
    if (a == PL_LOCKS_ALL)
        return b;
    if (a == PL_LOCKS_NONE || b == PL_LOCKS_NONE)
        return PL_LOCKS_NONE;
    struct answer *answer = &l->answers[pl_hash_quick(a, b) % ANSWERS];

    if (answer->a != a || answer->b != b)
        *answer = (struct answer){a, b, intersect(l, &l->sets[a], &l->sets[b])};
    return answer->common;
}

unsigned pl_locks_list(const struct pl_locks *l, uint32_t held, struct pl_finding_lock *to,
                       unsigned most)
{
    const struct held *h = held == 0 ? NULL : &l->helds[held - 1];
    unsigned n = 0;

    for (; h != NULL && n < h->n && n < most; n++) {
        const struct entry *e = &l->entries[h->first + n];

        to[n] = (struct pl_finding_lock){.object = e->object,
                                         .shared = e->shared,
                                         .pc = e->pc,
                                         .addr = e->addr,
                                         .place = pl_host_place(e->addr, e->object)};
    }
    return n;
}
