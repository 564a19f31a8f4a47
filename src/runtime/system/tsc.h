/* SPDX-License-Identifier: MIT */
/*
 * The processor's counter of time, which programs read by an instruction.
 *
 * Where the code of the program has that instruction, the kernel is asked to make it fault; then it
 * counts virtual time like all other clocks, two ticks a nanosecond.  Who calibrates one by the
 * other finds that they agree.
 */
#ifndef PL_RUNTIME_SYSTEM_TSC_H
#define PL_RUNTIME_SYSTEM_TSC_H

#include <stdbool.h>

struct dl_phdr_info;

/* A module with hooks is about to run: look at its code.  Not later: a runner must not ask the
 * loader, whose lock the program may hold at the root. */
void pl_tsc_attach(const struct dl_phdr_info *info);

/* The calling OS thread is to run executions. */
void pl_tsc_begin(void);

/* Programs that this one starts read the counter as it is; for the rest of the execution all do. */
void pl_tsc_end(void);

/* A fault: whether it was that instruction, which has been performed then. */
bool pl_tsc_trap(void *context);

#endif /* PL_RUNTIME_SYSTEM_TSC_H */
