/* SPDX-License-Identifier: MIT */
/* See html.h. */
#include "report/coverage/html.h"

#include "base/assert.h"
#include "trace/utf8.h"

#include <string.h>

static const char *name_of(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void pl_html_part(FILE *to, const char *text, size_t n)
{
    PL_ASSERT(text != NULL || n == 0);
    for (size_t at = 0; at < n;) {
        uint32_t code = 0;
        size_t length = pl_utf8_decode(text + at, &code);
        bool fine = length > 0 && at + length <= n && (!pl_utf8_is_control(code) || code == '\t');
        const char *name = fine ? name_of(code) : "\uFFFD";

        if (name != NULL)
            fputs(name, to);
        else
            fwrite(text + at, 1, length, to);
        at += length > 0 ? length : 1;
    }
}

void pl_html_text(FILE *to, const char *text)
{
    pl_html_part(to, text, strlen(text));
}
