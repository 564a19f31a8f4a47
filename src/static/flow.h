/* SPDX-License-Identifier: MIT */
/*
 * Pointers of a program: the constraints of its code, solved, with the calls through pointers that
 * come of it, and what its operations touch.
 */
#ifndef PL_STATIC_FLOW_H
#define PL_STATIC_FLOW_H

#include "static/ir.h"
#include "static/solve.h"

#include <llvm-c/Core.h>

/* Memory that a call touches. */
struct pl_flow_access {
    uint32_t call;
    uint32_t node; /* of the address */
    uint32_t size; /* bytes; 0: up to the end of the object */
    bool reads, writes;
    bool life;            /* it frees it, or makes or destroys an object of pthreads there */
    LLVMValueRef address; /* or NULL */
};

/* A thread that a call creates. */
struct pl_flow_thread {
    uint32_t call, function;
};

struct pl_flow {
    struct pl_ir *ir;
    struct pl_solve *solve;
    struct pl_ir_map *nodes;   /* of values */
    uint32_t *arguments;       /* by function: the node of the first one */
    uint32_t *results, *rests; /* by function: what it returns; arguments beyond the named ones */
    uint32_t world, world_object;
    struct pl_ir_list closed; /* nodes of what calls of closed functions can get hold of */
    uint32_t environment, random, semaphores, numbers, actions; /* memory of the library's own, */
    uint32_t library; /* some of which it hands out: arguments of main(), tables, streams; */
    uint32_t answers; /* and what it changes when it is asked again: gmtime() */
    struct pl_ir_map *states;  /* of other memory of its own, by its name */
    bool asked_counts, counts; /* whether a text has been looked for, and found, that is a format
                                  with %n */
    uint32_t keys, thrown, returned; /* kept for threads; thrown; what threads return */
    uint32_t filed, windows; /* written to files, pipes and sockets; given to libraries to fill */
    bool channels; /* it has pipes or the like: a pointer that is written may be read again */
    struct pl_flow_access *accesses; /* by call, sorted */
    uint32_t n_accesses, room;
    uint32_t *objects, *mutexes; /* by call: nodes of what the operation is about, or PL_IR_NONE */
    struct pl_flow_thread *threads;
    uint32_t n_threads, room_threads;
    struct pl_ir_list callbacks; /* functions that unknown code, or libc at any time, may call */
    struct pl_ir_list lasts;     /* functions that threads call when their own have returned */
    struct pl_ir_list foreign;   /* those of them that unknown code may: in threads of its own */
    struct demand *demands;      /* calls through pointers; see calls.c */
    uint32_t n_demands, room_demands;
    uint64_t limit;
    bool coarse; /* that has happened */
};

/* After so much work of the solver, what very many pointers lead to is not told apart any more. */
void pl_flow_run(struct pl_flow *f, struct pl_ir *ir, uint64_t limit);

/* The node of a value; it may have been made for this question. */
uint32_t pl_flow_node(struct pl_flow *f, LLVMValueRef value);
/* Memory of the library's own, that no pointer leads to. */
uint32_t pl_flow_own_memory(struct pl_flow *f);
/* Objects that a value may point into; PL_IR_NONE if it is not one alone. */
const struct pl_solve_set *pl_flow_set(const struct pl_flow *f, uint32_t node);

/* bounds.c: the array that an offset of a variable lies in. */
enum pl_solve_part pl_flow_bound(void *context, const struct pl_solve_object *o, int64_t offset,
                                 int64_t *low, int64_t *high);

/* escape.c: mark the objects that a node leads to, and those that memory of these leads to. */
void pl_flow_reach(const struct pl_flow *f, uint32_t node, bool *seen);

/* Whether the address is, or is computed from, a value that an instruction computes. */
bool pl_flow_depends(LLVMValueRef address, LLVMValueRef on);

/* What a call touches; n of them. */
const struct pl_flow_access *pl_flow_accesses(const struct pl_flow *f, uint32_t call, uint32_t *n);

/* Strip casts and constant offsets off an address; the same for all that compute the same. */
LLVMValueRef pl_flow_base(const struct pl_ir *ir, LLVMValueRef address, int64_t *offset);

/* Offset and stride that a getelementptr adds. */
void pl_flow_address(const struct pl_ir *ir, LLVMValueRef gep, int64_t *offset, int64_t *stride);

/* Whether an address is computed from itself, round a loop. */
bool pl_flow_goes_round(LLVMValueRef from);

/* Of an instruction or an expression of constants; 0: it is neither. */
LLVMOpcode pl_flow_opcode(LLVMValueRef v);

/* Something is added atomically to what is stored at a pointer: so many bytes. */
void pl_flow_move_on(struct pl_flow *f, uint32_t pointer, LLVMValueRef by, int64_t size);

/* Whether a value may have a pointer in it. */
bool pl_flow_carries(LLVMValueRef value);
bool pl_flow_is_cast(LLVMOpcode op);
/* numbers.c: whether what comes of a computation is no pointer. */
bool pl_flow_is_number(LLVMValueRef inst);

#endif /* PL_STATIC_FLOW_H */
