/* SPDX-License-Identifier: MIT */
/* See sought.h. */
#include "model/sought.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"
#include "model/depend.h"

#include <stdatomic.h>
#include <stddef.h>

#define OBJECT (UINT64_C(1) << 63) /* no address has this bit */

/* ---- places ---- */

uint32_t pl_sought_find(const struct pl_sought *s, uint64_t pc)
{
    const struct pl_sought_place *p = pl_claimed_slot(PL_CLAIMED(s->places), pl_hash_mix(pc), pc);

    if (p == NULL)
        return PL_SOUGHT_KNOWN; /* there is no room to remember more: it counts as nothing */
    return p->pc == pc ? p->roles : 0;
}

void pl_sought_learn(struct pl_sought *s, uint64_t pc, uint32_t roles)
{
    bool fresh;

    PL_ASSERT(pc != 0);
    struct pl_sought_place *p =
        pl_claimed_place(PL_CLAIMED(s->places), pl_hash_mix(pc), pc, &fresh);

    if (p == NULL) {
        s->lost = 1;
        return;
    }
    if (fresh)
        s->n_places++;
    p->roles = roles | PL_SOUGHT_KNOWN;
}

void pl_sought_copy_places(struct pl_sought *to, const struct pl_sought *from)
{
    for (unsigned i = 0; i < PL_SOUGHT_PLACES && from->n_places > 0; i++) {
        if (from->places[i].pc != 0 && (from->places[i].roles & PL_SOUGHT_KNOWN) != 0)
            pl_sought_learn(to, from->places[i].pc, from->places[i].roles);
    }
}

/* ---- an execution ---- */

void pl_sought_run_begin(struct pl_sought_run *run)
{
    for (unsigned i = 0; i < PL_SOUGHT_ORDERS; i++)
        run->had[i] = 0;
    run->lost = false;
    run->n_marks = run->oldest = 0;
}

static bool conflict(const struct pl_sought_mark *a, const struct pl_sought_mark *b,
                     enum pl_depend_sense sense)
{
    return pl_depend_would_conflict(&(struct pl_depend_extent){a->key, a->key + a->size, a->effect},
                                    &(struct pl_depend_extent){b->key, b->key + b->size, b->effect},
                                    sense);
}

static bool gives_back(const struct pl_sought_mark *m)
{
    return pl_operation_is(m->kind, PL_ROLES(RELEASES, GIVES_UP));
}

/* Whether it comes between the mark and what follows. */
static bool parts(const struct pl_sought_mark *by, const struct pl_sought_mark *m)
{
    if (by->tid == m->tid && gives_back(by) && !gives_back(m))
        return false;
    return by->effect != PL_EFFECT_READ && conflict(by, m, PL_DEPEND_CHANGE);
}

/* A search that reduces tries one order of the two only. */
static bool commute(const struct pl_sought_mark *a, const struct pl_sought_mark *b)
{
    return a->effect == PL_EFFECT_ADD && b->effect == PL_EFFECT_ADD && a->tid != b->tid &&
           conflict(a, b, PL_DEPEND_TOUCH);
}

/* What the operation does to each of its objects, at most two of them. */
static unsigned touches(const struct pl_operation *op, bool performed, struct pl_sought_mark to[2])
{
    enum pl_object_kind object = pl_operation_object(op->kind);
    bool memory = object == PL_OBJECT_MEMORY;
    unsigned n = 0;
    struct pl_sought_mark m = {
        .addr = op->addr,
        .key = memory ? op->addr : op->addr | OBJECT,
        .size = memory && op->size > 0 ? op->size : 1,
        .tid = op->tid,
        .kind = op->kind,
        .effect = performed ? op->effect : (uint8_t)pl_operation_effect(op->kind),
    };

    if (op->addr != 0 && object != PL_OBJECT_THREAD && m.effect != PL_EFFECT_NONE)
        to[n++] = m;
    if (op->other == 0)
        return n;
    m.addr = op->other;
    m.key = op->other | OBJECT;
    m.size = 1;
    m.effect = performed ? op->other_effect : PL_EFFECT_WRITE;
    if (m.effect != PL_EFFECT_NONE)
        to[n++] = m;
    return n;
}

/* Two that conflict: what does that mean for the order that the mark belongs to? */
static uint32_t meet(struct pl_sought_run *run, const struct pl_sought_mark *m,
                     const struct pl_sought_mark *now, uint32_t roles)
{
    uint32_t wanted = m->second ? PL_SOUGHT_FIRST(m->order) : PL_SOUGHT_SECOND(m->order);
    uint8_t *had = &run->had[m->order];
    bool new = (*had & PL_SOUGHT_SHOWN) == 0;

    PL_ASSERT(m->order < PL_SOUGHT_ORDERS);
    if (m->tid == now->tid || (roles & wanted) == 0)
        return 0;
    *had |= PL_SOUGHT_MET;
    if (m->second) {
        *had |= m->passed ? 0 : PL_SOUGHT_REVERSED;
        return 0;
    }
    *had |= m->passed ? PL_SOUGHT_BETWEEN : PL_SOUGHT_SHOWN;
    if (m->passed || !new)
        return 0;
    run->shown[m->order] = (struct pl_sought_pair){*m, *now};
    return UINT32_C(1) << m->order;
}

/* Where a new mark goes: in place of its predecessor, of one that is over, or of the oldest. */
static struct pl_sought_mark *room_for(struct pl_sought_run *run, const struct pl_sought_mark *m)
{
    struct pl_sought_mark *over = NULL;

    PL_ASSERT(run->n_marks <= PL_SOUGHT_MARKS);
    for (uint32_t i = 0; i < run->n_marks; i++) {
        struct pl_sought_mark *old = &run->marks[i];

        if (old->key == m->key && old->size == m->size && old->tid == m->tid &&
            old->order == m->order && old->second == m->second)
            return old;
        if (old->passed)
            over = old;
    }
    if (run->n_marks < PL_SOUGHT_MARKS)
        return &run->marks[run->n_marks++];
    if (over != NULL)
        return over;
    run->lost = true;
    return &run->marks[run->oldest++ % PL_SOUGHT_MARKS];
}

static void add_marks(struct pl_sought_run *run, struct pl_sought_mark m, uint32_t roles)
{
    for (unsigned i = 0; i < PL_SOUGHT_ORDERS; i++) {
        m.order = (uint8_t)i;
        m.second = false;
        if ((roles & PL_SOUGHT_FIRST(i)) != 0)
            *room_for(run, &m) = m;
        m.second = true;
        if ((roles & PL_SOUGHT_SECOND(i)) != 0)
            *room_for(run, &m) = m;
    }
}

/* Whether it came at all, and after what, whatever it touches. */
static void note(struct pl_sought_run *run, unsigned order, const struct pl_sought_mark *now,
                 uint32_t roles)
{
    struct pl_sought_mark *latest = &run->latest[order], *other = &run->other[order];
    uint8_t *had = &run->had[order];
    const struct pl_sought_mark *before = NULL;

    PL_ASSERT(order < PL_SOUGHT_ORDERS);
    if ((*had & PL_SOUGHT_HAD_FIRST) != 0)
        before = latest->tid != now->tid ? latest : other->tid != now->tid ? other : NULL;
    if ((roles & PL_SOUGHT_SECOND(order)) != 0) {
        if (before != NULL && (*had & PL_SOUGHT_LATER) == 0) {
            run->later[order] = (struct pl_sought_pair){*before, *now};
            *had |= PL_SOUGHT_LATER;
        }
        *had |= PL_SOUGHT_HAD_SECOND;
    }
    if ((roles & PL_SOUGHT_FIRST(order)) == 0)
        return;
    if ((*had & PL_SOUGHT_HAD_FIRST) == 0)
        *other = *now;
    else if (latest->tid != now->tid)
        *other = *latest;
    *latest = *now;
    *had |= PL_SOUGHT_HAD_FIRST;
}

uint32_t pl_sought_run_see(struct pl_sought_run *run, const struct pl_operation *op, uint64_t pc)
{
    struct pl_sought_mark now[2] = {{0}};
    unsigned n = touches(op, true, now);
    uint32_t roles = op->sought, shown = 0;
    struct pl_sought_mark plain = {.pc = pc, .addr = op->addr, .tid = op->tid, .kind = op->kind};

    PL_ASSERT(n <= 2 && op->tid < PL_THREADS_MAX);
    now[0].pc = now[1].pc = pc;
    for (unsigned i = 0; i < PL_SOUGHT_ORDERS && (roles & PL_SOUGHT_ANY) != 0; i++) {
        if ((roles & (PL_SOUGHT_FIRST(i) | PL_SOUGHT_SECOND(i))) != 0)
            note(run, i, n > 0 ? &now[0] : &plain, roles);
    }
    for (unsigned t = 0; t < n; t++) {
        for (uint32_t i = 0; i < run->n_marks; i++) {
            struct pl_sought_mark *m = &run->marks[i];

            if (conflict(&now[t], m, PL_DEPEND_CHANGE))
                shown |= meet(run, m, &now[t], roles);
            if (commute(&now[t], m))
                run->had[m->order] |= PL_SOUGHT_COMMUTED;
            if (parts(&now[t], m))
                m->passed = true;
        }
        add_marks(run, now[t], roles);
    }
    return shown;
}

bool pl_sought_run_would_show(const struct pl_sought_run *run, const struct pl_operation *op,
                              unsigned order)
{
    struct pl_sought_mark now[2];
    unsigned n = (op->sought & PL_SOUGHT_SECOND(order)) != 0 ? touches(op, false, now) : 0;

    for (unsigned t = 0; t < n; t++) {
        for (uint32_t i = 0; i < run->n_marks; i++) {
            const struct pl_sought_mark *m = &run->marks[i];

            if (m->order == order && !m->second && !m->passed && m->tid != op->tid &&
                conflict(&now[t], m, PL_DEPEND_CHANGE))
                return true;
        }
    }
    return false;
}

bool pl_sought_run_would_part(const struct pl_sought_run *run, const struct pl_operation *op,
                              unsigned order)
{
    struct pl_sought_mark now[2];
    unsigned n = run->n_marks > 0 ? touches(op, false, now) : 0;

    for (unsigned t = 0; t < n; t++) {
        for (uint32_t i = 0; i < run->n_marks; i++) {
            const struct pl_sought_mark *m = &run->marks[i];

            if (m->order == order && !m->second && !m->passed && parts(&now[t], m))
                return true;
        }
    }
    return false;
}

/* ---- all executions ---- */

void pl_sought_count(struct pl_sought *s, const struct pl_sought_run *run)
{
    const unsigned both = PL_SOUGHT_HAD_FIRST | PL_SOUGHT_HAD_SECOND;

    PL_ASSERT(s->n <= PL_SOUGHT_ORDERS);
    if (run->lost)
        s->lost = 1;
    for (unsigned i = 0; i < s->n && i < PL_SOUGHT_ORDERS; i++) {
        struct pl_sought_order *o = &s->orders[i];
        unsigned had = run->had[i];

        o->first += (had & PL_SOUGHT_HAD_FIRST) != 0;
        o->second += (had & PL_SOUGHT_HAD_SECOND) != 0;
        o->both += (had & both) == both;
        o->met += (had & PL_SOUGHT_MET) != 0;
        o->reversed += (had & PL_SOUGHT_REVERSED) != 0;
        o->between += (had & PL_SOUGHT_BETWEEN) != 0;
        o->commuted += (had & PL_SOUGHT_COMMUTED) != 0;
    }
}

void pl_sought_meet(struct pl_sought_order *order, uint64_t name, uint32_t ordinal)
{
    for (unsigned i = 0; i < PL_SOUGHT_THREADS; i++) {
        struct pl_sought_thread *t = &order->threads[i];

        if (t->name == 0) { /* two workers may both write one: that is no harm */
            t->ordinal = ordinal;
            t->name = name;
            return;
        }
        if (t->name != name)
            continue;
        if (ordinal > t->ordinal)
            t->ordinal = ordinal;
        return;
    }
}

bool pl_sought_all_done(const struct pl_sought *s)
{
    for (unsigned i = 0; i < s->n && i < PL_SOUGHT_ORDERS; i++) {
        if (!pl_sought_is_done(&s->orders[i]))
            return false;
    }
    return s->n > 0;
}
