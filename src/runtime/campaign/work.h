/* SPDX-License-Identifier: MIT */
/* See work.c. */
#ifndef PL_RUNTIME_CAMPAIGN_WORK_H
#define PL_RUNTIME_CAMPAIGN_WORK_H

#include "runtime/ground/stage.h"

void pl_work_lock(void);   /* of the common; pl_common_unlock() is its end */
void pl_work_resume(void); /* complete what a process of this worker that died had begun */
void pl_work_get(void);    /* wait until there is something to do; may end the campaign */
/* Whether this worker has no part of the search and samples instead. */
bool pl_work_helps(void);
void pl_work_learned(bool something); /* an execution has shown something new, or not */
void pl_work_estimate(void);          /* how much is left */
void pl_work_done(void); /* the worker's part has been explored; may end the campaign */

#endif /* PL_RUNTIME_CAMPAIGN_WORK_H */
