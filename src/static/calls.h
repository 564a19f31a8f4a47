/* SPDX-License-Identifier: MIT */
/*
 * What calls do to pointers: of functions with bitcode, of those that model.def knows, through
 * pointers once it is known where these lead, of code that nothing is known of; and which blocks of
 * the heap there are.  Part of flow.c.
 */
#ifndef PL_STATIC_CALLS_H
#define PL_STATIC_CALLS_H

#include "static/flow.h"

/* blocks.c: by function, the allocation that it hands out, or PL_IR_NONE; to be freed. */
uint32_t *pl_calls_allocators(struct pl_flow *f);
/* Make the blocks of the heap. */
void pl_calls_allocate(struct pl_flow *f, const uint32_t *allocators);

/* The constraints of one call. */
void pl_calls_read(struct pl_flow *f, uint32_t call, const uint32_t *allocators);
/* Unknown code calls what it gets hold of. */
void pl_calls_let_world(struct pl_flow *f);

/* arguments.c: what the row of a function without bitcode says of its argument i. */
void pl_arguments_read(struct pl_flow *f, uint32_t call, unsigned i);

/* What the solver tells: a pointer that is called may be this function. */
void pl_calls_found(void *context, uint32_t what, uint32_t object);

/* A constant, or -1. */
int64_t pl_calls_constant(LLVMValueRef v);

/* A call touches memory; makes a block of the heap, for this caller or PL_IR_NONE. */
void pl_calls_touch(struct pl_flow *f, struct pl_flow_access a);
uint32_t pl_calls_block(struct pl_flow *f, uint32_t call, uint32_t caller, const char *name);

/* library.c: argument i is a string that the call looks at or changes; what a member returns;
 * argument i is a node of `size` bytes that is, if it `changes`, linked with others of the call. */
void pl_library_string(struct pl_flow *f, uint32_t call, unsigned i, bool changes);
void pl_library_inner(struct pl_flow *f, uint32_t call, uint32_t result);
void pl_library_node(struct pl_flow *f, uint32_t call, unsigned i, int64_t size, bool changes);
/* Files that are mapped; what the letters behind '~' of a row mean; pointers go from the memory of
 * arguments that is read to that which is written; all that a call is handed, and, if `deep`, what
 * is found there. */
void pl_library_mapped(struct pl_flow *f, uint32_t call, bool writes);
void pl_library_state(struct pl_flow *f, uint32_t call, const char *letters);
void pl_library_mix(struct pl_flow *f, uint32_t call);
/* What the runtime's tables say of a function. */
void pl_library_words(struct pl_flow *f, uint32_t call, const char *words);
void pl_library_all(struct pl_flow *f, uint32_t call, bool deep);

#endif /* PL_STATIC_CALLS_H */
