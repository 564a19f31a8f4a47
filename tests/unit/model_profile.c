/* SPDX-License-Identifier: MIT */
/* A profile holds what threads share, with the counts of each, and knows threads by name. */
#include "unit.h"

#include "base/hash.h"
#include "model/profile.h"

static struct pl_profile_draft draft;
static struct pl_profile profile;

static void add(pl_tid tid, unsigned kind, uint64_t addr, uint32_t size, unsigned times)
{
    struct pl_operation op = {.kind = (uint8_t)kind, .tid = tid, .addr = addr, .size = size};

    while (times-- > 0)
        pl_profile_add(&draft, &op);
}

static uint32_t count(uint64_t location, pl_tid thread)
{
    for (uint32_t i = 0; i < profile.n_locations; i++) {
        const struct pl_profile_location *l = &profile.locations[i];

        for (uint32_t k = 0; l->location == location && k < l->n; k++) {
            if (profile.counts[l->first + k].thread == thread)
                return profile.counts[l->first + k].n;
        }
    }
    return 0;
}

static void what_threads_share_is_kept(void)
{
    pl_profile_clear(&draft);
    add(1, PL_OP_WRITE, 0x1000, 8, 3);
    add(2, PL_OP_READ, 0x1004, 4, 2);
    add(1, PL_OP_WRITE, 0x2000, 8, 5); /* one thread only */
    add(1, PL_OP_READ, 0x3000, 8, 1);  /* nobody writes */
    add(2, PL_OP_READ, 0x3000, 8, 1);
    add(1, PL_OP_MUTEX_LOCK, 0x1000, 0, 4);
    add(2, PL_OP_MUTEX_LOCK, 0x1000, 0, 1);
    add(2, PL_OP_MUTEX_UNLOCK, 0x1000, 0, 9); /* orders nothing */
    pl_profile_settle(&profile, &draft);
    CHECK(profile.n_locations == 2);
    CHECK(count(0x1000, 1) == 3 && count(0x1000, 2) == 2);
    CHECK(count(0x1000 | PL_PROFILE_OBJECT, 1) == 4 && count(0x1000 | PL_PROFILE_OBJECT, 2) == 1);
    pl_profile_settle(&profile, &draft); /* again, after a death */
    CHECK(profile.n_locations == 2 && profile.n_counts == 4);
}

static void long_accesses_touch_what_they_cover(void)
{
    struct pl_operation op = {.kind = PL_OP_WRITE, .addr = 0x1006, .size = 4};

    CHECK(pl_profile_touches(&op, 0x1000) && pl_profile_touches(&op, 0x1008));
    CHECK(!pl_profile_touches(&op, 0xff8) && !pl_profile_touches(&op, 0x1010));
    CHECK(!pl_profile_touches(&op, 0x1000 | PL_PROFILE_OBJECT));
    pl_profile_clear(&draft);
    add(1, PL_OP_WRITE, 0x1006, 4, 1);
    add(2, PL_OP_WRITE, 0x1008, 1, 1);
    pl_profile_settle(&profile, &draft);
    CHECK(profile.n_locations == 1 && count(0x1008, 1) == 1 && count(0x1008, 2) == 1);
}

static void many_are_sorted_and_more_are_left_out(void)
{
    pl_profile_clear(&draft);
    for (uint64_t i = 0; i < PL_PROFILE_COUNTS; i++) {
        uint64_t where = pl_hash_mix(i) % 100000 * 8 + 8;

        add(1, PL_OP_WRITE, where, 8, 1);
        add(2, PL_OP_WRITE, where, 8, 1);
    }
    CHECK(draft.n_counts == PL_PROFILE_COUNTS);
    pl_profile_settle(&profile, &draft);
    CHECK(profile.n_counts == 2 * profile.n_locations && profile.n_counts > 1000);
    for (uint32_t i = 1; i < profile.n_locations; i++)
        CHECK(profile.locations[i - 1].location < profile.locations[i].location);
    for (uint32_t i = 1; i < profile.n_counts; i++)
        CHECK(profile.counts[i - 1].location <= profile.counts[i].location);
}

static void threads_are_found_by_name(void)
{
    profile.n_threads = PL_THREADS_MAX;
    for (uint32_t i = 0; i < PL_THREADS_MAX; i++)
        profile.threads[i].name = pl_hash_mix(i + 1);
    pl_profile_clear(&draft);
    pl_profile_settle(&profile, &draft);
    for (uint32_t i = 0; i < PL_THREADS_MAX; i++)
        CHECK(pl_profile_thread(&profile, pl_hash_mix(i + 1)) == i);
    CHECK(pl_profile_thread(&profile, 12345) == PL_TID_NONE);
}

int main(void)
{
    what_threads_share_is_kept();
    long_accesses_touch_what_they_cover();
    many_are_sorted_and_more_are_left_out();
    threads_are_found_by_name();
    return unit_result();
}
