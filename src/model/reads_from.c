/* SPDX-License-Identifier: MIT */
/* See reads_from.h. */
#include "model/reads_from.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"

static uint64_t key_of(uint32_t writer, uint32_t reader)
{
    PL_ASSERT(writer != UINT32_MAX && reader != UINT32_MAX);
    return (uint64_t)(writer + 1) << 32 | (uint32_t)(reader + 1);
}

/* ---- pairs ---- */

struct pl_reads_from_pair *pl_reads_from_place(struct pl_reads_from *r, uint32_t writer,
                                               uint32_t reader)
{
    uint64_t key = key_of(writer, reader);
    bool fresh;

    if (!r->used)
        r->used = true;
    struct pl_reads_from_pair *p =
        pl_claimed_place(PL_CLAIMED(r->pairs), pl_hash_mix(key), key, &fresh);

    if (p == NULL)
        atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
    return p;
}

bool pl_reads_from_show(struct pl_reads_from *r, struct pl_reads_from_pair *pair, bool good,
                        uint64_t execution)
{
    PL_ASSERT(pair >= r->pairs && pair < r->pairs + PL_READS_FROM_PAIRS && pair->key != 0);
    if (good && pair->first == 0) {
        uint64_t none = 0;

        if (atomic_compare_exchange_strong(&pair->first, &none, execution))
            r->list[atomic_fetch_add(&r->n, 1) % PL_READS_FROM_PAIRS] =
                (uint32_t)(pair - r->pairs) + 1;
    }
    return atomic_fetch_add(&pair->shown, 1) == 0 && !pair->given;
}

void pl_reads_from_give(struct pl_reads_from *r, uint32_t writer, uint32_t reader)
{
    struct pl_reads_from_pair *p = pl_reads_from_place(r, writer, reader);

    if (p != NULL)
        p->given = true;
}

void pl_reads_from_try(struct pl_reads_from *r, uint32_t writer, uint32_t reader)
{
    struct pl_reads_from_pair *p = pl_reads_from_place(r, writer, reader);

    if (p != NULL)
        atomic_fetch_add(&p->tried, 1);
}

const struct pl_reads_from_pair *pl_reads_from_find(const struct pl_reads_from *r, uint32_t writer,
                                                    uint32_t reader)
{
    uint64_t key = key_of(writer, reader);

    return pl_claimed_find(PL_CLAIMED(r->pairs), pl_hash_mix(key), key);
}

struct pl_reads_from_known pl_reads_from_known(const struct pl_reads_from *r, uint32_t writer,
                                               uint32_t reader)
{
    const struct pl_reads_from_pair *p = pl_reads_from_find(r, writer, reader);

    return p != NULL ? pl_reads_from_known_at(p) : (struct pl_reads_from_known){0};
}

/* ---- signatures ---- */

uint32_t pl_reads_from_count(struct pl_reads_from *r, uint64_t signature)
{
    uint64_t key = signature | 1;
    bool fresh;
    struct pl_reads_from_signature *s =
        pl_claimed_place(PL_CLAIMED(r->signatures), pl_hash_mix(key), key, &fresh);

    return s != NULL ? atomic_fetch_add(&s->seen, 1) + 1 : 1;
}

uint32_t pl_reads_from_counted(const struct pl_reads_from *r, uint64_t signature)
{
    uint64_t key = signature | 1;
    const struct pl_reads_from_signature *s =
        pl_claimed_find(PL_CLAIMED(r->signatures), pl_hash_mix(key), key);

    return s != NULL ? s->seen : 0;
}

void pl_reads_from_forget(struct pl_reads_from *r)
{
    if (!r->used)
        return;
    for (uint32_t i = 0; i < PL_READS_FROM_PAIRS; i++) {
        if (r->pairs[i].key != 0)
            r->pairs[i].shown = r->pairs[i].tried = 0;
    }
    for (uint32_t i = 0; i < PL_READS_FROM_SIGNATURES; i++) {
        if (r->signatures[i].key != 0)
            r->signatures[i].seen = 0;
    }
}
