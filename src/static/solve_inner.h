/* SPDX-License-Identifier: MIT */
/*
 * The inside of solve.h: solve.c has sets, constraints and the fixpoint, solve_memory.c objects and
 * what lies in them, solve_cycles.c makes one node of those that hand everything to each other,
 * solve_many.c of those that point to too much.
 */
#ifndef PL_STATIC_SOLVE_INNER_H
#define PL_STATIC_SOLVE_INNER_H

#include "static/solve.h"

enum {
    OFFSETS_MAX = 96, /* of an object that are told apart */
    CELLS_MAX = 10,   /* that one access has */
};

struct node {
    uint32_t parent; /* itself, or the node that it has become */
    struct pl_solve_set all, fresh;
    struct pl_ir_list copies, rules; /* nodes; numbers of rules that its locations are for */
    bool queued;
};

enum rule_kind { RULE_OFFSET, RULE_INDEX, RULE_LOAD, RULE_STORE, RULE_SPILL, RULE_CALL };

struct rule {
    uint8_t kind;
    uint32_t node; /* what it is about besides the pointer; of a call, what is called */
    int64_t by, stride;
};

/*
 * Memory that is stored to or loaded from.  What is stored in one may be loaded from each that it
 * overlaps; so who looks at much does not mix what lies in it.
 */
struct cell {
    uint32_t stored, loaded; /* nodes */
    struct pl_solve_location at;
};

struct move {
    uint32_t to, from;
    int64_t size;
    bool coarse; /* it has become a load of all and a store of all */
};

/* Edges that are there, as pairs of nodes. */
struct edges {
    uint64_t *slots; /* 0: free */
    size_t n, capacity;
};

struct index {
    uint32_t *slots; /* number plus 1 */
    size_t n, capacity;
};

struct pl_solve {
    pl_solve_found *found;
    pl_solve_bound *bound;
    void *context;
    struct node *nodes;
    struct rule *rules;
    struct pl_solve_object *objects;
    struct pl_solve_location *locations;
    struct cell *cells;
    struct move *moves;
    uint32_t n_nodes, n_rules, n_objects, n_locations, n_cells, n_moves;
    uint32_t room_nodes, room_rules, room_objects, room_locations, room_cells, room_moves;
    struct index by_location, by_cell;
    struct edges edges;
    uint32_t *queue;
    uint32_t queue_room, queue_head, queue_n;
    uint64_t work, collapsed_at, collapsing; /* collapsing: what it took to do so, the last time */
    bool changed;                            /* an edge has come since moves were looked at */
    /* The many, once there is too much work: */
    uint32_t most; /* locations that one pointer may have; 0: as many as it likes */
    uint32_t many, many_location, many_cell;
    struct pl_solve_set many_set;         /* that location */
    struct pl_ir_list blended, taken;     /* nodes and objects that are to become the many */
    struct pl_ir_list many_calls, called; /* rules of calls, and whom they call */
};

#define GROW(s, list)                                                                           \
    do {                                                                                        \
        if ((s)->n_##list == (s)->room_##list) {                                                \
            (s)->room_##list = (s)->room_##list ? 2 * (s)->room_##list : 256;                   \
            (s)->list = pl_err_must(realloc((s)->list, (s)->room_##list * sizeof(*(s)->list))); \
        }                                                                                       \
    } while (0)

/* The node that a node has become. */
uint32_t pl_solve_find(const struct pl_solve *s, uint32_t n);
void pl_solve_enqueue(struct pl_solve *s, uint32_t n);
/* Merge b into a. */
void pl_solve_join(struct pl_solve_set *a, const struct pl_solve_set *b);

/* False: it was there. */
bool pl_solve_add(struct pl_solve_set *set, uint32_t x);

/* Take out parts of objects that the set has as a whole. */
void pl_solve_purge(const struct pl_solve *s, struct pl_solve_set *set);

/* solve_memory.c: the cells that so many bytes at a location lie in; size < 0: not known. */
unsigned pl_solve_cells(struct pl_solve *s, uint32_t location, int64_t size, uint32_t *cells);
/* Everything that one object has from `from` on, to the other. */
void pl_solve_move_between(struct pl_solve *s, uint32_t to, uint32_t from, int64_t size);

/* solve_cycles.c */
void pl_solve_collapse(struct pl_solve *s);

/* solve_many.c: the node, and the object that a location is in, are to become the many. */
void pl_solve_blend(struct pl_solve *s, uint32_t node);
void pl_solve_take_in(struct pl_solve *s, uint32_t location);
/* Do so. */
void pl_solve_mix(struct pl_solve *s);
/* A rule for the many. */
void pl_solve_absorb(struct pl_solve *s, uint32_t rule);
bool pl_solve_is_too_much(const struct pl_solve *s, uint32_t n);
/* Have fewer locations in a set from now on. */
void pl_solve_narrow(struct pl_solve *s);

#endif /* PL_STATIC_SOLVE_INNER_H */
