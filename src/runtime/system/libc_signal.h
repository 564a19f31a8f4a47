/* SPDX-License-Identifier: MIT */
/*
 * Signals: each thread has its own mask, and waiting for a signal is an operation that is enabled
 * when one is pending.
 *
 * The scheduler calls pl_signal_deliver() through its port when a thread goes on.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H
#define PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H

#include "runtime/ground/stage.h"

/* The object of operations on signals that are sent to the whole process. */
#define PL_SIGNALS_SENT ((uint64_t)&pl_stage->process.signals_sent)

/* Send it to the OS thread that runs, which on fibers is not what libc takes it for. */
int pl_signal_raise(int signo);
/* Send the thread what was kept for it and is not blocked any more. */
void pl_signal_deliver(struct pl_thread *t);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H */
