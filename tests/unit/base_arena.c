/* SPDX-License-Identifier: MIT */
/* Parts of an arena are aligned, lie apart, and end when there is no more. */
#include "unit.h"

#include "base/arena.h"

struct thing {
    char c;
    double d;
};

static _Alignas(4096) unsigned char memory[4096];

static void parts_are_aligned_and_lie_apart(void)
{
    struct pl_arena a = pl_arena_of(memory, sizeof(memory));
    char *one = PL_ARENA_TAKE(&a, char, 1);
    struct thing *things = PL_ARENA_TAKE(&a, struct thing, 3);
    uint64_t *words = PL_ARENA_TAKE(&a, uint64_t, 2);

    CHECK((unsigned char *)one == memory);
    CHECK((unsigned char *)things == memory + 64);
    CHECK((unsigned char *)words == memory + 128);
    CHECK(a.left == sizeof(memory) - 128 - 16);
}

static void a_block_need_not_be_aligned(void)
{
    struct pl_arena a = pl_arena_of(memory + 1, 200);

    CHECK(PL_ARENA_FITS(&a, char) == 200 - 63);
    CHECK(PL_ARENA_TAKE(&a, uint64_t, 1) == (uint64_t *)(memory + 64));
    CHECK(a.at + a.left == memory + 201);
}

static void what_does_not_fit_is_not_taken(void)
{
    struct pl_arena a = pl_arena_of(memory, 100);

    CHECK(PL_ARENA_TAKE(&a, uint64_t, 13) == NULL);
    CHECK(PL_ARENA_TAKE(&a, uint64_t, UINT64_MAX / 8 + 2) == NULL); /* 8 times that is 8 */
    CHECK(a.left == 100);
    CHECK(PL_ARENA_TAKE(&a, uint64_t, 12) != NULL);
    CHECK(a.left == 4);
    CHECK(PL_ARENA_FITS(&a, char) == 0);
    CHECK(PL_ARENA_TAKE(&a, char, 1) == NULL);
    CHECK(a.left == 4);
    CHECK(PL_ARENA_TAKE(&a, char, 0) != NULL);
}

static void as_many_can_be_taken_as_fit(void)
{
    struct pl_arena a = pl_arena_of(memory + 3, 1000);
    uint64_t n = PL_ARENA_FITS(&a, struct thing);

    CHECK(n == (1000 - 61) / sizeof(struct thing));
    CHECK(PL_ARENA_TAKE(&a, struct thing, n + 1) == NULL);
    CHECK(PL_ARENA_TAKE(&a, struct thing, n) != NULL);
}

static void a_part_is_an_arena_of_its_own(void)
{
    struct pl_arena a = pl_arena_of(memory, 1000), part = pl_arena_part(&a, 300);

    CHECK(part.at == memory && part.left == 300);
    CHECK(a.at == memory + 300 && a.left == 700);
    part = pl_arena_part(&a, 800);
    CHECK(part.left == 0 && a.left == 700);
    CHECK(PL_ARENA_TAKE(&part, char, 1) == NULL);
}

static void alignment_can_be_larger(void)
{
    struct pl_arena a = pl_arena_of(memory + 1, sizeof(memory) - 1);

    pl_arena_align(&a, 2048);
    CHECK(a.at == memory + 2048 && a.left == 2048);
    pl_arena_align(&a, 2048);
    CHECK(a.left == 2048);
    a = pl_arena_of(memory + 1, 10);
    pl_arena_align(&a, 2048);
    CHECK(a.left == 0);
}

int main(void)
{
    parts_are_aligned_and_lie_apart();
    a_block_need_not_be_aligned();
    what_does_not_fit_is_not_taken();
    as_many_can_be_taken_as_fit();
    a_part_is_an_arena_of_its_own();
    alignment_can_be_larger();
    return unit_result();
}
