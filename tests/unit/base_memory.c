/* SPDX-License-Identifier: MIT */
/* Copying, filling and comparing without libc do what libc does. */
#include "unit.h"

#include "base/memory.h"

enum { SIZE = 40 };

static void fill_with_letters(char *to)
{
    for (unsigned i = 0; i < SIZE; i++)
        to[i] = (char)('a' + i % 26);
}

static void copying_gives_what_memcpy_gives(void)
{
    char from[SIZE], ours[SIZE] = {0}, theirs[SIZE] = {0};

    fill_with_letters(from);
    for (unsigned size = 0; size < SIZE - 8; size++) {
        for (unsigned skew = 0; skew < 8; skew++) {
            CHECK(pl_memory_copy(ours + skew, from + 8 - skew, size) == ours + skew);
            memcpy(theirs + skew, from + 8 - skew, size);
            CHECK(memcmp(ours, theirs, SIZE) == 0);
        }
    }
}

static void moving_gives_what_memmove_gives(void)
{
    for (unsigned to = 0; to < SIZE; to++) {
        for (unsigned from = 0; from < SIZE; from++) {
            for (unsigned size = 0; size + (to > from ? to : from) <= SIZE; size += 3) {
                char ours[SIZE], theirs[SIZE];

                fill_with_letters(ours);
                fill_with_letters(theirs);
                CHECK(pl_memory_move(ours + to, ours + from, size) == ours + to);
                memmove(theirs + to, theirs + from, size);
                CHECK(memcmp(ours, theirs, SIZE) == 0);
            }
        }
    }
}

static void filling_stops_at_the_end(void)
{
    for (unsigned size = 0; size <= SIZE - 2; size++) {
        char ours[SIZE], theirs[SIZE];

        fill_with_letters(ours);
        fill_with_letters(theirs);
        CHECK(pl_memory_fill(ours + 1, 0x1ff, size) == ours + 1); /* the lowest byte counts */
        memset(theirs + 1, 0xff, size);
        CHECK(memcmp(ours, theirs, SIZE) == 0);
    }
}

static void comparing_has_the_sign_of_memcmp(void)
{
    CHECK(pl_memory_compare("abc", "abc", 3) == 0);
    CHECK(pl_memory_compare("abc", "abd", 2) == 0);
    CHECK(pl_memory_compare("abc", "abd", 3) < 0);
    CHECK(pl_memory_compare("abd", "abc", 3) > 0);
    CHECK(pl_memory_compare("\xff", "a", 1) > 0); /* bytes are not signed */
    CHECK(pl_memory_compare("a", "b", 0) == 0);
}

int main(void)
{
    copying_gives_what_memcpy_gives();
    moving_gives_what_memmove_gives();
    filling_stops_at_the_end();
    comparing_has_the_sign_of_memcmp();
    return unit_result();
}
