/* SPDX-License-Identifier: MIT */
/* See parameters.h. */
#include "strategy/parameters.h"

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

static bool read_number(const char *text, uint64_t *value)
{
    const char *end = end_of(text);
    uint64_t n = 0;

    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
            return false;
    }
    *value = n;
    return true;
}

bool pl_parameter_number(const char *parameters, const char *key, bool first, uint64_t *value)
{
    if (parameters[0] == '\0')
        return true;
    for (const char *word = parameters; word != NULL; word = after(word)) {
        const char *text = value_of(word, key, first && word == parameters);

        if (text != NULL && !read_number(text, value))
            return false;
    }
    return true;
}

/* Whether the value that begins here is the word. */
static bool is_word(const char *text, const char *word)
{
    size_t n = pl_text_length(word);

    return pl_text_starts(text, word) && text + n == end_of(text);
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
