/* SPDX-License-Identifier: MIT */
/* Parameters of strategies: what is given is found, and nonsense is noticed. */
#include "unit.h"

#include "strategy/shared/parameters.h"

#include <string.h>

static const char *const keys[] = {"depth", "steps"};

static uint64_t number(const char *text, const char *key, bool first)
{
    uint64_t value = 77;

    CHECK(pl_parameter_number(text, key, first, &value));
    return value;
}

static bool refuses(const char *text, const char *key, bool first)
{
    uint64_t value = 77;
    bool good = pl_parameter_number(text, key, first, &value);

    CHECK(good || value == 77);
    return !good;
}

static void numbers_are_found(void)
{
    CHECK(number("", "depth", true) == 77);
    CHECK(number("3", "depth", true) == 3);
    CHECK(number("3", "steps", false) == 77);
    CHECK(number("depth=4", "depth", true) == 4);
    CHECK(number("3,steps=9", "steps", false) == 9);
    CHECK(number("steps=9,depth=2", "depth", true) == 2);
    CHECK(number("deep=2", "depth", true) == 77);
    CHECK(number("depth=18446744073709551615", "depth", false) == UINT64_MAX);
}

static void nonsense_is_refused(void)
{
    CHECK(refuses("x", "depth", true));
    CHECK(refuses("depth=", "depth", true));
    CHECK(refuses("depth=3x", "depth", true));
    CHECK(refuses("depth=-1", "depth", true));
    CHECK(refuses(",depth=1", "depth", true));
    CHECK(refuses("depth=18446744073709551616", "depth", true));
}

static void keys_that_nobody_knows_are_noticed(void)
{
    CHECK(pl_parameters_known("", keys, 2, false));
    CHECK(pl_parameters_known("3,steps=1", keys, 2, true));
    CHECK(pl_parameters_known("steps=1,depth=2", keys, 2, false));
    CHECK(!pl_parameters_known("3", keys, 2, false));
    CHECK(!pl_parameters_known("steps=1,3", keys, 2, true));
    CHECK(!pl_parameters_known("deep=1", keys, 2, true));
    CHECK(!pl_parameters_known("depth=1,", keys, 2, true));
}

static void words_are_found(void)
{
    static const char *const words[] = {"few", "many", "manyfold"};
    unsigned value = 7;

    CHECK(pl_parameter_word("", "how", true, words, 3, &value) && value == 7);
    CHECK(pl_parameter_word("many", "how", true, words, 3, &value) && value == 1);
    CHECK(pl_parameter_word("manyfold,depth=3", "how", true, words, 3, &value) && value == 2);
    CHECK(pl_parameter_word("depth=3,how=few", "how", true, words, 3, &value) && value == 0);
    CHECK(pl_parameter_word("depth=3", "how", false, words, 3, &value) && value == 0);
    CHECK(!pl_parameter_word("how=man", "how", false, words, 3, &value));
    CHECK(!pl_parameter_word("none", "how", true, words, 3, &value));
}

static uint64_t decimal(const char *text)
{
    uint64_t value = 77;

    return pl_parameter_decimal(text, "cost", &value) ? value : UINT64_MAX;
}

static void decimals_are_hundredths(void)
{
    CHECK(decimal("") == 77);
    CHECK(decimal("price=3") == 77);
    CHECK(decimal("cost=2") == 200);
    CHECK(decimal("cost=2.5") == 250);
    CHECK(decimal("cost=0.05,price=x") == 5);
    CHECK(decimal("cost=2.") == UINT64_MAX);
    CHECK(decimal("cost=.5") == UINT64_MAX);
    CHECK(decimal("cost=1.125") == UINT64_MAX);
    CHECK(decimal("cost=2x") == UINT64_MAX);
    CHECK(decimal("cost=") == UINT64_MAX);
    CHECK(decimal("cost=18446744073709551615") == UINT64_MAX);
}

static uint64_t nanoseconds(const char *text)
{
    uint64_t value = 77;

    return pl_parameter_time(text, "length", &value) ? value : UINT64_MAX;
}

static void times_have_units(void)
{
    CHECK(nanoseconds("") == 77);
    CHECK(nanoseconds("length=200us") == 200000);
    CHECK(nanoseconds("length=1.5ms,cap=x") == 1500000);
    CHECK(nanoseconds("length=2s") == 2000000000);
    CHECK(nanoseconds("length=0.01us") == 10);
    CHECK(nanoseconds("length=2") == UINT64_MAX);
    CHECK(nanoseconds("length=ms") == UINT64_MAX);
    CHECK(nanoseconds("length=2 ms") == UINT64_MAX);
    CHECK(nanoseconds("length=2msx") == UINT64_MAX);
    CHECK(nanoseconds("length=184467440737095516s") == UINT64_MAX);
}

static void texts_are_as_given(void)
{
    const char *end = NULL,
               *text = pl_parameter_text("order=newest,interest=a.c:7,x", "interest", &end);

    CHECK(text != NULL && end - text == 5 && strncmp(text, "a.c:7", 5) == 0);
    CHECK(pl_parameter_text("interesting=a", "interest", &end) == NULL);
    CHECK(pl_parameter_text("", "interest", &end) == NULL);
    text = pl_parameter_text("interest=", "interest", &end);
    CHECK(text != NULL && end == text);
}

int main(void)
{
    texts_are_as_given();
    decimals_are_hundredths();
    times_have_units();
    words_are_found();
    numbers_are_found();
    nonsense_is_refused();
    keys_that_nobody_knows_are_noticed();
    return unit_result();
}
