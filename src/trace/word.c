/* SPDX-License-Identifier: MIT */
/* See word.h.  The text comes from files, so nothing is trusted. */
#include "trace/word.h"

#include <stddef.h>
#include <string.h>

char *pl_word_skip_blanks(char *p)
{
    while (pl_word_is_blank(*p))
        p++;
    return p;
}

bool pl_word_at_end(char *p)
{
    return *pl_word_skip_blanks(p) == '\0';
}

/* Length of the escape sequence at p, and the byte it means; 0 when it is none. */
static size_t unescape(const char *p, char *byte)
{
    static const char letters[] = "ntr\"\\", bytes[] = "\n\t\r\"\\";
    const char *l = p[1] != '\0' ? strchr(letters, p[1]) : NULL;
    unsigned value = 0;

    if (l) {
        *byte = bytes[l - letters];
        return 2;
    }
    for (int i = 1; i <= 3; i++) {
        if (p[i] < '0' || p[i] > '7')
            return 0;
        value = value * 8 + (unsigned)(p[i] - '0');
    }
    if (value < 1 || value > 255)
        return 0;
    *byte = (char)value;
    return 4;
}

static char *bare_end(char *p)
{
    char *end = p + strcspn(p, " \t\"");

    return end > p && *end != '"' ? end : NULL;
}

char *pl_word_end(char *p)
{
    char byte;

    if (*p != '"')
        return bare_end(p);
    for (p++; *p != '"';) {
        size_t n = *p == '\\' ? unescape(p, &byte) : *p != '\0';

        if (n == 0)
            return NULL;
        p += n;
    }
    p++;
    return *p == '\0' || pl_word_is_blank(*p) ? p : NULL;
}

struct pl_word pl_word_take(char **at)
{
    char *p = pl_word_skip_blanks(*at);
    char *end = pl_word_end(p);
    char *to = p;

    if (!end)
        return (struct pl_word){NULL, false};
    *at = *end == '\0' ? end : end + 1;
    *end = '\0';
    if (*p != '"')
        return (struct pl_word){p, false};

    char *text = p++;

    end[-1] = '\0';
    for (; *p != '\0'; to++) {
        size_t n = 1;

        if (*p == '\\')
            n = unescape(p, to);
        else
            *to = *p;
        p += n;
    }
    *to = '\0';
    return (struct pl_word){text, true};
}

bool pl_word_parse_number(const char *text, unsigned base, uint64_t max, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t v = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(digits, *text);
        uint64_t d = digit ? (uint64_t)(digit - digits) : base;

        if (d >= base || d > max || v > (max - d) / base)
            return false;
        v = v * base + d;
    }
    *value = v;
    return true;
}

bool pl_word_take_number(char **at, uint64_t max, uint64_t *value)
{
    struct pl_word word = pl_word_take(at);

    return word.text && !word.quoted && pl_word_parse_number(word.text, 10, max, value);
}

bool pl_word_take_hash(char **at, uint64_t *value)
{
    struct pl_word word = pl_word_take(at);

    return word.text && !word.quoted && strlen(word.text) == 16 &&
           pl_word_parse_number(word.text, 16, UINT64_MAX, value);
}
