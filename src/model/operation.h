/* SPDX-License-Identifier: MIT */
/*
 * An operation: one visible step of a thread.  Announced at a point, performed
 * when the scheduler lets the thread go on.
 */
#ifndef PL_MODEL_OPERATION_H
#define PL_MODEL_OPERATION_H

#include <stdint.h>

typedef uint16_t pl_tid; /* a thread by order of creation; 0 is the main thread */
#define PL_TID_NONE ((pl_tid)0xffff)
#define PL_THREADS_MAX 2048

enum pl_op_kind {
#define PL_OP(name, text, effect, object) PL_OP_##name,
#include "model/operation.def"
#undef PL_OP
    PL_OP_KINDS
};

enum pl_effect { PL_EFFECT_NONE, PL_EFFECT_READ, PL_EFFECT_WRITE };

enum pl_object_kind {
    PL_OBJECT_NONE,
    PL_OBJECT_ANY,
    PL_OBJECT_MEMORY,
    PL_OBJECT_MUTEX,
    PL_OBJECT_COND,
    PL_OBJECT_RWLOCK,
    PL_OBJECT_SPIN,
    PL_OBJECT_BARRIER,
    PL_OBJECT_SEM,
    PL_OBJECT_ONCE,
    PL_OBJECT_THREAD,
    PL_OBJECT_FUTEX,
    PL_OBJECT_FILE,
};

/* How an announced operation would go on if its thread were chosen now. */
enum pl_way {
    PL_WAY_BLOCKED,  /* not enabled */
    PL_WAY_NORMAL,   /* performs */
    PL_WAY_TIMEOUT,  /* its time runs out */
    PL_WAY_SPURIOUS, /* a condition wait returns for no reason */
    PL_WAY_CANCEL,   /* acts on a pending cancellation */
};

struct pl_operation {
    uint8_t kind; /* enum pl_op_kind */
    uint8_t way;  /* enum pl_way, when offered to a strategy */
    pl_tid tid;
    uint32_t size;    /* bytes, for memory */
    uint64_t addr;    /* the object; 0 when there is none */
    uint64_t pc;      /* return address of the call */
    uint32_t ordinal; /* how many events the thread had before this one */
    uint32_t aux;     /* kind-specific: memory order, thread, number of values */
    uint64_t name;    /* the thread's name, see name.h */
};

const char *pl_operation_text(unsigned kind);
const char *pl_object_text(unsigned object_kind);

static inline enum pl_effect pl_operation_effect(unsigned kind)
{
    static const uint8_t effects[] = {
#define PL_OP(name, text, effect, object) PL_EFFECT_##effect,
#include "model/operation.def"
#undef PL_OP
    };

    return kind < PL_OP_KINDS ? (enum pl_effect)effects[kind] : PL_EFFECT_NONE;
}

static inline enum pl_object_kind pl_operation_object(unsigned kind)
{
    static const uint8_t objects[] = {
#define PL_OP(name, text, effect, object) PL_OBJECT_##object,
#include "model/operation.def"
#undef PL_OP
    };

    return kind < PL_OP_KINDS ? (enum pl_object_kind)objects[kind] : PL_OBJECT_NONE;
}

/* PL_OP_KINDS when no kind has that text. */
unsigned pl_operation_find(const char *text);

#endif /* PL_MODEL_OPERATION_H */
