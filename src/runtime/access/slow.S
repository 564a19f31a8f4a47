/* SPDX-License-Identifier: MIT */
/*
 * pl_access_slow(addr, size, flags, pc): keep the program's callee-saved
 * registers where spin detection finds them, then go on in C.  When that says so,
 * the processor stops after each instruction from the return on (step.h).
 */
    .text
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
    call pl_access_hook
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
    test %al, %al
    jne 1f
    ret
1:  pushfq
    orq $0x100, (%rsp)
    popfq
    ret
    .cfi_endproc
    .size pl_access_slow, .-pl_access_slow

    .section .note.GNU-stack,"",@progbits
