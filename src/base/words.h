/* SPDX-License-Identifier: MIT */
/*
 * Sets of words in the rows of tables: PL_WORDS(PL_TRAIT_, HIDDEN, SAMPLES) is
 * PL_TRAIT_HIDDEN | PL_TRAIT_SAMPLES, for one word or up to eight.
 *
 * A table (model/strategies.def, model/finding.def, ...) says of each of its rows what it is as
 * words at the end of the row; an enum has a bit for each word and explains it; whoever must know
 * asks for the bit.  A row that misspells a word does not compile.
 */
#ifndef PL_BASE_WORDS_H
#define PL_BASE_WORDS_H

#define PL_WORDS(prefix, ...)                                                               \
    (PL_WORDS_PICK(__VA_ARGS__, PL_WORDS_8, PL_WORDS_7, PL_WORDS_6, PL_WORDS_5, PL_WORDS_4, \
                   PL_WORDS_3, PL_WORDS_2, PL_WORDS_1, 0)(prefix, __VA_ARGS__))
#define PL_WORDS_PICK(a, b, c, d, e, f, g, h, pick, ...) pick
#define PL_WORDS_1(prefix, a) prefix##a
#define PL_WORDS_2(prefix, a, ...) prefix##a | PL_WORDS_1(prefix, __VA_ARGS__)
#define PL_WORDS_3(prefix, a, ...) prefix##a | PL_WORDS_2(prefix, __VA_ARGS__)
#define PL_WORDS_4(prefix, a, ...) prefix##a | PL_WORDS_3(prefix, __VA_ARGS__)
#define PL_WORDS_5(prefix, a, ...) prefix##a | PL_WORDS_4(prefix, __VA_ARGS__)
#define PL_WORDS_6(prefix, a, ...) prefix##a | PL_WORDS_5(prefix, __VA_ARGS__)
#define PL_WORDS_7(prefix, a, ...) prefix##a | PL_WORDS_6(prefix, __VA_ARGS__)
#define PL_WORDS_8(prefix, a, ...) prefix##a | PL_WORDS_7(prefix, __VA_ARGS__)

#endif /* PL_BASE_WORDS_H */
