/* SPDX-License-Identifier: MIT */
/*
 * pl_step_stub: the thread has been sent here from between two instructions of its own, by a
 * trap.  Everything it has in registers is kept on its stack, below the 128 bytes that a function
 * may use without saying so, pl_step_arrive() is called with it, and the thread goes on where that
 * says, with the flags that it says: a set trap flag works from the instruction after popf on.
 *
 * The stack: a frame as in step.c (registers by number, flags, address), then those 128 bytes.
 */
    .text
    .globl pl_step_stub
    .hidden pl_step_stub
    .type pl_step_stub, @function
pl_step_stub:
    lea -136(%rsp), %rsp
    pushfq
    push %r15
    push %r14
    push %r13
    push %r12
    push %r11
    push %r10
    push %r9
    push %r8
    push %rdi
    push %rsi
    push %rbp
    push %rsp
    push %rbx
    push %rdx
    push %rcx
    push %rax
    lea 272(%rsp), %rax         /* 16 registers, flags, address, 128 bytes: as it was */
    mov %rax, 32(%rsp)
    cld
    mov %rsp, %rbx
    mov %rsp, %rdi
    sub $2880, %rsp
    and $-64, %rsp
    xor %eax, %eax              /* the header of the area must be 0 */
    mov %rax, 512(%rsp)
    mov %rax, 520(%rsp)
    mov %rax, 528(%rsp)
    mov %rax, 536(%rsp)
    mov %rax, 544(%rsp)
    mov %rax, 552(%rsp)
    mov %rax, 560(%rsp)
    mov %rax, 568(%rsp)
    mov $0xe7, %eax             /* x87, SSE, AVX, AVX-512 */
    xor %edx, %edx
    xsave64 (%rsp)
    call pl_step_arrive
    mov $0xe7, %eax
    xor %edx, %edx
    xrstor64 (%rsp)
    mov %rbx, %rsp
    pop %rax
    pop %rcx
    pop %rdx
    pop %rbx
    lea 8(%rsp), %rsp
    pop %rbp
    pop %rsi
    pop %rdi
    pop %r8
    pop %r9
    pop %r10
    pop %r11
    pop %r12
    pop %r13
    pop %r14
    pop %r15
    popfq
    ret $128
    .size pl_step_stub, .-pl_step_stub

    .section .note.GNU-stack,"",@progbits
