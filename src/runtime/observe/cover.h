/* SPDX-License-Identifier: MIT */
/*
 * Which interleavings have been seen, by the models of model/cover.h.
 *
 * The thread that does something calls; on the free carrier several may call at once.  What has
 * been shown is in the common, where the threads of this execution stand is on the stage.
 */
#ifndef PL_RUNTIME_OBSERVE_COVER_H
#define PL_RUNTIME_OBSERVE_COVER_H

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

extern const struct pl_observer pl_cover_observer;
/* Gives operations the numbers of their statements, for strategies that ask for them. */
extern const struct pl_observer pl_cover_statements;

/* The thread has come to this operation, */
void pl_cover_at(struct pl_thread *t, const struct pl_operation *op);
/* and has performed it. */
void pl_cover_event(struct pl_thread *t, const struct pl_operation *op);
/* The execution is over: let the tool tell what is given about the statements that it showed. */
void pl_cover_given(void);
void pl_cover_created(pl_tid creator, pl_tid created); /* threads, which orders their operations */
void pl_cover_joined(pl_tid joiner, pl_tid joined);
void pl_cover_took(struct pl_thread *t, uint64_t lock, bool shared); /* by its last operation */
void pl_cover_gave(struct pl_thread *t, uint64_t lock);
void pl_cover_leave(struct pl_thread *t); /* the function of its innermost frame */
/* Models that direct, PL_COVER_M1 | ...; for executions that begin after it or the present one. */
void pl_cover_direct(unsigned models);
/* What would come of a disturbance here and now. */
enum pl_cover_interest pl_cover_interest(const struct pl_thread *t, const struct pl_operation *op);
/* Whether a place in the code took part in a pair of conflicting statements. */
bool pl_cover_shares(uint64_t pc);
/* For strategies, see context.risk. */
unsigned pl_cover_risk(const struct pl_operation *op);

#endif /* PL_RUNTIME_OBSERVE_COVER_H */
