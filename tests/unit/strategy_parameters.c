/* SPDX-License-Identifier: MIT */
/* Parameters of strategies: what is given is found, and nonsense is noticed. */
#include "unit.h"

#include "strategy/parameters.h"

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

int main(void)
{
    words_are_found();
    numbers_are_found();
    nonsense_is_refused();
    keys_that_nobody_knows_are_noticed();
    return unit_result();
}
