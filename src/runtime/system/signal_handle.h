/* SPDX-License-Identifier: MIT */
/*
 * What the program does about signals, and its handlers being run.
 *
 * The kernel knows of the program's handlers only that there are some: a handler of the runtime
 * takes in what comes from outside, and the program's own is called as a function of the thread
 * that it interrupts, on that thread's stack or its alternate one.  So threads may be switched
 * while handlers run, each thread has its own mask, and what rollback puts back is memory.
 *
 * Faults are the kernel's: the program's handler for SIGSEGV and its like is called with what the
 * kernel found, on the thread's stack, and returns to the instruction.
 */
#ifndef PL_RUNTIME_SYSTEM_SIGNAL_HANDLE_H
#define PL_RUNTIME_SYSTEM_SIGNAL_HANDLE_H

#include "runtime/ground/stage.h"

struct __jmp_buf_tag;

/* Read what the process was started with. */
void pl_signal_handle_init(void);
/* In a child that fork() has made: the kernel calls the program's handlers from now on. */
void pl_signal_handle_forked(void);
/* sigaction() there. */
int pl_signal_handle_in_child(int signo, const struct sigaction *in, struct sigaction *out);

/* For those below, by the port. */
void pl_signal_interrupt(struct pl_thread *t);
/* For the scheduler, by the port: what has come for a thread may be lost when it is cancelled. */
void pl_signal_cancelled(struct pl_thread *t);
bool pl_signal_deliver(struct pl_thread *t);
void pl_signal_jumps(const struct __jmp_buf_tag *env);

/* The thread is over. */
void pl_signal_thread_ended(struct pl_thread *t);

/* Run the handlers of all that is due, by a call of the thread itself. */
void pl_signal_handle_all(struct pl_thread *t);
/* The program dies of it, or is stopped. */
void pl_signal_die(int signo, uint64_t pc);

/* A fault of the program that it handles itself; false when it does not. */
bool pl_signal_fault(int signo, const siginfo_t *info, void *context);
/* A signal that the program sends itself: should it kill, the keeper knows who did it. */
void pl_signal_expect_death(int signo, uint64_t pc);

#endif /* PL_RUNTIME_SYSTEM_SIGNAL_HANDLE_H */
