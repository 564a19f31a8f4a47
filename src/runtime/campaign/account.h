/* SPDX-License-Identifier: MIT */
/* See account.c. */
#ifndef PL_RUNTIME_CAMPAIGN_ACCOUNT_H
#define PL_RUNTIME_CAMPAIGN_ACCOUNT_H

#include "runtime/ground/stage.h"

void pl_account_start(void);       /* let the strategy look at its parameters, once */
void pl_account_claim(void);       /* take up the next execution, or end the campaign */
void pl_account_begin(void);       /* begin it */
void pl_account_plan(void);        /* both */
void pl_account_judge(int status); /* how the execution ended: a wait status, or PL_WORKER_HUNG */
void pl_account_settle(void);      /* count it, tell the strategy */
void pl_account_finish(enum pl_why why) __attribute__((noreturn));
void pl_account_complete(void) __attribute__((noreturn)); /* nothing is left for anybody */
enum pl_why pl_account_reason(void);                      /* why the campaign ends, if it does */
bool pl_account_over(void);                               /* plan() would begin nothing */
uint64_t pl_account_file_size(int fd);

#endif /* PL_RUNTIME_CAMPAIGN_ACCOUNT_H */
