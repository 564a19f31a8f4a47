/* SPDX-License-Identifier: MIT */
/*
 * Words from outside within a line of plait's own: a file or a program can have a name with a line
 * break, and what looks like a line of plait must be one.
 */
#ifndef PL_REPORT_LINE_H
#define PL_REPORT_LINE_H

#include <stdio.h>

/*
 * The same text with its line breaks as `\n`.  What comes back is `text` itself, or holds until the
 * function was called for PL_LINE_KEPT other texts.
 */
enum { PL_LINE_KEPT = 16 };
const char *pl_line(const char *text);

/* A word as a shell reads it back; one with control characters as bash does. */
void pl_line_quoted(FILE *to, const char *word);

#endif /* PL_REPORT_LINE_H */
