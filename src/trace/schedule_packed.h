/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a long schedule, packed: millions of choices of an execution
 * that went round loops.
 *
 * A choice is its shape (all but the number of events that its thread had had) and
 * that number.  Shapes are few.  In a file a line `=` has a shape, and a line `+`
 * many choices: the digest of the last one, then a token for each, its shape and
 * by how much its number is larger than that of the choice before in the same
 * thread; "*4x100" says that the last 4 choices of the line come 100 times more.
 * Only the last choice of a line has a digest.
 */
#ifndef PL_TRACE_SCHEDULE_PACKED_H
#define PL_TRACE_SCHEDULE_PACKED_H

#include "trace/schedule.h"

enum {
    PL_PACKED_LINE = 4096,      /* choices, at most, in a line */
    PL_PACKED_PERIOD = 64,      /* choices, at most, that come again */
    PL_PACKED_SHAPES = 1 << 16, /* at most */
    PL_PACKED_TOKEN = 32,       /* bytes, with what ends it */
};

/* What writer and reader keep of each thread, by its place among all. */
struct pl_packed_state {
    uint32_t *threads; /* of each shape */
    uint32_t *last;    /* number of the choice before, by thread */
};

/* -1 when memory ran out. */
int pl_packed_open(struct pl_packed_state *state, const struct pl_schedule *s);
void pl_packed_close(struct pl_packed_state *state);

/*
 * The tokens of group number `group`, each with a blank before it, as at most `size` bytes at
 * `to`, of which PL_PACKED_LINE * PL_PACKED_TOKEN are enough; returns how many there are.
 */
size_t pl_packed_print(const struct pl_schedule *s, struct pl_packed_state *state, size_t group,
                       char *to);

/*
 * Add a line of tokens, of which the last choice has this digest.  NULL when that was done, else
 * what is wrong with it.
 */
const char *pl_packed_parse(struct pl_schedule *s, struct pl_packed_state *state, uint64_t digest,
                            const char *tokens);

/* Add a shape; UINT32_MAX when there is no room. */
uint32_t pl_packed_shape(struct pl_schedule *s, const struct pl_schedule_line *line);

#endif /* PL_TRACE_SCHEDULE_PACKED_H */
