/* SPDX-License-Identifier: MIT */
/* The table for shared memory: a key has one entry for ever, whoever claims it. */
#include "unit.h"

#include "base/claimed.h"
#include "base/hash.h"

#include <pthread.h>

struct entry {
    _Atomic uint64_t key;
    _Atomic uint32_t n;
};

enum { ENTRIES = 256, THREADS = 4, KEYS = 150 };

static struct entry entries[ENTRIES];

static void keys_are_found_where_they_were_placed(void)
{
    struct pl_claimed t = PL_CLAIMED(entries);
    bool fresh;

    memset(entries, 0, sizeof(entries));
    CHECK(t.mask == ENTRIES - 1 && t.size == sizeof(struct entry));
    CHECK(pl_claimed_find(t, 250, 7) == NULL);
    for (unsigned i = 0; i < 10; i++) { /* round the end */
        CHECK(pl_claimed_place(t, 250, 7 + i, &fresh) == &entries[(250 + i) % ENTRIES]);
        CHECK(fresh);
    }
    for (unsigned i = 0; i < 10; i++) {
        CHECK(pl_claimed_place(t, 250, 7 + i, &fresh) == &entries[(250 + i) % ENTRIES]);
        CHECK(!fresh);
        CHECK(pl_claimed_find(t, 250, 7 + i) == &entries[(250 + i) % ENTRIES]);
    }
    CHECK(pl_claimed_slot(t, 250, 100) == &entries[4]);
    CHECK(pl_claimed_slot(t, 250, 9) == &entries[252]);
    t.spared = 2;
    CHECK(pl_claimed_place(t, 254, 1000, &fresh) == &entries[4] && fresh);
}

static void a_table_may_be_full_for_a_key(void)
{
    struct pl_claimed t = PL_CLAIMED(entries);
    bool fresh;

    memset(entries, 0, sizeof(entries));
    t.alone = true;
    t.probes = 16;
    for (uint64_t key = 1; key <= 16; key++)
        CHECK(pl_claimed_place(t, 3, key, &fresh) != NULL && fresh);
    CHECK(pl_claimed_place(t, 3, 17, &fresh) == NULL && !fresh);
    CHECK(pl_claimed_slot(t, 3, 17) == NULL);
    CHECK(pl_claimed_place(t, 4, 17, &fresh) != NULL && fresh);
    CHECK(pl_claimed_find(t, 3, 16) == &entries[18]);
}

static void *claim(void *arg)
{
    struct pl_claimed t = PL_CLAIMED(entries);
    uintptr_t claimed = 0;
    bool fresh;

    for (uint64_t key = 1; key <= KEYS; key++) {
        struct entry *e = pl_claimed_place(t, pl_hash_mix(key), key, &fresh);

        claimed += fresh;
        if (e != NULL)
            atomic_fetch_add(&e->n, 1);
    }
    return (void *)claimed;
}

static void each_key_is_claimed_once(void)
{
    struct pl_claimed t = PL_CLAIMED(entries);
    pthread_t threads[THREADS];
    uintptr_t claimed = 0;

    memset(entries, 0, sizeof(entries));
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, claim, NULL) == 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *n;

        CHECK(pthread_join(threads[i], &n) == 0);
        claimed += (uintptr_t)n;
    }
    CHECK(claimed == KEYS);
    for (uint64_t key = 1; key <= KEYS; key++) {
        const struct entry *e = pl_claimed_find(t, pl_hash_mix(key), key);

        CHECK(e != NULL && e->n == THREADS);
    }
}

int main(void)
{
    keys_are_found_where_they_were_placed();
    a_table_may_be_full_for_a_key();
    each_key_is_claimed_once();
    return unit_result();
}
