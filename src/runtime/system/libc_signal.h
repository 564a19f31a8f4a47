/* SPDX-License-Identifier: MIT */
/*
 * Signals as the program's calls see them: masks, sending, waiting.
 *
 * libc_signal.c has masks and waiting, libc_kill.c sending, libc_sigaction.c what is done about
 * signals, libc_timer.c timers; signal_queue.h is the model below them, signal_handle.h runs
 * handlers.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H
#define PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H

#include "runtime/ground/stage.h"

/* Signals are sent: from the next execution on all that has to do with them is a point. */
void pl_signal_matters(void);
/* A point of a call that changes what signals do, if that matters. */
void pl_signal_changes(uint64_t pc);

/*
 * The mask of a call that waits, such as ppoll(): from here on; and the thread's own again.  A
 * signal that only the first one leaves open comes while the thread waits, or not at all.
 */
void pl_signal_swap_mask(struct pl_thread *t, const sigset_t *set);
void pl_signal_swap_back(struct pl_thread *t);

/* Take one of these that is pending, for a signalfd; 0 when none is.  And whether one is. */
int pl_signal_take(struct pl_thread *t, uint64_t wanted, siginfo_t *info);
bool pl_signal_is_pending(const struct pl_thread *t, uint64_t wanted);

/* Send it to a thread, or to the process if target is NULL; an error. */
int pl_signal_send(struct pl_thread *target, const siginfo_t *info, uint64_t pc);

/* Whether it is a signal, and for the process group that the program is in. */
bool pl_signal_is_for_group(pid_t pid, int signo);

/* What the program does about a signal from now on; it is valid. */
void pl_signal_handle_set(int signo, const struct pl_action *a);

/* When the first timer of the program goes off; PL_NEVER: none is set. */
uint64_t pl_timer_next(void);

/* When the first of those goes off whose signal ends the program, or PL_NEVER. */
uint64_t pl_timer_deadly(void);
/* Whether the timer that the thread is has been neither stopped nor set anew. */
bool pl_timer_goes(const struct pl_thread *t);

/* In a new process: it has none of them. */
void pl_timer_forked(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H */
