/* SPDX-License-Identifier: MIT */
/*
 * Signals that are read through descriptors.
 *
 * Signals are the model's (signal_queue.h) and never reach the kernel, so an event counter stands
 * for the descriptor: it is ready while one of the signals is pending, and what is read from it
 * comes from the queues.
 */
#ifndef PL_RUNTIME_SYSTEM_SIGNALFD_H
#define PL_RUNTIME_SYSTEM_SIGNALFD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct iovec;
struct pl_thread;

/* As the kernel returns it; fd is -1 for a new one. */
long pl_signalfd_make(int fd, uint64_t wanted, int flags);
/* Whether the descriptor is one of these. */
bool pl_signalfd_is(int fd);
/* What a call that reads returns behind its point, with what it takes in these pieces. */
long pl_signalfd_read(int fd, const struct iovec *v, uint64_t n);
/* What is pending has changed. */
void pl_signalfd_look(void);
/* They are ready for what the thread would find pending, its own and the process's. */
void pl_signalfd_show(const struct pl_thread *t);
/* Whether one has become ready by a signal from another process, of which nobody was told. */
bool pl_signalfd_arrived(void);
/* In a child: what stands for them is its parent's, and it gets others under the same numbers: its
 * own if it is controlled, else the kernel's. */
void pl_signalfd_forked(bool controlled);
/* A child that runs for itself has read so many bytes: senders are the processes that it knows. */
void pl_signalfd_was_read(int fd, void *records, long n);

#endif /* PL_RUNTIME_SYSTEM_SIGNALFD_H */
