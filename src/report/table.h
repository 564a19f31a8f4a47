/* SPDX-License-Identifier: MIT */
/*
 * A schedule as a table: one column a thread, one row an operation, time goes
 * down, source lines at the side.  Where another thread goes on, an arrow leads
 * from the one column to the other; the finding comes last.  When the threads
 * are too many for columns side by side, it is a list with the thread in front.
 */
#ifndef PL_REPORT_TABLE_H
#define PL_REPORT_TABLE_H

#include "report/source.h"
#include "trace/schedule.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether the path is printed as segments: as an overview of a long table, or alone. */
enum pl_table_segments { PL_TABLE_NO_SEGMENTS, PL_TABLE_OVERVIEW, PL_TABLE_ONLY_SEGMENTS };

struct pl_table_style {
    unsigned width; /* of the terminal; 0: not a terminal, take a common width */
    bool color;
    bool unicode; /* arrows and lines of box characters */
    enum pl_table_segments segments;
    bool all;                 /* print all rows, however many */
    struct pl_source *source; /* where source lines come from, or NULL */
    const char *folder;       /* of the schedule, with its slash; NULL: the current one */
};

void pl_table_print(FILE *to, const struct pl_schedule *s, const struct pl_table_style *style);

#endif /* PL_REPORT_TABLE_H */
