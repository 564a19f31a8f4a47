/* SPDX-License-Identifier: MIT */
/*
 * The part of a schedule's file that holds what its execution read; for reader
 * and writer of schedules.  Functions that return a text return NULL when all is
 * well, else what is wrong.
 */
#ifndef PL_TRACE_SCHEDULE_INPUTS_H
#define PL_TRACE_SCHEDULE_INPUTS_H

#include "trace/schedule.h"

enum {
    PL_SCHEDULE_INPUTS_INSIDE = 4096, /* bytes of an image that stand in the schedule itself */
    PL_SCHEDULE_INPUTS_LINE = 72,     /* bytes in a line */
    PL_SCHEDULE_INPUTS_NAME = 32,     /* room for the name of a file beside it */
};

/* Lines of the header: "inputs SIZE HASH", "inputs-data BASE64". */
const char *pl_schedule_inputs_announce(struct pl_schedule *s, uint64_t size, uint64_t hash);
const char *pl_schedule_inputs_add(struct pl_schedule *s, const char *text);

/* At the end of the header: whether what stands in the schedule itself is whole. */
const char *pl_schedule_inputs_check(struct pl_schedule *s);

/* The file beside the one of this path, if there has to be one. */
int pl_schedule_inputs_read(struct pl_schedule *s, const char *schedule, struct pl_err *err);
int pl_schedule_inputs_write(const struct pl_schedule *s, const char *schedule, struct pl_err *err);

void pl_schedule_inputs_name(const struct pl_schedule *s, char to[PL_SCHEDULE_INPUTS_NAME]);

#endif /* PL_TRACE_SCHEDULE_INPUTS_H */
