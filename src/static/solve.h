/* SPDX-License-Identifier: MIT */
/*
 * What pointers may point to: inclusion constraints between nodes, solved to a fixpoint
 * (Andersen 1994), with differences handed on instead of whole sets and cycles collapsed.
 *
 * An *object* is a global, a local variable, a block of the heap by its allocation, a function; one
 * stands for all memory of code that is not known.  A *location* is an object with an offset and a
 * stride: offset, offset + stride, offset + 2 * stride, ...; a stride of 0 means the offset alone,
 * one of 1 anywhere; in the object, or in one array in it.  Sets have locations.  What is stored
 * lies in *cells* of 8 bytes; what is stored in one may be loaded from those that overlap it.
 */
#ifndef PL_STATIC_SOLVE_H
#define PL_STATIC_SOLVE_H

#include "static/ir.h"

enum pl_object_sort {
    PL_OBJECT_GLOBAL_SORT,
    PL_OBJECT_LOCAL_SORT,
    PL_OBJECT_HEAP_SORT,
    PL_OBJECT_FUNCTION_SORT,
    PL_OBJECT_WORLD_SORT, /* memory of unknown code */
    PL_OBJECT_REST_SORT,  /* arguments beyond the named ones */
    PL_OBJECT_MANY_SORT,  /* any of those that were not told apart */
};

struct pl_solve_object {
    uint8_t sort;  /* enum pl_object_sort */
    bool own;      /* each thread has one: thread-local */
    bool constant; /* nobody writes it */
    bool sealed;   /* unknown code leaves nothing of the program's in it, and it is no code */
    bool escapes;  /* another thread than its creator may get hold of it (escape.c) */
    bool broken;   /* a lock in it may be written over while others use it: it orders nothing */
    bool unique;   /* there is one at a time in all of an execution */
    bool many;     /* not told apart from others: there was too much work */
    LLVMValueRef value; /* the variable, the allocation, the function */
    uint32_t function;  /* of a local or the heap: where it is made; of a function: itself */
    uint32_t call;      /* of the heap: the allocation; */
    uint32_t caller;    /* the call of its function that it is told apart by, or PL_IR_NONE */
    int64_t size;       /* bytes; -1: not known */
    uint32_t all;       /* the location that is all of it, plus 1; 0: nobody has it */
    uint32_t n_offsets; /* locations with an offset of their own */
    struct pl_ir_list cells, locations;
};

struct pl_solve_location {
    uint32_t object;
    int64_t offset, stride;
    int64_t low, high; /* with a stride: of the array that it lies in; high 0: of the object */
};

/* Locations, sorted. */
struct pl_solve_set {
    uint32_t n, room;
    uint32_t *at;
};

struct pl_solve;

/* Somebody is found to be called: a function, or unknown code. */
typedef void pl_solve_found(void *context, uint32_t what, uint32_t object);

/* What an offset of an object may be the address of. */
enum pl_solve_part {
    PL_SOLVE_ANY,    /* a structure, or it is not known: whoever moves it on may come anywhere */
    PL_SOLVE_ARRAY,  /* an element: then he stays in the array, from `low' to `high' */
    PL_SOLVE_MEMBER, /* neither */
};

typedef enum pl_solve_part pl_solve_bound(void *context, const struct pl_solve_object *o,
                                          int64_t offset, int64_t *low, int64_t *high);

/* `bound' may be NULL. */
struct pl_solve *pl_solve_make(pl_solve_found *found, pl_solve_bound *bound, void *context);
void pl_solve_free(struct pl_solve *s);

uint32_t pl_solve_node(struct pl_solve *s);
uint32_t pl_solve_object(struct pl_solve *s, struct pl_solve_object object);
uint32_t pl_solve_location(struct pl_solve *s, uint32_t object, int64_t offset, int64_t stride);
/* The location so much further on, and any number of strides. */
uint32_t pl_solve_shift(struct pl_solve *s, uint32_t location, int64_t by, int64_t stride);
/* The same within the array that is there. */
uint32_t pl_solve_within(struct pl_solve *s, uint32_t location, int64_t by, int64_t stride);

/* Constraints. */
void pl_solve_point(struct pl_solve *s, uint32_t node, uint32_t location);
void pl_solve_copy(struct pl_solve *s, uint32_t from, uint32_t to);
void pl_solve_offset(struct pl_solve *s, uint32_t from, uint32_t to, int64_t by, int64_t stride);
void pl_solve_index(struct pl_solve *s, uint32_t from, uint32_t to, int64_t by, int64_t stride);
void pl_solve_load(struct pl_solve *s, uint32_t pointer, uint32_t to, int64_t size);
void pl_solve_store(struct pl_solve *s, uint32_t from, uint32_t pointer, int64_t size);
/* Unknown code stores it wherever it can. */
void pl_solve_spill(struct pl_solve *s, uint32_t from, uint32_t pointer);
/* size < 0: not known */
void pl_solve_move(struct pl_solve *s, uint32_t to, uint32_t from, int64_t size);
/* found(what, object) for each function it points to */
void pl_solve_call(struct pl_solve *s, uint32_t pointer, uint32_t what);
void pl_solve_put(struct pl_solve *s, uint32_t location, uint32_t from, int64_t size);

/*
 * Whether it came to an end within so much work.  If not, all pointers to very many things have
 * become one, and so have these things; there is an end then, too.
 */
bool pl_solve_run(struct pl_solve *s, uint64_t limit);

const struct pl_solve_set *pl_solve_set(const struct pl_solve *s, uint32_t node);
/*
 * The same with one location for all that is not told apart; the object of a location, or the one
 * that stands for all of these; and whether accesses at locations may overlap, if one of them is
 * this one.
 */
const struct pl_solve_set *pl_solve_groups(const struct pl_solve *s, uint32_t node);
uint32_t pl_solve_group(const struct pl_solve *s, uint32_t location);
bool pl_solve_meet(const struct pl_solve *s, uint32_t a, uint32_t a_size, uint32_t b,
                   uint32_t b_size);
bool pl_solve_has(const struct pl_solve_set *set, uint32_t location);
/* What may be stored in an object, at any offset: nodes of its cells. */
uint32_t pl_solve_cell_node(const struct pl_solve *s, uint32_t cell);

uint32_t pl_solve_n_objects(const struct pl_solve *s);
struct pl_solve_object *pl_solve_object_at(const struct pl_solve *s, uint32_t object);
const struct pl_solve_location *pl_solve_location_at(const struct pl_solve *s, uint32_t location);

/* Whether accesses of so many bytes at two locations may overlap; size 0: up to the end. */
bool pl_solve_overlap(const struct pl_solve_location *a, uint64_t a_size,
                      const struct pl_solve_location *b, uint64_t b_size);

#endif /* PL_STATIC_SOLVE_H */
