/* SPDX-License-Identifier: MIT */
/*
 * Wide accesses in pieces: a point, some bytes, the next point.
 *
 * An access is made in pieces where an execution has shown that another thread may come in the
 * middle of it, or where the schedule that is followed has a step there; everywhere else it stays
 * one operation.  Library functions that copy are made here; what compiled code does itself is in
 * step.h.
 */
#ifndef PL_RUNTIME_ACCESS_PIECES_H
#define PL_RUNTIME_ACCESS_PIECES_H

#include "runtime/ground/stage.h"

/* The pieces of one access, or of two that are made together. */
struct pl_pieces {
    uint64_t pc;
    const uint64_t *entry;
    uint32_t next; /* number of the next piece, */
    uint32_t skip; /* which is not this: the second access as a whole */
    uint32_t part; /* of what one call of a library function reads */
};

/* Whether a wide access that comes next is to be made in pieces. */
bool pl_pieces_wanted(struct pl_thread *t, uint64_t addr, uint64_t size);
/* The same for one that comes after the events that have been counted and `later` more. */
bool pl_pieces_wanted_later(struct pl_thread *t, uint64_t addr, uint64_t size, uint32_t later);

/* The event of the thread, behind its next one, at which the schedule that is followed has a step;
 * or UINT32_MAX. */
uint32_t pl_pieces_next_step(struct pl_thread *t);

/* An access belongs to these pieces: its events are counted. */
void pl_pieces_add(struct pl_pieces *p, struct pl_thread *t, uint64_t addr, uint64_t size);
/* The next piece is about to be accessed; others may run first.  Flags as at the gate. */
void pl_pieces_touch(struct pl_pieces *p, uint64_t addr, uint64_t size, unsigned flags);

/*
 * One instruction makes an access in one step that is to be made in pieces.  It is said where the
 * processor may make it in several: a number of ten bytes, a vector that is wider than 16 bytes or
 * not aligned, anything across lines of the cache.
 */
void pl_pieces_at_once(uint64_t addr, uint64_t size, uint64_t pc);

/*
 * What a library function does for the code at `pc`: true when it has been done, in pieces.
 * Otherwise nothing has happened.
 */
bool pl_pieces_copy(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry);
bool pl_pieces_move(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry);
bool pl_pieces_fill(void *to, int byte, uint64_t size, uint64_t pc, const uint64_t *entry);
/* What is read in pieces: a block of the heap that the caller frees, with a 0 behind it; or NULL.
 */
char *pl_pieces_read(const void *from, uint64_t size, uint64_t pc, const uint64_t *entry);
/* The same as a copy, of bytes that are not the program's. */
bool pl_pieces_store(void *to, const void *from, uint64_t size, uint64_t pc, const uint64_t *entry);
/*
 * Characters of `unit` bytes that a library function stores one after the other: it is done in any
 * case, and where nobody comes in the middle in one step, or two.
 */
void pl_pieces_print(void *to, const void *from, uint64_t size, uint32_t unit, uint64_t pc,
                     const uint64_t *entry);

#endif /* PL_RUNTIME_ACCESS_PIECES_H */
