/* SPDX-License-Identifier: MIT */
/*
 * See cover.h: what the events of one execution show.
 *
 * Each thread that is alive has a slot, and there the function it stands in.  An event
 * looks at the slots of all others, so that it finds who is interrupted and by
 * what without a word that every event would have to change.  Whoever
 * interrupts a thread leaves a bit in its slot; the thread finds it there when
 * it moves on.
 *
 * Cells are found by their objects' addresses.  With one thread at a time they
 * begin as a few that fill less than a page, and move when they become too many:
 * rollback copies what is used.
 */
#include "base/hash.h"
#include "model/cover.h"
#include "model/operation.h"

#include <stdatomic.h>
#include <stddef.h>

enum { INTERRUPTED = 1 << 16, FUNCTION = 0xffff };
enum { PROBES = 16, GRANULES = 8, NEXT_CAPACITY = 8 };
enum { THREAD_BITS = 11 };
_Static_assert(1 << THREAD_BITS >= PL_THREADS_MAX, "a thread fits");

void pl_cover_run_begin(struct pl_cover_run *run, struct pl_cover_cell *far, bool crowd)
{
    run->far = far;
    run->crowd = crowd;
    run->capacity = crowd ? PL_COVER_CELLS : PL_COVER_CELLS_NEAR;
    run->on = true;
}

/* ---- functions ---- */

/* Take a slot, unless all are in use; say who is alive at the same time. */
static void enter(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                  uint64_t name)
{
    uint64_t used = run->slots;

    if (!t->known)
        t->kind = (uint8_t)pl_cover_thread(c, name);
    t->known = true;
    do {
        if (used == UINT64_MAX)
            return;
        t->slot = (uint8_t)(__builtin_ctzll(~used) + 1);
    } while (
        !atomic_compare_exchange_strong(&run->slots, &used, used | UINT64_C(1) << (t->slot - 1)));
    run->kinds[t->slot - 1] = t->kind;
    for (; used != 0; used &= used - 1)
        pl_cover_together(c, t->kind, run->kinds[__builtin_ctzll(used)]);
}

static inline uint32_t bit_of(uint32_t depth)
{
    return depth < PL_COVER_DEPTHS ? UINT32_C(1) << depth : 0;
}

/* Say where the thread stands now, and see whether it was interrupted before. */
static void stand(struct pl_cover_run *run, struct pl_cover_thread *t, uint32_t where)
{
    uint32_t before = 0;

    if (t->slot != 0)
        before = atomic_exchange_explicit(&run->standing[t->slot - 1], where, memory_order_acq_rel);
    if ((before & INTERRUPTED) != 0)
        t->broken |= bit_of(t->depth);
}

/* The function at this depth is over. */
static void settle(struct pl_cover *c, struct pl_cover_thread *t, uint32_t depth,
                   uint64_t execution)
{
    if ((t->open & bit_of(depth)) == 0)
        return;
    if ((t->broken & bit_of(depth)) == 0)
        pl_cover_mark(c, t->functions[depth], PL_COVER_WHOLE, execution);
    t->open &= ~bit_of(depth);
    t->broken &= ~bit_of(depth);
}

static void move(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                 uint32_t function, uint32_t depth, uint64_t execution)
{
    bool fresh = depth >= PL_COVER_DEPTHS || (t->open & bit_of(depth)) == 0;

    /* Without hooks nobody says when a function is left. */
    if (!fresh && t->functions[depth] != function) {
        stand(run, t, 0);
        settle(c, t, depth, execution);
        fresh = true;
    }
    stand(run, t, function | (!fresh && (t->broken & bit_of(depth)) != 0 ? INTERRUPTED : 0));
    t->function = function;
    t->depth = depth;
    if (fresh && depth < PL_COVER_DEPTHS) {
        t->open |= bit_of(depth);
        t->broken &= ~bit_of(depth);
        t->functions[depth] = (uint16_t)function;
    }
    if (!pl_cover_ran(c, t->kind, function)) {
        pl_cover_run_in(c, t->kind, function);
        pl_cover_mark(c, function, PL_COVER_EXECUTED, execution);
    }
}

void pl_cover_run_left(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                       uint32_t depth, uint64_t execution)
{
    if (t->function != 0 && t->depth == depth) {
        stand(run, t, 0);
        t->function = 0;
    }
    if (depth < PL_COVER_DEPTHS)
        settle(c, t, depth, execution);
}

/* The thread ends. */
static void end(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                uint64_t execution)
{
    stand(run, t, 0);
    for (uint32_t depth = 0; t->open >> depth != 0 && depth < PL_COVER_DEPTHS - 1; depth++)
        settle(c, t, depth, execution);
    settle(c, t, PL_COVER_DEPTHS - 1, execution);
    if (t->slot != 0)
        atomic_fetch_and(&run->slots, ~(UINT64_C(1) << (t->slot - 1)));
    t->slot = 0;
    t->function = 0;
    t->ended = true;
}

/* All others that stand somewhere are interrupted by this event. */
static void interrupt(struct pl_cover *c, struct pl_cover_run *run, const struct pl_cover_thread *t,
                      uint64_t execution)
{
    uint64_t used = atomic_load_explicit(&run->slots, memory_order_relaxed);

    if (t->slot != 0)
        used &= ~(UINT64_C(1) << (t->slot - 1));
    for (; used != 0; used &= used - 1) {
        _Atomic uint32_t *place = &run->standing[__builtin_ctzll(used)];
        uint32_t where = atomic_load_explicit(place, memory_order_relaxed);

        if (where == 0)
            continue;
        if ((where & INTERRUPTED) == 0) {
            if (!atomic_compare_exchange_strong(place, &where, where | INTERRUPTED))
                continue; /* it has just moved on */
            pl_cover_mark(c, where & FUNCTION, PL_COVER_INTERRUPTED, execution);
        }
        if (t->function != 0)
            pl_cover_switch(c, where & FUNCTION, t->function, execution);
    }
}

/* ---- statements ---- */

static struct pl_cover_cell *cells_of(struct pl_cover_run *run, uint32_t capacity)
{
    return capacity == PL_COVER_CELLS_NEAR ? run->near : run->far + capacity;
}

/* Where the object's cell is, or could be; NULL when there is no room nearby. */
static struct pl_cover_cell *probe(struct pl_cover_run *run, uint32_t capacity, uint64_t key)
{
    struct pl_cover_cell *cells = cells_of(run, capacity);
    uint32_t at = (uint32_t)(pl_hash_quick(0, key) >> 16) & (capacity - 1);

    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) & (capacity - 1)) {
        uint64_t found = atomic_load_explicit(&cells[at].key, memory_order_relaxed);

        if (found == 0 && atomic_compare_exchange_strong(&cells[at].key, &found, key)) {
            atomic_fetch_add_explicit(&run->n_cells, 1, memory_order_relaxed);
            return &cells[at];
        }
        if (found == key)
            return &cells[at];
    }
    return NULL;
}

/* Only with one thread at a time. */
static void grow(struct pl_cover *c, struct pl_cover_run *run)
{
    uint32_t before = run->capacity, after = before * NEXT_CAPACITY;
    const struct pl_cover_cell *cells = cells_of(run, before);

    if (after > PL_COVER_CELLS)
        after = PL_COVER_CELLS;
    run->n_cells = 0;
    for (uint32_t i = 0; i < before; i++) {
        struct pl_cover_cell *to = cells[i].key != 0 ? probe(run, after, cells[i].key) : NULL;

        if (to != NULL) {
            to->change = cells[i].change;
            to->looks[0] = cells[i].looks[0];
            to->looks[1] = cells[i].looks[1];
        } else if (cells[i].key != 0) {
            c->lost++;
        }
    }
    run->capacity = after;
}

static struct pl_cover_cell *cell_of(struct pl_cover *c, struct pl_cover_run *run, uint64_t key)
{
    if (!run->crowd && run->n_cells * 4 > run->capacity * 3 && run->capacity < PL_COVER_CELLS)
        grow(c, run);
    struct pl_cover_cell *cell = probe(run, run->capacity, key);

    if (cell == NULL)
        atomic_fetch_add_explicit(&c->lost, 1, memory_order_relaxed);
    return cell;
}

static inline uint32_t statement_of(uint32_t who)
{
    return (who - 1) >> THREAD_BITS;
}

static inline bool is_other(uint32_t who, uint32_t me)
{
    return who != 0 && ((who - 1) ^ (me - 1)) % (1 << THREAD_BITS) != 0;
}

/* Remember a look; of two threads at most. */
static void look(struct pl_cover_cell *cell, uint32_t me)
{
    uint32_t last = atomic_load_explicit(&cell->looks[0], memory_order_relaxed);

    if (last == me)
        return;
    if (is_other(last, me))
        atomic_store_explicit(&cell->looks[1], last, memory_order_relaxed);
    atomic_store_explicit(&cell->looks[0], me, memory_order_relaxed);
}

/* The object is looked at or changed: by whom before? */
static void touch(struct pl_cover *c, struct pl_cover_run *run, uint64_t key, uint32_t me,
                  bool changes, uint64_t execution)
{
    struct pl_cover_cell *cell = cell_of(c, run, key);

    if (cell == NULL)
        return;
    uint32_t change = atomic_load_explicit(&cell->change, memory_order_relaxed);

    if (is_other(change, me))
        pl_cover_pair(c, statement_of(change), statement_of(me), execution);
    if (!changes) {
        look(cell, me);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        uint32_t who = atomic_load_explicit(&cell->looks[i], memory_order_relaxed);

        if (who == 0)
            continue;
        if (is_other(who, me))
            pl_cover_pair(c, statement_of(who), statement_of(me), execution);
        atomic_store_explicit(&cell->looks[i], 0, memory_order_relaxed);
    }
    if (change != me)
        atomic_store_explicit(&cell->change, me, memory_order_relaxed);
}

/* Objects have other keys than the memory they are in; no address has this bit. */
static uint64_t key_of(uint64_t addr)
{
    return addr | UINT64_C(1) << 63;
}

static void touch_memory(struct pl_cover *c, struct pl_cover_run *run,
                         const struct pl_cover_event *e, uint32_t me)
{
    bool changes = pl_operation_effect(e->kind) != PL_EFFECT_READ;
    uint64_t first = e->addr >> 3, last = e->size == 0 ? first : (e->addr + e->size - 1) >> 3;

    for (uint64_t g = first; g <= last && g - first < GRANULES; g++)
        touch(c, run, (g << 1) + 1, me, changes, e->execution);
}

static void touch_objects(struct pl_cover *c, struct pl_cover_run *run,
                          const struct pl_cover_event *e, uint32_t statement)
{
    uint32_t me = (statement << THREAD_BITS | e->tid) + 1;

    switch (pl_operation_object(e->kind)) {
    case PL_OBJECT_MEMORY:
        if (e->addr != 0)
            touch_memory(c, run, e, me);
        return;
    case PL_OBJECT_NONE:
    case PL_OBJECT_THREAD:
    case PL_OBJECT_FILE:
        return;
    default:
        break;
    }
    if (e->addr != 0 && e->kind != PL_OP_COND_WAKE)
        touch(c, run, key_of(e->addr), me, pl_operation_effect(e->kind) != PL_EFFECT_READ,
              e->execution);
    if (e->other != 0)
        touch(c, run, key_of(e->other), me, true, e->execution);
}

/* ---- events ---- */

static void take_place(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                       const struct pl_cover_event *e)
{
    uint32_t function = 0;

    if (t->statement != PL_COVER_NOTHING)
        function = pl_cover_function_of(c, t->statement);
    if (e->several && function != 0 && (function != t->function || e->depth != t->depth))
        move(c, run, t, function, e->depth, e->execution);
}

void pl_cover_run_at(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                     const struct pl_cover_event *e)
{
    if (t->ended || e->kind == PL_OP_THREAD_EXIT)
        return;
    if (t->slot == 0)
        enter(c, run, t, e->name);
    if (e->kind == PL_OP_THREAD_START)
        return;
    t->statement = pl_cover_statement(c, e->pc, e->caller, e->kind);
    t->pc = e->pc;
    take_place(c, run, t, e);
}

void pl_cover_run_see(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                      const struct pl_cover_event *e)
{
    if (e->kind == PL_OP_THREAD_EXIT)
        end(c, run, t, e->execution);
    if (t->ended)
        return;
    if (t->pc != e->pc || t->slot == 0)
        pl_cover_run_at(c, run, t, e);
    else if (t->function == 0)
        take_place(c, run, t, e); /* it was alone when it came here */
    t->pc = 0;
    if (e->kind == PL_OP_THREAD_START || t->statement == PL_COVER_NOTHING)
        return;
    if (e->several) {
        interrupt(c, run, t, e->execution);
        touch_objects(c, run, e, t->statement);
    } else if (pl_cover_function_of(c, t->statement) != 0) {
        pl_cover_mark(c, pl_cover_function_of(c, t->statement), PL_COVER_ALONE, e->execution);
    }
}

/* ---- direction ---- */

/* What would come of it if the thread waited in function m and the others went on. */
static unsigned interest_in_switch(const struct pl_cover *c, const struct pl_cover_run *run,
                                   const struct pl_cover_thread *t, uint32_t m)
{
    uint64_t used = run->slots;
    unsigned best = 0;

    if (t->slot != 0)
        used &= ~(UINT64_C(1) << (t->slot - 1));
    for (; used != 0; used &= used - 1) {
        uint32_t n =
            atomic_load_explicit(&run->standing[__builtin_ctzll(used)], memory_order_relaxed) &
            FUNCTION;

        if (n == 0)
            continue;
        if (!pl_cover_switched(c, m, n))
            return 2;
        if (!pl_cover_switched(c, n, m))
            best = 1;
        for (uint64_t rest = used & (used - 1); best == 0 && rest != 0; rest &= rest - 1) {
            uint32_t k = run->standing[__builtin_ctzll(rest)] & FUNCTION;

            best = k != 0 && (!pl_cover_switched(c, n, k) || !pl_cover_switched(c, k, n));
        }
    }
    return best;
}

unsigned pl_cover_run_interest(const struct pl_cover *c, const struct pl_cover_run *run,
                               const struct pl_cover_thread *t)
{
    if (t->function == 0 || t->statement == PL_COVER_NOTHING)
        return 0;
    if ((run->direct & PL_COVER_M3) != 0 && c->statements[t->statement].open > 0)
        return 2;
    if ((run->direct & PL_COVER_M1) != 0 && (c->marks[t->function] & PL_COVER_INTERRUPTED) == 0)
        return 2;
    return (run->direct & PL_COVER_M2) != 0 ? interest_in_switch(c, run, t, t->function) : 0;
}
