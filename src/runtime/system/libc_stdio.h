/* SPDX-License-Identifier: MIT */
/*
 * stdio: functions on one FILE do not commute, so each is an operation on it; then libc's own
 * function does the work.  Where only one thread is known to use the FILE it is no point.
 *
 * While libc's function is at work other threads may come in: it may wait for input, or call the
 * program's own functions below fopencookie().  So a function locks the FILE with an operation that
 * can be chosen and gives it back with one that cannot, as flockfile() and funlockfile() would,
 * which are modelled.  What prints to standard output or error has no points in it and is one
 * operation.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_STDIO_H
#define PL_RUNTIME_SYSTEM_LIBC_STDIO_H

#include "runtime/ground/stage.h"
#include "runtime/system/functions.h"

#include <stdio.h>

void pl_stdio_init(void);             /* at the start of the library */
void pl_stdio_flush(void);            /* what exit() does at its very end */
pl_tid pl_stdio_owner(uint64_t addr); /* who has locked the FILE there */

/*
 * The same for another object of libc that has a lock, such as a DIR: the thread has it while
 * libc's function goes on, in which there may be points, so that nobody waits for libc's own.
 * Whether taking it was a point, as giving it back is then. Not on free threads, nor in replays of
 * these.
 */
bool pl_stdio_hold(const void *object, struct pl_call who);
/* Looking at it, when nobody has it, is one step. */
void pl_stdio_look(const void *object, struct pl_call who);
void pl_stdio_let_go(const void *object, bool point, uint64_t pc);
void pl_streams_init(void); /* of streams.c */

/* How a function uses a FILE: a set of these. */
enum pl_stream_use {
    PL_STREAM_CHANGES = 0,
    PL_STREAM_LOOKS = 1,    /* at what is known of it, and no more */
    PL_STREAM_PRINTS = 2,   /* output: the system calls in it belong to it, if it is captured */
    PL_STREAM_UNLOCKED = 4, /* whoever has locked it */
    PL_STREAM_ENDS = 8,     /* it is no more */
    PL_STREAM_ONE = 16,     /* it takes one character, which may be there already */
    PL_STREAM_FLUSHES = 32, /* it says what there is, where that is in memory */
};

/* A function on a FILE, from its operation to its end. */
struct pl_stream {
    FILE *file; /* NULL: nothing is to be done at the end */
    uint64_t pc;
    int fd;     /* behind it, or -1 */
    bool point; /* it was one */
    bool holds; /* the FILE is locked meanwhile */
    bool passes, prints, ends, unlocked;
    bool for_nothing; /* it flushes, and nothing is there to be flushed */
    bool waits;       /* of a free thread: libc may wait in it, which a cancellation ends */
    int depth;        /* how often the thread has libc's own lock already */
    int error;        /* errno before it, and whether the FILE had failed already, if it waits */
    bool failed;
};

/* The operation; then accesses may be announced and libc's function be called. */
struct pl_stream pl_stream_begin(FILE *file, unsigned use, struct pl_call who);
/* What it has read: nothing is no progress of whoever tries again and again. */
void pl_stream_moved(const struct pl_stream *s, bool moved);
/* Also when the thread leaves by an exception, or is cancelled. */
void pl_stream_end(struct pl_stream *s);

#define PL_STREAM_OF(name, file, use, who) \
    struct pl_stream name __attribute__((cleanup(pl_stream_end))) = pl_stream_begin(file, use, who)

#endif /* PL_RUNTIME_SYSTEM_LIBC_STDIO_H */
