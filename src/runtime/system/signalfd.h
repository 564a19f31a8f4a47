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

#endif /* PL_RUNTIME_SYSTEM_SIGNALFD_H */
