/* SPDX-License-Identifier: MIT */
/*
 * What a system call waits for, asked of the kernel without making the call.
 *
 * Nothing here changes anything that the program or another process could notice.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_ASK_H
#define PL_RUNTIME_SYSTEM_CALLS_ASK_H

#include "runtime/system/calls.h"

#include <stdbool.h>

enum pl_ask {
    PL_ASK_NEVER,     /* it does not wait */
    PL_ASK_IN,        /* for something to read */
    PL_ASK_OUT,       /* for room to write */
    PL_ASK_RECEIVE,   /* the same for a socket, unless its flags say otherwise */
    PL_ASK_SEND,      /* */
    PL_ASK_FLOCK,     /* for a lock of an open file */
    PL_ASK_LOCK,      /* for a lock of a range */
    PL_ASK_SEMAPHORE, /* for System V semaphores */
    PL_ASK_CHILD,     /* for the end of a process */
    PL_ASK_RETRY,     /* that cannot be asked: it is tried */
    PL_ASK_LATER,     /* not where it begins: see calls_parts.c */
    PL_ASK_REPLY,     /* for the other side of a connection */
    PL_ASK_EVENTS,    /* for what the kernel has been asked to do */
    PL_ASK_DEPUTY,    /* nobody knows for what: a deputy makes it; */
    PL_ASK_OVER,      /* for the end of what a deputy makes */
    PL_ASK_PARTNER,   /* for the other end of a FIFO that has been opened */
};

/* Of what kind that is: enum pl_object_kind; and of what kind a descriptor is. */
uint8_t pl_ask_object(unsigned wait, const struct pl_syscall *c);
uint8_t pl_ask_kind(int fd);

/* Descriptors that can keep somebody waiting: all but files and directories. */
bool pl_ask_may_wait(int fd);
bool pl_ask_is_stream(const struct pl_syscall *c); /* a socket that may take a part of a message */
/* Whether the call waits where it cannot go on; *deadline, in virtual time, if not for ever. */
bool pl_ask_waits(unsigned wait, const struct pl_syscall *c, uint64_t *deadline);
/* The same where a deadline does not matter. */
bool pl_ask_is_blocking(unsigned wait, const struct pl_syscall *c);
/* Whether its own flags say that it does not wait. */
bool pl_ask_is_told_not_to(const struct pl_syscall *c);
/* Its time is over: its error, or 0 when it is made with what is there. */
long pl_ask_late(const struct pl_syscall *c);
/* Whether it can only be tried, from its beginning on; others are where their room ran out. */
bool pl_ask_is_tried(const struct pl_syscall *c);
/* Whether trying again what is only tried could come to anything, as far as can be known. */
bool pl_ask_may_retry(const struct pl_syscall *c);
/* Whether it could go on now. */
bool pl_ask_ready(unsigned wait, const struct pl_syscall *c);
/* Whether it asks how many wait at a semaphore of System V. */
bool pl_ask_counts_waiters(const struct pl_syscall *c);
/* What such a call has come to, with those that wait in the runtime; of another: its result.  Who
 * begins to wait is no operation, so for replays of free threads the number is recorded. */
long pl_ask_with_waiters(const struct pl_syscall *c, long result);
/* Whether anything outside of the program might let it go on. */
bool pl_ask_outside(unsigned wait, const struct pl_syscall *c);
/* Whether the kernel alone may let it go on, and takes as long as it takes. */
bool pl_ask_is_endless(unsigned wait);
/* Whether anything outside might make the descriptor ready. */
bool pl_ask_is_outside(int fd);
bool pl_ask_is_pipe(int fd);
/* One that no other process can open by a name. */
bool pl_ask_is_unnamed(int fd);  /* or one of a pair of sockets */
long pl_ask_file_system(int fd); /* the kind that it is on, as statfs() says; 0: not known */

short pl_ask_events(unsigned wait); /* as poll() wants them; 0 when it is nothing for poll() */
int pl_ask_fd(const struct pl_syscall *c); /* what it waits at; -1: no descriptor */
/* Which of its arguments are descriptors, which it holds while it waits: a bit each. */
unsigned pl_ask_descriptors(const struct pl_syscall *c);

#endif /* PL_RUNTIME_SYSTEM_CALLS_ASK_H */
