/* SPDX-License-Identifier: MIT */
/*
 * An operation: one visible step of a thread.  Announced at a point, performed
 * when the scheduler lets the thread go on.
 */
#ifndef PL_MODEL_OPERATION_H
#define PL_MODEL_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t pl_tid; /* a thread by order of creation; 0 is the main thread */
#define PL_TID_NONE ((pl_tid)0xffff)
#define PL_THREADS_MAX 2048

enum pl_op_kind {
#define PL_OP(name, text, least, most, object) PL_OP_##name,
#include "model/operation.def"
#undef PL_OP
    PL_OP_KINDS
};

/* A set of kinds: a word with a bit for each, so that many are found with one look. */
#define PL_OP_BIT(name) (UINT64_C(1) << PL_OP_##name)
_Static_assert(PL_OP_KINDS <= 64, "a kind has a bit");

static inline bool pl_operation_in(unsigned kind, uint64_t set)
{
    return (set >> kind & 1) != 0;
}

/* What an operation does to an object. */
enum pl_effect {
    PL_EFFECT_NONE,
    PL_EFFECT_READ,  /* looks at it */
    PL_EFFECT_ADD,   /* changes it in a way that commutes with other such changes */
    PL_EFFECT_WRITE, /* changes it */
};

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

    uint64_t other;       /* a second object: the mutex of a condition wait; or 0 */
    uint8_t effect;       /* enum pl_effect, once it is being performed */
    uint8_t other_effect; /* on the second object */
    bool noted;   /* it followed the thread's operation before at once: nothing was chosen */
    bool parked;  /* told at the end: it waits for something other than a lock */
    bool circle;  /* told at the end: it is one of those that wait for each other */
    bool leaves;  /* it was woken, but could also have gone on without */
    bool private; /* of memory that nobody else is known to use: touches nothing */
    bool trusted; /* performed in code that the user trusts: no block of a search ends here */
    bool nested;  /* of a lock that the thread has already: touches nothing */
    pl_tid waker; /* whose operation number `wake` enabled it, or PL_TID_NONE */
    uint32_t wake;
    uint32_t statement; /* its number (model/cover.h), if the strategy asks for it */
    uint32_t sought;    /* what its place is in orders that are sought (model/sought.h) */
};

const char *pl_operation_text(unsigned kind);
const char *pl_object_text(unsigned object_kind);

/* What an operation of this kind does to its object as a rule. */
static inline enum pl_effect pl_operation_effect(unsigned kind)
{
    static const uint8_t effects[] = {
#define PL_OP(name, text, least, most, object) PL_EFFECT_##most,
#include "model/operation.def"
#undef PL_OP
    };

    return kind < PL_OP_KINDS ? (enum pl_effect)effects[kind] : PL_EFFECT_NONE;
}

/* The least that it can do. */
static inline enum pl_effect pl_operation_least(unsigned kind)
{
    static const uint8_t effects[] = {
#define PL_OP(name, text, least, most, object) PL_EFFECT_##least,
#include "model/operation.def"
#undef PL_OP
    };

    return kind < PL_OP_KINDS ? (enum pl_effect)effects[kind] : PL_EFFECT_NONE;
}

static inline enum pl_object_kind pl_operation_object(unsigned kind)
{
    static const uint8_t objects[] = {
#define PL_OP(name, text, least, most, object) PL_OBJECT_##object,
#include "model/operation.def"
#undef PL_OP
    };

    return kind < PL_OP_KINDS ? (enum pl_object_kind)objects[kind] : PL_OBJECT_NONE;
}

/* PL_OP_KINDS when no kind has that text. */
unsigned pl_operation_find(const char *text);

#endif /* PL_MODEL_OPERATION_H */
