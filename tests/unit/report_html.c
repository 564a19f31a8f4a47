/* SPDX-License-Identifier: MIT */
/* Text as part of a page. */
#include "report/coverage/html.h"

#include "unit.h"

#include <stdlib.h>

static char *written(const char *text, size_t n)
{
    char *to = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&to, &size);

    pl_html_part(file, text, n);
    fclose(file);
    return to;
}

static void is_written(const char *text, size_t n, const char *expected)
{
    char *found = written(text, n);

    CHECK_STR(found, expected);
    free(found);
}

static void markup_is_shown(void)
{
    is_written("<a href=\"x\">'&amp;'", 19, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;");
    is_written("plain \u00fc \u2500 text\t.", 19, "plain \u00fc \u2500 text\t.");
}

static void what_is_no_text_is_replaced(void)
{
    is_written("a\0b", 3, "a\uFFFDb");
    is_written("\x1b[31m\x7f\n", 7, "\uFFFD[31m\uFFFD\uFFFD");
    is_written("\xff\xc3(\xed\xa0\x80", 6, "\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD");
    is_written("\u202e\u2066", 6, "\uFFFD\uFFFD");
}

/* A character of which only the beginning belongs to the part. */
static void a_part_ends_where_it_ends(void)
{
    is_written("ab<", 2, "ab");
    is_written("a\u00fc", 2, "a\uFFFD");
    is_written("", 0, "");
}

int main(void)
{
    markup_is_shown();
    what_is_no_text_is_replaced();
    a_part_ends_where_it_ends();
    return unit_result();
}
