/* SPDX-License-Identifier: MIT */
/*
 * The heap of the program: the same addresses for the same schedule, freed blocks poisoned and kept
 * out of use for a while, every address traceable to its block.
 *
 * The interposers of malloc() and its kin call it, on any carrier and from the first instruction
 * of the process on.  While pl_enter() is in force memory comes from a part that is never freed,
 * so that the runtime does not move the program's addresses.
 */
#ifndef PL_RUNTIME_GROUND_HEAP_H
#define PL_RUNTIME_GROUND_HEAP_H

#include "runtime/ground/stage.h"

enum { PL_HEAP_HEADER = 64 }; /* before each block that is not large */

/* Which functions a block comes from, and goes back to. */
enum pl_heap_kind { PL_HEAP_MALLOC, PL_HEAP_NEW, PL_HEAP_NEW_ARRAY, PL_HEAP_KINDS };

/* `site`: where the program asked, or freed.  NULL when there is no room. */
void *pl_heap_allocate(uint64_t size, uint64_t align, uint64_t site);
/* Of a block that has just been allocated: a large one is empty, and takes no memory yet. */
void pl_heap_clear(void *p, uint64_t size);
void pl_heap_free(void *p, uint64_t site);
void pl_heap_set_kind(void *p, enum pl_heap_kind kind);
bool pl_heap_has_new(void); /* whether any block is from `new` */
/* Of a block that is in use; PL_HEAP_KINDS for what is none. */
enum pl_heap_kind pl_heap_kind(const void *p);
void pl_heap_lock(void); /* for a fork: the child must find it free */
void pl_heap_unlock(void);
uint64_t pl_heap_size(const void *p); /* as asked for; 0 for what is no block */
uint64_t pl_heap_in_use(void);        /* bytes that the program has */
uint64_t pl_heap_large_end(void);     /* address behind the last large block */
/* The block around or just before addr; false when there is none.  freed_at may be NULL. */
bool pl_heap_describe(uint64_t addr, struct pl_place *place, uint64_t *freed_at);
/* What is wrong with an access. */
enum pl_heap_fault {
    PL_HEAP_FINE,
    PL_HEAP_FREED,
    PL_HEAP_BEFORE,
    PL_HEAP_BEHIND,
    PL_HEAP_NOWHERE, /* no block is near */
};

struct pl_heap_verdict {
    uint64_t user, size; /* the block that it is about */
    uint64_t distance;   /* bytes before it, or behind its end */
    uint64_t freed_at;   /* where it was freed; 0: it is in use */
};

enum pl_heap_fault pl_heap_judge(uint64_t addr, uint64_t size, struct pl_heap_verdict *v);

/*
 * malloc() likes to give the address of a block that was freed a moment ago; here such blocks are
 * kept out of use.  Of that size, and aligned as usual: the address that it might give now, of one
 * that this thread has freed if there is such; 0: none.  Allocate there; or note that a block that
 * was allocated elsewhere might be there.
 */
uint64_t pl_heap_again(uint64_t size, pl_tid tid);
void *pl_heap_allocate_at(uint64_t user, uint64_t size, uint64_t site);
void pl_heap_stands_for(const void *p, uint64_t user);
/* What stands for all blocks of about that size; 0 for large ones. */
uint64_t pl_heap_class(uint64_t size);

struct pl_heap_freed {
    uint64_t addr;    /* what the word might be, */
    uint64_t key, of; /* its block, and what stands for all of that size */
    bool used;        /* the word leads to a block in use; otherwise it is that address itself */
    pl_tid made_by, freed_by;
};

/* Whether the word is the address of a block in use that might be at one that was freed, or
 * that of a freed block at which one in use might be. */
bool pl_heap_might_be(uint64_t word, struct pl_heap_freed *f);

/*
 * At the end of an execution, for observe/leaks.c: the word may be the address of a block, which
 * then is reached; one after another those whose content has not been looked at; and whether any
 * was not reached: one to which no other of these leads, if there is such.
 */
struct pl_heap_lost {
    uint64_t user, size, site;
};

void pl_heap_reach(uint64_t word);
bool pl_heap_reached(uint64_t *start, uint64_t *size);
bool pl_heap_lost(struct pl_heap_lost *lost);

static inline bool pl_heap_contains(uint64_t addr)
{
    return addr - PL_HEAP_ADDRESS < PL_HEAP_SIZE;
}

#endif /* PL_RUNTIME_GROUND_HEAP_H */
