/* SPDX-License-Identifier: MIT */
/*
 * A schedule as a path: maximal segments of one thread each, with the operations
 * at the beginning and at the end of every segment.
 */
#ifndef PL_REPORT_SEGMENTS_H
#define PL_REPORT_SEGMENTS_H

#include "trace/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A segment: its first and last operation, and how many it has. */
struct pl_segments_part {
    const struct pl_schedule_line *first, *last;
    size_t operations;
};

/* The next segment from line *at on; false when there is none. */
bool pl_segments_next(const struct pl_schedule *s, size_t *at, struct pl_segments_part *part);
size_t pl_segments_count(const struct pl_schedule *s);

struct pl_segments_style {
    unsigned width; /* what lines and locations are cut to; 0: they are not */
    bool unicode;
    bool stacks; /* below each segment who had called at its beginning and at its end */
};

/* A line a segment: number, thread, and the operations in angle brackets; and stacks below it. */
void pl_segments_print(FILE *to, const struct pl_schedule *s,
                       const struct pl_segments_style *style);

#endif /* PL_REPORT_SEGMENTS_H */
