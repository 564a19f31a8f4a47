/* SPDX-License-Identifier: MIT */
/* See parameters.h. */
#include "strategy/shared/parameters.h"

#include "base/text.h"

#include <stddef.h>

static const char *end_of(const char *word)
{
    while (*word != '\0' && *word != ',')
        word++;
    return word;
}

/* The word after this one; NULL when it is the last. */
static const char *after(const char *word)
{
    const char *end = end_of(word);

    return *end == ',' ? end + 1 : NULL;
}

static bool has_key(const char *word)
{
    const char *p = word;

    while (p < end_of(word) && *p != '=')
        p++;
    return p < end_of(word);
}

/* Where the value begins if the word is about `key`, else NULL. */
static const char *value_of(const char *word, const char *key, bool alone)
{
    size_t n = pl_text_length(key);

    if (!has_key(word))
        return alone ? word : NULL;
    return pl_text_starts(word, key) && word[n] == '=' ? word + n + 1 : NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read digits at *text into *value, and step behind them; false when they are too many. */
static bool take_digits(const char **text, uint64_t *value)
{
    for (; is_digit(**text); ++*text) {
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(**text - '0'), value))
            return false;
    }
    return true;
}

static bool read_number(const char *text, uint64_t *value)
{
    uint64_t n = 0;

    if (!is_digit(*text) || !take_digits(&text, &n) || text != end_of(text))
        return false;
    *value = n;
    return true;
}

/* A number with up to two decimals, in hundredths; *text is left behind it. */
static bool take_decimal(const char **text, uint64_t *value)
{
    uint64_t n = 0;
    unsigned decimals = 0;

    if (!is_digit(**text) || !take_digits(text, &n))
        return false;
    if (**text == '.') {
        const char *start = ++*text;

        if (!is_digit(**text) || !take_digits(text, &n) || *text - start > 2)
            return false;
        decimals = (unsigned)(*text - start);
    }
    for (; decimals < 2; decimals++) {
        if (__builtin_mul_overflow(n, 10, &n))
            return false;
    }
    *value = n;
    return true;
}

static bool read_decimal(const char *text, uint64_t *value)
{
    uint64_t n;

    if (!take_decimal(&text, &n) || text != end_of(text))
        return false;
    *value = n;
    return true;
}

/* Whether the value that begins here is the word. */
static bool is_word(const char *text, const char *word)
{
    size_t n = pl_text_length(word);

    return pl_text_starts(text, word) && text + n == end_of(text);
}

static bool read_time(const char *text, uint64_t *value)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    uint64_t n;

    if (!take_decimal(&text, &n))
        return false;
    for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (is_word(text, units[i].unit))
            return !__builtin_mul_overflow(n, units[i].ns / 100, value);
    }
    return false;
}

/* Let `read` have all that is given for the key. */
static bool read_all(const char *parameters, const char *key, bool first, uint64_t *value,
                     bool (*read)(const char *text, uint64_t *value))
{
    if (parameters[0] == '\0')
        return true;
    for (const char *word = parameters; word != NULL; word = after(word)) {
        const char *text = value_of(word, key, first && word == parameters);

        if (text != NULL && !read(text, value))
            return false;
    }
    return true;
}

bool pl_parameter_number(const char *parameters, const char *key, bool first, uint64_t *value)
{
    return read_all(parameters, key, first, value, read_number);
}

bool pl_parameter_decimal(const char *parameters, const char *key, uint64_t *value)
{
    return read_all(parameters, key, false, value, read_decimal);
}

bool pl_parameter_time(const char *parameters, const char *key, uint64_t *value)
{
    return read_all(parameters, key, false, value, read_time);
}

bool pl_parameter_word(const char *parameters, const char *key, bool first,
                       const char *const *words, unsigned n, unsigned *value)
{
    if (parameters[0] == '\0')
        return true;
    for (const char *word = parameters; word != NULL; word = after(word)) {
        const char *text = value_of(word, key, first && word == parameters);
        unsigned i = 0;

        while (text != NULL && i < n && !is_word(text, words[i]))
            i++;
        if (text != NULL && i == n)
            return false;
        if (text != NULL)
            *value = i;
    }
    return true;
}

const char *pl_parameter_text(const char *parameters, const char *key, const char **end)
{
    for (const char *word = parameters; word != NULL; word = after(word)) {
        const char *value = value_of(word, key, false);

        if (value == NULL)
            continue;
        *end = end_of(value);
        return value;
    }
    return NULL;
}

bool pl_parameters_known(const char *parameters, const char *const *keys, unsigned n, bool first)
{
    if (parameters[0] == '\0')
        return true;
    for (const char *word = parameters; word != NULL; word = after(word)) {
        bool known = false;

        for (unsigned i = 0; i < n; i++)
            known |= value_of(word, keys[i], first && word == parameters) != NULL;
        if (!known)
            return false;
    }
    return true;
}
