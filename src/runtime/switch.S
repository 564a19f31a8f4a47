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

/* The first frame of a fiber: unwinders stop here. */
    .globl pl_fiber_entry
    .hidden pl_fiber_entry
    .type pl_fiber_entry, @function
pl_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    xor %ebp, %ebp
    sub $8, %rsp
    call pl_fiber_body
    ud2
    .cfi_endproc
    .size pl_fiber_entry, .-pl_fiber_entry

/*
 * The end of a signal handler.  In this library, so that the system call is let
 * through where others are shown to watch.c.  Unwinders know it by its instructions, which are
 * those of libc's, and look at the byte before it, which must not be another function's.
 */
    nop
    .globl pl_watch_sigreturn
    .hidden pl_watch_sigreturn
    .type pl_watch_sigreturn, @function
pl_watch_sigreturn:
    mov $15, %rax
    syscall
    ud2
    .size pl_watch_sigreturn, .-pl_watch_sigreturn

/*
 * pl_access_slow(addr, size, flags, pc): keep the program's callee-saved
 * registers where spin detection finds them, then go on in C.
 */
    .globl pl_access_slow
    .hidden pl_access_slow
    .type pl_access_slow, @function
pl_access_slow:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    push %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    push %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    push %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    push %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    sub $8, %rsp
    .cfi_adjust_cfa_offset 8
    lea 8(%rsp), %r8
    call pl_access_point
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    pop %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    pop %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    pop %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    pop %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    pop %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    pop %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size pl_access_slow, .-pl_access_slow

    .section .note.GNU-stack,"",@progbits
