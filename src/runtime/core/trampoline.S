/* SPDX-License-Identifier: MIT */
/*
 * Where an interrupted thread goes on when a call has been pushed (trampoline.h).
 *
 * The stack pointer is at `function` of struct pl_trampoline_registers, which ends at the red zone
 * of the interrupted frame.  Its call frame information is that of a signal frame, so that
 * unwinders find the interrupted instruction and its registers.
 */
    .text

/* The stack pointer of the interrupted frame, from the start of the struct. */
#define FRAME (168 + 128)
#define FEATURES 136
#define SIZE 144

    .macro keep register, offset
    push %\register
    .cfi_adjust_cfa_offset 8
    .cfi_offset \register, \offset - FRAME
    .endm

    .macro put_back register
    pop %\register
    .cfi_adjust_cfa_offset -8
    .cfi_same_value \register
    .endm

    nop /* unwinders look at the byte before a place that was not called */
    .globl pl_trampoline_entry
    .hidden pl_trampoline_entry
    .type pl_trampoline_entry, @function
pl_trampoline_entry:
    .cfi_startproc simple
    .cfi_signal_frame
    .cfi_def_cfa rsp, FRAME - 120
    .cfi_offset rip, 160 - FRAME
    keep rax, 112
    keep rbx, 104
    keep rcx, 96
    keep rdx, 88
    keep rsi, 80
    keep rdi, 72
    keep rbp, 64
    keep r8, 56
    keep r9, 48
    keep r10, 40
    keep r11, 32
    keep r12, 24
    keep r13, 16
    keep r14, 8
    keep r15, 0
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    sub SIZE(%rbp), %rsp
    and $-64, %rsp
    mov FEATURES(%rbp), %rax
    test %rax, %rax
    jz 1f
    mov %rax, %rdx
    shr $32, %rdx
    xor %ecx, %ecx /* the header of the state: nothing in it yet */
    mov %rcx, 512(%rsp)
    mov %rcx, 520(%rsp)
    mov %rcx, 528(%rsp)
    mov %rcx, 536(%rsp)
    mov %rcx, 544(%rsp)
    mov %rcx, 552(%rsp)
    mov %rcx, 560(%rsp)
    mov %rcx, 568(%rsp)
    xsave64 (%rsp)
    jmp 2f
1:  fxsave64 (%rsp)
2:  fninit /* as a function may expect it: no values on the x87 stack; control words stay */
    fldcw (%rsp)
    mov 128(%rbp), %rdi
    call *120(%rbp)
    mov FEATURES(%rbp), %rax
    test %rax, %rax
    jz 3f
    mov %rax, %rdx
    shr $32, %rdx
    xrstor64 (%rsp)
    jmp 4f
3:  fxrstor64 (%rsp)
4:  mov %rbp, %rsp
    .cfi_def_cfa_register rsp
    put_back r15
    put_back r14
    put_back r13
    put_back r12
    put_back r11
    put_back r10
    put_back r9
    put_back r8
    put_back rbp
    put_back rdi
    put_back rsi
    put_back rdx
    put_back rcx
    put_back rbx
    put_back rax
    lea 32(%rsp), %rsp
    .cfi_adjust_cfa_offset -32
    popfq
    .cfi_adjust_cfa_offset -8
    ret $128
    .cfi_endproc
    .size pl_trampoline_entry, .-pl_trampoline_entry

    .section .note.GNU-stack,"",@progbits
