/* SPDX-License-Identifier: MIT */
/* See solve.h. */
#include "static/solve.h"

#include "base/assert.h"
#include "base/hash.h"
#include "static/solve_inner.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_MAX = 256, /* pairs of locations between which memory is copied field by field */
    PURGED = 16,     /* sets that are worth being looked through */
};

struct pl_solve *pl_solve_make(pl_solve_found *found, pl_solve_bound *bound, void *context)
{
    struct pl_solve *s = pl_err_must(calloc(1, sizeof(*s)));

    s->found = found;
    s->bound = bound;
    s->context = context;
    s->many = PL_IR_NONE;
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
    free(s->blended.at);
    free(s->taken.at);
    free(s->many_calls.at);
    free(s->called.at);
    free(s->many_set.at);
    free(s);
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

bool pl_solve_add(struct pl_solve_set *set, uint32_t x)
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

void pl_solve_join(struct pl_solve_set *a, const struct pl_solve_set *b)
{
    uint32_t *out, n = 0, i = 0, j = 0;

    if (b->n == 0)
        return;
    if (b->n == 1) {
        pl_solve_add(a, b->at[0]);
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

uint32_t pl_solve_find(const struct pl_solve *s, uint32_t n)
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

void pl_solve_enqueue(struct pl_solve *s, uint32_t n)
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

/* Whether a set has all of the object: then a part of it adds nothing. */
static bool is_covered(const struct pl_solve *s, const struct pl_solve_set *set, uint32_t location)
{
    uint32_t all = s->objects[s->locations[location].object].all;

    return all != 0 && all - 1 != location && pl_solve_has(set, all - 1);
}

void pl_solve_purge(const struct pl_solve *s, struct pl_solve_set *set)
{
    uint32_t kept = 0;
    struct pl_solve_set was = *set;

    if (set->n < PURGED)
        return;
    was.at = pl_err_must(malloc(set->n * sizeof(*was.at)));
    memcpy(was.at, set->at, set->n * sizeof(*was.at));
    for (uint32_t i = 0; i < was.n; i++) {
        if (!is_covered(s, &was, was.at[i]))
            set->at[kept++] = was.at[i];
    }
    set->n = kept;
    free(was.at);
}

static void add_set(struct pl_solve *s, uint32_t node, const struct pl_solve_set *more)
{
    uint32_t n = pl_solve_find(s, node);
    struct node *to = &s->nodes[n];
    struct pl_solve_set fresh = {0};

    s->work += more->n + 1;
    if (n == s->many) {
        for (uint32_t i = 0; i < more->n; i++)
            pl_solve_take_in(s, more->at[i]);
        return;
    }
    if (more->n <= 4) {
        for (uint32_t i = 0; i < more->n; i++) {
            if (!is_covered(s, &to->all, more->at[i]) && pl_solve_add(&to->all, more->at[i])) {
                pl_solve_add(&to->fresh, more->at[i]);
                pl_solve_enqueue(s, n);
            }
        }
        return;
    }
    fresh.at = pl_err_must(malloc(more->n * sizeof(*fresh.at)));
    for (uint32_t i = 0, j = 0; i < more->n; i++) {
        while (j < to->all.n && to->all.at[j] < more->at[i])
            j++;
        if ((j == to->all.n || to->all.at[j] != more->at[i]) &&
            !is_covered(s, &to->all, more->at[i]) && !is_covered(s, more, more->at[i]))
            fresh.at[fresh.n++] = more->at[i];
    }
    if (fresh.n > 0) {
        pl_solve_join(&to->all, &fresh);
        pl_solve_join(&to->fresh, &fresh);
        pl_solve_enqueue(s, n);
    }
    free(fresh.at);
}

void pl_solve_point(struct pl_solve *s, uint32_t node, uint32_t location)
{
    uint32_t n = pl_solve_find(s, node);

    if (n == s->many)
        pl_solve_take_in(s, location);
    else if (!is_covered(s, &s->nodes[n].all, location) &&
             pl_solve_add(&s->nodes[n].all, location)) {
        pl_solve_add(&s->nodes[n].fresh, location);
        pl_solve_enqueue(s, n);
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
    uint32_t a = pl_solve_find(s, from), b = pl_solve_find(s, to);

    if (a == b)
        return;
    if (a == s->many) {
        pl_solve_blend(s, b);
        return;
    }
    if (!add_edge(&s->edges, a, b))
        return;
    pl_ir_add(&s->nodes[a].copies, b);
    s->changed = true;
    add_set(s, b, &s->nodes[a].all);
}

/* ---- rules ---- */

static void apply(struct pl_solve *s, uint32_t rule, uint32_t location)
{
    struct rule r = s->rules[rule];
    uint32_t cells[CELLS_MAX];
    unsigned n;

    s->work++;
    switch ((enum rule_kind)r.kind) {
    case RULE_OFFSET:
        pl_solve_point(s, r.node, pl_solve_shift(s, location, r.by, r.stride));
        break;
    case RULE_INDEX:
        pl_solve_point(s, r.node, pl_solve_within(s, location, r.by, r.stride));
        break;
    case RULE_LOAD:
        n = pl_solve_cells(s, location, r.by, cells);
        for (unsigned i = 0; i < n; i++)
            pl_solve_copy(s, s->cells[cells[i]].loaded, r.node);
        break;
    case RULE_STORE:
        if (!s->objects[s->locations[location].object].constant)
            pl_solve_put(s, location, r.node, r.by);
        break;
    case RULE_SPILL:
        if (!s->objects[s->locations[location].object].constant &&
            !s->objects[s->locations[location].object].sealed)
            pl_solve_put(s, location, r.node, -1);
        break;
    case RULE_CALL:
        if (s->objects[s->locations[location].object].sort == PL_OBJECT_FUNCTION_SORT ||
            (s->objects[s->locations[location].object].sort == PL_OBJECT_WORLD_SORT &&
             !s->objects[s->locations[location].object].sealed))
            s->found(s->context, r.node, s->locations[location].object);
        break;
    }
}

static void add_rule(struct pl_solve *s, uint32_t pointer, struct rule rule)
{
    uint32_t n = pl_solve_find(s, pointer);

    GROW(s, rules);
    s->rules[s->n_rules++] = rule;
    if (n == s->many) {
        pl_solve_absorb(s, s->n_rules - 1);
        return;
    }
    pl_ir_add(&s->nodes[n].rules, s->n_rules - 1);
    /* What is not fresh any more will not come again. */
    for (uint32_t i = 0; i < s->nodes[n].all.n; i++) {
        uint32_t location = s->nodes[n].all.at[i];

        if (!pl_solve_has(&s->nodes[n].fresh, location))
            apply(s, s->n_rules - 1, location);
        n = pl_solve_find(s, n);
    }
}

void pl_solve_offset(struct pl_solve *s, uint32_t from, uint32_t to, int64_t by, int64_t stride)
{
    if (by == 0 && stride == 0)
        pl_solve_copy(s, from, to);
    else
        add_rule(s, from, (struct rule){RULE_OFFSET, to, by, stride});
}

void pl_solve_index(struct pl_solve *s, uint32_t from, uint32_t to, int64_t by, int64_t stride)
{
    if (by == 0 && stride == 0)
        pl_solve_copy(s, from, to);
    else
        add_rule(s, from, (struct rule){RULE_INDEX, to, by, stride});
}

void pl_solve_load(struct pl_solve *s, uint32_t pointer, uint32_t to, int64_t size)
{
    add_rule(s, pointer, (struct rule){RULE_LOAD, to, size, 0});
}

void pl_solve_store(struct pl_solve *s, uint32_t from, uint32_t pointer, int64_t size)
{
    add_rule(s, pointer, (struct rule){RULE_STORE, from, size, 0});
}

void pl_solve_spill(struct pl_solve *s, uint32_t from, uint32_t pointer)
{
    add_rule(s, pointer, (struct rule){RULE_SPILL, from, -1, 0});
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

static void look_at_moves(struct pl_solve *s)
{
    s->changed = false;
    for (uint32_t m = 0; m < s->n_moves; m++) {
        uint32_t to = pl_solve_find(s, s->moves[m].to), from = pl_solve_find(s, s->moves[m].from);

        if (s->moves[m].coarse)
            continue;
        if (to == s->many || from == s->many ||
            (uint64_t)s->nodes[to].all.n * s->nodes[from].all.n > MOVES_MAX) {
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
                pl_solve_move_between(s, a, b, s->moves[m].size);
                to = pl_solve_find(s, to);
                from = pl_solve_find(s, from);
            }
        }
    }
}

/* ---- the fixpoint ---- */

static void step(struct pl_solve *s, uint32_t number)
{
    uint32_t n = pl_solve_find(s, number);
    struct pl_solve_set fresh = s->nodes[n].fresh;

    s->nodes[number].queued = s->nodes[n].queued = false;
    if (pl_solve_is_too_much(s, n))
        pl_solve_blend(s, n);
    if (n == s->many || s->blended.n > 0)
        return;
    s->nodes[n].fresh = (struct pl_solve_set){0};
    for (uint32_t i = 0; i < s->nodes[n].copies.n; i++) {
        uint32_t to = pl_solve_find(s, s->nodes[n].copies.at[i]);

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

/* To look for cycles must not take longer than what it saves. */
static bool is_due(const struct pl_solve *s)
{
    uint64_t since = s->work - s->collapsed_at;

    return since > 16 * (uint64_t)s->n_nodes + 100000 && since > s->collapsing;
}

/* When one set after the other has become too large, less and less is told apart. */
static void keep_to(struct pl_solve *s, uint64_t limit, uint64_t *budget)
{
    if (s->work > *budget && s->most != 1) {
        pl_solve_narrow(s);
        *budget = s->work + limit / 4;
    }
}

bool pl_solve_run(struct pl_solve *s, uint64_t limit)
{
    uint64_t budget = limit;

    pl_solve_collapse(s);
    do {
        while (s->queue_n > 0) {
            uint32_t n = s->queue[s->queue_head];

            s->queue_head = (s->queue_head + 1) % s->queue_room;
            s->queue_n--;
            step(s, n);
            pl_solve_mix(s);
            keep_to(s, limit, &budget);
            if (is_due(s))
                pl_solve_collapse(s);
        }
        look_at_moves(s);
        pl_solve_mix(s);
    } while (s->queue_n > 0 || s->changed);
    return s->most == 0;
}

/* ---- answers ---- */

const struct pl_solve_set *pl_solve_set(const struct pl_solve *s, uint32_t node)
{
    return &s->nodes[pl_solve_find(s, node)].all;
}
