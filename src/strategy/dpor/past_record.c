/* SPDX-License-Identifier: MIT */
/*
 * Records: what the search knows of an operation, kept once however many events, sleep sets and
 * wakeup trees refer to it.
 *
 * Two operations have the same record if they are the same step of the same thread and do the same
 * to the same objects; what else is in struct pl_operation is left out.  Records stay until
 * everything is forgotten: the numbers of those that were there before do not change.
 */
#include "base/hash.h"
#include "strategy/dpor/past_parts.h"

static uint32_t kept_aux(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_THREAD || op->kind == PL_OP_OBJECT_INIT
               ? op->aux
               : 0;
}

/* Where a signal came, and where its thread went on afterwards, belong together. */
static uint64_t kept_pc(const struct pl_operation *op)
{
    return op->again || op->way == PL_WAY_SIGNAL ? op->pc : 0;
}

/* Leave out what does not matter for what the operation depends on. */
static void simplify(struct pl_past_record *r)
{
    struct pl_operation *op = &r->op;

    op->pc = kept_pc(op);
    op->wake = 0;
    op->waker = 0;
    op->round = 0;
    op->noted = pl_depend_initialised(op);
    op->aux = kept_aux(op);
}

static bool same_record(const struct pl_past_record *a, const struct pl_past_record *b)
{
    const struct pl_operation *x = &a->op, *y = &b->op;

    return x->addr == y->addr && x->ordinal == y->ordinal && a->thread == b->thread &&
           x->kind == y->kind && x->way == y->way && x->came_before == y->came_before &&
           x->effect == y->effect && x->size == y->size && x->aux == y->aux &&
           x->other == y->other && x->other_effect == y->other_effect && x->deaf == y->deaf &&
           x->pc == y->pc && a->ends == b->ends && a->known == b->known && a->idle == b->idle &&
           a->outcome[0] == b->outcome[0] && a->outcome[1] == b->outcome[1];
}

static uint64_t hash_of(const struct pl_past_record *r)
{
    uint64_t h =
        pl_hash_quick(r->op.addr ^ (uint64_t)r->op.kind << 56,
                      r->op.ordinal ^ (uint64_t)r->thread << 32 ^ (uint64_t)r->op.effect << 48);

    return pl_hash_quick(h, r->outcome[0] ^ (uint64_t)r->outcome[1] << 16 ^
                                (uint64_t)r->ends << 32 ^ (uint64_t)r->idle << 33 ^
                                (uint64_t)r->op.way << 40);
}

__attribute__((cold)) static void index_all(struct pl_past *p)
{
    pl_past_index_clear(&p->by_contents);
    for (uint32_t i = 1; i < p->n_records; i++)
        pl_past_index_add(&p->by_contents, hash_of(&p->records[i]), i);
}

uint32_t pl_past_record(struct pl_past *p, const struct pl_past_record *contents)
{
    struct pl_past_record r = *contents;

    PL_ASSERT(r.thread < p->n_threads || r.thread == 0);
    simplify(&r);
    uint64_t h = hash_of(&r);

    PL_TABLE_EACH(i, &p->by_contents.table, h)
    {
        PL_ASSERT(i < p->n_records);
        if (same_record(&p->records[i], &r))
            return i;
    }
    if (p->by_contents.moving) {
        index_all(p);
        return pl_past_record(p, contents);
    }
    if (p->n_records == p->records_max) {
        p->full = true;
        return 0;
    }
    uint32_t found = p->n_records;

    p->records[found] = r;
    p->record_after[found] = 0;
    p->n_records++;
    pl_past_index_add(&p->by_contents, h, found);
    return found;
}

bool pl_past_depend(const struct pl_past *p, const struct pl_past_record *a,
                    const struct pl_past_record *b)
{
    return p->total || a->thread == b->thread || a->ends || b->ends || !a->known || !b->known ||
           pl_depend(&a->op, &b->op);
}

struct pl_past_record pl_past_unwoken(const struct pl_past_record *woken)
{
    struct pl_past_record r = *woken;

    if (r.op.way == PL_WAY_SIGNAL) { /* without that, the operation that it came before */
        r.op.kind = r.op.came_before;
        r.op.way = PL_WAY_NORMAL;
        r.op.effect = (uint8_t)pl_operation_least(r.op.kind);
        if (r.op.other_effect == PL_EFFECT_WRITE) /* what is sent to the thread; else its own */
            r.op.other = r.op.other_effect = 0;
    } else if (r.op.way == PL_WAY_CANCEL) {
        r.op.way = PL_WAY_NORMAL;
        r.op.effect = (uint8_t)pl_operation_least(r.op.kind);
    } else {
        PL_ASSERT(r.op.way == PL_WAY_NORMAL);
        r.op.way = PL_WAY_TIMEOUT;
        r.op.effect = pl_operation_is(r.op.kind, PL_ROLE_REGAINS) ? PL_EFFECT_ADD : PL_EFFECT_WRITE;
        r.op.other = 0; /* a lock is taken after that */
        r.op.other_effect = PL_EFFECT_NONE;
    }
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        r.outcome[i] = 0;
    r.ends = false;
    return r;
}

/* ---- of the next event ---- */

/* The end of an initialisation is told from its beginning. */
static uint8_t way_of(const struct pl_operation *op)
{
    return pl_depend_initialised(op) ? PL_WAY_BLOCKED : op->way;
}

struct pl_past_record pl_past_record_for(const struct pl_operation *op, uint16_t thread)
{
    struct pl_past_record r = {.op = *op, .thread = thread, .known = true};

    r.op.way = way_of(op);
    return r;
}

/* Whether pl_past_record() would find this one for the operation. */
static bool is_record_for(const struct pl_past_record *r, const struct pl_operation *op,
                          uint16_t thread)
{
    const struct pl_operation *x = &r->op;

    return x->addr == op->addr && x->ordinal == op->ordinal && r->thread == thread &&
           x->kind == op->kind && x->way == way_of(op) && x->came_before == op->came_before &&
           x->effect == op->effect && x->size == op->size && x->other == op->other &&
           x->other_effect == op->other_effect && x->deaf == op->deaf && x->aux == kept_aux(op) &&
           x->pc == kept_pc(op) && !r->ends && !r->idle && r->known && r->outcome[0] == 0 &&
           r->outcome[1] == 0;
}

static uint32_t look_up(struct pl_past *p, const struct pl_operation *op, uint16_t thread)
{
    const struct pl_past_record r = pl_past_record_for(op, thread);

    return pl_past_record(p, &r);
}

/* As a rule it is the one that came next when the thread was here before. */
uint32_t pl_past_record_next(struct pl_past *p, const struct pl_operation *op, uint16_t thread)
{
    uint32_t last = p->threads[thread].last;
    uint32_t *after = &p->record_after[last != PL_PAST_NONE ? p->events[last].record : 0];

    PL_ASSERT(*after < p->n_records);
    if (*after == 0 || !is_record_for(&p->records[*after], op, thread))
        *after = look_up(p, op, thread);
    PL_CHECK(*after == look_up(p, op, thread));
    return *after;
}
