/* SPDX-License-Identifier: MIT */
/* Names for what the analysis talks about, from debug information: places, variables, fields. */
#ifndef PL_STATIC_NAME_H
#define PL_STATIC_NAME_H

#include "static/flow.h"

struct pl_name_place {
    const char *file, *function; /* "" when not known; they live as long as the module */
    const char *inlined_file;    /* where the function was inlined, or "" */
    uint32_t line, column, inlined_line;
};

struct pl_names;
struct pl_names *pl_names_make(const struct pl_flow *flow);

/* Where in the source an instruction stands. */
struct pl_name_place pl_names_place(struct pl_names *n, LLVMValueRef inst);

/* "queue.head", "heap from alloc.c:30", "local x of f"; to be freed. */
char *pl_names_location(struct pl_names *n, uint32_t location);

/* The name of a function as a programmer wrote it. */
const char *pl_names_function(struct pl_names *n, LLVMValueRef function);

#endif /* PL_STATIC_NAME_H */
