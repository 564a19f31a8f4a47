/* SPDX-License-Identifier: MIT */
/*
 * An operation: one visible step of a thread.  Announced at a point, performed
 * when the scheduler lets the thread go on.
 */
#ifndef PL_MODEL_OPERATION_H
#define PL_MODEL_OPERATION_H

#include "base/assert.h"
#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t pl_tid; /* a thread by order of creation; 0 is the main thread */
#define PL_TID_NONE ((pl_tid)0xffff)
#define PL_THREADS_MAX 2048

enum pl_op_kind {
#define PL_OP(name, ...) PL_OP_##name,
#include "model/operation.def"
#undef PL_OP
    PL_OP_KINDS
};
_Static_assert(PL_OP_KINDS <= 256, "a kind fits into a byte");

/*
 * What is asked of kinds of operations.  A set of kinds is a question about roles, never a
 * list: a new kind says in operation.def what it is, and is in every set where it belongs.
 */
enum pl_role {
    PL_ROLE_NONE = 0,
    PL_ROLE_PLAIN = 1 << 0,       /* an access that is not atomic */
    PL_ROLE_ATOMIC = 1 << 1,      /* an atomic access, or a fence */
    PL_ROLE_LOADS = 1 << 2,       /* reads memory and does nothing else */
    PL_ROLE_OVERWRITES = 1 << 3,  /* changes its object without looking at it */
    PL_ROLE_ACQUIRES = 1 << 4,    /* takes a lock, unless it is told that it cannot */
    PL_ROLE_SHARES = 1 << 5,      /* takes it together with others: to read */
    PL_ROLE_RELEASES = 1 << 6,    /* gives a lock back */
    PL_ROLE_GIVES_UP = 1 << 7,    /* gives the lock back that is its second object, to wait */
    PL_ROLE_REGAINS = 1 << 8,     /* takes that lock again after the wait */
    PL_ROLE_INITIALISES = 1 << 9, /* what one thread does and the others wait for */
    PL_ROLE_TRIES = 1 << 10,      /* is told at once if it cannot be performed */
    PL_ROLE_TIMED = 1 << 11,      /* is told after a time */
    PL_ROLE_CONTENDS = 1 << 12,   /* waits, with no other way out, for what others may take away
                                     again */
    PL_ROLE_TAKES = 1 << 13,      /* takes one of several from a semaphore */
    PL_ROLE_WAKES = 1 << 14,      /* wakes those that wait at a condition */
    PL_ROLE_LEARNS = 1 << 15,     /* other than by a lock: after it the thread knows what others
                                     did before */
    PL_ROLE_SILENT = 1 << 16,     /* tells its thread nothing: what that does next does not depend
                                     on it */
    PL_ROLE_UNNOTICED = 1 << 17,  /* nobody else can tell it from its not having happened */
    PL_ROLE_IDLE = 1 << 18,       /* by itself it changes nothing that a loop could wait for; of
                                     an atomic update the value decides */
    PL_ROLE_ADVANCES = 1 << 19,   /* a loop that does this goes round for a reason */
    PL_ROLE_PAUSES = 1 << 20,     /* lets others go first, and says no more */
    PL_ROLE_CREATES = 1 << 21,    /* a thread, in aux */
    PL_ROLE_BEGINS = 1 << 22,     /* the first operation of a thread, which nobody has written */
    PL_ROLE_ENDS = 1 << 23,       /* the last one */
    PL_ROLE_JOINS = 1 << 24,      /* waits for the end of a thread, in aux */
    PL_ROLE_CANCELS = 1 << 25,    /* a thread, in aux; or sends it a signal: whatever it does next
                                     may be something else */
    PL_ROLE_QUITS = 1 << 26,      /* ends the process */
    PL_ROLE_OUTSIDE = 1 << 27,    /* waits for what may come from outside of the program */
    PL_ROLE_OF_THREAD = 1 << 28,  /* is about the thread in aux, not what its address says; */
    PL_ROLE_OF_FILES = 1 << 29,   /* about whatever goes through files; */
    PL_ROLE_OF_SERIAL = 1 << 30,  /* about who is the serial thread of a barrier */
    /* goes on when another thread's operation wakes it */
    PL_ROLE_WOKEN = UINT64_C(1) << 31,
    /* writes to a FILE, which nobody in the program can read */
    PL_ROLE_PRINTS = UINT64_C(1) << 32,
    /* makes a system call, itself or in libc: resources of the kernel are its objects, or its
     * second one */
    PL_ROLE_CALLS = UINT64_C(1) << 33,
    /* is about those who wait at a futex, and touches no memory; */
    PL_ROLE_OF_QUEUE = UINT64_C(1) << 34,
    /* uses the word of a futex and, as its second object, those who wait there */
    PL_ROLE_QUEUES = UINT64_C(1) << 35,
    /* comes when a thread has run for long: nothing the program does, and others go first */
    PL_ROLE_LATE = UINT64_C(1) << 36,
    /* like a cancellation, but whatever its target does may come before or after: a signal */
    PL_ROLE_SIGNALS = UINT64_C(1) << 37,
    /* makes a copy of everything: it depends on all that anybody does */
    PL_ROLE_COPIES = UINT64_C(1) << 38,
    /* like memory it is a point only where several threads are known to use its object */
    PL_ROLE_IF_SHARED = UINT64_C(1) << 39,
};

/* PL_ROLES(A, B): the roles A and B of up to eight. */
#define PL_ROLES(...) PL_WORDS(PL_ROLE_, __VA_ARGS__)

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
    /* What calls wait for that is no file, though all calls count as being about one. */
    PL_OBJECT_CHILD,
    PL_OBJECT_FILE_LOCK,
    PL_OBJECT_SEMAPHORES,
    PL_OBJECT_PIPE,
    PL_OBJECT_SOCKET,
    PL_OBJECT_QUEUE,
    PL_OBJECT_DESCRIPTOR, /* of an event counter, a timer, a set of others, a terminal */
};

/* How an announced operation would go on if its thread were chosen now. */
enum pl_way {
    PL_WAY_BLOCKED,  /* not enabled */
    PL_WAY_NORMAL,   /* performs */
    PL_WAY_TIMEOUT,  /* its time runs out */
    PL_WAY_SPURIOUS, /* a condition wait returns for no reason */
    PL_WAY_CANCEL,   /* acts on a pending cancellation */
    PL_WAY_SIGNAL,   /* a signal comes first: its handler runs, then it is announced again */
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
    bool noted;       /* it followed the thread's operation before at once: nothing was chosen */
    bool parked;      /* told at the end: it waits for something other than a lock */
    bool circle;      /* told at the end: it is one of those that wait for each other */
    bool leaves;      /* it was woken, or got a signal, but could also have gone on without */
    bool private;     /* of memory that nobody else is known to use: touches nothing */
    bool trusted;     /* performed in code that the user trusts: no block of a search ends here */
    bool cancellable; /* its thread would act on a cancellation here, and some thread cancels it */
    bool ready;       /* of a system call, a sleep, a stream: it did not have to wait, whatever came
                         before */
    bool steady;      /* of a call, a cancellation, a signal: it does as much in any order */
    bool untimed;     /* of taking with a time-out: that never expires, so it waits */
    bool nested;      /* of a lock that the thread has already: changes nothing */
    bool early;       /* its time is over although somebody else could run, or was due sooner */
    uint8_t came_before; /* of taking a signal: the kind of the operation that it came before */
    bool exposed; /* a signal that comes before it or during it makes a difference: it is a step */
    bool again;   /* it was announced before, and a signal has come in between */
    bool text;    /* of memory: its bytes themselves say how many it reads */
    pl_tid waker; /* whose operation number `wake` enabled it, or PL_TID_NONE */
    uint32_t wake;
    uint32_t round;     /* behind a round of a loop that was for nothing: the number, plus 1, of the
                           operation that it began with; `waker` is the first who wrote something that
                           was looked at there, and others may have done so since.  Or 0. */
    uint32_t statement; /* its number (model/cover.h), if the strategy asks for it */
    uint32_t sought;    /* what its place is in orders that are sought (model/sought.h) */
    uint64_t deaf;      /* its thread blocks these signals there: bit n - 1 is signal n */
};

/* Of a round about which nothing is known: whatever anybody does may make the next one another. */
#define PL_ROUND_OF_ANYTHING UINT32_MAX

const char *pl_operation_text(unsigned kind);
const char *pl_object_text(unsigned object_kind);

/* What a thread does that performs it, with % for the object; NULL: only its text says it. */
const char *pl_operation_phrase(unsigned kind);

/* What operation.def says of a kind, but for words. */
struct pl_op_traits {
    uint64_t roles;
    uint8_t object, least, most;
};
extern const struct pl_op_traits pl_op_traits[256]; /* what is no kind has no roles */

static inline const struct pl_op_traits *pl_operation_traits(unsigned kind)
{
    PL_CHECK(kind <= PL_OP_KINDS); /* of a text that no kind has, pl_operation_find() says so */
    return &pl_op_traits[kind & 0xff];
}

/* Whether it has any of these roles: pl_operation_is(kind, PL_ROLES(TRIES, TIMED)). */
static inline bool pl_operation_is(unsigned kind, uint64_t roles)
{
    return (pl_operation_traits(kind)->roles & roles) != 0;
}

/* Whether a loop may end because of what it finds: not so for pauses, and for locks, which it gives
 * back. */
static inline bool pl_operation_ends_rounds(unsigned kind)
{
    return !pl_operation_is(kind, PL_ROLE_PAUSES) &&
           !(pl_operation_is(kind, PL_ROLES(ACQUIRES, RELEASES)) &&
             pl_operation_is(kind, PL_ROLE_SILENT));
}

/* What an operation of this kind does to its object as a rule. */
static inline enum pl_effect pl_operation_effect(unsigned kind)
{
    return (enum pl_effect)pl_operation_traits(kind)->most;
}

/* The least that it can do. */
static inline enum pl_effect pl_operation_least(unsigned kind)
{
    return (enum pl_effect)pl_operation_traits(kind)->least;
}

static inline enum pl_object_kind pl_operation_object(unsigned kind)
{
    return (enum pl_object_kind)pl_operation_traits(kind)->object;
}

/* Whether its object has its state in memory of the program, at its address. */
static inline bool pl_operation_uses_object(unsigned kind)
{
    return (pl_operation_object(kind) >= PL_OBJECT_MUTEX &&
            pl_operation_object(kind) <= PL_OBJECT_ONCE) ||
           pl_operation_object(kind) == PL_OBJECT_ANY;
}

/* PL_OP_KINDS when no kind has that text. */
unsigned pl_operation_find(const char *text);

#endif /* PL_MODEL_OPERATION_H */
