/* SPDX-License-Identifier: MIT */
/*
 * The end of a signal handler.  In this library, so that the system call is let
 * through where others are shown to watch.c.  Unwinders know it by its instructions, which are
 * those of libc's, and look at the byte before it, which must not be another function's.
 */
    .text
    nop
    .globl pl_watch_sigreturn
    .hidden pl_watch_sigreturn
    .type pl_watch_sigreturn, @function
pl_watch_sigreturn:
    mov $15, %rax
    syscall
    ud2
    .size pl_watch_sigreturn, .-pl_watch_sigreturn

    .section .note.GNU-stack,"",@progbits
