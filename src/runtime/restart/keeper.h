/* SPDX-License-Identifier: MIT */
/*
 * Keeper and runner: one execution after the other.
 *
 * The first choice or creation of a thread calls pl_keeper_root() through the port.  It returns in
 * each runner, at the root of an execution; the keeper stays in it until the campaign, or the
 * section, is over.
 */
#ifndef PL_RUNTIME_RESTART_KEEPER_H
#define PL_RUNTIME_RESTART_KEEPER_H

#include "runtime/ground/stage.h"

struct pl_restart_port;
extern const struct pl_restart_port pl_restart_port;

/* This is the root, unless there was one already or the program marks it itself. */
void pl_keeper_root(void);
/* This is the root.  True where an execution begins; false in the keeper, after plait_test(). */
bool pl_keeper_root_here(void);
/* What is open when the process begins to take part. */
void pl_keeper_look_at_files(void);
/* Restart by exec, in a new process: settle the execution of the one before. */
void pl_keeper_resume_exec(void);

#endif /* PL_RUNTIME_RESTART_KEEPER_H */
