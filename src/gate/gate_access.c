/* SPDX-License-Identifier: MIT */
/*
 * The hooks for plain accesses and for function entry and exit.
 *
 * Each hook is: load the pointer, test it, return; or jump into the gate.  The
 * jump is a tail call and no register is saved before it, so the gate sees the
 * program's own callee-saved registers and stack (model/gate.h says why).  A
 * test looks at the object code.
 *
 * The compilers name a hook [unaligned_][volatile_]read|write|read_write SIZE.
 * gcc 12 and clang 14 do not use all combinations; the table has them all, and
 * the _pc forms that hand-written annotations call.
 */
#include "gate/gate.h"

#define READ PL_ACCESS_READ
#define WRITE PL_ACCESS_WRITE

#define ACCESS(name, size, flags)                        \
    PL_GATE_HIDDEN void __tsan_##name(void *addr);       \
    void __tsan_##name(void *addr)                       \
    {                                                    \
        const struct pl_gate *gate = pl_gate_now;        \
        if (PL_GATE_OPEN(gate))                          \
            gate->access(addr, size, flags, PL_GATE_PC); \
    }

#define ACCESS_AT(name, size, flags)                              \
    PL_GATE_HIDDEN void __tsan_##name##_pc(void *addr, void *pc); \
    void __tsan_##name##_pc(void *addr, void *pc)                 \
    {                                                             \
        const struct pl_gate *gate = pl_gate_now;                 \
        if (PL_GATE_OPEN(gate))                                   \
            gate->access(addr, size, flags, pc);                  \
    }

#define RANGE(name, flags)                                                            \
    PL_GATE_HIDDEN void __tsan_##name(void *addr, unsigned long size);                \
    void __tsan_##name(void *addr, unsigned long size)                                \
    {                                                                                 \
        const struct pl_gate *gate = pl_gate_now;                                     \
        if (PL_GATE_OPEN(gate))                                                       \
            gate->access(addr, size, (flags) | PL_ACCESS_RANGE, PL_GATE_PC);          \
    }                                                                                 \
    PL_GATE_HIDDEN void __tsan_##name##_pc(void *addr, unsigned long size, void *pc); \
    void __tsan_##name##_pc(void *addr, unsigned long size, void *pc)                 \
    {                                                                                 \
        const struct pl_gate *gate = pl_gate_now;                                     \
        if (PL_GATE_OPEN(gate))                                                       \
            gate->access(addr, size, (flags) | PL_ACCESS_RANGE, pc);                  \
    }

/* An access of one byte is always aligned. */
#define WIDE_SIZES(hook, name, flags)                                       \
    hook(name##2, 2, flags) hook(name##4, 4, flags) hook(name##8, 8, flags) \
        hook(name##16, 16, flags)
#define ALL_SIZES(hook, name, flags) hook(name##1, 1, flags) WIDE_SIZES(hook, name, flags)

#define FAMILY(name, flags)                     \
    ALL_SIZES(ACCESS, name, flags)              \
    ALL_SIZES(ACCESS_AT, name, flags)           \
    WIDE_SIZES(ACCESS, unaligned_##name, flags) \
    WIDE_SIZES(ACCESS_AT, unaligned_##name, flags)

FAMILY(read, READ)
FAMILY(write, WRITE)
FAMILY(read_write, READ | WRITE)
FAMILY(volatile_read, READ | PL_ACCESS_VOLATILE)
FAMILY(volatile_write, WRITE | PL_ACCESS_VOLATILE)

RANGE(read_range, READ)
RANGE(write_range, WRITE)

ACCESS(vptr_read, sizeof(void *), READ | PL_ACCESS_VPTR)

PL_GATE_HIDDEN void __tsan_vptr_update(void **addr, void *value);
void __tsan_vptr_update(void **addr, void *value)
{
    const struct pl_gate *gate = pl_gate_now;

    if (PL_GATE_OPEN(gate)) {
        unsigned same = *addr == value ? PL_ACCESS_SAME : 0;

        gate->access(addr, sizeof(*addr), WRITE | PL_ACCESS_VPTR | same, PL_GATE_PC);
    }
}

PL_GATE_HIDDEN void __tsan_func_entry(void *caller_pc);
void __tsan_func_entry(void *caller_pc)
{
    const struct pl_gate *gate = pl_gate_now;

    if (PL_GATE_OPEN(gate))
        gate->func_entry(caller_pc);
}

PL_GATE_HIDDEN void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    const struct pl_gate *gate = pl_gate_now;

    if (PL_GATE_OPEN(gate))
        gate->func_exit();
}

/* clang brackets functions it was told to ignore; what it means is up to a race detector. */
PL_GATE_HIDDEN void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_begin(void)
{
}

PL_GATE_HIDDEN void __tsan_ignore_thread_end(void);
void __tsan_ignore_thread_end(void)
{
}
