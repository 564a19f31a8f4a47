/* SPDX-License-Identifier: MIT */
/* See place.c. */
#ifndef PL_RUNTIME_GROUND_PLACE_H
#define PL_RUNTIME_GROUND_PLACE_H

#include "runtime/ground/stage.h"

struct pl_place pl_place_of(uint64_t addr, unsigned object_kind);
void pl_place_modules(void);
void pl_place_instrumented(uint64_t inside);
bool pl_place_is_instrumented(uint64_t pc);
bool pl_place_in_module(uint64_t pc, const char *name);
uint64_t pl_place_relative(uint64_t pc);

#endif /* PL_RUNTIME_GROUND_PLACE_H */
