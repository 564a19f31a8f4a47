/* SPDX-License-Identifier: MIT */
/*
 * The accounts of a campaign: what an execution came to, who is told, what comes next.
 *
 * Whoever executes, keeper or runner, calls these functions between two executions, never while
 * threads of the program run.  The accounts are on the board and in the common, so they outlive
 * the process; each step is made such that a process which dies in it can be continued by the next.
 */
#ifndef PL_RUNTIME_CAMPAIGN_ACCOUNT_H
#define PL_RUNTIME_CAMPAIGN_ACCOUNT_H

#include "runtime/ground/stage.h"

void pl_account_start(void);       /* let the strategy look at its parameters, once */
void pl_account_claim(void);       /* take up the next execution, or end the campaign */
void pl_account_begin(void);       /* begin the execution that was claimed */
void pl_account_plan(void);        /* claim and begin */
void pl_account_judge(int status); /* how the execution ended: a wait status, or PL_WORKER_HUNG */
void pl_account_settle(void);      /* count the execution, tell the strategy */
void pl_account_finish(enum pl_why why) __attribute__((noreturn)); /* end the campaign here */
void pl_account_complete(void) __attribute__((noreturn));          /* nothing is left for anybody */
enum pl_why pl_account_reason(void);   /* why the campaign ends, if it does */
bool pl_account_over(void);            /* pl_account_plan() would begin nothing */
uint64_t pl_account_file_size(int fd); /* bytes; 0 when it has no size */

#endif /* PL_RUNTIME_CAMPAIGN_ACCOUNT_H */
