/* SPDX-License-Identifier: MIT */
/* Objects, locations in them, and what lies there; see solve.h. */
#include "base/hash.h"
#include "static/solve_inner.h"

#include <stdlib.h>

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

/* ---- locations by number ---- */

static uint64_t key_of(const struct pl_solve_location *l)
{
    uint64_t h = pl_hash_add(pl_hash_add(l->object, (uint64_t)l->offset), (uint64_t)l->stride);

    return pl_hash_add(pl_hash_add(h, (uint64_t)l->low), (uint64_t)l->high);
}

static bool are_same(const struct pl_solve_location *a, const struct pl_solve_location *b)
{
    return a->object == b->object && a->offset == b->offset && a->stride == b->stride &&
           a->low == b->low && a->high == b->high;
}

static const struct pl_solve_location *location_of(const struct pl_solve *s, uint32_t n)
{
    return &s->locations[n];
}

static const struct pl_solve_location *cell_of(const struct pl_solve *s, uint32_t n)
{
    return &s->cells[n].at;
}

typedef const struct pl_solve_location *pl_solve_place(const struct pl_solve *s, uint32_t n);

/* The slot of a location, or the free one where it belongs. */
static uint32_t *slot_of(struct pl_solve *s, struct index *i, pl_solve_place *place,
                         const struct pl_solve_location *l)
{
    if (2 * (i->n + 1) > i->capacity) {
        struct index old = *i;

        i->capacity = old.capacity ? 2 * old.capacity : 1024;
        i->slots = pl_err_must(calloc(i->capacity, sizeof(*i->slots)));
        for (size_t k = 0; k < old.capacity; k++) {
            if (old.slots[k] != 0)
                *slot_of(s, i, place, place(s, old.slots[k] - 1)) = old.slots[k];
        }
        free(old.slots);
    }
    size_t at = key_of(l) & (i->capacity - 1);

    while (i->slots[at] != 0 && !are_same(place(s, i->slots[at] - 1), l))
        at = (at + 1) & (i->capacity - 1);
    return &i->slots[at];
}

/* As it is kept: of what cannot be told apart there is one. */
static struct pl_solve_location settle(const struct pl_solve *s, struct pl_solve_location l)
{
    const struct pl_solve_object *o = &s->objects[l.object];

    if (o->sort == PL_OBJECT_FUNCTION_SORT)
        return (struct pl_solve_location){.object = l.object};
    if (o->sort == PL_OBJECT_WORLD_SORT || l.offset < 0 || (o->size >= 0 && l.offset > o->size))
        return (struct pl_solve_location){.object = l.object, .stride = 1};
    if (l.stride == 0)
        l.low = l.high = 0;
    if (l.stride == 1)
        l.offset = 0;
    return l;
}

/* The array that the location lies in, if it is known to be in one. */
static bool find_bound(const struct pl_solve *s, const struct pl_solve_location *l, int64_t *low,
                       int64_t *high)
{
    *low = l->low;
    *high = l->high;
    if (l->high != 0)
        return true;
    return l->stride == 0 && s->bound != NULL &&
           s->bound(s->context, &s->objects[l->object], l->offset, low, high) == PL_SOLVE_ARRAY;
}

static uint32_t locate(struct pl_solve *s, struct pl_solve_location wanted)
{
    struct pl_solve_location l = settle(s, wanted);
    struct pl_solve_object *o = &s->objects[l.object];
    uint32_t room = OFFSETS_MAX;

    for (;;) {
        uint32_t *slot = slot_of(s, &s->by_location, location_of, &l);
        bool is_all = l.stride == 1 && l.high == 0;

        if (*slot != 0)
            return *slot - 1;
        if (is_all || o->n_offsets < room) {
            o->n_offsets += !is_all;
            if (is_all)
                o->all = s->n_locations + 1;
            GROW(s, locations);
            s->locations[s->n_locations] = l;
            *slot = ++s->n_locations;
            s->by_location.n++;
            pl_ir_add(&o->locations, s->n_locations - 1);
            return s->n_locations - 1;
        }
        int64_t low = 0, high = 0;

        /* There are too many: one for the array that it lies in, or for the object. */
        if (l.stride == 1 || o->n_offsets >= 2 * OFFSETS_MAX || !find_bound(s, &l, &low, &high))
            low = high = 0;
        l = (struct pl_solve_location){.object = l.object, .stride = 1, .low = low, .high = high};
        room = 2 * OFFSETS_MAX;
    }
}

uint32_t pl_solve_location(struct pl_solve *s, uint32_t object, int64_t offset, int64_t stride)
{
    return locate(s,
                  (struct pl_solve_location){.object = object, .offset = offset, .stride = stride});
}

static struct pl_solve_location shifted(struct pl_solve_location l, int64_t by, int64_t stride)
{
    int64_t step = gcd(l.stride, stride);

    l.offset += by;
    l.stride = step;
    if (step > 0)
        l.offset = (l.offset % step + step) % step;
    return l;
}

uint32_t pl_solve_shift(struct pl_solve *s, uint32_t location, int64_t by, int64_t stride)
{
    struct pl_solve_location l = shifted(s->locations[location], by, stride);

    if (stride != 0)
        l.low = l.high = 0;
    return locate(s, l);
}

/* Whether a constant leads out of the array to what can only be a mistake. */
static bool strays(const struct pl_solve *s, const struct pl_solve_location *from,
                   const struct pl_solve_location *to)
{
    int64_t low, high;

    return from->stride == 0 && find_bound(s, from, &low, &high) &&
           (to->offset < low || to->offset > high) &&
           s->bound(s->context, &s->objects[to->object], to->offset, &low, &high) != PL_SOLVE_ANY;
}

uint32_t pl_solve_within(struct pl_solve *s, uint32_t location, int64_t by, int64_t stride)
{
    struct pl_solve_location was = s->locations[location];
    struct pl_solve_location from = shifted(was, by, 0), to = shifted(from, 0, stride);

    if (strays(s, &was, &from)) {
        to = shifted(was, 0, gcd(by, stride));
        find_bound(s, &was, &to.low, &to.high);
    } else if (stride != 0 && !find_bound(s, &from, &to.low, &to.high)) {
        to.low = to.high = 0;
    }
    return locate(s, to);
}

/* ---- cells ---- */

/* Where the bytes of a cell may begin and end. */
static void extent_of(const struct pl_solve_location *c, int64_t *low, int64_t *high)
{
    *low = c->stride == 0 ? c->offset : c->low;
    *high = c->stride == 0 ? c->offset + 8 : c->high != 0 ? c->high : INT64_MAX;
}

static bool cells_meet(const struct pl_solve_location *a, const struct pl_solve_location *b)
{
    int64_t step = gcd(a->stride, b->stride), low, high, from, to;

    extent_of(a, &low, &high);
    extent_of(b, &from, &to);
    if (low >= to || from >= high)
        return false;
    return step == 0 ? a->offset == b->offset : (a->offset - b->offset) % step == 0;
}

/* The cell at an offset that is a multiple of 8, as are its bounds; stride is one, too, or 1. */
static uint32_t cell_at(struct pl_solve *s, struct pl_solve_location at)
{
    const struct pl_solve_object *o = &s->objects[at.object];

    if (o->many && !o->constant && o->sort != PL_OBJECT_FUNCTION_SORT)
        return s->many_cell;
    if (o->cells.n >= 2 * OFFSETS_MAX && at.high != 0)
        at.low = at.high = 0;
    uint32_t *slot = slot_of(s, &s->by_cell, cell_of, &at);

    if (*slot != 0)
        return *slot - 1;
    struct cell cell = {.at = at};
    uint32_t number = s->n_cells;

    *slot = number + 1;
    s->by_cell.n++;
    cell.stored = pl_solve_node(s);
    cell.loaded = pl_solve_node(s);
    GROW(s, cells);
    s->cells[s->n_cells++] = cell;
    pl_solve_copy(s, cell.stored, cell.loaded);
    for (uint32_t i = 0; i < s->objects[at.object].cells.n; i++) {
        struct cell other = s->cells[s->objects[at.object].cells.at[i]];

        if (cells_meet(&other.at, &at)) {
            pl_solve_copy(s, cell.stored, other.loaded);
            pl_solve_copy(s, other.stored, cell.loaded);
        }
    }
    pl_ir_add(&s->objects[at.object].cells, number);
    s->changed = true;
    return number;
}

/* A cell for all that lies between two offsets. */
static uint32_t cell_between(struct pl_solve *s, uint32_t object, int64_t low, int64_t high)
{
    struct pl_solve_location at = {.object = object, .stride = 1};

    if (high != 0) {
        at.low = low & ~INT64_C(7);
        at.high = (high + 7) & ~INT64_C(7);
    }
    return cell_at(s, at);
}

unsigned pl_solve_cells(struct pl_solve *s, uint32_t location, int64_t size, uint32_t *cells)
{
    struct pl_solve_location l = s->locations[location];
    int64_t low, high;
    unsigned n = 0;

    if (l.stride == 1 || l.stride % 8 != 0 || size < 0 || size > 8 * (CELLS_MAX - 1)) {
        if (!find_bound(s, &l, &low, &high))
            low = high = 0;
        if (high != 0 && size > high - low)
            low = high = 0;
        cells[0] = cell_between(s, l.object, low, high);
        return 1;
    }
    for (int64_t at = l.offset & ~INT64_C(7); at < l.offset + (size > 0 ? size : 1); at += 8) {
        struct pl_solve_location c = {.object = l.object, .offset = at, .stride = l.stride};

        if (l.stride > 0)
            c.offset = at % l.stride;
        if (l.high != 0) {
            c.low = l.low & ~INT64_C(7);
            c.high = (l.high + 7) & ~INT64_C(7);
        }
        cells[n++] = cell_at(s, c);
    }
    return n;
}

void pl_solve_put(struct pl_solve *s, uint32_t location, uint32_t from, int64_t size)
{
    uint32_t cells[CELLS_MAX];
    unsigned n = pl_solve_cells(s, location, size, cells);

    for (unsigned i = 0; i < n; i++)
        pl_solve_copy(s, from, s->cells[cells[i]].stored);
}

/* ---- memory that is copied ---- */

/* What so many bytes from a location on may lie between; all of the object if that is not known. */
static void reach_of(const struct pl_solve *s, const struct pl_solve_location *l, int64_t size,
                     int64_t *low, int64_t *high)
{
    if (l->stride == 0 && size >= 0) {
        *low = l->offset & ~INT64_C(7);
        *high = (l->offset + size + 7) & ~INT64_C(7);
    } else if (!find_bound(s, l, low, high) || size > *high - *low) {
        *low = 0;
        *high = INT64_MAX;
    }
}

/* Field by field where that is known. */
void pl_solve_move_between(struct pl_solve *s, uint32_t to, uint32_t from, int64_t size)
{
    struct pl_solve_location a = s->locations[to], b = s->locations[from];
    uint32_t n = s->objects[b.object].cells.n;
    int64_t low, high, into, up_to;

    if (s->objects[a.object].constant)
        return;
    reach_of(s, &b, size, &low, &high);
    reach_of(s, &a, size, &into, &up_to);
    for (uint32_t i = 0; i < n; i++) {
        struct cell c = s->cells[s->objects[b.object].cells.at[i]];
        bool exact = a.stride == 0 && b.stride == 0 && c.at.stride == 0 && b.offset % 8 == 0 &&
                     a.offset % 8 == 0;
        int64_t first, last;

        extent_of(&c.at, &first, &last);
        if (first >= high || last <= low || (exact && c.at.offset < b.offset))
            continue;
        int64_t offset = exact ? c.at.offset - b.offset + a.offset : 0;

        if (exact && s->objects[a.object].size >= 0 && offset > s->objects[a.object].size)
            continue;
        exact = exact && s->objects[a.object].cells.n < 2 * OFFSETS_MAX;
        uint32_t cell =
            exact ? cell_at(s, (struct pl_solve_location){.object = a.object, .offset = offset})
                  : cell_between(s, a.object, into, up_to == INT64_MAX ? 0 : up_to);

        pl_solve_copy(s, c.stored, s->cells[cell].stored);
    }
}

/* ---- answers ---- */

uint32_t pl_solve_cell_node(const struct pl_solve *s, uint32_t cell)
{
    return s->cells[cell].stored;
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

/* Whether bytes from one offset on lie within the bounds of what may be anywhere there. */
static bool lies_within(const struct pl_solve_location *a, uint64_t a_size,
                        const struct pl_solve_location *b)
{
    int64_t low = a->stride == 0 ? a->offset : a->high != 0 ? a->low : 0;
    int64_t high = a->stride == 0 ? a->offset + (int64_t)a_size : a->high;

    if ((a->stride == 0 && a_size == 0) || (a->stride != 0 && a->high == 0))
        high = INT64_MAX;
    return b->stride == 0 || b->high == 0 || (low < b->high && b->low < high);
}

bool pl_solve_overlap(const struct pl_solve_location *a, uint64_t a_size,
                      const struct pl_solve_location *b, uint64_t b_size)
{
    int64_t step = gcd(a->stride, b->stride);
    int64_t between = b->offset - a->offset; /* from the one to the other */

    if (a->object != b->object || !lies_within(a, a_size, b) || !lies_within(b, b_size, a))
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
