/* SPDX-License-Identifier: MIT */
/*
 * What an address is, in words that hold in every execution: static memory of a module, a block
 * of the heap by its origin, the stack of a thread.
 *
 * Findings and observers call it for addresses of the program.  Modules are as pl_place_modules()
 * saw them last; an address that no module has is answered, too.
 */
#ifndef PL_RUNTIME_GROUND_PLACE_H
#define PL_RUNTIME_GROUND_PLACE_H

#include "runtime/ground/stage.h"

/* `object_kind`: enum pl_object_kind of what is there. */
struct pl_place pl_place_of(uint64_t addr, unsigned object_kind);
/*
 * The process has become a further program of the execution, or the `same` that it was `before`:
 * its modules are listed behind those of the others.
 */
void pl_place_image(bool same, uint16_t before);
/* An address of this program as the tool is told of it; see struct pl_module. */
uint64_t pl_place_told(uint64_t addr);
/* List the modules that are loaded now, on the board, for the tool's symbols. */
void pl_place_modules(void);
/* What the loader says of the module around this address. */
struct dl_phdr_info;
void pl_place_ask_loader(uint64_t inside, void (*tell)(const struct dl_phdr_info *info));
/* The module around this address has hooks: its accesses to memory are seen. */
void pl_place_instrumented(uint64_t inside);
bool pl_place_is_instrumented(uint64_t pc);
/* Where what can be written of the module around this address begins and ends; false: nothing. */
bool pl_place_data(uint64_t inside, uint64_t *start, uint64_t *end);
/* Of a module, and nobody can write to it. */
bool pl_place_is_constant(uint64_t addr);
/* Whether the path of the module around pc contains the name. */
bool pl_place_in_module(uint64_t pc, const char *name);
/* The offset of pc in its module, the same wherever that was loaded; pc itself if in none. */
uint64_t pl_place_relative(uint64_t pc);

#endif /* PL_RUNTIME_GROUND_PLACE_H */
