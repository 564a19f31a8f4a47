/* SPDX-License-Identifier: MIT */
/*
 * Signals that are pending: a queue for each thread and one for the process.
 *
 * What the program sends itself never goes to the kernel; what comes from outside is put into the
 * queues at the next point.  A standard signal is pending at most once in each queue, of
 * real-time signals there may be any number.  The lowest number goes first, and among equals the
 * one that was sent first, as in the kernel.
 *
 * A thread is `due` when something is pending that it does not block and does not wait for by
 * sigwait(): its next step is to run the handler.  pl_signal_queue_look() must be called whenever
 * a mask, a queue or what the program does about a signal has changed.
 */
#ifndef PL_RUNTIME_SYSTEM_SIGNAL_QUEUE_H
#define PL_RUNTIME_SYSTEM_SIGNAL_QUEUE_H

#include "runtime/ground/stage.h"

static inline uint64_t pl_signal_bit(int signo)
{
    return UINT64_C(1) << (signo - 1);
}

/* Whether there is a function, neither SIG_DFL nor SIG_IGN. */
static inline bool pl_signal_is_handler(const struct pl_action *a)
{
    return (uint64_t)a->handler > (uint64_t)SIG_IGN;
}

/* What is done about a signal for which there is no handler. */
enum pl_signal_fate { PL_SIGNAL_HANDLED, PL_SIGNAL_IGNORED, PL_SIGNAL_DEADLY };
enum pl_signal_fate pl_signal_queue_fate(int signo);

/*
 * Put it into the queue of t, or of the process if that is NULL; false when there is no room.  What
 * is `shared` was sent to the process, and goes back there when t blocks it or ends.
 */
bool pl_signal_queue_put(struct pl_thread *t, const siginfo_t *info, bool shared, pl_tid sender,
                         uint32_t sent);

/* Whether the announced operation of t could be performed but for signals. */
bool pl_signal_queue_goes_on(const struct pl_thread *t);
/* The same, or its time run out. */
bool pl_signal_queue_leaves(const struct pl_thread *t);

/* Take the first of these that is pending for t, or for the process; 0 when none is. */
int pl_signal_queue_take(struct pl_thread *t, uint64_t wanted, siginfo_t *info);
/* The one of these that was sent first, or NULL. */
const struct pl_signal *pl_signal_queue_earliest(const struct pl_thread *t, uint64_t wanted);
/* Whether there are more than one. */
bool pl_signal_queue_has_several(const struct pl_thread *t, uint64_t wanted);
/* What is pending for t, with what is for the process. */
uint64_t pl_signal_queue_pending(const struct pl_thread *t);
/* What of it was sent up to that number, or by t itself. */
uint64_t pl_signal_queue_pending_until(const struct pl_thread *t, uint64_t number);
/* Forget all that is pending of this signal, everywhere. */
void pl_signal_queue_forget(int signo);
/* Forget what a timer of timer_create() has sent and nobody has taken. */
void pl_signal_queue_forget_timer(int timer);

/* In a new process: nothing is pending there, for its only thread or for itself. */
void pl_signal_queue_forked(struct pl_thread *t);

/* Find out anew whether the thread is due. */
void pl_signal_queue_look(struct pl_thread *t);
/* The thread takes none of these any more: those that were for the process are, again. */
void pl_signal_queue_return(struct pl_thread *t, uint64_t unwanted);

#endif /* PL_RUNTIME_SYSTEM_SIGNAL_QUEUE_H */
