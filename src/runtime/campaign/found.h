/* SPDX-License-Identifier: MIT */
/*
 * What an execution has shown goes to the findings of the campaign: into an entry of its own, with
 * the choices, output and stacks of the execution, or to the count of one that is known.
 */
#ifndef PL_RUNTIME_CAMPAIGN_FOUND_H
#define PL_RUNTIME_CAMPAIGN_FOUND_H

/* The execution is over, its outcome on the board. */
void pl_found_add(void);

#endif /* PL_RUNTIME_CAMPAIGN_FOUND_H */
