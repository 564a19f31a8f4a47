/* SPDX-License-Identifier: MIT */
/*
 * Making text fit a place on the terminal.  Names and messages come from
 * programs and from other people's files: what could move the cursor or change
 * colours becomes a question mark.  A character counts as one place wide.
 */
#ifndef PL_REPORT_FIT_H
#define PL_REPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum { PL_FIT_TEXT = 1024 }; /* bytes: room enough for whatever fits a line */

/* Copy what may be printed.  Line ends and tabs become blanks; too long text is cut. */
void pl_fit_clean(char *to, size_t size, const char *text);

/* The number of characters. */
unsigned pl_fit_width(const char *text);

/*
 * Take characters out of the middle or from the end until it fits; the gap is
 * marked.  `size` is the room that text has, in bytes.
 */
void pl_fit_middle(char *text, size_t size, unsigned width, bool unicode);
void pl_fit_end(char *text, size_t size, unsigned width, bool unicode);

#endif /* PL_REPORT_FIT_H */
