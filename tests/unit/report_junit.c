/* SPDX-License-Identifier: MIT */
#include "report/line.h"
#include "report/suite.h"

#include "unit.h"

#include <stdlib.h>

static void becomes(const char *text, const char *expected)
{
    char *is = NULL;
    size_t size;
    FILE *to = open_memstream(&is, &size);

    pl_junit_text(to, text);
    fclose(to);
    CHECK_STR(is, expected);
    free(is);
}

static void text_is_escaped(void)
{
    becomes("plain 'text'", "plain 'text'");
    becomes("<a href=\"b\">&amp;]]>", "&lt;a href=&quot;b&quot;&gt;&amp;amp;]]&gt;");
    becomes("gr\xc3\xbc\xc3\x9f \xe2\x86\x92 \xf0\x9f\xa7\xb5",
            "gr\xc3\xbc\xc3\x9f \xe2\x86\x92 \xf0\x9f\xa7\xb5");
    becomes("a\tb\nc", "a\tb\nc");
}

static void what_xml_cannot_hold_is_shown_as_text(void)
{
    becomes("a\x01 b\x1b[0m c\r d\x7f", "a\\x01 b\\x1b[0m c\\x0d d\\x7f");
    becomes("\xff\xc3", "\\xff\\xc3");                                       /* no UTF-8 */
    becomes("\xed\xa0\x80", "\\xed\\xa0\\x80");                              /* a surrogate */
    becomes("\xef\xbf\xbe \xef\xbf\xbf", "\\xef\\xbf\\xbe \\xef\\xbf\\xbf"); /* no characters */
    becomes("\xc2\x85", "\\xc2\\x85");
}

static void words_stay_in_their_line(void)
{
    const char *text = "no break";
    char *word = NULL;
    size_t size;
    FILE *to = open_memstream(&word, &size);

    CHECK(pl_line(text) == text);
    CHECK_STR(pl_line("a\nfinding 2: b\n"), "a\\nfinding 2: b\\n");
    pl_line_quoted(to, "it's\na\x1b\\b");
    fclose(to);
    CHECK_STR(word, "$'it\\'s\\na\\033\\\\b'");
    free(word);
}

static void commands_are_quoted(void)
{
    char *environment[] = {"A=x y", NULL}, *text = NULL;
    size_t size;
    struct pl_suite_test test = {.environment = environment, .directory = "it's"};
    struct pl_suite_finding finding = {.schedule = "no such/f.plait"};
    FILE *to = open_memstream(&text, &size);

    pl_suite_replay_print(to, &test, &finding);
    fclose(to);
    CHECK_STR(text, "cd 'it'\\''s' && env 'A=x y' plait replay 'no such/f.plait'");
    free(text);
}

int main(void)
{
    text_is_escaped();
    what_xml_cannot_hold_is_shown_as_text();
    words_stay_in_their_line();
    commands_are_quoted();
    return unit_result();
}
