/* SPDX-License-Identifier: MIT */
/* The sentences of tables: words in braces are places that are filled in. */
#ifndef PL_RESULT_SENTENCE_H
#define PL_RESULT_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

/* What stands at {name}. */
struct pl_sentence_word {
    const char *name, *text;
};

/*
 * Fill in a sentence of a table.  Each word in braces must be one of `words`, which end with a
 * name that is NULL.  What does not fit is cut off.
 */
void pl_sentence_fill(char *to, size_t size, const char *sentence,
                      const struct pl_sentence_word *words);

/* Fill in a sentence about a number: {n} is the number, {s} the ending of a plural. */
void pl_sentence_count(char *to, size_t size, const char *sentence, uint64_t n);

#endif /* PL_RESULT_SENTENCE_H */
