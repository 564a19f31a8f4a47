/* SPDX-License-Identifier: MIT */
/*
 * Which worker explores which part of the search (docs/design/workers.md).
 *
 * The accounts call these functions between two executions.  The seats of all workers are in the
 * common and change only under its lock; a process that dies with the lock held leaves a state
 * that pl_common_recover() completes.
 */
#ifndef PL_RUNTIME_CAMPAIGN_WORK_H
#define PL_RUNTIME_CAMPAIGN_WORK_H

#include "runtime/ground/stage.h"

void pl_work_lock(void);   /* take the lock of the common; pl_common_unlock() gives it back */
void pl_work_resume(void); /* complete what a process of this worker that died had begun */
void pl_work_get(void);    /* wait until there is something to do; may end the campaign */
/* Whether this worker has no part of the search and samples instead. */
bool pl_work_helps(void);
void pl_work_learned(bool something); /* an execution has shown something new, or not */
void pl_work_estimate(void);          /* say how much of the worker's part is left */
void pl_work_done(void); /* the worker's part has been explored; may end the campaign */

#endif /* PL_RUNTIME_CAMPAIGN_WORK_H */
