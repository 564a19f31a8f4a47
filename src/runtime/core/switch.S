/* SPDX-License-Identifier: MIT */
/*
 * The switch between fibers: callee-saved registers, stack pointer and the
 * floating-point control words.  Everything else is dead across a call.
 */
    .text

/* void pl_fiber_swap(void **save_sp, void *new_sp) */
    .globl pl_fiber_swap
    .hidden pl_fiber_swap
    .type pl_fiber_swap, @function
pl_fiber_swap:
    .cfi_startproc
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    sub $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    add $8, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .cfi_endproc
    .size pl_fiber_swap, .-pl_fiber_swap

/* void pl_fiber_visit(void *sp, void (*call)(void *), void *arg): to an unwinder, the caller of
 * call() is who saved `sp`. */
    .globl pl_fiber_visit
    .hidden pl_fiber_visit
    .type pl_fiber_visit, @function
pl_fiber_visit:
    .cfi_startproc
    push %rbp
    mov %rsp, %rbp
    mov %rdi, %rsp
    .cfi_def_cfa rsp, 64
    .cfi_offset rbp, -16
    .cfi_offset rbx, -24
    .cfi_offset r12, -32
    .cfi_offset r13, -40
    .cfi_offset r14, -48
    .cfi_offset r15, -56
    mov %rdx, %rdi
    call *%rsi
    mov %rbp, %rsp
    pop %rbp
    ret
    .cfi_endproc
    .size pl_fiber_visit, .-pl_fiber_visit

/* The first frame of a fiber: unwinders stop here. */
    .globl pl_fiber_entry
    .hidden pl_fiber_entry
    .type pl_fiber_entry, @function
pl_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    xor %ebp, %ebp
    sub $8, %rsp
    call *pl_fiber_body(%rip)
    ud2
    .cfi_endproc
    .size pl_fiber_entry, .-pl_fiber_entry

    .section .note.GNU-stack,"",@progbits
