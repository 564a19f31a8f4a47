/* SPDX-License-Identifier: MIT */
/* See hapset.h.  An open hash table whose keys are claimed once and never change. */
#include "model/hapset.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stddef.h>

enum { PROBES = 64 };

static uint64_t key_of(uint32_t statement, uint32_t predecessor)
{
    return (uint64_t)(statement + 1) << 32 | (uint32_t)(predecessor + 1);
}

/* The slot of the key, or a free one, which *found says; NULL when there is neither. */
static struct pl_hapset_pair *slot_of(const struct pl_hapset *h, uint64_t key, uint64_t *found)
{
    uint32_t at = (uint32_t)(pl_hash_mix(key) % PL_HAPSET_PAIRS);

    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % PL_HAPSET_PAIRS) {
        *found = atomic_load_explicit(&h->pairs[at].key, memory_order_relaxed);
        if (*found == key || *found == 0)
            return (struct pl_hapset_pair *)&h->pairs[at];
    }
    return NULL;
}

uint32_t pl_hapset_why(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor)
{
    uint64_t key = key_of(statement, predecessor), found;
    const struct pl_hapset_pair *p = slot_of(h, key, &found);

    return p != NULL && found == key ? p->why & PL_HAPSET_KNOWN : 0;
}

bool pl_hapset_suspect(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor)
{
    uint64_t key = key_of(statement, predecessor), found;
    const struct pl_hapset_pair *p = slot_of(h, key, &found);

    return p != NULL && found == key && (p->why & PL_HAPSET_SUSPECT) != 0;
}

bool pl_hapset_add(struct pl_hapset *h, uint32_t statement, uint32_t predecessor, uint32_t why,
                   uint64_t execution)
{
    uint64_t key = key_of(statement, predecessor), found;
    struct pl_hapset_pair *p;

    while ((p = slot_of(h, key, &found)) != NULL) {
        if (found == 0 && !atomic_compare_exchange_strong(&p->key, &found, key) && found != key)
            continue; /* somebody else took it */
        if ((atomic_load_explicit(&p->why, memory_order_relaxed) & why) == why)
            return false;
        if ((why == PL_HAPSET_LEARNED || why == PL_HAPSET_FAILED) && p->first == 0)
            p->first = execution;
        uint32_t before = atomic_fetch_or(&p->why, why);

        if (before == 0)
            h->list[atomic_fetch_add(&h->n, 1) % PL_HAPSET_PAIRS] = (uint32_t)(p - h->pairs) + 1;
        return (before & PL_HAPSET_KNOWN) == 0 && (why & PL_HAPSET_KNOWN) != 0;
    }
    atomic_fetch_add_explicit(&h->lost, 1, memory_order_relaxed);
    return false;
}

void pl_hapset_forget(struct pl_hapset *h)
{
    for (uint32_t i = 0; i < h->n && i < PL_HAPSET_PAIRS; i++) {
        struct pl_hapset_pair *p = h->list[i] != 0 ? &h->pairs[h->list[i] - 1] : NULL;
        const uint32_t learned = PL_HAPSET_LEARNED | PL_HAPSET_BEFORE;
        const uint32_t kept = PL_HAPSET_GIVEN | PL_HAPSET_FAILED | PL_HAPSET_SUSPECT;

        if (p != NULL)
            p->why = (p->why & kept) | PL_HAPSET_LISTED |
                     ((p->why & learned) != 0 ? PL_HAPSET_BEFORE : 0);
    }
}
