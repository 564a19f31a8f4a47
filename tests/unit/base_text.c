/* SPDX-License-Identifier: MIT */
/* Text without libc gives what libc gives. */
#include "unit.h"

#include "base/text.h"

#include <limits.h>

/* The format must be a literal, so that the compiler checks it for both. */
#define CHECK_FORMAT(...)                                               \
    do {                                                                \
        char ours[200], theirs[200];                                    \
        size_t n = pl_text_format(ours, sizeof(ours), __VA_ARGS__);     \
                                                                        \
        CHECK((int)n == snprintf(theirs, sizeof(theirs), __VA_ARGS__)); \
        CHECK_STR(ours, theirs);                                        \
    } while (0)

static void numbers_look_as_with_snprintf(void)
{
    static const int numbers[] = {0, 1, -1, 9, 10, 42, -4711, INT_MAX, INT_MIN};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        int v = numbers[i];

        CHECK_FORMAT("%d|%5d|%-5d|%05d|", v, v, v, v);
        CHECK_FORMAT("%u|%x|%08x|%-12x|", (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
        CHECK_FORMAT("%ld|%lu|%lx|%016lx", (long)v, (unsigned long)v, (unsigned long)v,
                     (unsigned long)v);
        CHECK_FORMAT("%lld|%llu|%zu", (long long)v, (unsigned long long)v, (size_t)v);
        CHECK_FORMAT("%03u", (unsigned)v);
    }
    CHECK_FORMAT("%ld %ld %lu", LONG_MIN, LONG_MAX, ULONG_MAX);
}

static void text_looks_as_with_snprintf(void)
{
    int here;

    CHECK_FORMAT("plain");
    CHECK_FORMAT("%s|%8s|%-8s|%2s", "abc", "abc", "abc", "abc");
    CHECK_FORMAT("%c%c %3c%-3c %% %s", 'x', 'y', 'a', 'b', "");
    CHECK_FORMAT("%p", (void *)&here);
}

static void nothing_is_written_beyond_the_end(void)
{
    char to[8];

    memset(to, '#', sizeof(to));
    CHECK(pl_text_format(to, 4, "%s", "abcdef") == 3);
    CHECK_STR(to, "abc");
    CHECK(to[4] == '#');
    CHECK(pl_text_format(to, 1, "%d", 5) == 0);
    CHECK_STR(to, "");
    to[0] = '#';
    CHECK(pl_text_format(to, 0, "%d", 5) == 0);
    CHECK(to[0] == '#');
}

static void copying_stops_in_time(void)
{
    char to[4] = "###";

    CHECK(pl_text_copy(to, 0, "abc") == 0);
    CHECK_STR(to, "###");
    CHECK(pl_text_copy(to, sizeof(to), "ab") == 2);
    CHECK_STR(to, "ab");
    CHECK(pl_text_copy(to, sizeof(to), "abcdef") == 3);
    CHECK_STR(to, "abc");
}

static void length_and_equality(void)
{
    CHECK(pl_text_length("") == 0);
    CHECK(pl_text_length("four") == 4);
    CHECK(pl_text_equal("", ""));
    CHECK(pl_text_equal("same", "same"));
    CHECK(!pl_text_equal("same", "sam"));
    CHECK(!pl_text_equal("sam", "same"));
    CHECK(!pl_text_equal("some", "same"));
}

int main(void)
{
    numbers_look_as_with_snprintf();
    text_looks_as_with_snprintf();
    nothing_is_written_beyond_the_end();
    copying_stops_in_time();
    length_and_equality();
    return unit_result();
}
