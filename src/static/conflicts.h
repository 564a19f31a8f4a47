/* SPDX-License-Identifier: MIT */
/*
 * Sites of a program and the pairs of them that may conflict: what pointers, threads and locks
 * leave over.  Why two sites are in no pair is asked the same way.
 */
#ifndef PL_STATIC_CONFLICTS_H
#define PL_STATIC_CONFLICTS_H

#include "model/pair.h"
#include "static/locks.h"
#include "static/phases.h"

/* How a site touches one location. */
struct pl_conflicts_touch {
    uint32_t site;
    uint32_t location;
    uint32_t node; /* of the pointer */
    uint32_t size; /* bytes; 0: up to the end */
    uint8_t role;  /* enum pl_conflicts_role */
    LLVMValueRef address;
};

enum pl_conflicts_role {
    PL_CONFLICTS_READS,
    PL_CONFLICTS_WRITES,
    PL_CONFLICTS_LIFE,   /* frees, initialises, destroys */
    PL_CONFLICTS_OBJECT, /* it is the object of an operation of pthreads */
    PL_CONFLICTS_MUTEX,  /* the mutex of a wait */
};

struct pl_conflicts_site {
    uint32_t call;
    uint32_t first, n; /* touches */
    bool paired;
    bool more;      /* pairs of it were left out */
    bool contested; /* it may conflict with what another thread does, though a lock may order it */
    /* Of one that several were merged into (matched.h): */
    bool several, writes;
    uint64_t roots;
};

struct pl_conflicts_pair {
    uint32_t a, b; /* sites, a <= b */
    uint8_t kind;  /* enum pl_pair_kind */
    bool must;
    bool held;         /* both hold a lock in common: their order is that of who took it */
    uint32_t location; /* one at which they meet */
    uint64_t roots_a, roots_b;
};

struct pl_conflicts {
    const struct pl_locks *locks;
    const struct pl_threads *threads;
    const struct pl_flow *flow;
    struct pl_ir *ir;
    struct pl_conflicts_site *sites;
    struct pl_conflicts_touch *touches;
    struct pl_conflicts_pair *pairs;
    uint32_t n_sites, n_touches, n_pairs, room_touches, room_pairs;
    uint32_t *site_of; /* by call */
    uint32_t *slots;   /* of pairs, by hash; number plus 1 */
    uint32_t n_slots;
    struct pl_phases phases;
    uint32_t private; /* sites that touch nothing but what one thread has */
    bool cut;         /* there are more pairs than these, */
    bool full;        /* and no room for any more */
};

void pl_conflicts_find(struct pl_conflicts *c, const struct pl_locks *locks);

/* Mark which objects other threads may get hold of, and which there is one of. */
void pl_conflicts_escape(const struct pl_threads *threads);

/* Why two sites are in no pair: a sentence without a full stop, to be freed; NULL: they are. */
struct pl_names;
char *pl_conflicts_why(const struct pl_conflicts *c, struct pl_names *names, uint32_t a,
                       uint32_t b);

#endif /* PL_STATIC_CONFLICTS_H */
