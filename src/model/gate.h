/* SPDX-License-Identifier: MIT */
/*
 * The gate: where instrumented code meets the runtime.
 *
 * Every module built by `plait cc` carries a small archive of compiler hooks
 * (src/gate).  A hook looks at one pointer.  While it is NULL, the program runs
 * natively and the hook returns.  When `plait test` has preloaded libplait.so,
 * the archive's constructor finds the runtime's gate by the name
 * `plait_runtime_gate` and the hooks pass every access on.
 *
 * Hooks that have nothing to do after the access end in a tail call, so that at
 * the gate's entry the callee-saved registers and the stack are the program's
 * own: spin detection compares them.
 */
#ifndef PL_MODEL_GATE_H
#define PL_MODEL_GATE_H

#include <stddef.h>
#include <stdint.h>

#define PL_GATE_VERSION 4

/* The section that the hooks' code has to itself in every module (src/gate/CMakeLists.txt). */
#define PL_GATE_SECTION "plait_gate"
/* Their one variable that is there from the beginning. */
#define PL_GATE_PARTS "plait_gate_parts"

/*
 * A hook that nobody needs is turned off in the program's file by one byte of its call: what is
 * left tests a register with the same operand, and changes nothing that a call would not, too.
 */
enum { PL_GATE_CALL = 0xe8, PL_GATE_OFF = 0xa9, PL_GATE_LENGTH = 5 /* of either */ };

/* How an access touches memory.  Or-ed together. */
enum pl_access_flags {
    PL_ACCESS_READ = 1,
    PL_ACCESS_WRITE = 2,
    PL_ACCESS_VOLATILE = 4,
    PL_ACCESS_VPTR = 8,
    PL_ACCESS_RANGE = 16,
    PL_ACCESS_SAME = 32, /* with VPTR: it writes what is there already, as destructors do */
};

/* What an atomic operation does.  The values are part of the gate's version. */
enum pl_atomic_kind {
    PL_ATOMIC_LOAD,
    PL_ATOMIC_STORE,
    PL_ATOMIC_EXCHANGE,
    PL_ATOMIC_ADD,
    PL_ATOMIC_SUB,
    PL_ATOMIC_AND,
    PL_ATOMIC_OR,
    PL_ATOMIC_XOR,
    PL_ATOMIC_NAND,
    PL_ATOMIC_CAS,
    PL_ATOMIC_CAS_WEAK,
    PL_ATOMIC_FENCE,
};

struct pl_gate {
    uint32_t version; /* PL_GATE_VERSION */
    uint32_t size;    /* sizeof(struct pl_gate) of the runtime */

    /*
     * Where a hook that is no tail call leaves the address of its caller's
     * state: six callee-saved registers, then the return address.
     */
    const uint64_t **entry;

    /* A plain access is about to happen.  pc is the hook's return address. */
    void (*access)(const void *addr, size_t size, unsigned flags, void *pc);

    /*
     * An atomic operation is about to happen / has happened.  The hook performs
     * it in between.  before() returns non-zero when a weak compare-exchange
     * is to fail although the values agree.  `order` is the compiler's memory
     * order number, of a compare-exchange with the one of a failure times 256 added, `wanted` the
     * value that a compare-exchange looks for, or NULL.  after() says whether the operation wrote.
     */
    int (*atomic_before)(const void *addr, size_t size, unsigned kind, int order,
                         const void *wanted, void *pc);
    void (*atomic_after)(const void *addr, size_t size, unsigned kind, int wrote);

    void (*func_entry)(void *caller_pc);
    void (*func_exit)(void);

    /* memcpy, memmove and memset as called by newer clang through __tsan_mem*. */
    void *(*copy)(void *to, const void *from, size_t size, void *pc);
    void *(*move)(void *to, const void *from, size_t size, void *pc);
    void *(*fill)(void *to, int byte, size_t size, void *pc);

    /* plait.h */
    unsigned (*choose)(unsigned n, void *pc);
    void (*fail)(const char *file, int line, const char *function, const char *text, void *pc);

    /* A module with hooks has been loaded; `inside` is an address in it. */
    void (*attach)(const void *inside);

    /* The program calls begin() or test() somewhere: executions do not begin before. */
    void (*marked)(void);
    void (*begin)(void);
    void (*end)(void);
    const char *(*test)(void (*function)(void *), void *arg);

    /* plait_assume(): what the thread would do from here on is of no interest. */
    void (*give_up)(void *pc);
};

#endif /* PL_MODEL_GATE_H */
