/* SPDX-License-Identifier: MIT */
/* See conflicts.h. */
#include "static/conflicts.h"

#include "base/assert.h"
#include "base/hash.h"
#include "static/name.h"

#include <llvm-c/Core.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MAX = 1 << 20,
    MANY_TOUCHES = 512,  /* of an object that nearly everything leads to: */
    TRIED_MAX = 1 << 22, /* pairs of it that are looked at in the hope that few are left */
    ALIKE_MAX = 16,      /* pairs at it of two functions that are listed */
};

/* ---- sites ---- */

static void add_touch(struct pl_conflicts *c, struct pl_conflicts_touch t)
{
    if (c->n_touches == c->room_touches) {
        c->room_touches = c->room_touches ? 2 * c->room_touches : 4096;
        c->touches = pl_err_must(realloc(c->touches, c->room_touches * sizeof(*c->touches)));
    }
    c->touches[c->n_touches++] = t;
}

/* Whether the set has all of the object: then its parts need not be looked at. */
static bool has_all_of(const struct pl_conflicts *c, const struct pl_solve_set *set,
                       uint32_t object)
{
    const struct pl_solve_object *o = pl_solve_object_at(c->flow->solve, object);

    for (uint32_t i = 0; i < o->locations.n; i++) {
        const struct pl_solve_location *l =
            pl_solve_location_at(c->flow->solve, o->locations.at[i]);

        if (l->stride == 1 && l->high == 0)
            return pl_solve_has(set, o->locations.at[i]);
    }
    return false;
}

/* To free a variable, or what is within a block, is an error in whatever order. */
static bool is_never_freed(const struct pl_solve_object *o, const struct pl_solve_location *l)
{
    return o->sort == PL_OBJECT_GLOBAL_SORT || o->sort == PL_OBJECT_LOCAL_SORT ||
           (l->stride == 0 && l->offset != 0);
}

/*
 * Up to the end means: of the array that the location lies in, if it is one of several members of a
 * variable.  0: of the object.
 */
static uint32_t room_at(const struct pl_conflicts *c, const struct pl_solve_object *o,
                        const struct pl_solve_location *l)
{
    if (o->sort != PL_OBJECT_GLOBAL_SORT || l->stride != 0 || l->offset < 0 || o->size < 0 ||
        l->offset >= o->size)
        return 0;
    LLVMTypeRef type = LLVMGlobalGetValueType(o->value);

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return 0;
    unsigned member = LLVMElementAtOffset(c->ir->layout, type, (uint64_t)l->offset);
    LLVMTypeRef part = LLVMStructGetTypeAtIndex(type, member);

    if (LLVMGetTypeKind(part) != LLVMArrayTypeKind)
        return 0;
    uint64_t end =
        LLVMOffsetOfElement(c->ir->layout, type, member) + LLVMABISizeOfType(c->ir->layout, part);

    return end > (uint64_t)l->offset ? (uint32_t)(end - (uint64_t)l->offset) : 0;
}

static uint32_t group_of(const struct pl_conflicts *c, const struct pl_conflicts_touch *t)
{
    return pl_solve_group(c->flow->solve, t->location);
}

/* All that a pointer points to and that two threads may have. */
static void touch_all(struct pl_conflicts *c, uint32_t site, uint32_t node, uint32_t size,
                      enum pl_conflicts_role role, LLVMValueRef address)
{
    const struct pl_solve_set *set = pl_solve_groups(c->flow->solve, node);
    const struct pl_model *m = c->ir->calls[c->sites[site].call].model;
    bool frees = m != NULL && (m->op == PL_OP_FREE || m->result == PL_MODEL_INNER) &&
                 role == PL_CONFLICTS_LIFE;

    for (uint32_t i = 0; i < set->n; i++) {
        const struct pl_solve_location *l = pl_solve_location_at(c->flow->solve, set->at[i]);
        const struct pl_solve_object *o = pl_solve_object_at(c->flow->solve, l->object);

        if (!o->escapes || o->sort == PL_OBJECT_FUNCTION_SORT || o->constant ||
            ((l->stride != 1 || l->high != 0) && has_all_of(c, set, l->object)) ||
            (frees && is_never_freed(o, l)))
            continue;
        add_touch(c, (struct pl_conflicts_touch){.site = site,
                                                 .location = set->at[i],
                                                 .node = node,
                                                 .size = size > 0 ? size : room_at(c, o, l),
                                                 .role = (uint8_t)role,
                                                 .address = address});
    }
}

/* Whether the runtime announces anything at this call. */
static bool is_site(const struct pl_conflicts *c, uint32_t call, uint32_t n_accesses)
{
    const struct pl_ir_call *k = &c->ir->calls[call];

    if (k->declared == NULL && !k->unknown)
        return false; /* what it calls is all known */
    return n_accesses > 0 || (k->model != NULL && k->model->op != PL_OP_NONE);
}

static void add_site(struct pl_conflicts *c, uint32_t call)
{
    uint32_t n;
    const struct pl_flow_access *a = pl_flow_accesses(c->flow, call, &n);

    if (!c->ir->functions[c->ir->calls[call].function].live || !is_site(c, call, n))
        return;
    struct pl_conflicts_site *s = &c->sites[c->n_sites];

    *s = (struct pl_conflicts_site){.call = call, .first = c->n_touches};
    c->site_of[call] = c->n_sites;
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].reads)
            touch_all(c, c->n_sites, a[i].node, a[i].size, PL_CONFLICTS_READS, a[i].address);
        if (a[i].writes)
            touch_all(c, c->n_sites, a[i].node, a[i].size,
                      a[i].life ? PL_CONFLICTS_LIFE : PL_CONFLICTS_WRITES, a[i].address);
    }
    const struct pl_model *m = c->ir->calls[call].model;
    bool makes = m && (m->op == PL_OP_OBJECT_INIT || m->op == PL_OP_OBJECT_DESTROY);

    if (c->flow->objects[call] != PL_IR_NONE && !makes)
        touch_all(c, c->n_sites, c->flow->objects[call], 1, PL_CONFLICTS_OBJECT, NULL);
    if (c->flow->mutexes[call] != PL_IR_NONE)
        touch_all(c, c->n_sites, c->flow->mutexes[call], 1, PL_CONFLICTS_MUTEX, NULL);
    s->n = c->n_touches - s->first;
    c->private += s->n == 0;
    c->n_sites++;
}

/* ---- what two touches are ---- */

static unsigned op_of(const struct pl_conflicts *c, uint32_t site)
{
    const struct pl_model *m = c->ir->calls[c->sites[site].call].model;

    return m ? m->op : PL_OP_NONE;
}

static bool is_atomic(const struct pl_conflicts *c, uint32_t site)
{
    return pl_operation_is(op_of(c, site), PL_ROLES(ATOMIC));
}

/* The kind of pair that two touches of one location are; PL_PAIR_KINDS: none. */
static unsigned kind_of(const struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                        const struct pl_conflicts_touch *y)
{
    bool x_memory = x->role <= PL_CONFLICTS_LIFE, y_memory = y->role <= PL_CONFLICTS_LIFE;
    bool x_mutex = x->role == PL_CONFLICTS_MUTEX, y_mutex = y->role == PL_CONFLICTS_MUTEX;
    unsigned a = op_of(c, x->site), b = op_of(c, y->site);

    if (x->role == PL_CONFLICTS_LIFE || y->role == PL_CONFLICTS_LIFE)
        return PL_PAIR_LIFE;
    if (x_memory && y_memory) {
        if (x->role == PL_CONFLICTS_READS && y->role == PL_CONFLICTS_READS)
            return PL_PAIR_KINDS;
        return is_atomic(c, x->site) && is_atomic(c, y->site) ? PL_PAIR_ATOMIC : PL_PAIR_RW;
    }
    if (x_memory || y_memory) /* a lock that is written over, or copied as it is */
        return PL_PAIR_LIFE;
    if (x_mutex && y_mutex)
        return PL_PAIR_WW;
    if (x_mutex || y_mutex) {
        unsigned other = x_mutex ? b : a;

        if (pl_operation_is(other, PL_ROLES(TRIES, TIMED)))
            return PL_PAIR_TRY;
        return pl_operation_is(other, PL_ROLES(ACQUIRES)) ? PL_PAIR_WM : PL_PAIR_KINDS;
    }
    return pl_pair_kind_of(a, b);
}

/* Kinds whose order is settled by a lock that both hold: who takes that first. */
static bool is_ordered_by_locks(unsigned kind)
{
    return kind == PL_PAIR_RW || kind == PL_PAIR_ATOMIC || kind == PL_PAIR_LIFE ||
           kind == PL_PAIR_MM || kind == PL_PAIR_TRY;
}

/* ---- pairs ---- */

/* Whether the pointer of a touch is to nothing else. */
static bool is_only(const struct pl_conflicts *c, const struct pl_conflicts_touch *x)
{
    const struct pl_conflicts_site *s = &c->sites[x->site];
    unsigned n = 0;

    for (uint32_t i = 0; i < s->n; i++)
        n += c->touches[s->first + i].role == x->role && c->touches[s->first + i].node == x->node;
    return n == 1 && pl_flow_set(c->flow, x->node)->n == 1;
}

/* Of two that overlap: whether both are at the same memory for sure. */
static bool is_must(const struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                    const struct pl_conflicts_touch *y)
{
    const struct pl_solve_location *l = pl_solve_location_at(c->flow->solve, x->location);
    const struct pl_solve_location *m = pl_solve_location_at(c->flow->solve, y->location);
    const struct pl_solve_object *o = pl_solve_object_at(c->flow->solve, l->object);

    if (l->object != m->object || l->stride != 0 || m->stride != 0 || !o->unique || o->own ||
        (x->location != y->location && (x->size == 0 || y->size == 0)))
        return false;
    return is_only(c, x) && is_only(c, y);
}

/* In which classes of threads each may be while another is at the other; with phases or NULL. */
static bool find_roots(const struct pl_conflicts *c, uint32_t a, uint32_t b,
                       const struct pl_phases *phases, uint64_t *roots_a, uint64_t *roots_b)
{
    uint64_t in_a = c->ir->functions[c->ir->calls[a].function].roots;
    uint64_t in_b = c->ir->functions[c->ir->calls[b].function].roots;

    *roots_a = *roots_b = 0;
    for (uint64_t left = in_a; left != 0; left &= left - 1) {
        unsigned x = (unsigned)__builtin_ctzll(left);

        for (uint64_t others = in_b; others != 0; others &= others - 1) {
            unsigned y = (unsigned)__builtin_ctzll(others);

            if (pl_threads_parallel(c->threads, x, a, y, b) &&
                (phases == NULL || pl_phases_apart(phases, x, a, y, b) == PL_IR_NONE)) {
                *roots_a |= UINT64_C(1) << x;
                *roots_b |= UINT64_C(1) << y;
            }
        }
    }
    return *roots_a != 0;
}

static uint32_t *slot_of(struct pl_conflicts *c, uint32_t a, uint32_t b, unsigned kind)
{
    uint64_t h = pl_hash_add(pl_hash_add(a, b), kind);
    uint32_t i = (uint32_t)h & (c->n_slots - 1);

    while (c->slots[i] != 0) {
        const struct pl_conflicts_pair *p = &c->pairs[c->slots[i] - 1];

        if (p->a == a && p->b == b && p->kind == kind)
            break;
        i = (i + 1) & (c->n_slots - 1);
    }
    return &c->slots[i];
}

static void grow_slots(struct pl_conflicts *c)
{
    free(c->slots);
    c->n_slots = c->n_slots ? 2 * c->n_slots : 4096;
    c->slots = pl_err_must(calloc(c->n_slots, sizeof(*c->slots)));
    for (uint32_t i = 0; i < c->n_pairs; i++)
        *slot_of(c, c->pairs[i].a, c->pairs[i].b, c->pairs[i].kind) = i + 1;
}

/* Whether the location says anything to who reads it. */
static bool has_name(const struct pl_conflicts *c, uint32_t location)
{
    uint32_t object = pl_solve_location_at(c->flow->solve, location)->object;
    unsigned sort = pl_solve_object_at(c->flow->solve, object)->sort;

    return sort != PL_OBJECT_WORLD_SORT && sort != PL_OBJECT_MANY_SORT;
}

/* Of two that overlap, the location that says more. */
static uint32_t narrower(const struct pl_conflicts_touch *x, const struct pl_conflicts_touch *y)
{
    return y->size != 0 && (x->size == 0 || y->size < x->size) ? y->location : x->location;
}

static void add_pair(struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                     const struct pl_conflicts_touch *y, unsigned kind)
{
    if (x->site > y->site) {
        const struct pl_conflicts_touch *t = x;

        x = y;
        y = t;
    }
    struct pl_conflicts_pair p = {
        .a = x->site, .b = y->site, .kind = (uint8_t)kind, .location = narrower(x, y)};
    uint32_t a = c->sites[p.a].call, b = c->sites[p.b].call;

    if (2 * (c->n_pairs + 1) > c->n_slots)
        grow_slots(c);
    uint32_t *slot = slot_of(c, p.a, p.b, kind);

    if (*slot != 0) {
        uint32_t *at = &c->pairs[*slot - 1].location;

        if (!has_name(c, *at) && has_name(c, p.location))
            *at = p.location;
        return;
    }
    if (!find_roots(c, a, b, NULL, &p.roots_a, &p.roots_b))
        return;
    c->sites[p.a].contested = c->sites[p.b].contested = true;
    if (!find_roots(c, a, b, &c->phases, &p.roots_a, &p.roots_b))
        return;
    bool both = pl_locks_exclude(c->locks, a, x->address, x->size, b, y->address, y->size, NULL);

    if (both && is_ordered_by_locks(kind))
        return;
    if (c->n_pairs == PAIRS_MAX) {
        c->cut = c->full = true;
        return;
    }
    p.held = both;
    p.must = is_must(c, x, y);
    if (c->n_pairs == c->room_pairs) {
        c->room_pairs = c->room_pairs ? 2 * c->room_pairs : 1024;
        c->pairs = pl_err_must(realloc(c->pairs, c->room_pairs * sizeof(*c->pairs)));
    }
    c->pairs[c->n_pairs++] = p;
    *slot = c->n_pairs;
    c->sites[p.a].paired = c->sites[p.b].paired = true;
}

static int by_object(const void *a, const void *b, void *context)
{
    const struct pl_conflicts *c = context;
    const struct pl_conflicts_touch *x = &c->touches[*(const uint32_t *)a];
    const struct pl_conflicts_touch *y = &c->touches[*(const uint32_t *)b];
    uint32_t o = group_of(c, x), p = group_of(c, y);

    if (o != p)
        return o > p ? 1 : -1;
    return (*(const uint32_t *)a > *(const uint32_t *)b) -
           (*(const uint32_t *)a < *(const uint32_t *)b);
}

static bool meet(const struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                 const struct pl_conflicts_touch *y)
{
    return pl_solve_meet(c->flow->solve, x->location, x->size, y->location, y->size);
}

/* Whether more than one thread may execute the two. */
static bool may_be_two(const struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                       const struct pl_conflicts_touch *y)
{
    uint64_t in = c->ir->functions[c->ir->calls[c->sites[x->site].call].function].roots |
                  c->ir->functions[c->ir->calls[c->sites[y->site].call].function].roots;

    return (in & (in - 1)) != 0 || (in != 0 && c->threads->classes[__builtin_ctzll(in)].many);
}

static void pair(struct pl_conflicts *c, uint32_t i, uint32_t k)
{
    const struct pl_conflicts_touch *x = &c->touches[i], *y = &c->touches[k];

    if (!may_be_two(c, x, y) || !meet(c, x, y))
        return;
    unsigned kind = kind_of(c, x, y);

    if (kind != PL_PAIR_KINDS)
        add_pair(c, x, y, kind);
}

/* All touches of one object, with each other, but for two that read. */
static void pair_all(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n && !c->full; i++) {
        if (c->touches[list[i]].role == PL_CONFLICTS_READS)
            continue;
        for (uint32_t k = 0; k < n && !c->full; k++) {
            if (k >= i || c->touches[list[k]].role == PL_CONFLICTS_READS)
                pair(c, list[i], list[k]);
        }
    }
}

/*
 * If there are more pairs than there is room for, those come first that are about synchronisation,
 * then those at objects that not everything leads to; of the rest, some of each two functions.
 */
static void pair_meetings(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    uint32_t *those = pl_err_must(malloc((n + 1) * sizeof(*those))), n_those = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (c->touches[list[i]].role >= PL_CONFLICTS_OBJECT)
            those[n_those++] = list[i];
    }
    pair_all(c, those, n_those);
    free(those);
}

static void pair_few(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    if (n <= MANY_TOUCHES)
        pair_all(c, list, n);
}

/* How many of the touches, which are in the order of the code, are of the function of the first. */
static uint32_t count_alike(const struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    uint32_t function = c->ir->calls[c->sites[c->touches[list[0]].site].call].function, k = 1;

    while (k < n && c->ir->calls[c->sites[c->touches[list[k]].site].call].function == function)
        k++;
    return k;
}

/* Pairs of these, with each other or whatever else, were left out. */
static void leave_out(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    c->cut = true;
    for (uint32_t i = 0; i < n; i++)
        c->sites[c->touches[list[i]].site].more = true;
}

/* Touches of two functions, or of one with itself. */
static void pair_alike(struct pl_conflicts *c, const uint32_t *a, uint32_t n_a, const uint32_t *b,
                       uint32_t n_b)
{
    uint32_t up_to = c->n_pairs + ALIKE_MAX;

    if (!may_be_two(c, &c->touches[*a], &c->touches[*b]))
        return;
    for (uint32_t i = 0; i < n_a; i++) {
        for (uint32_t k = a == b ? i : 0; k < n_b; k++) {
            if (c->touches[a[i]].role == PL_CONFLICTS_READS &&
                c->touches[b[k]].role == PL_CONFLICTS_READS)
                continue;
            if (c->full || c->n_pairs == up_to) {
                leave_out(c, a, n_a);
                leave_out(c, b, n_b);
                return;
            }
            pair(c, a[i], b[k]);
        }
    }
}

/* Whether it is worth trying to list all that such an object has. */
static bool is_worth_it(const struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    uint64_t writes = 0;

    for (uint32_t i = 0; i < n; i++)
        writes += c->touches[list[i]].role != PL_CONFLICTS_READS;
    return writes * n <= TRIED_MAX;
}

/* Take back all pairs from one on. */
static void take_back(struct pl_conflicts *c, uint32_t from)
{
    for (uint32_t i = 0; i < c->n_sites; i++)
        c->sites[i].paired = false;
    c->n_pairs = from;
    for (uint32_t i = 0; i < from; i++)
        c->sites[c->pairs[i].a].paired = c->sites[c->pairs[i].b].paired = true;
    memset(c->slots, 0, c->n_slots * sizeof(*c->slots));
    for (uint32_t i = 0; i < from; i++)
        *slot_of(c, c->pairs[i].a, c->pairs[i].b, c->pairs[i].kind) = i + 1;
    c->cut = c->full = false;
}

/*
 * An object that the analysis knows nothing of has pairs by the million.  What two functions do to
 * it is all alike, so that some of it is as good as all of it.
 */
static void pair_many(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    if (n <= MANY_TOUCHES)
        return;
    uint32_t before = c->n_pairs;
    bool was_cut = c->cut;

    if (!c->full && is_worth_it(c, list, n)) {
        pair_all(c, list, n);
        if (!c->full && c->n_pairs - before < (PAIRS_MAX - before) / 2)
            return;
        take_back(c, before);
        c->cut = was_cut;
    }
    uint32_t *from = pl_err_must(malloc((n + 1) * sizeof(*from))), runs = 0;

    for (uint32_t i = 0; i < n; i += count_alike(c, list + i, n - i))
        from[runs++] = i;
    from[runs] = n;
    /* First each with itself, then with its neighbours, so that all have some. */
    for (uint32_t apart = 0; apart < runs; apart++) {
        for (uint32_t i = 0; i + apart < runs && !c->full; i++)
            pair_alike(c, list + from[i], from[i + 1] - from[i], list + from[i + apart],
                       from[i + apart + 1] - from[i + apart]);
    }
    free(from);
}

/* ---- locks that are not to be relied on ---- */

/* How much memory an object of pthreads has. */
static uint32_t size_of_object(unsigned op)
{
    switch (pl_operation_object(op)) {
    case PL_OBJECT_MUTEX:
        return sizeof(pthread_mutex_t);
    case PL_OBJECT_RWLOCK:
        return sizeof(pthread_rwlock_t);
    case PL_OBJECT_SPIN:
        return sizeof(pthread_spinlock_t);
    default:
        return 1;
    }
}

/* Whether y writes over the lock that x is about, while a thread is there. */
static bool breaks(const struct pl_conflicts *c, const struct pl_conflicts_touch *x,
                   const struct pl_conflicts_touch *y)
{
    uint64_t roots_a, roots_b;
    unsigned op = op_of(c, x->site);

    if (x->role != PL_CONFLICTS_OBJECT || !pl_operation_is(op, PL_ROLES(ACQUIRES, RELEASES)) ||
        (y->role != PL_CONFLICTS_WRITES && y->role != PL_CONFLICTS_LIFE))
        return false;
    /* That memory is freed says that nobody uses it any more, or else it is a finding anyway. */
    if (op_of(c, y->site) == PL_OP_FREE)
        return false;
    return pl_solve_meet(c->flow->solve, x->location, size_of_object(op), y->location, y->size) &&
           find_roots(c, c->sites[x->site].call, c->sites[y->site].call, NULL, &roots_a, &roots_b);
}

static void find_broken(struct pl_conflicts *c, const uint32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_conflicts_touch *x = &c->touches[list[i]];
        struct pl_solve_object *o = pl_solve_object_at(
            c->flow->solve, pl_solve_location_at(c->flow->solve, x->location)->object);

        for (uint32_t k = 0; k < n && x->role == PL_CONFLICTS_OBJECT && !o->broken; k++)
            o->broken = breaks(c, x, &c->touches[list[k]]);
    }
}

/* For all touches of each object; sorted by it. */
static void each_object(struct pl_conflicts *c, const uint32_t *order,
                        void (*visit)(struct pl_conflicts *, const uint32_t *, uint32_t))
{
    for (uint32_t i = 0, k; i < c->n_touches; i = k) {
        uint32_t group = group_of(c, &c->touches[order[i]]);

        for (k = i; k < c->n_touches && group_of(c, &c->touches[order[k]]) == group;)
            k++;
        visit(c, order + i, k - i);
    }
}

void pl_conflicts_find(struct pl_conflicts *c, const struct pl_locks *locks)
{
    *c = (struct pl_conflicts){
        .locks = locks, .threads = locks->threads, .flow = locks->flow, .ir = locks->ir};
    c->sites = pl_err_must(calloc(c->ir->n_calls + 1, sizeof(*c->sites)));
    c->site_of = pl_err_must(malloc((c->ir->n_calls + 1) * sizeof(*c->site_of)));
    memset(c->site_of, 0xff, (c->ir->n_calls + 1) * sizeof(*c->site_of));
    for (uint32_t i = 0; i < c->ir->n_calls; i++)
        add_site(c, i);
    uint32_t *order = pl_err_must(malloc((c->n_touches + 1) * sizeof(*order)));

    for (uint32_t i = 0; i < c->n_touches; i++)
        order[i] = i;
    qsort_r(order, c->n_touches, sizeof(*order), by_object, c);
    each_object(c, order, find_broken);
    pl_phases_find(&c->phases, c->threads);
    each_object(c, order, pair_meetings);
    each_object(c, order, pair_few);
    each_object(c, order, pair_many);
    if (c->full)
        leave_out(c, order, c->n_touches);
    free(order);
}

/* ---- why not ---- */

__attribute__((format(printf, 1, 2))) static char *say(const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    return pl_err_must(text);
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Why no thread can be at the one while another is at the other. */
static char *why_not_parallel(const struct pl_conflicts *c, struct pl_names *names, uint32_t a,
                              uint32_t b)
{
    uint64_t in = c->ir->functions[c->ir->calls[a].function].roots |
                  c->ir->functions[c->ir->calls[b].function].roots;

    if ((in & (in - 1)) == 0)
        return say("not parallel: only one thread executes both");
    for (unsigned k = 1; k < c->threads->n; k++) {
        uint32_t join = (in >> k & 1) != 0 ? pl_threads_joined(c->threads, k) : PL_IR_NONE;

        if (join == PL_IR_NONE)
            continue;
        const struct pl_threads_class *class = &c->threads->classes[k];
        uint32_t in_creator = (c->ir->functions[c->ir->calls[a].function].roots >> k & 1) ? b : a;

        if (!pl_threads_bit(class->after, pl_ir_before(c->ir, in_creator)))
            break;
        struct pl_name_place p = pl_names_place(names, c->ir->calls[join].inst);

        return say("not parallel: the thread is joined at %s:%u before", last_name(p.file), p.line);
    }
    return say("not parallel: the one comes before the other's thread is created");
}

/* Which barrier lies between the two. */
static char *why_apart(const struct pl_conflicts *c, struct pl_names *names, uint32_t a, uint32_t b)
{
    uint64_t in_a = c->ir->functions[c->ir->calls[a].function].roots;
    uint64_t in_b = c->ir->functions[c->ir->calls[b].function].roots;
    uint32_t init = PL_IR_NONE;

    for (unsigned x = 0; x < c->threads->n; x++) {
        for (unsigned y = 0; y < c->threads->n && init == PL_IR_NONE; y++) {
            if ((in_a >> x & in_b >> y & 1) != 0)
                init = pl_phases_apart(&c->phases, x, a, y, b);
        }
    }
    PL_ASSERT(init != PL_IR_NONE);
    uint32_t location = pl_threads_location(c->flow, LLVMGetOperand(c->ir->calls[init].inst, 0));
    char *barrier = pl_names_location(names, location);
    char *text = say("not parallel: all threads meet at the barrier %s in between", barrier);

    free(barrier);
    return text;
}

char *pl_conflicts_why(const struct pl_conflicts *c, struct pl_names *names, uint32_t a, uint32_t b)
{
    const struct pl_conflicts_site *s = &c->sites[a], *t = &c->sites[b];
    const struct pl_conflicts_touch *x = NULL, *y = NULL;
    const struct pl_locks_lock *by = NULL;
    bool meets = false;
    uint64_t roots_a, roots_b;

    for (uint32_t i = 0; i < c->n_pairs; i++) {
        if ((c->pairs[i].a == a && c->pairs[i].b == b) ||
            (c->pairs[i].a == b && c->pairs[i].b == a))
            return NULL;
    }
    for (uint32_t i = 0; i < s->n && x == NULL; i++) {
        for (uint32_t k = 0; k < t->n && x == NULL; k++) {
            const struct pl_conflicts_touch *p = &c->touches[s->first + i];
            const struct pl_conflicts_touch *q = &c->touches[t->first + k];

            if (!meet(c, p, q))
                continue;
            meets = true;
            if (kind_of(c, p, q) != PL_PAIR_KINDS) {
                x = p;
                y = q;
            }
        }
    }
    if (s->n == 0 || t->n == 0)
        return say("private: no other thread can get hold of what the %s one touches",
                   s->n == 0 ? "first" : "second");
    if (!meets)
        return say("never aliased: they touch different objects, or different parts of one");
    if (x == NULL)
        return say("no conflict: neither changes what the other looks at");
    if (!find_roots(c, s->call, t->call, NULL, &roots_a, &roots_b))
        return why_not_parallel(c, names, s->call, t->call);
    if (!find_roots(c, s->call, t->call, &c->phases, &roots_a, &roots_b))
        return why_apart(c, names, s->call, t->call);
    if (!pl_locks_exclude(c->locks, s->call, x->address, x->size, t->call, y->address, y->size,
                          &by))
        return say("not known");
    const struct pl_solve_set *set = pl_flow_set(c->flow, by->node);
    char *lock = set->n == 1 ? pl_names_location(names, set->at[0]) : NULL;
    char *text = lock ? say("common lock: both hold %s", lock)
                      : say("common lock: both hold the lock that lies beside what they access");

    free(lock);
    return text;
}
