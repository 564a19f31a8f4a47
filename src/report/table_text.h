/* SPDX-License-Identifier: MIT */
/* The words in a table of a schedule, apart from where they stand.  For table.c only. */
#ifndef PL_REPORT_TABLE_TEXT_H
#define PL_REPORT_TABLE_TEXT_H

#include "report/source.h"
#include "trace/schedule.h"

#include <stdbool.h>
#include <stddef.h>

/* The program and its arguments. */
void pl_table_text_title(char *to, size_t size, const struct pl_schedule *s);

/* How the schedule was found. */
void pl_table_text_origin(char *to, size_t size, const struct pl_schedule *s);

/* A thread as the table names it: its path, after the process that it is of if that is not the
 * program itself, as p1:0.2. */
void pl_table_text_thread(char *to, size_t size, const struct pl_schedule *s, const char *path);

/* The heading of a thread's column. */
void pl_table_text_heading(char *to, size_t size, const struct pl_schedule *s, const char *path);

/* What an operation or a choice other than a switch says, in at most `width` places. */
void pl_table_text_cell(char *to, size_t size, const struct pl_schedule_line *line, unsigned width,
                        bool unicode);

/* What stands behind the location: the source line, or else the function.  False for nothing. */
bool pl_table_text_side(char *to, size_t size, const struct pl_schedule_line *line,
                        struct pl_source *source);

/*
 * The two operations of an order that was asked for, which the schedule shows; NULL when they are
 * not among the rows: they may be in code of a system header, which reports call by its caller.
 */
void pl_table_text_order(const struct pl_schedule *s, const struct pl_schedule_line *rows[2]);

#endif /* PL_REPORT_TABLE_TEXT_H */
