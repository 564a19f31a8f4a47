/* SPDX-License-Identifier: MIT */
/*
 * What an execution read, on its way from the common to a schedule, and from a
 * schedule to whoever runs it again.  The worker feeds most of it to the
 * program; standard input and the environment are there before it starts, and
 * therefore the tool's business.
 */
#ifndef PL_ENGINE_WORKER_INPUTS_H
#define PL_ENGINE_WORKER_INPUTS_H

#include "engine/worker/origin.h"
#include "engine/worker/target.h"
#include "model/inputs.h"
#include "trace/schedule.h"

/*
 * The image that belongs to a finding, with the standard input of the target;
 * NULL when nothing was recorded, or nothing was read.  The caller frees it.
 */
unsigned char *pl_inputs_make(const struct pl_origin *origin, const struct pl_target *target,
                              size_t *size);

/* Let the worker of this board, which does not run yet, be fed what the schedule has. */
void pl_inputs_put(struct pl_board *board, const struct pl_schedule *schedule);

/* The same with what the execution that is over on another board has read, if that is recorded. */
void pl_inputs_share(struct pl_board *board, const struct pl_board *from);

/* The record of standard input, or NULL; the image may be NULL, too. */
const struct pl_input_record *pl_inputs_stdin(const void *image);
const void *pl_inputs_bytes(const void *image, const struct pl_input_record *r);

/*
 * `from` with the variables that the program asked for as they were then.  The
 * caller frees the list, not what it points to.
 */
char **pl_inputs_environment(const void *image, char **from);

#endif /* PL_ENGINE_WORKER_INPUTS_H */
