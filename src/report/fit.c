/* SPDX-License-Identifier: MIT */
/* See fit.h.  All text here is valid UTF-8 once it has been cleaned. */
#include "report/fit.h"

#include "base/assert.h"
#include "trace/utf8.h"

#include <string.h>

static size_t next(const char *s)
{
    uint32_t code;
    size_t n = pl_utf8_decode(s, &code);

    return n ? n : 1;
}

void pl_fit_clean(char *to, size_t size, const char *text)
{
    size_t used = 0;

    while (*text != '\0') {
        uint32_t code = 0;
        size_t n = pl_utf8_decode(text, &code);
        bool fine = n > 0 && !pl_utf8_is_control(code);

        if (used + (fine ? n : 1) + 1 > size)
            break;
        if (fine)
            memcpy(to + used, text, n);
        else
            to[used] = (char)(n == 1 && (code == '\n' || code == '\t') ? ' ' : '?');
        used += fine ? n : 1;
        text += n ? n : 1;
    }
    PL_ASSERT(size == 0 || used < size);
    if (size > 0)
        to[used] = '\0';
}

unsigned pl_fit_width(const char *text)
{
    unsigned width = 0;

    for (; *text != '\0'; text += next(text))
        width++;
    return width;
}

/* The byte offset of a character. */
static size_t offset_of(const char *text, unsigned character)
{
    size_t at = 0;

    for (; character > 0 && text[at] != '\0'; character--)
        at += next(text + at);
    return at;
}

/* Keep `head` characters at the start and `tail` of the `have` at the end. */
static void cut(char *text, size_t size, unsigned have, unsigned head, unsigned tail, bool unicode)
{
    size_t from = offset_of(text, head);
    size_t to = offset_of(text, have - tail);
    PL_ASSERT(head + tail <= have && from <= to);
    size_t rest = strlen(text + to);
    const char *mark = !unicode ? ".." : from + rest + 4 <= size ? "\u2026" : "~";
    size_t n = strlen(mark);

    PL_ASSERT(from + n + rest < size);
    memmove(text + from + n, text + to, rest + 1);
    memcpy(text + from, mark, n);
}

static void shorten(char *text, size_t size, unsigned width, bool unicode, bool middle)
{
    unsigned have = pl_fit_width(text);
    unsigned gap = unicode ? 1 : 2;

    if (have <= width)
        return;
    if (width <= gap) {
        text[offset_of(text, width)] = '\0';
        return;
    }

    unsigned left = width - gap;
    unsigned tail = middle ? left / 2 : 0;

    cut(text, size, have, left - tail, tail, unicode);
}

void pl_fit_middle(char *text, size_t size, unsigned width, bool unicode)
{
    shorten(text, size, width, unicode, true);
}

void pl_fit_end(char *text, size_t size, unsigned width, bool unicode)
{
    shorten(text, size, width, unicode, false);
}
