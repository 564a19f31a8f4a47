/* SPDX-License-Identifier: MIT */
#include "result/sentence.h"

#include "unit.h"

static void numbers_have_a_plural(void)
{
    char text[64];

    pl_sentence_count(text, sizeof(text), "{n} call{s} left control", 1);
    CHECK_STR(text, "1 call left control");
    pl_sentence_count(text, sizeof(text), "{n} call{s} left control", 18446744073709551615u);
    CHECK_STR(text, "18446744073709551615 calls left control");
    pl_sentence_count(text, sizeof(text), "none", 0);
    CHECK_STR(text, "none");
    pl_sentence_count(text, sizeof(text), "", 3);
    CHECK_STR(text, "");
}

static void words_are_filled_in_where_they_stand(void)
{
    const struct pl_sentence_word words[] = {
        {"a", "first"}, {"ab", ""}, {"b", "{a}"}, {NULL, NULL}};
    char text[64];

    pl_sentence_fill(text, sizeof(text), "{a}{ab} and {b}", words);
    CHECK_STR(text, "first and {a}"); /* what is filled in is no sentence of a table */
}

static void what_does_not_fit_is_cut(void)
{
    const struct pl_sentence_word words[] = {{"long", "0123456789"}, {NULL, NULL}};
    char text[8];

    pl_sentence_fill(text, sizeof(text), "a {long} b", words);
    CHECK_STR(text, "a 01234");
    pl_sentence_fill(text, sizeof(text), "0123456{long}", words);
    CHECK_STR(text, "0123456");
    pl_sentence_fill(text, 1, "{long}", words);
    CHECK_STR(text, "");
}

int main(void)
{
    numbers_have_a_plural();
    words_are_filled_in_where_they_stand();
    what_does_not_fit_is_cut();
    return unit_result();
}
