/* SPDX-License-Identifier: MIT */
/*
 * The text of source lines, found below the current folder as they are named
 * in a schedule.  A file that is missing, huge or no regular file has none.
 */
#ifndef PL_REPORT_SOURCE_H
#define PL_REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct pl_source;

/* NULL when memory ran out, which pl_source_line() takes for "no source". */
struct pl_source *pl_source_open(void);
void pl_source_close(struct pl_source *source);

/*
 * Copy the line that "bank.c:31", "bank.c:31:5" or "bank.c:31 (withdraw)" names,
 * trimmed and fit for a terminal.  False when there is none or it is blank.
 */
bool pl_source_line(struct pl_source *source, const char *location, char *to, size_t size);

/* How many lines a file has; 0 when there is no text to be had. */
size_t pl_source_lines(struct pl_source *source, const char *path);

/* A line of it, from 1, without its end; not terminated, and as it stands in the file. */
const char *pl_source_text(struct pl_source *source, const char *path, size_t line, size_t *length);

#endif /* PL_REPORT_SOURCE_H */
