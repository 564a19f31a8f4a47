/* SPDX-License-Identifier: MIT */
/* See hapset.h. */
#include "model/hapset.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"

static uint64_t key_of(uint32_t statement, uint32_t predecessor)
{
    PL_ASSERT(statement != UINT32_MAX && predecessor != UINT32_MAX);
    return (uint64_t)(statement + 1) << 32 | (uint32_t)(predecessor + 1);
}

/* All that is known of the pair. */
static uint32_t marks_of(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor)
{
    uint64_t key = key_of(statement, predecessor);
    const struct pl_hapset_pair *p = pl_claimed_find(PL_CLAIMED(h->pairs), pl_hash_mix(key), key);

    return p != NULL ? p->why : 0;
}

uint32_t pl_hapset_why(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor)
{
    return marks_of(h, statement, predecessor) & PL_HAPSET_KNOWN;
}

bool pl_hapset_suspect(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor)
{
    return (marks_of(h, statement, predecessor) & PL_HAPSET_SUSPECT) != 0;
}

bool pl_hapset_add(struct pl_hapset *h, uint32_t statement, uint32_t predecessor, uint32_t why,
                   uint64_t execution)
{
    uint64_t key = key_of(statement, predecessor);
    bool fresh;

    PL_ASSERT(why != 0);
    struct pl_hapset_pair *p =
        pl_claimed_place(PL_CLAIMED(h->pairs), pl_hash_mix(key), key, &fresh);

    if (p == NULL) {
        atomic_fetch_add_explicit(&h->lost, 1, memory_order_relaxed);
        return false;
    }
    if ((atomic_load_explicit(&p->why, memory_order_relaxed) & why) == why)
        return false;
    if ((why == PL_HAPSET_LEARNED || why == PL_HAPSET_FAILED) && p->first == 0)
        p->first = execution;
    uint32_t before = atomic_fetch_or(&p->why, why);

    if (before == 0)
        h->list[atomic_fetch_add(&h->n, 1) % PL_HAPSET_PAIRS] = (uint32_t)(p - h->pairs) + 1;
    return (before & PL_HAPSET_KNOWN) == 0 && (why & PL_HAPSET_KNOWN) != 0;
}

void pl_hapset_forget(struct pl_hapset *h)
{
    for (uint32_t i = 0; i < h->n && i < PL_HAPSET_PAIRS; i++) {
        struct pl_hapset_pair *p = h->list[i] != 0 ? &h->pairs[h->list[i] - 1] : NULL;
        const uint32_t learned = PL_HAPSET_LEARNED | PL_HAPSET_BEFORE;
        const uint32_t kept = PL_HAPSET_GIVEN | PL_HAPSET_FAILED | PL_HAPSET_SUSPECT;

        PL_ASSERT(h->list[i] <= PL_HAPSET_PAIRS);
        if (p != NULL)
            p->why = (p->why & kept) | PL_HAPSET_LISTED |
                     ((p->why & learned) != 0 ? PL_HAPSET_BEFORE : 0);
    }
}
