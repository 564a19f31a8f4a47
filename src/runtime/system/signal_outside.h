/* SPDX-License-Identifier: MIT */
/*
 * Signals that the kernel sends, or other processes: for the process, for a thread that makes a
 * call, by descriptors and queues.  They are kept where the kernel's handler finds them, and become
 * signals of the program's threads at points.
 */
#ifndef PL_RUNTIME_SYSTEM_SIGNAL_OUTSIDE_H
#define PL_RUNTIME_SYSTEM_SIGNAL_OUTSIDE_H

#include "runtime/ground/stage.h"

/* The kernel's handler of all signals that the program handles. */
void pl_signal_come(int signo, siginfo_t *info, void *context);

/* For the scheduler, by the port: what has come is given to threads. */
void pl_signal_arrived(void);
/* Take in what the kernel keeps back although a thread would have it: fibers share one mask. */
bool pl_signal_take_in(void);
/* Whether one has come since the threads were looked at, whoever waits for it: a handler, sigwait()
 * or whoever reads it through a descriptor. */
bool pl_signal_has_come(void);

/* A call that raises the signal has failed, or what is done about it changes: the kernel looks at
 * that within the call, which no search can reverse. */
void pl_signal_meets(int signo, bool raised, uint64_t pc);
/* A call of the thread has failed with EPIPE or EFBIG: it gets the signal, unless it said
 * otherwise. */
void pl_signal_of_call(struct pl_thread *t, int signo);

#endif /* PL_RUNTIME_SYSTEM_SIGNAL_OUTSIDE_H */
