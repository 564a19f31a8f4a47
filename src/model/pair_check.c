/* SPDX-License-Identifier: MIT */
/* See pair_check.h. */
#include "model/pair_check.h"

#include "base/assert.h"

void pl_pair_check_begin(struct pl_pair_check *c)
{
    c->n = c->n_barriers = c->n_bases = 0;
    for (unsigned i = 0; i < PL_PAIR_CHECK_THREADS; i++) {
        c->now[i] = 1;
        c->stacks[i].n = 0;
        for (unsigned k = 0; k < PL_PAIR_CHECK_THREADS; k++)
            c->before[i][k] = 0;
    }
}

static void merge(uint32_t *to, const uint32_t *from)
{
    for (unsigned k = 0; k < PL_PAIR_CHECK_THREADS; k++)
        to[k] = from[k] > to[k] ? from[k] : to[k];
}

/* All that x has done so far, and knew, comes before what y does from now on. */
static void order(struct pl_pair_check *c, unsigned x, unsigned y)
{
    merge(c->before[y], c->before[x]);
    if (c->now[x] > c->before[y][x])
        c->before[y][x] = c->now[x];
    c->now[x]++;
}

static struct pl_pair_check_barrier *barrier_at(struct pl_pair_check *c, uint64_t addr)
{
    for (uint32_t i = 0; i < c->n_barriers; i++) {
        if (c->barriers[i].addr == addr)
            return &c->barriers[i];
    }
    if (c->n_barriers == PL_PAIR_CHECK_BARRIERS)
        return NULL;
    struct pl_pair_check_barrier *b = &c->barriers[c->n_barriers++];

    *b = (struct pl_pair_check_barrier){.addr = addr};
    return b;
}

/*
 * What a thread did before it came to a barrier comes before whatever those do who leave it in the
 * same round.  Nobody comes to the round after the next before all have left this one.
 */
static void meet(struct pl_pair_check *c, const struct pl_operation *op)
{
    struct pl_pair_check_barrier *b = barrier_at(c, op->addr);
    unsigned x = op->tid;

    if (b == NULL)
        return;
    if (op->kind == PL_OP_BARRIER_LEAVE) {
        merge(c->before[x], b->met[b->rounds[x] % 2].before);
        return;
    }
    uint32_t round = ++b->rounds[x], *before = b->met[round % 2].before;

    if (b->met[round % 2].round != round) {
        for (unsigned k = 0; k < PL_PAIR_CHECK_THREADS; k++)
            before[k] = 0;
        b->met[round % 2].round = round;
    }
    merge(before, c->before[x]);
    before[x] = c->now[x]++;
}

/* Kinds whose order is that of locks that both hold. */
static bool is_ordered_by_locks(unsigned kind)
{
    return kind == PL_PAIR_RW || kind == PL_PAIR_ATOMIC || kind == PL_PAIR_LIFE ||
           kind == PL_PAIR_MM || kind == PL_PAIR_TRY;
}

static bool share_lock(const struct pl_pair_check_seen *a, const struct pl_pair_check_seen *b)
{
    for (unsigned i = 0; i < a->n_held; i++) {
        for (unsigned k = 0; k < b->n_held; k++) {
            if (a->held[i] == b->held[k])
                return true;
        }
    }
    return false;
}

/* Memory of the program, and no clock or file that has an address for plait only. */
static bool is_access(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLES(PLAIN, ATOMIC)) || kind == PL_OP_FREE;
}

static bool is_lock(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLES(ACQUIRES, RELEASES)) &&
           (pl_operation_object(kind) == PL_OBJECT_MUTEX ||
            pl_operation_object(kind) == PL_OBJECT_RWLOCK);
}

/* What pair two operations of different threads would be; PL_PAIR_KINDS: they do not conflict. */
static unsigned kind_of(const struct pl_pair_check_seen *a, const struct pl_pair_check_seen *b)
{
    if ((pl_operation_object(a->kind) == PL_OBJECT_MEMORY && !is_access(a->kind)) ||
        (pl_operation_object(b->kind) == PL_OBJECT_MEMORY && !is_access(b->kind)))
        return PL_PAIR_KINDS;
    if (pl_operation_object(a->kind) == PL_OBJECT_FILE ||
        pl_operation_object(b->kind) == PL_OBJECT_FILE)
        return PL_PAIR_KINDS; /* of files and streams there are no pairs */
    bool a_memory = pl_operation_object(a->kind) == PL_OBJECT_MEMORY;
    bool b_memory = pl_operation_object(b->kind) == PL_OBJECT_MEMORY;

    if (a_memory && b_memory) {
        if ((!a->writes && !b->writes) || a->addr >= b->addr + b->size ||
            b->addr >= a->addr + a->size)
            return PL_PAIR_KINDS;
        return PL_PAIR_RW;
    }
    if (a_memory != b_memory) {
        const struct pl_pair_check_seen *memory = a_memory ? a : b, *lock = a_memory ? b : a;

        /* A lock that is written over, or read while it changes. */
        return is_lock(lock->kind) && lock->addr >= memory->addr &&
                       lock->addr < memory->addr + memory->size
                   ? PL_PAIR_LIFE
                   : PL_PAIR_KINDS;
    }
    if (a->addr != b->addr)
        return PL_PAIR_KINDS;
    return pl_pair_kind_of(a->kind, b->kind);
}

static bool are_paired(const struct pl_pair_table *t, uint32_t a, uint32_t b)
{
    const struct pl_pair_site *s = &pl_pair_sites(t)[a];

    if ((s->flags & pl_pair_sites(t)[b].flags & PL_PAIR_MORE) != 0)
        return true; /* or it has been left out */

    for (uint32_t i = 0; i < s->n_pairs; i++) {
        const struct pl_pair *p = &pl_pair_pairs(t)[pl_pair_members(t)[s->first_pair + i]];

        if (pl_pair_other(p, a) == b)
            return true;
    }
    return false;
}

/* Whether the analysis has said that no other thread can meet it there, whatever locks there are.
 */
static bool is_unhooked(const struct pl_pair_table *t, uint32_t site)
{
    return (pl_pair_sites(t)[site].flags & PL_PAIR_UNHOOKED) != 0;
}

static bool is_same(const struct pl_pair_check_seen *a, const struct pl_pair_check_seen *b)
{
    if (a->addr != b->addr || a->size != b->size || a->site != b->site || a->tid != b->tid ||
        a->kind != b->kind || a->n_held != b->n_held || a->when != b->when)
        return false;
    for (unsigned i = 0; i < a->n_held; i++) {
        if (a->held[i] != b->held[i])
            return false;
    }
    return true;
}

/* Memory was freed: what comes to it from now on comes to another block. */
static void forget(struct pl_pair_check *c, uint64_t addr, uint64_t size)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        if (c->seen[i].addr >= addr + size || addr >= c->seen[i].addr + c->seen[i].size)
            c->seen[n++] = c->seen[i];
    }
    c->n = n;
}

const struct pl_pair_check_seen *pl_pair_check_see(struct pl_pair_check *c,
                                                   const struct pl_pair_table *t,
                                                   const struct pl_operation *op, uint32_t site,
                                                   const uint64_t *held, unsigned n_held)
{
    struct pl_pair_check_seen s = {.addr = op->addr,
                                   .size = op->size ? op->size : 1,
                                   .site = site,
                                   .tid = op->tid,
                                   .kind = op->kind,
                                   .writes = op->effect >= PL_EFFECT_ADD};
    const struct pl_pair_check_seen *found = NULL;

    if (op->tid >= PL_PAIR_CHECK_THREADS)
        return NULL;
    if (pl_operation_is(op->kind, PL_ROLES(CREATES)) && op->aux < PL_PAIR_CHECK_THREADS)
        order(c, op->tid, op->aux);
    if (pl_operation_is(op->kind, PL_ROLES(JOINS)) && op->aux < PL_PAIR_CHECK_THREADS)
        order(c, op->aux, op->tid);
    if (pl_operation_object(op->kind) == PL_OBJECT_BARRIER)
        meet(c, op);
    if (site == PL_PAIR_NONE || op->addr == 0 || op->private || op->nested ||
        op->effect == PL_EFFECT_NONE)
        return NULL;
    s.when = c->now[op->tid];
    for (unsigned i = 0; i < n_held && s.n_held < PL_PAIR_CHECK_HELD; i++)
        s.held[s.n_held++] = held[i];
    for (uint32_t i = 0; i < c->n; i++) {
        const struct pl_pair_check_seen *b = &c->seen[i];

        if (is_same(b, &s))
            return found;
        if (b->tid == s.tid || b->when <= c->before[s.tid][b->tid])
            continue;
        unsigned kind = kind_of(b, &s);

        bool locked = is_ordered_by_locks(kind) && share_lock(b, &s) && !is_unhooked(t, b->site) &&
                      !is_unhooked(t, s.site);

        if (kind != PL_PAIR_KINDS && !locked && !are_paired(t, b->site, s.site))
            found = b;
    }
    if (op->kind == PL_OP_FREE && found == NULL)
        forget(c, s.addr, s.size);
    else if (c->n < PL_PAIR_CHECK_SEEN)
        c->seen[c->n++] = s;
    return found;
}

bool pl_pair_check_come(struct pl_pair_check *c, const struct pl_pair_table *t, pl_tid tid,
                        const uint64_t *pcs, unsigned n, bool whole, uint32_t site)
{
    if (tid >= PL_PAIR_CHECK_THREADS || n > PL_PAIR_FRAMES)
        return true;
    struct pl_pair_check_stack *last = &c->stacks[tid];
    /* One call may be several operations: a wait and its end, pieces of a copy. */
    bool could = site == PL_PAIR_NONE || last->n == 0 || last->pcs[0] == pcs[0] ||
                 pl_pair_reaches(t, last->pcs, last->n, last->whole, true, site);

    for (unsigned i = 0; i < n; i++)
        last->pcs[i] = pcs[i];
    last->n = n;
    last->whole = whole;
    return could;
}

bool pl_pair_check_address(struct pl_pair_check *c, const struct pl_pair_table *t,
                           const struct pl_operation *op, uint32_t site)
{
    const struct pl_pair_site *s = &pl_pair_sites(t)[site];
    uint64_t address = op->addr - (uint64_t)(int64_t)s->offset;

    if (s->base == 0 || op->addr == 0 || (s->size != 0 && s->size != op->size))
        return true;
    for (uint32_t i = 0; i < c->n_bases; i++) {
        if (c->bases[i].base == s->base && c->bases[i].tid == op->tid)
            return c->bases[i].address == address;
    }
    if (c->n_bases < PL_PAIR_CHECK_BASES)
        c->bases[c->n_bases++] =
            (struct pl_pair_check_base){.address = address, .base = s->base, .tid = op->tid};
    return true;
}
