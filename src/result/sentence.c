/* SPDX-License-Identifier: MIT */
/* See sentence.h. */
#include "result/sentence.h"

#include "base/assert.h"

#include <stdio.h>
#include <string.h>

/* The text for the word that begins behind a brace and has n letters. */
static const char *find(const struct pl_sentence_word *words, const char *name, size_t n)
{
    while (words->name != NULL && (strlen(words->name) != n || memcmp(words->name, name, n) != 0))
        words++;
    PL_ASSERT(words->name != NULL && words->text != NULL);
    return words->text;
}

void pl_sentence_fill(char *to, size_t size, const char *sentence,
                      const struct pl_sentence_word *words)
{
    size_t used = 0;

    PL_ASSERT(size > 0);
    while (*sentence != '\0' && used < size) {
        size_t plain = strcspn(sentence, "{");

        used += (size_t)snprintf(to + used, size - used, "%.*s", (int)plain, sentence);
        sentence += plain;
        if (*sentence == '\0' || used >= size)
            break;
        size_t name = strcspn(sentence, "}") - 1;

        PL_ASSERT(sentence[name + 1] == '}');
        used += (size_t)snprintf(to + used, size - used, "%s", find(words, sentence + 1, name));
        sentence += name + 2;
    }
    if (used == 0)
        to[0] = '\0';
}

void pl_sentence_count(char *to, size_t size, const char *sentence, uint64_t n)
{
    char digits[24];
    const struct pl_sentence_word words[] = {{"n", digits}, {"s", n == 1 ? "" : "s"}, {NULL, NULL}};

    snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
    pl_sentence_fill(to, size, sentence, words);
}
