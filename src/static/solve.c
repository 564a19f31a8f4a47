/* SPDX-License-Identifier: MIT */
/* See solve.h. */
#include "static/solve.h"

#include "base/assert.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    OFFSETS_MAX = 96, /* of an object that are told apart */
    MOVES_MAX = 256,  /* pairs of locations between which memory is copied field by field */
};

struct node {
    uint32_t parent; /* itself, or the node that it has become */
    struct pl_solve_set all, fresh;
    struct pl_ir_list copies, rules; /* nodes; numbers of rules that its locations are for */
    bool queued;
};

enum rule_kind { RULE_OFFSET, RULE_LOAD, RULE_STORE, RULE_CALL };

struct rule {
    uint8_t kind;
    uint32_t node; /* what it is about besides the pointer; of a call, what is called */
    int64_t by, stride;
};

struct cell {
    uint32_t object, node;
    int64_t offset, stride;
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
    void *context;
    bool coarse;
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
    uint64_t work, collapsed_at;
    bool changed; /* an edge has come since moves were looked at */
};

#define GROW(s, list)                                                                           \
    do {                                                                                        \
        if ((s)->n_##list == (s)->room_##list) {                                                \
            (s)->room_##list = (s)->room_##list ? 2 * (s)->room_##list : 256;                   \
            (s)->list = pl_err_must(realloc((s)->list, (s)->room_##list * sizeof(*(s)->list))); \
        }                                                                                       \
    } while (0)

struct pl_solve *pl_solve_make(pl_solve_found *found, void *context)
{
    struct pl_solve *s = pl_err_must(calloc(1, sizeof(*s)));

    s->found = found;
    s->context = context;
    return s;
}

void pl_solve_free(struct pl_solve *s)
{
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        free(s->nodes[i].all.at);
        free(s->nodes[i].fresh.at);
        free(s->nodes[i].copies.at);
        free(s->nodes[i].rules.at);
    }
    for (uint32_t i = 0; i < s->n_objects; i++) {
        free(s->objects[i].cells.at);
        free(s->objects[i].locations.at);
    }
    free(s->nodes);
    free(s->rules);
    free(s->objects);
    free(s->locations);
    free(s->cells);
    free(s->moves);
    free(s->by_location.slots);
    free(s->by_cell.slots);
    free(s->edges.slots);
    free(s->queue);
    free(s);
}

void pl_solve_coarsen(struct pl_solve *s)
{
    PL_ASSERT(s->n_locations == 0);
    s->coarse = true;
}

/* ---- sets ---- */

bool pl_solve_has(const struct pl_solve_set *set, uint32_t x)
{
    uint32_t from = 0, to = set->n;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (set->at[middle] < x)
            from = middle + 1;
        else
            to = middle;
    }
    return from < set->n && set->at[from] == x;
}

static bool set_add(struct pl_solve_set *set, uint32_t x)
{
    uint32_t at = set->n;

    if (set->n > 0 && set->at[set->n - 1] >= x) {
        if (pl_solve_has(set, x))
            return false;
        while (at > 0 && set->at[at - 1] > x)
            at--;
    }
    if (set->n == set->room) {
        set->room = set->room ? 2 * set->room : 4;
        set->at = pl_err_must(realloc(set->at, set->room * sizeof(*set->at)));
    }
    memmove(set->at + at + 1, set->at + at, (set->n - at) * sizeof(*set->at));
    set->at[at] = x;
    set->n++;
    return true;
}

/* Merge b into a. */
static void set_join(struct pl_solve_set *a, const struct pl_solve_set *b)
{
    uint32_t *out, n = 0, i = 0, j = 0;

    if (b->n == 0)
        return;
    if (b->n == 1) {
        set_add(a, b->at[0]);
        return;
    }
    out = pl_err_must(malloc((a->n + b->n) * sizeof(*out)));
    while (i < a->n || j < b->n) {
        uint32_t x = i < a->n ? a->at[i] : UINT32_MAX, y = j < b->n ? b->at[j] : UINT32_MAX;

        out[n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    free(a->at);
    *a = (struct pl_solve_set){n, n, out};
}

/* ---- nodes ---- */

static uint32_t find(const struct pl_solve *s, uint32_t n)
{
    while (s->nodes[n].parent != n) {
        s->nodes[n].parent = s->nodes[s->nodes[n].parent].parent;
        n = s->nodes[n].parent;
    }
    return n;
}

uint32_t pl_solve_node(struct pl_solve *s)
{
    GROW(s, nodes);
    s->nodes[s->n_nodes] = (struct node){.parent = s->n_nodes};
    return s->n_nodes++;
}

static void enqueue(struct pl_solve *s, uint32_t n)
{
    if (s->nodes[n].queued)
        return;
    if (s->queue_n == s->queue_room) {
        uint32_t room = s->queue_room ? 2 * s->queue_room : 1024;
        uint32_t *queue = pl_err_must(malloc(room * sizeof(*queue)));

        for (uint32_t i = 0; i < s->queue_n; i++)
            queue[i] = s->queue[(s->queue_head + i) % s->queue_room];
        free(s->queue);
        s->queue = queue;
        s->queue_room = room;
        s->queue_head = 0;
    }
    s->queue[(s->queue_head + s->queue_n++) % s->queue_room] = n;
    s->nodes[n].queued = true;
}

static void add_set(struct pl_solve *s, uint32_t node, const struct pl_solve_set *more)
{
    uint32_t n = find(s, node);
    struct node *to = &s->nodes[n];
    struct pl_solve_set fresh = {0};

    s->work += more->n + 1;
    if (more->n <= 4) {
        for (uint32_t i = 0; i < more->n; i++) {
            if (set_add(&to->all, more->at[i])) {
                set_add(&to->fresh, more->at[i]);
                enqueue(s, n);
            }
        }
        return;
    }
    fresh.at = pl_err_must(malloc(more->n * sizeof(*fresh.at)));
    for (uint32_t i = 0, j = 0; i < more->n; i++) {
        while (j < to->all.n && to->all.at[j] < more->at[i])
            j++;
        if (j == to->all.n || to->all.at[j] != more->at[i])
            fresh.at[fresh.n++] = more->at[i];
    }
    if (fresh.n > 0) {
        set_join(&to->all, &fresh);
        set_join(&to->fresh, &fresh);
        enqueue(s, n);
    }
    free(fresh.at);
}

void pl_solve_point(struct pl_solve *s, uint32_t node, uint32_t location)
{
    uint32_t n = find(s, node);

    if (set_add(&s->nodes[n].all, location)) {
        set_add(&s->nodes[n].fresh, location);
        enqueue(s, n);
    }
}

static uint64_t *edge_slot(const struct edges *e, uint64_t key)
{
    size_t i = pl_hash_mix(key) & (e->capacity - 1);

    while (e->slots[i] != 0 && e->slots[i] != key)
        i = (i + 1) & (e->capacity - 1);
    return &e->slots[i];
}

/* False: it was there. */
static bool add_edge(struct edges *e, uint32_t from, uint32_t to)
{
    uint64_t key = ((uint64_t)from << 32 | to) + 1;

    if (2 * (e->n + 1) > e->capacity) {
        struct edges old = *e;

        e->capacity = old.capacity ? 2 * old.capacity : 4096;
        e->slots = pl_err_must(calloc(e->capacity, sizeof(*e->slots)));
        for (size_t i = 0; i < old.capacity; i++) {
            if (old.slots[i] != 0)
                *edge_slot(e, old.slots[i]) = old.slots[i];
        }
        free(old.slots);
    }
    uint64_t *slot = edge_slot(e, key);

    if (*slot == key)
        return false;
    *slot = key;
    e->n++;
    return true;
}

void pl_solve_copy(struct pl_solve *s, uint32_t from, uint32_t to)
{
    uint32_t a = find(s, from), b = find(s, to);

    if (a == b || !add_edge(&s->edges, a, b))
        return;
    pl_ir_add(&s->nodes[a].copies, b);
    s->changed = true;
    add_set(s, b, &s->nodes[a].all);
}

/* ---- objects, locations, cells ---- */

uint32_t pl_solve_object(struct pl_solve *s, struct pl_solve_object object)
{
    GROW(s, objects);
    s->objects[s->n_objects] = object;
    return s->n_objects++;
}

static int64_t gcd(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        int64_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

static uint64_t key_of(uint32_t object, int64_t offset, int64_t stride)
{
    return pl_hash_add(pl_hash_add(object, (uint64_t)offset), (uint64_t)stride);
}

static void grow_index(struct index *i, uint64_t (*key)(const struct pl_solve *, uint32_t),
                       const struct pl_solve *s)
{
    struct index old = *i;

    i->capacity = old.capacity ? 2 * old.capacity : 1024;
    i->slots = pl_err_must(calloc(i->capacity, sizeof(*i->slots)));
    for (size_t k = 0; k < old.capacity; k++) {
        if (old.slots[k] == 0)
            continue;
        size_t at = key(s, old.slots[k] - 1) & (i->capacity - 1);

        while (i->slots[at] != 0)
            at = (at + 1) & (i->capacity - 1);
        i->slots[at] = old.slots[k];
    }
    free(old.slots);
}

static uint64_t location_key(const struct pl_solve *s, uint32_t n)
{
    const struct pl_solve_location *l = &s->locations[n];

    return key_of(l->object, l->offset, l->stride);
}

static uint64_t cell_key(const struct pl_solve *s, uint32_t n)
{
    const struct cell *c = &s->cells[n];

    return key_of(c->object, c->offset, c->stride);
}

uint32_t pl_solve_location(struct pl_solve *s, uint32_t object, int64_t offset, int64_t stride)
{
    struct pl_solve_object *o = &s->objects[object];

    if (o->sort == PL_OBJECT_FUNCTION_SORT)
        offset = stride = 0;
    else if (stride == 1 || s->coarse || offset < 0 || (o->size >= 0 && offset > o->size) ||
             o->sort == PL_OBJECT_WORLD_SORT)
        offset = 0, stride = 1;
    if (stride > 1)
        offset %= stride;
    for (;;) {
        if (2 * (s->by_location.n + 1) > s->by_location.capacity)
            grow_index(&s->by_location, location_key, s);
        size_t at = key_of(object, offset, stride) & (s->by_location.capacity - 1);

        for (; s->by_location.slots[at] != 0; at = (at + 1) & (s->by_location.capacity - 1)) {
            const struct pl_solve_location *l = &s->locations[s->by_location.slots[at] - 1];

            if (l->object == object && l->offset == offset && l->stride == stride)
                return s->by_location.slots[at] - 1;
        }
        if (stride == 1 || o->n_offsets < OFFSETS_MAX) {
            o->n_offsets += stride != 1;
            GROW(s, locations);
            s->locations[s->n_locations] = (struct pl_solve_location){object, offset, stride};
            s->by_location.slots[at] = ++s->n_locations;
            s->by_location.n++;
            pl_ir_add(&o->locations, s->n_locations - 1);
            return s->n_locations - 1;
        }
        offset = 0;
        stride = 1;
    }
}

uint32_t pl_solve_shift(struct pl_solve *s, uint32_t location, int64_t by, int64_t stride)
{
    struct pl_solve_location l = s->locations[location];
    int64_t step = gcd(l.stride, stride);
    int64_t offset = l.offset + by;

    if (step > 0)
        offset = (offset % step + step) % step;
    return pl_solve_location(s, l.object, offset, step);
}

static bool cells_meet(const struct cell *a, const struct cell *b)
{
    int64_t step = gcd(a->stride, b->stride);

    return step == 0 ? a->offset == b->offset : (a->offset - b->offset) % step == 0;
}

/* The cell at an offset that is a multiple of 8; stride is one, too, or 1. */
static uint32_t cell_at(struct pl_solve *s, uint32_t object, int64_t offset, int64_t stride)
{
    if (2 * (s->by_cell.n + 1) > s->by_cell.capacity)
        grow_index(&s->by_cell, cell_key, s);
    size_t at = key_of(object, offset, stride) & (s->by_cell.capacity - 1);

    for (; s->by_cell.slots[at] != 0; at = (at + 1) & (s->by_cell.capacity - 1)) {
        const struct cell *c = &s->cells[s->by_cell.slots[at] - 1];

        if (c->object == object && c->offset == offset && c->stride == stride)
            return s->by_cell.slots[at] - 1;
    }
    uint32_t number = s->n_cells, node = pl_solve_node(s);

    GROW(s, cells);
    s->cells[s->n_cells++] = (struct cell){object, node, offset, stride};
    s->by_cell.slots[at] = number + 1;
    s->by_cell.n++;
    for (uint32_t i = 0; i < s->objects[object].cells.n; i++) {
        const struct cell *c = &s->cells[s->objects[object].cells.at[i]];
        uint32_t other = c->node;

        if (cells_meet(c, &s->cells[number])) {
            pl_solve_copy(s, node, other);
            pl_solve_copy(s, other, node);
        }
    }
    pl_ir_add(&s->objects[object].cells, number);
    s->changed = true;
    return number;
}

/* The cells that so many bytes at a location lie in; at most two for up to 8 bytes. */
static unsigned cells_of(struct pl_solve *s, uint32_t location, int64_t size, uint32_t *cells,
                         unsigned room)
{
    struct pl_solve_location l = s->locations[location];
    unsigned n = 0;

    if (l.stride == 1 || l.stride % 8 != 0 || size < 0 || size > 8 * (int64_t)room - 8) {
        cells[0] = cell_at(s, l.object, 0, 1);
        return 1;
    }
    for (int64_t at = l.offset & ~INT64_C(7); at < l.offset + (size > 0 ? size : 1); at += 8)
        cells[n++] = cell_at(s, l.object, l.stride > 0 ? at % l.stride : at, l.stride);
    return n;
}

void pl_solve_put(struct pl_solve *s, uint32_t location, uint32_t from, int64_t size)
{
    uint32_t cells[10];
    unsigned n = cells_of(s, location, size, cells, 10);

    for (unsigned i = 0; i < n; i++)
        pl_solve_copy(s, from, s->cells[cells[i]].node);
}

/* ---- rules ---- */

static void apply(struct pl_solve *s, uint32_t rule, uint32_t location)
{
    struct rule r = s->rules[rule];
    uint32_t cells[10];
    unsigned n;

    s->work++;
    switch ((enum rule_kind)r.kind) {
    case RULE_OFFSET:
        if (s->objects[s->locations[location].object].sort != PL_OBJECT_FUNCTION_SORT ||
            (r.by == 0 && r.stride == 0))
            pl_solve_point(s, r.node, pl_solve_shift(s, location, r.by, r.stride));
        else
            pl_solve_point(s, r.node, location);
        break;
    case RULE_LOAD:
        n = cells_of(s, location, r.by, cells, 10);
        for (unsigned i = 0; i < n; i++)
            pl_solve_copy(s, s->cells[cells[i]].node, r.node);
        break;
    case RULE_STORE:
        if (!s->objects[s->locations[location].object].constant)
            pl_solve_put(s, location, r.node, r.by);
        break;
    case RULE_CALL:
        if (s->objects[s->locations[location].object].sort == PL_OBJECT_FUNCTION_SORT ||
            s->objects[s->locations[location].object].sort == PL_OBJECT_WORLD_SORT)
            s->found(s->context, r.node, s->locations[location].object);
        break;
    }
}

static void add_rule(struct pl_solve *s, uint32_t pointer, struct rule rule)
{
    uint32_t n = find(s, pointer);

    GROW(s, rules);
    s->rules[s->n_rules] = rule;
    pl_ir_add(&s->nodes[n].rules, s->n_rules++);
    /* What is not fresh any more will not come again. */
    for (uint32_t i = 0; i < s->nodes[n].all.n; i++) {
        uint32_t location = s->nodes[n].all.at[i];

        if (!pl_solve_has(&s->nodes[n].fresh, location))
            apply(s, s->n_rules - 1, location);
        n = find(s, n);
    }
}

void pl_solve_offset(struct pl_solve *s, uint32_t from, uint32_t to, int64_t by, int64_t stride)
{
    if (by == 0 && stride == 0)
        pl_solve_copy(s, from, to);
    else
        add_rule(s, from, (struct rule){RULE_OFFSET, to, by, stride});
}

void pl_solve_load(struct pl_solve *s, uint32_t pointer, uint32_t to, int64_t size)
{
    add_rule(s, pointer, (struct rule){RULE_LOAD, to, size, 0});
}

void pl_solve_store(struct pl_solve *s, uint32_t from, uint32_t pointer, int64_t size)
{
    add_rule(s, pointer, (struct rule){RULE_STORE, from, size, 0});
}

void pl_solve_call(struct pl_solve *s, uint32_t pointer, uint32_t what)
{
    add_rule(s, pointer, (struct rule){RULE_CALL, what, 0, 0});
}

void pl_solve_move(struct pl_solve *s, uint32_t to, uint32_t from, int64_t size)
{
    GROW(s, moves);
    s->moves[s->n_moves++] = (struct move){to, from, size, false};
    s->changed = true;
}

/* Everything that one object has from `from` on, to the other: field by field where that is known.
 */
static void move_between(struct pl_solve *s, uint32_t to, uint32_t from, int64_t size)
{
    struct pl_solve_location a = s->locations[to], b = s->locations[from];
    uint32_t n = s->objects[b.object].cells.n;

    if (s->objects[a.object].constant)
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct cell c = s->cells[s->objects[b.object].cells.at[i]];
        bool exact = a.stride == 0 && b.stride == 0 && c.stride == 0 && b.offset % 8 == 0 &&
                     a.offset % 8 == 0;

        if (exact && (c.offset < b.offset || (size >= 0 && c.offset >= b.offset + size)))
            continue;
        int64_t offset = exact ? c.offset - b.offset + a.offset : 0;

        if (exact && s->objects[a.object].size >= 0 && offset > s->objects[a.object].size)
            continue;
        exact = exact && s->objects[a.object].cells.n < 2 * OFFSETS_MAX;
        uint32_t cell = cell_at(s, a.object, exact ? offset : 0, exact ? 0 : 1);

        pl_solve_copy(s, c.node, s->cells[cell].node);
    }
}

static void look_at_moves(struct pl_solve *s)
{
    s->changed = false;
    for (uint32_t m = 0; m < s->n_moves; m++) {
        uint32_t to = find(s, s->moves[m].to), from = find(s, s->moves[m].from);

        if (s->moves[m].coarse)
            continue;
        if ((uint64_t)s->nodes[to].all.n * s->nodes[from].all.n > MOVES_MAX) {
            uint32_t all = pl_solve_node(s);

            s->moves[m].coarse = true;
            pl_solve_load(s, from, all, -1);
            pl_solve_store(s, all, to, -1);
            continue;
        }
        for (uint32_t i = 0; i < s->nodes[to].all.n; i++) {
            for (uint32_t j = 0; j < s->nodes[from].all.n; j++) {
                uint32_t a = s->nodes[to].all.at[i], b = s->nodes[from].all.at[j];

                s->work++;
                move_between(s, a, b, s->moves[m].size);
                to = find(s, to);
                from = find(s, from);
            }
        }
    }
}

/* ---- cycles of copies are one node ---- */

struct tarjan {
    uint32_t *index, *low, *stack, *path, *edge;
    uint32_t n, n_stack;
    bool *on;
};

static void merge(struct pl_solve *s, uint32_t into, uint32_t n)
{
    struct node *a = &s->nodes[into], *b = &s->nodes[n];

    b->parent = into;
    set_join(&a->all, &b->all);
    /* Rules of the one have not seen what the other had: all of it is fresh again. */
    for (uint32_t i = 0; i < b->copies.n; i++)
        pl_ir_add(&a->copies, b->copies.at[i]);
    for (uint32_t i = 0; i < b->rules.n; i++)
        pl_ir_add(&a->rules, b->rules.at[i]);
    free(b->all.at);
    free(b->fresh.at);
    free(b->copies.at);
    free(b->rules.at);
    b->all = b->fresh = (struct pl_solve_set){0};
    b->copies = b->rules = (struct pl_ir_list){0};
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void tidy_copies(struct pl_solve *s, uint32_t n)
{
    struct pl_ir_list *c = &s->nodes[n].copies;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->n; i++)
        c->at[i] = find(s, c->at[i]);
    if (c->n > 1)
        qsort(c->at, c->n, sizeof(*c->at), by_value);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->at[i] != n && (kept == 0 || c->at[kept - 1] != c->at[i]))
            c->at[kept++] = c->at[i];
    }
    c->n = kept;
}

/* The component whose first node is v lies on top of the stack. */
static void close_component(struct pl_solve *s, struct tarjan *t, uint32_t v)
{
    uint32_t first = t->n_stack;

    while (t->stack[--first] != v)
        continue;
    for (uint32_t i = first; i < t->n_stack; i++) {
        t->on[t->stack[i]] = false;
        if (t->stack[i] != v)
            merge(s, v, t->stack[i]);
    }
    if (t->n_stack - first > 1) {
        struct node *a = &s->nodes[v];

        free(a->fresh.at);
        a->fresh = (struct pl_solve_set){0};
        set_join(&a->fresh, &a->all);
        enqueue(s, v);
    }
    t->n_stack = first;
}

static void open_node(struct tarjan *t, uint32_t v)
{
    t->index[v] = t->low[v] = ++t->n;
    t->stack[t->n_stack++] = v;
    t->on[v] = true;
    t->edge[v] = 0;
}

static void visit(struct pl_solve *s, struct tarjan *t, uint32_t root)
{
    uint32_t depth = 0;

    t->path[0] = root;
    open_node(t, root);
    for (;;) {
        uint32_t v = t->path[depth];

        if (t->edge[v] < s->nodes[v].copies.n) {
            uint32_t w = find(s, s->nodes[v].copies.at[t->edge[v]++]);

            if (t->index[w] == 0) {
                open_node(t, w);
                t->path[++depth] = w;
            } else if (t->on[w] && t->index[w] < t->low[v]) {
                t->low[v] = t->index[w];
            }
            continue;
        }
        uint32_t low = t->low[v];

        if (low == t->index[v])
            close_component(s, t, v);
        if (depth == 0)
            return;
        depth--;
        if (low < t->low[t->path[depth]])
            t->low[t->path[depth]] = low;
    }
}

static void collapse(struct pl_solve *s)
{
    size_t n = s->n_nodes + 1;
    struct tarjan t = {.index = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .low = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .stack = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .path = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .edge = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .on = pl_err_must(calloc(n, sizeof(bool)))};

    for (uint32_t i = 0; i < s->n_nodes; i++) {
        if (find(s, i) == i)
            tidy_copies(s, i);
    }
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        if (find(s, i) == i && t.index[i] == 0)
            visit(s, &t, i);
    }
    free(t.index);
    free(t.low);
    free(t.stack);
    free(t.path);
    free(t.edge);
    free(t.on);
    s->collapsed_at = s->work;
}

/* ---- the fixpoint ---- */

static void step(struct pl_solve *s, uint32_t number)
{
    uint32_t n = find(s, number);
    struct pl_solve_set fresh = s->nodes[n].fresh;

    s->nodes[number].queued = s->nodes[n].queued = false;
    s->nodes[n].fresh = (struct pl_solve_set){0};
    for (uint32_t i = 0; i < s->nodes[n].copies.n; i++) {
        uint32_t to = find(s, s->nodes[n].copies.at[i]);

        if (to != n)
            add_set(s, to, &fresh);
    }
    for (uint32_t i = 0; i < s->nodes[n].rules.n; i++) {
        uint32_t rule = s->nodes[n].rules.at[i];

        for (uint32_t j = 0; j < fresh.n; j++)
            apply(s, rule, fresh.at[j]);
    }
    free(fresh.at);
}

bool pl_solve_run(struct pl_solve *s, uint64_t limit)
{
    collapse(s);
    do {
        while (s->queue_n > 0) {
            uint32_t n = s->queue[s->queue_head];

            s->queue_head = (s->queue_head + 1) % s->queue_room;
            s->queue_n--;
            step(s, n);
            if (s->work > limit)
                return false;
            if (s->work - s->collapsed_at > 16 * (uint64_t)s->n_nodes + 100000)
                collapse(s);
        }
        look_at_moves(s);
    } while (s->queue_n > 0 || s->changed);
    return true;
}

/* ---- answers ---- */

const struct pl_solve_set *pl_solve_set(const struct pl_solve *s, uint32_t node)
{
    return &s->nodes[find(s, node)].all;
}

uint32_t pl_solve_cell_node(const struct pl_solve *s, uint32_t cell)
{
    return s->cells[cell].node;
}

uint32_t pl_solve_n_objects(const struct pl_solve *s)
{
    return s->n_objects;
}

struct pl_solve_object *pl_solve_object_at(const struct pl_solve *s, uint32_t object)
{
    return &s->objects[object];
}

const struct pl_solve_location *pl_solve_location_at(const struct pl_solve *s, uint32_t location)
{
    return &s->locations[location];
}

bool pl_solve_overlap(const struct pl_solve_location *a, uint64_t a_size,
                      const struct pl_solve_location *b, uint64_t b_size)
{
    int64_t step = gcd(a->stride, b->stride);
    int64_t between = b->offset - a->offset; /* from the one to the other */

    if (a->object != b->object)
        return false;
    if (step == 1 || (a_size == 0 && b_size == 0))
        return true;
    if (step == 0) {
        bool a_reaches = a_size == 0 || between < (int64_t)a_size;
        bool b_reaches = b_size == 0 || -between < (int64_t)b_size;

        return a_reaches && b_reaches;
    }
    if (a_size == 0 || b_size == 0)
        return true;
    int64_t there = (between % step + step) % step; /* from a to the next b */

    return there < (int64_t)a_size || step - there < (int64_t)b_size;
}
