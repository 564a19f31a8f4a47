/* SPDX-License-Identifier: MIT */
/*
 * Findings, places and threads in words.  Numbers come from a board, names from
 * the symbols; the result is what reports print and schedule files carry.
 */
#ifndef PL_ENGINE_FINDINGS_DESCRIBE_H
#define PL_ENGINE_FINDINGS_DESCRIBE_H

#include "engine/symbols/symbols.h"
#include "model/board.h"
#include "model/common.h"
#include "result/result.h"

#include <stddef.h>

/* What the numbers of one execution refer to. */
struct pl_scene {
    const struct pl_thread_name *threads;
    unsigned n_threads;
    struct pl_symbols *symbols;
    const uint64_t (*row_frames)[PL_FINDING_ROW_FRAMES]; /* of a finding's rows; NULL: none */
    const uint64_t *frames; /* callers of events, as on a board; NULL: none */
};

/* "0.2.1"; empty for PL_TID_NONE and nonsense. */
void pl_describe_thread(const struct pl_scene *scene, pl_tid tid, char *to, size_t size);

/* "accounts[0].lock", "block 3 of thread 0.1 from pool.c:12 +8", "stack of 0.1"; or empty. */
void pl_describe_place(const struct pl_scene *scene, const struct pl_place *place, char *to,
                       size_t size);

/* "bank.c:12 (transfer)", or what is known of it; empty when nothing is. */
void pl_describe_location(const struct pl_scene *scene, uint64_t pc, char *to, size_t size);

/* "bank.c:12" only; empty when the line is not known. */
void pl_describe_line(const struct pl_scene *scene, uint64_t pc, char *to, size_t size);

/* The finding's pc as a return address; where a signal struck, pc is not one by itself. */
uint64_t pl_describe_pc(const struct pl_finding *finding);

/* A place in the program and its callers, innermost first. */
struct pl_trail {
    uint64_t pc;
    const uint64_t *frames;
    unsigned n_frames;
};

struct pl_trail pl_describe_trail(const struct pl_scene *scene, const struct pl_event *event);

/* The program's own code there: the place, or the first caller not in a library; or 0. */
uint64_t pl_describe_own_pc(const struct pl_scene *scene, const struct pl_trail *trail);

/* Where the event is for a reader: where the program's own code calls what a header of the system
 * defines. */
uint64_t pl_describe_event_pc(const struct pl_scene *scene, const struct pl_event *event);

/* The callers of a place on the trail in the program's own code; how many. */
size_t pl_describe_callers(const struct pl_scene *scene, const struct pl_trail *trail,
                           uint64_t place, char (*to)[PL_RESULT_LINE], size_t most);

/* The stacks of the rows of a finding; NULL when it has none. */
const uint64_t (*pl_describe_frames(const struct pl_common *common,
                                    const struct pl_found *found))[PL_FINDING_ROW_FRAMES];

/* Fills what a finding says; schedule, counts and replay are the caller's. */
void pl_describe_finding(const struct pl_scene *scene, const struct pl_finding *finding,
                         struct pl_result_finding *out);

/* "the 30 s time-out at server.c:88 expired while 0.2 could run": what came early in an execution
 * that was traced; empty when nothing did. */
void pl_describe_early(const struct pl_scene *scene, const struct pl_event *events, uint64_t n,
                       char *to, size_t size);

#endif /* PL_ENGINE_FINDINGS_DESCRIBE_H */
