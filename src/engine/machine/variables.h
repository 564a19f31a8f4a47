/* SPDX-License-Identifier: MIT */
/* Variables in frames of functions, from debug information. */
#ifndef PL_ENGINE_MACHINE_VARIABLES_H
#define PL_ENGINE_MACHINE_VARIABLES_H

#include "engine/machine/function.h"

struct Dwfl_Module;

/* All variables of the function at `start` that ever are in its frame; *list is to be freed. */
size_t pl_variables_find(struct Dwfl_Module *module, uint64_t start,
                         struct pl_machine_object **list);

#endif /* PL_ENGINE_MACHINE_VARIABLES_H */
