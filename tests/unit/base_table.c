/* SPDX-License-Identifier: MIT */
/* The hash table: what was put in is found, whatever the hashes, before and after growing. */
#include "unit.h"

#include "base/hash.h"
#include "base/rng.h"
#include "base/table.h"

enum { FIRST = 8, MOST = 1 << 10, ENTRIES = MOST - 1 };

static uint64_t memory[PL_TABLE_ROOM(FIRST, MOST)];

/* What a bad hash function makes of keys, and a good one. */
static uint64_t all_alike(uint64_t key)
{
    return 42;
}

static uint64_t few(uint64_t key)
{
    return key % 7 * 0x10001;
}

static uint64_t at_the_end(uint64_t key)
{
    return UINT64_C(0xffffffff) - key % 3;
}

static uint64_t (*const hashes[])(uint64_t) = {pl_hash_mix, pl_hash_near, few, at_the_end,
                                               all_alike};
enum { HASHES = sizeof(hashes) / sizeof(hashes[0]) };

static bool is_zero(void)
{
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
        if (memory[i] != 0)
            return false;
    }
    return true;
}

/* Index of the key, or -1. */
static int find(const struct pl_table *t, uint64_t hash, const uint64_t *keys, uint64_t key)
{
    PL_TABLE_EACH(i, t, hash)
    {
        if (keys[i] == key)
            return (int)i;
    }
    return -1;
}

static void start(struct pl_table *t, bool near)
{
    if (near)
        pl_table_start_near(t, memory, FIRST, MOST);
    else
        pl_table_start(t, memory, FIRST, MOST);
}

static void all_that_was_added_is_found(void)
{
    for (unsigned h = 0; h < 2 * HASHES; h++) {
        static uint64_t keys[ENTRIES];
        struct pl_table t;
        bool good = true;

        start(&t, h % 2 != 0);
        for (uint32_t n = 0; n < ENTRIES; n++) {
            keys[n] = n * 3;
            good &= find(&t, hashes[h / 2](keys[n]), keys, keys[n]) == -1;
            good &= pl_table_add(&t, hashes[h / 2](keys[n]), n);
        }
        for (uint32_t n = 0; n < ENTRIES; n++)
            good &= find(&t, hashes[h / 2](keys[n]), keys, keys[n]) == (int)n;
        CHECK(good);
        CHECK(t.n == ENTRIES && t.capacity == MOST);
        CHECK(!pl_table_add(&t, 1, ENTRIES)); /* one slot stays free, or looks would not end */
        pl_table_clear(&t);
        CHECK(is_zero());
        CHECK(find(&t, hashes[h / 2](3), keys, 3) == -1);
    }
}

static void few_entries_need_few_slots(void)
{
    struct pl_table t;

    start(&t, false);
    for (uint32_t i = 0; i < FIRST / 2; i++)
        CHECK(pl_table_add(&t, pl_hash_mix(i), i));
    CHECK(t.capacity == FIRST);
    for (size_t i = FIRST; i < sizeof(memory) / sizeof(memory[0]); i++)
        CHECK(memory[i] == 0);
    CHECK(pl_table_add(&t, 0, FIRST / 2));
    CHECK(t.capacity == 2 * FIRST);
    for (size_t i = 0; i < FIRST; i++)
        CHECK(memory[i] == 0);
    pl_table_clear(&t);
    CHECK(is_zero());
    CHECK(t.capacity == FIRST && t.n == 0);
}

static void equal_hashes_come_in_the_order_in_which_they_were_added(void)
{
    for (unsigned h = 0; h < 2 * HASHES; h++) {
        struct pl_table t;

        start(&t, h % 2 != 0);
        for (uint32_t n = 0; n < 500; n++)
            pl_table_add(&t, hashes[h / 2](n / 4), n);
        for (uint32_t key = 0; key < 125; key++) {
            uint32_t last = 0, n = 0;

            PL_TABLE_EACH(i, &t, hashes[h / 2](key))
            {
                CHECK(n == 0 || i > last);
                last = i;
                n++;
            }
            CHECK(n >= 4);
        }
        pl_table_clear(&t);
    }
}

/* Against a table that is a list. */
static void adding_and_removing_at_random(void)
{
    uint64_t rng = 1;

    for (unsigned h = 0; h < 2 * HASHES; h++) {
        bool in[64] = {false};
        uint64_t keys[64];
        struct pl_table t;
        uint32_t n = 0;

        start(&t, h % 2 != 0);
        for (uint64_t i = 0; i < 64; i++)
            keys[i] = i * i;
        for (unsigned step = 0; step < 2000; step++) {
            uint32_t i = pl_rng_below(&rng, 64);
            uint64_t hash = hashes[h / 2](keys[i]);

            if (in[i])
                pl_table_remove(&t, hash, i);
            else
                CHECK(pl_table_add(&t, hash, i));
            in[i] = !in[i];
            n += in[i] ? 1 : -1u;
            CHECK(t.n == n);
            for (uint32_t k = 0; k < 64; k++)
                CHECK(find(&t, hashes[h / 2](keys[k]), keys, keys[k]) == (in[k] ? (int)k : -1));
        }
        pl_table_clear(&t);
        CHECK(is_zero());
    }
}

static void a_table_moves_to_a_larger_room(void)
{
    static uint64_t small[PL_TABLE_ROOM(16, 16)], large[PL_TABLE_ROOM(64, 64)];
    uint64_t keys[40];
    struct pl_table t;

    pl_table_start(&t, small, 16, 16);
    for (uint32_t n = 0; n < 40; n++) {
        keys[n] = n + 1000;
        if (n == 15) {
            CHECK(!pl_table_add(&t, keys[n], n));
            pl_table_move(&t, large, 64);
        }
        CHECK(pl_table_add(&t, keys[n], n));
    }
    for (uint32_t n = 0; n < 40; n++)
        CHECK(find(&t, keys[n], keys, keys[n]) == (int)n);
    for (unsigned i = 0; i < 16; i++)
        CHECK(small[i] == 0);
}

/* Rows of an array: with hashes that are neighbours each still has its slot at once, or nearly. */
static void groups_of_neighbours_make_way_for_each_other(void)
{
    static uint64_t room[PL_TABLE_ROOM(64, 1 << 14)];
    uint64_t looks = 0, rng = 3;
    struct pl_table t;

    pl_table_start_near(&t, room, 64, 1 << 14);
    for (uint32_t group = 0, n = 0; group < 64; group++) {
        uint64_t first = pl_rng_next(&rng) >> 20 << 6;

        for (uint32_t i = 0; i < 64; i++)
            pl_table_add(&t, pl_hash_near(first + i), n++);
    }
    for (uint32_t i = 0; i < t.capacity; i++) {
        uint32_t at = (uint32_t)(t.slots[i] >> 32);

        for (; t.slots[i] != 0 && (at & (t.capacity - 1)) != i; at += t.stride)
            looks++;
    }
    CHECK(t.n == 64 * 64);
    CHECK(looks < 2 * t.n);
}

int main(void)
{
    all_that_was_added_is_found();
    few_entries_need_few_slots();
    equal_hashes_come_in_the_order_in_which_they_were_added();
    adding_and_removing_at_random();
    a_table_moves_to_a_larger_room();
    groups_of_neighbours_make_way_for_each_other();
    return unit_result();
}
