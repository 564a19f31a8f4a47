/* SPDX-License-Identifier: MIT */
/*
 * Accesses to memory in one function of the program that no hook announces.
 *
 * The function is read as machine code, into blocks, and what hooks have announced is followed
 * through them (state.h): an access is announced if a hook was given its address on every way to
 * it, with no other call in between; another hook is one where others may come in.  The function's
 * own frame does not count unless its address is given away, and neither does memory that nobody
 * writes.
 */
#ifndef PL_ENGINE_MACHINE_FUNCTION_H
#define PL_ENGINE_MACHINE_FUNCTION_H

#include "engine/machine/state.h"

#include <stddef.h>

/* What a call does. */
enum pl_machine_call {
    PL_CALL_OTHER,
    PL_CALL_LIBRARY, /* a function of another module */
    PL_CALL_HOOK,    /* a hook that others may run in, such as one of an atomic */
    PL_CALL_NOTE,    /* a hook that announces no access: what was announced stays */
    PL_CALL_ACCESS,  /* a hook */
    PL_CALL_RANGE,   /* a hook that is given the size, too */
    PL_CALL_ENDS,    /* it does not return */
};

struct pl_machine_hook {
    enum pl_machine_call call;
    uint32_t size;
    bool read, write;
};

/* What the debug information says where a variable of a frame is: from its CFA, rbp or rsp. */
enum pl_machine_frame { PL_FRAME_CFA, PL_FRAME_RBP, PL_FRAME_RSP, PL_FRAME_BASES };

struct pl_machine_object {
    enum pl_machine_frame base;
    uint64_t addr, size;
};

/* What a jump may take the place of: from an instruction on, see model/site.h. */
struct pl_machine_room {
    unsigned bytes;       /* 0: not enough, or somebody comes in behind the beginning */
    unsigned relative_at; /* where in them the distance to an operand stands; 0: nowhere */
    unsigned call_at;     /* where in them the last one begins, which is a call; 0: it is none */
};

struct pl_machine_world {
    struct pl_machine_memory memory;
    /* What is called at `target`, or through the pointer at `slot`; the other is 0. */
    struct pl_machine_hook (*called)(const void *context, uint64_t target, uint64_t slot);
    /* Whether another function jumps to `pc`, as what was split off from this one does. */
    bool (*entered)(const void *context, uint64_t pc);
    /* Whether a table has the address, which a jump may go by. */
    bool (*tabled)(const void *context, uint64_t pc);
    /* Variables in the frame of the function at `start`: how many, and a list to be freed. */
    size_t (*objects)(const void *context, uint64_t start, struct pl_machine_object **list);
    /*
     * Operand `k` of the instruction is not announced.  It and what follows up to `room` can be
     * performed elsewhere.
     */
    void (*found)(void *to, const struct pl_machine_code *code, unsigned k,
                  struct pl_machine_room room);
    /* The same of an instruction that gives something else each time. */
    void (*chance)(void *to, const struct pl_machine_code *code, struct pl_machine_room room);
    void *to;
};

/* Tell where a function jumps to outside of itself, and which addresses it takes. */
void pl_function_exits(uint64_t start, const uint8_t *bytes, size_t size,
                       void (*visit)(void *to, uint64_t target),
                       void (*takes)(void *to, uint64_t addr), void *to);

/* bytes: the code from start on. */
void pl_function_read(const struct pl_machine_world *world, uint64_t start, const uint8_t *bytes,
                      size_t size);

#endif /* PL_ENGINE_MACHINE_FUNCTION_H */
