/* SPDX-License-Identifier: MIT */
/*
 * The program as the analyses see it: all its modules linked into one, with its functions, blocks
 * and calls numbered.
 *
 * Calls of a function lie one behind the other, block by block, in the order of the code.  Between
 * them are *segments*: segment j of a block is where j of its calls lie behind; a thread is always
 * in one.  Everything is made once (load.c, index.c, solve.c for callees) and then only read.
 */
#ifndef PL_STATIC_IR_H
#define PL_STATIC_IR_H

#include "base/err.h"
#include "static/model.h"

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_IR_NONE UINT32_MAX

/* Numbers in a list that grows. */
struct pl_ir_list {
    uint32_t n, room;
    uint32_t *at;
};

struct pl_ir_call {
    LLVMValueRef inst;
    uint32_t function, block;
    uint32_t number;              /* by which places know it, or PL_IR_NONE: it has no label */
    const struct pl_model *model; /* what is known of a callee without a body, or NULL */
    LLVMValueRef declared;        /* the one callee, if it has no body */
    struct pl_ir_list callees;    /* functions with bodies */
    bool unknown;                 /* it may call code that is not known */
    bool returns;                 /* it may */
    uint32_t unwinds;             /* the block where an exception goes on, or PL_IR_NONE */
    bool looped;                  /* its block may be executed again in the same call of it */
};

struct pl_ir_block {
    LLVMBasicBlockRef block;
    uint32_t function;
    uint32_t first_call, n_calls;
    uint32_t segment;            /* the first one */
    uint32_t first_next, n_next; /* in `nexts` */
    uint32_t loop;               /* the outermost one that it is in, or PL_IR_NONE */
    bool leaves;                 /* it returns */
    bool resumes;                /* an exception goes on in the caller */
};

struct pl_ir_function {
    LLVMValueRef value;
    const char *name;
    uint32_t first_block, n_blocks;
    uint32_t first_call, n_calls;
    struct pl_ir_list callers; /* calls */
    bool framed;               /* its entry hook tells the runtime of it */
    bool taken;                /* its address is: calls may be anywhere */
    uint64_t roots;            /* in threads of which classes it may run (threads.c) */
    bool many;                 /* it may be called more than once, by whatever thread */
    bool live;                 /* somebody may call it */
};

struct pl_ir_place {
    uint32_t number; /* of a call */
    uint32_t module;
    uint64_t pc;
    bool off; /* the hook that is called there has been turned off */
};

struct pl_ir {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    unsigned kind; /* of the metadata with numbers */
    uint64_t build;
    bool partly;   /* there is code without bitcode, */
    bool foreign;  /* some of it in the program itself, */
    bool by_place; /* or gcc made it */
    uint32_t n_numbers;
    uint32_t n_lost;   /* labels without a call */
    uint32_t n_copies; /* of functions (clone.h): then several calls have one number */

    struct pl_ir_function *functions;
    struct pl_ir_block *blocks;
    struct pl_ir_call *calls;
    uint32_t *nexts;
    uint32_t n_functions, n_blocks, n_calls, n_nexts, n_segments;
    uint32_t main;              /* PL_IR_NONE: there is none */
    struct pl_ir_list starts;   /* functions that run before main(): constructors */
    struct pl_ir_list finals;   /* at exit, while threads may go on: destructors */
    struct pl_ir_list landings; /* segments where jumps go on (threads.c) */
    struct pl_ir_list anytime;  /* functions that may be called at any time (threads.c) */
    LLVMValueRef *exposed;      /* what code that is not known has by name */
    uint32_t n_exposed;
    LLVMValueRef *closed; /* functions without bitcode that have nothing but what they are handed */
    uint32_t n_closed;
    uint32_t *call_of;          /* by number: a call that has it, or PL_IR_NONE */
    struct pl_ir_place *places; /* sorted by number */
    uint32_t n_places;
    char **modules; /* file names; the first is "" */
    char **paths;   /* of these files */
    uint32_t n_modules;
    struct pl_ir_map *values; /* functions and blocks */
};

/*
 * load.c: read the program, and its libraries unless it is to be looked at alone, as it is whatever
 * libraries it will be run with; -1 with a sentence.
 */
int pl_ir_load(struct pl_ir *ir, const char *program, bool alone, struct pl_err *err);
/* The same for a module that is there; for tests. */
void pl_ir_adopt(struct pl_ir *ir, LLVMModuleRef module);

/* index.c: number functions, blocks and calls. */
void pl_ir_index(struct pl_ir *ir);

/*
 * places.c: the return address of the call behind each label of an ELF file; 0: there is none.
 * `off`: it is that of a hook that has been turned off (model/gate.h).
 */
struct pl_places;
struct pl_places *pl_places_open(const char *path, struct pl_err *err);
uint64_t pl_places_after(const struct pl_places *p, uint64_t label, uint64_t next_label, bool *off);
/* Turn the hook off whose call returns to pc; false: there is no such call. */
bool pl_places_turn_off(const struct pl_places *p, uint64_t pc, int fd);
void pl_places_close(struct pl_places *p);

void pl_ir_add(struct pl_ir_list *list, uint32_t x);
bool pl_ir_add_new(struct pl_ir_list *list, uint32_t x); /* unless it is there */
bool pl_ir_has(const struct pl_ir_list *list, uint32_t x);

/* In sorted rows, the first that is not below the key. */
size_t pl_ir_first(const void *rows, size_t n, size_t size, const void *key,
                   bool (*is_below)(const void *row, const void *key));

/* From pointers to numbers. */
struct pl_ir_map;
struct pl_ir_map *pl_ir_map_make(void);
void pl_ir_map_set(struct pl_ir_map *m, const void *key, uint32_t value);
uint32_t pl_ir_map_get(const struct pl_ir_map *m, const void *key); /* PL_IR_NONE: not there */
void pl_ir_map_free(struct pl_ir_map *m);

uint32_t pl_ir_function_of(const struct pl_ir *ir, LLVMValueRef value);
uint32_t pl_ir_block_of(const struct pl_ir *ir, LLVMBasicBlockRef block);
/* The function that says, before main(), which one is meant by a name; PL_IR_NONE: not here. */
uint32_t pl_ir_resolver_of(const struct pl_ir *ir, LLVMValueRef ifunc);

/* The segment before call c; the one after it is the next number. */
static inline uint32_t pl_ir_before(const struct pl_ir *ir, uint32_t c)
{
    const struct pl_ir_block *b = &ir->blocks[ir->calls[c].block];

    return b->segment + (c - b->first_call);
}

/* Whether the instruction is a call or an invoke, and of no intrinsic without effect. */
bool pl_ir_is_call(LLVMValueRef inst);

#endif /* PL_STATIC_IR_H */
