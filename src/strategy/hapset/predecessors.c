/* SPDX-License-Identifier: MIT */
/* See predecessors.h. */
#include "strategy/hapset/predecessors.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "model/depend.h"
#include "model/hapset.h"

#include <stddef.h>

enum {
    GRANULE = 8,
    SLOTS = 64, /* of the table at first: most executions are small */
};
#define SEVERAL UINT32_MAX

void pl_predecessors_start(struct pl_predecessors *p, unsigned char *memory, uint64_t size)
{
    struct pl_arena arena = pl_arena_of(memory, size);
    uint64_t part = size / 4;
    uint32_t slots = SLOTS;

    while (PL_TABLE_ROOM(SLOTS, 2 * slots) * sizeof(uint64_t) <= part)
        slots *= 2;
    pl_table_start_near(&p->by_granule,
                        PL_ARENA_TAKE(&arena, uint64_t, PL_TABLE_ROOM(SLOTS, slots)), SLOTS, slots);
    p->cells_max = (uint32_t)(part / sizeof(struct pl_predecessors_cell));
    p->cells = PL_ARENA_TAKE(&arena, struct pl_predecessors_cell, p->cells_max);
    p->lasts_max = (uint32_t)(part / sizeof(struct pl_predecessors_last));
    p->lasts = PL_ARENA_TAKE(&arena, struct pl_predecessors_last, p->lasts_max);
    PL_ASSERT(p->lasts != NULL && p->cells_max < slots);
}

/* ---- events ---- */

/* A wait gives its mutex back; only waking up takes it. */
static struct pl_predecessors_touch second_touch(const struct pl_operation *op)
{
    struct pl_predecessors_touch t = {.addr = op->other, .size = 1, .effect = op->other_effect};

    if (pl_depend_is_output(op)) /* whoever waits for input may wait for any output */
        t = (struct pl_predecessors_touch){PL_DEPEND_FILES, 1, PL_EFFECT_ADD};
    if (t.addr == 0 || t.effect == PL_EFFECT_NONE || t.addr == pl_depend_given_lock(op))
        t.size = 0;
    return t;
}

/* Straight to where it is kept: this is done for every event. */
void pl_predecessors_note(struct pl_predecessors_event *e, const struct pl_operation *op)
{
    uint64_t object = pl_depend_object(op);

    PL_ASSERT(op->tid < PL_THREADS_MAX);
    e->statement = op->statement;
    e->tid = op->tid;
    e->waits = pl_operation_is(op->kind, PL_ROLES(GIVES_UP, TAKES)) &&
               !pl_operation_is(op->kind, PL_ROLES(TIMED, TRIES));
    e->touches[0] =
        (struct pl_predecessors_touch){object, (uint32_t)pl_depend_size(op), op->effect};
    if (object == 0 || op->effect == PL_EFFECT_NONE || object == pl_depend_given_lock(op))
        e->touches[0] = (struct pl_predecessors_touch){0};
    e->touches[1] = second_touch(op);
}

enum pl_predecessors_relation pl_predecessors_relation(const struct pl_predecessors_event *a,
                                                       const struct pl_predecessors_event *b)
{
    enum pl_predecessors_relation r = PL_PREDECESSORS_APART;

    for (unsigned i = 0; i < 4; i++) {
        const struct pl_predecessors_touch *s = &a->touches[i / 2], *t = &b->touches[i % 2];

        if (s->size == 0 || t->size == 0 || s->addr >= t->addr + t->size ||
            t->addr >= s->addr + s->size)
            continue;
        if (pl_depend_touch(s->addr, s->size, s->effect, t->addr, t->size, t->effect))
            return PL_PREDECESSORS_CONFLICT;
        r = PL_PREDECESSORS_MEET;
    }
    return r;
}

/* ---- finding pairs ---- */

static struct pl_predecessors_cell *cell_of(struct pl_predecessors *p, uint64_t granule)
{
    uint64_t hash = pl_hash_near(granule);

    PL_TABLE_EACH(i, &p->by_granule, hash)
    {
        if (p->cells[i].granule == granule)
            return &p->cells[i];
    }
    PL_ASSERT(p->n_cells > 0 && p->n_cells <= p->cells_max);
    if (p->n_cells == p->cells_max || !pl_table_add(&p->by_granule, hash, p->n_cells))
        return NULL;
    p->cells[p->n_cells] = (struct pl_predecessors_cell){.granule = granule};
    return &p->cells[p->n_cells++];
}

static void forget(struct pl_predecessors *p)
{
    pl_table_clear(&p->by_granule);
    p->n_cells = p->n_lasts = 1; /* 0 is nothing */
}

struct finding {
    struct pl_predecessors *p;
    const struct pl_predecessors_event *e;
    bool tells; /* not only what there is for later events is noted */
    void (*tell)(void *to, uint32_t statement, uint32_t predecessor);
    void *to;
};

/* Of each other thread the last event on these bytes, if it conflicts and is later than our own. */
static void look(const struct finding *f, struct pl_predecessors_cell *cell,
                 const struct pl_predecessors_last *me)
{
    struct pl_predecessors *p = f->p;
    bool own = false;

    p->query++;
    for (uint32_t i = cell->first; i != 0; i = p->lasts[i].next) {
        struct pl_predecessors_last *l = &p->lasts[i];
        bool meets = l->offset < me->offset + me->size && me->offset < l->offset + l->size;

        if (!meets)
            continue;
        own |= l->tid == me->tid;
        if (own && !cell->waits)
            break;
        bool conflict = l->tid != me->tid && pl_depend_touch(l->offset, l->size, l->effect,
                                                             me->offset, me->size, me->effect);

        l->followed |= conflict;
        if (f->tells && conflict && !own && p->asked[l->tid] != p->query)
            f->tell(f->to, me->statement, l->statement);
        p->asked[l->tid] = p->query;
    }
}

/*
 * Whether nobody else has touched the granule in conflict with this one, which is noted.  What was
 * covered by later ones of its thread counts, too.
 */
static bool is_first(struct pl_predecessors_cell *cell, const struct pl_predecessors_last *me)
{
    uint32_t thread = me->tid + 1u, *only = &cell->only[me->effect];
    bool first = true;

    PL_ASSERT(me->effect >= PL_EFFECT_READ && me->effect <= PL_EFFECT_WRITE);
    if (cell->only[PL_EFFECT_WRITE] == SEVERAL) /* that conflicts with everything */
        return false;
    for (unsigned i = PL_EFFECT_READ; i <= PL_EFFECT_WRITE; i++) {
        if (cell->only[i] != 0 && cell->only[i] != thread && pl_depend_conflict(i, me->effect))
            first = false;
    }
    *only = *only == 0 || *only == thread ? thread : SEVERAL;
    return first;
}

static void tell_last(const struct pl_predecessors *p,
                      void (*tell)(void *to, uint32_t statement, uint32_t predecessor), void *to)
{
    for (uint32_t i = 1; i < p->n_cells; i++) {
        for (uint32_t k = p->cells[i].first; p->cells[i].waits && k != 0; k = p->lasts[k].next) {
            if (p->lasts[k].waits && !p->lasts[k].followed)
                tell(to, p->lasts[k].statement, PL_HAPSET_LAST);
        }
    }
}

/* Whether no touch of a thread in the list is hidden by a later one of the same thread. */
static bool has_last_only(const struct pl_predecessors *p, const struct pl_predecessors_cell *cell)
{
    for (uint32_t i = cell->first; i != 0; i = p->lasts[i].next) {
        const struct pl_predecessors_last *l = &p->lasts[i];

        for (uint32_t k = l->next; k != 0; k = p->lasts[k].next) {
            const struct pl_predecessors_last *e = &p->lasts[k];

            if (e->tid == l->tid && e->offset >= l->offset &&
                e->offset + e->size <= l->offset + l->size)
                return false;
        }
    }
    return true;
}

/* It is the thread's last touch now; what it covers of earlier ones is never asked for again. */
static bool put(struct pl_predecessors *p, struct pl_predecessors_cell *cell,
                const struct pl_predecessors_last *me)
{
    uint32_t *place = &cell->first, found = 0;

    while (*place != 0) {
        struct pl_predecessors_last *l = &p->lasts[*place];

        if (l->tid == me->tid && l->offset >= me->offset &&
            l->offset + l->size <= me->offset + me->size) {
            found = *place;
            *place = l->next;
        } else {
            place = &l->next;
        }
    }
    if (found == 0 && p->n_lasts < p->lasts_max)
        found = p->n_lasts++;
    if (found == 0)
        return false;
    p->lasts[found] = *me;
    p->lasts[found].next = cell->first;
    cell->first = found;
    PL_CHECK(has_last_only(p, cell));
    return true;
}

static bool touch(const struct finding *f, const struct pl_predecessors_touch *t)
{
    uint64_t end = t->addr + t->size;

    for (uint64_t at = t->addr; at < end;) {
        uint64_t room = GRANULE - at % GRANULE, size = end - at < room ? end - at : room;
        struct pl_predecessors_cell *cell = cell_of(f->p, at / GRANULE);
        struct pl_predecessors_last me = {
            .statement = f->e->statement,
            .tid = f->e->tid,
            .effect = t->effect,
            .waits = f->e->waits,
            .offset = (uint8_t)(at % GRANULE),
            .size = (uint8_t)size,
        };

        if (cell == NULL)
            return false;
        PL_ASSERT(size > 0 && me.offset + size <= GRANULE && cell->granule == at / GRANULE);
        if (f->tells || cell->waits)
            look(f, cell, &me);
        cell->waits |= me.waits;
        if (is_first(cell, &me) && f->tells)
            f->tell(f->to, me.statement, PL_HAPSET_FIRST);
        if (!put(f->p, cell, &me))
            return false;
        at += size;
    }
    return true;
}

bool pl_predecessors_find(struct pl_predecessors *p, const struct pl_predecessors_event *events,
                          uint32_t from, uint32_t n,
                          void (*tell)(void *to, uint32_t statement, uint32_t predecessor),
                          void *to)
{
    bool all = true;

    forget(p);
    for (uint32_t i = 0; i < n && all; i++) {
        struct finding f = {.p = p, .e = &events[i], .tells = i >= from, .tell = tell, .to = to};

        all = touch(&f, &events[i].touches[0]) && touch(&f, &events[i].touches[1]);
    }
    tell_last(p, tell, to);
    return all;
}
