/* SPDX-License-Identifier: MIT */
/*
 * Text without libc, for code that runs inside the program under test: there
 * even strlen() is the program's, interposed and counted.
 */
#ifndef PL_BASE_TEXT_H
#define PL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t pl_text_length(const char *s);
bool pl_text_equal(const char *a, const char *b);
bool pl_text_starts(const char *s, const char *prefix);
bool pl_text_contains(const char *text, const char *part);
/* Where its n-th word begins, from 0; words are parted by spaces. */
const char *pl_text_word(const char *s, unsigned n);
/* The hexadecimal number at p, in small letters; where it ends. */
const char *pl_text_hex(const char *p, uint64_t *out);

/* Copy at most size-1 bytes and terminate; returns the length copied. */
size_t pl_text_copy(char *to, size_t size, const char *from);

/*
 * A small snprintf: %s %c %d %u %x %p %%, with l and ll, width, 0 and - flags.
 * Always terminates when size > 0; returns the length written.
 */
__attribute__((format(printf, 3, 4))) size_t pl_text_format(char *to, size_t size,
                                                            const char *format, ...);
size_t pl_text_vformat(char *to, size_t size, const char *format, va_list args);

#endif /* PL_BASE_TEXT_H */
