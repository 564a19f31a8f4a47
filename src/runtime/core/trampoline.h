/* SPDX-License-Identifier: MIT */
/*
 * A call that is put between two instructions of a thread.
 *
 * A signal handler that interrupted a thread pushes the call; when the handler returns, the
 * function runs on the stack of that thread, below what it interrupted, and outside the handler:
 * it may come to points, other threads may run meanwhile, it may be unwound through.  Afterwards
 * the thread goes on where it was, with every register, flag, vector and x87 state and its red
 * zone as they were.
 *
 * The handler must run on an alternative stack: its own frame would lie where the call is pushed.
 * The stack needs room for the vector state (up to some 11 KB) and for what the function uses.
 */
#ifndef PL_RUNTIME_CORE_TRAMPOLINE_H
#define PL_RUNTIME_CORE_TRAMPOLINE_H

#include <stdint.h>
#include <ucontext.h>

/* What is kept on the stack while the function runs; the first fifteen are put back from here. */
struct pl_trampoline_registers {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    void (*function)(uint64_t);
    uint64_t argument;
    uint64_t features; /* of the vector state that is kept, as XSAVE names them; 0: FXSAVE */
    uint64_t size;     /* of that state */
    uint64_t flags;
    uint64_t rip;
};

enum {
    PL_RED_ZONE = 128,
    PL_TRAP_FLAG = 0x100, /* of the flags: stop after each instruction */
};

/* When the handler that was given `u` returns, its thread calls function(argument), then goes on.
 */
void pl_trampoline_push(ucontext_t *u, void (*function)(uint64_t), uint64_t argument);

/*
 * For the function: the registers of the thread whose stack pointer was `sp` when it was
 * interrupted (REG_RSP before the push).  What is changed here is what the thread goes on with.
 */
static inline struct pl_trampoline_registers *pl_trampoline_registers(uint64_t sp)
{
    return (struct pl_trampoline_registers *)(sp - PL_RED_ZONE) - 1;
}

#endif /* PL_RUNTIME_CORE_TRAMPOLINE_H */
