/* SPDX-License-Identifier: MIT */
/* See keeper.c. */
#ifndef PL_RUNTIME_RESTART_KEEPER_H
#define PL_RUNTIME_RESTART_KEEPER_H

#include "runtime/ground/stage.h"

struct pl_restart_port;
extern const struct pl_restart_port pl_restart_port;

void pl_keeper_root(void);
bool pl_keeper_root_here(void);
void pl_keeper_resume_exec(void);

#endif /* PL_RUNTIME_RESTART_KEEPER_H */
