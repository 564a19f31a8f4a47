/* SPDX-License-Identifier: MIT */
/*
 * What a system call is about: the two resources that it uses and how, and what it waits for.  Most
 * of it is in rows of ground/calls.def; calls_plan.c decides where it depends on arguments, and
 * calls_hand.c makes those calls that interposers have a model of.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_PLAN_H
#define PL_RUNTIME_SYSTEM_CALLS_PLAN_H

#include "runtime/system/calls.h"

enum pl_resource {
    R_NONE,
    R_FILE,
    R_CONTENT,
    R_TABLE,
    R_NAMES,
    R_SYSTEM_V,
    R_CHILDREN,
    R_PROCESS,
    R_ALL,
};

/* An operation to be: what it is about, and what it waits for. */
struct pl_plan {
    uint64_t first, second;
    uint8_t first_effect, second_effect, wait;
    bool unmodelled; /* it does more here than is known */
};

/* What there is one of. */
uint64_t pl_plan_only(enum pl_resource r);

/* Each resource once: of a folder, names and content are one. */
struct pl_plan pl_plan_uses(uint64_t first, enum pl_effect first_effect, uint64_t second,
                            enum pl_effect second_effect);

bool pl_plan_is_open(uint64_t fd);

/* Folder, path and flags of a call that opens. */
void pl_plan_opening(const struct pl_syscall *c, int *folder, const char **path, uint64_t *flags);

/* Come to the point of the call (calls.c). */
long pl_calls_come(struct pl_syscall *c, const struct pl_plan *p, bool cancellable, uint64_t pc);

#define PL_CALL(name, operation, ...) operation
#define BY_CASE(function, words) struct pl_plan pl_##function(const struct pl_syscall *c);
#define BY_HAND(function, words) long pl_##function(struct pl_syscall *c, uint64_t pc);
#include "runtime/ground/calls.def"

#endif
