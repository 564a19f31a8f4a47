/* SPDX-License-Identifier: MIT */
/*
 * The findings of a campaign as they become known: described, written to a
 * schedule file at once, then made simpler and replayed (settle.h).  What is only
 * predicted is tried before that (confirm.h).
 */
#ifndef PL_ENGINE_FINDINGS_FINDINGS_H
#define PL_ENGINE_FINDINGS_FINDINGS_H

#include "engine/findings/rerun.h"
#include "engine/symbols/symbols.h"
#include "engine/worker/session.h"
#include "result/request.h"
#include "result/result.h"
#include "trace/schedule.h"

struct pl_findings {
    const struct pl_request *request;
    const struct pl_session *session; /* of the campaign */
    struct pl_symbols *symbols;       /* of the campaign's modules; NULL: none yet */
    struct pl_result *result;
    struct pl_target beside;   /* the program, for what is run beside the workers */
    struct pl_rerun_time time; /* until when they are dealt with */
    uint32_t judged;           /* entries of common->found of which is known whether they count */
    uint32_t seen;             /* entries dealt with */
    bool added[PL_COMMON_FINDINGS];     /* those that are in the result, or no finding at all */
    uint32_t found[PL_COMMON_FINDINGS]; /* which of them each finding of the result is */
    struct pl_result_finding *doubts;   /* races that are left out, by variable */
    size_t n_doubts;
    enum pl_found_verdict refused; /* if the finding that was added last is none: what it is */
    unsigned untold; /* number of a race that was not told yet: more of its pairs may come; or 0 */
    uint64_t spent;  /* of the budget for making them simpler */
    uint64_t driven_ms; /* spent on trying what was predicted */
    uint64_t took_ms;   /* to deal with them, while no worker waits for us */
};

/* Names for what is on the board of a worker; the campaign's. */
struct pl_symbols *pl_findings_symbols(struct pl_findings *findings, const struct pl_board *board);

/* Deal with those that are new. */
void pl_findings_update(struct pl_findings *findings);

/* At the end: write down the executions that show orders which were sought (result->orders). */
void pl_findings_orders(struct pl_findings *findings);

/* The execution on this board as a schedule without finding, to be freed. */
void pl_findings_schedule(struct pl_findings *findings, const struct pl_board *board,
                          struct pl_schedule *schedule);

/*
 * The execution on this board as a schedule without finding, for a bug of ours.
 * `path` gets the file's name, or becomes empty.
 */
void pl_findings_keep_current(struct pl_findings *findings, const struct pl_board *board,
                              char *path, size_t size);

/* Counts that went on growing, at the end. */
void pl_findings_finish(struct pl_findings *findings);

/* Where in the program that is, "bank.c:12", and what is at an address; empty when not known. */
void pl_findings_locate(struct pl_findings *f, uint64_t pc, char *to, size_t size);
void pl_findings_name(struct pl_findings *f, uint64_t address, char *to, size_t size);
/* "read of count by thread 0.1 at bank.c:12". */
void pl_findings_operation(struct pl_findings *f, const struct pl_operation *op, char *to,
                           size_t size);

#endif /* PL_ENGINE_FINDINGS_FINDINGS_H */
