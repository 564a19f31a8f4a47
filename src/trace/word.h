/* SPDX-License-Identifier: MIT */
/*
 * Cutting a line into words, in place.  A word is bare, up to the next blank,
 * or a C string literal with the escapes \n \t \r \" \\ and \ooo; unescaping
 * shortens it.  No word holds a NUL.
 */
#ifndef PL_TRACE_WORD_H
#define PL_TRACE_WORD_H

#include <stdbool.h>
#include <stdint.h>

struct pl_word {
    char *text; /* NULL when there is none or it is malformed */
    bool quoted;
};

static inline bool pl_word_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *pl_word_skip_blanks(char *p);

/* Whether only blanks are left. */
bool pl_word_at_end(char *p);

/* The end of the word at p, or NULL when there is none or it is malformed.  Changes nothing. */
char *pl_word_end(char *p);

/* Cut the next word off, unescape it and move *at behind it. */
struct pl_word pl_word_take(char **at);

/* A number without sign, at most max. */
bool pl_word_parse_number(const char *text, unsigned base, uint64_t max, uint64_t *value);
bool pl_word_take_number(char **at, uint64_t max, uint64_t *value);

/* 16 hexadecimal digits, exactly. */
bool pl_word_take_hash(char **at, uint64_t *value);

#endif /* PL_TRACE_WORD_H */
