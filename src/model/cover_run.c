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
#include "base/assert.h"
#include "base/claimed.h"
#include "model/cover.h"

#include <stdatomic.h>
#include <stddef.h>

/* What is rare stays out of the way of what is not. */
#define RARE __attribute__((noinline))

enum { INTERRUPTED = 1 << 16, FUNCTION = 0xffff };
enum { LOOKS = 512 }; /* at functions, for an answer that may be wrong */
enum { PROBES = 16, GRANULES = 8, NEXT_CAPACITY = 8 };
/*
 * A use of an object as one word: thread, statement, and time in threads created so far; above
 * that, which of its bytes, as bits, and whether it changes them.
 */
enum { THREAD_BITS = 11, STATEMENT_BITS = 16, TIME_SHIFT = THREAD_BITS + STATEMENT_BITS };
enum { BYTES_SHIFT = 32, ALL_BYTES = 0xff };
#define BYTES ((uint64_t)ALL_BYTES << BYTES_SHIFT)
#define CHANGES (UINT64_C(1) << (BYTES_SHIFT + 8))
_Static_assert(1 << THREAD_BITS >= PL_THREADS_MAX, "a thread fits");
_Static_assert(1 << STATEMENT_BITS >= PL_COVER_STATEMENTS, "a statement fits");
_Static_assert(PL_COVER_RELATED < (1 << (32 - TIME_SHIFT)) - 1, "so does a time");

/*
 * Locked instructions cost more than all the rest, and with one thread at a time they are
 * not needed.
 */
static inline uint32_t exchange(const struct pl_cover_run *run, _Atomic uint32_t *word,
                                uint32_t value)
{
    if (run->crowd)
        return atomic_exchange_explicit(word, value, memory_order_acq_rel);
    uint32_t before = atomic_load_explicit(word, memory_order_relaxed);

    atomic_store_explicit(word, value, memory_order_relaxed);
    return before;
}

/* False when somebody else was faster. */
static inline bool replace(const struct pl_cover_run *run, _Atomic uint32_t *word, uint32_t before,
                           uint32_t value)
{
    if (run->crowd)
        return atomic_compare_exchange_strong(word, &before, value);
    atomic_store_explicit(word, value, memory_order_relaxed);
    return true;
}

static inline bool replace_wide(const struct pl_cover_run *run, _Atomic uint64_t *word,
                                uint64_t *before, uint64_t value)
{
    if (run->crowd)
        return atomic_compare_exchange_strong(word, before, value);
    atomic_store_explicit(word, value, memory_order_relaxed);
    return true;
}

void pl_cover_run_begin(struct pl_cover_run *run, struct pl_cover_cell *far, bool crowd)
{
    PL_ASSERT(far != NULL);
    run->far = far;
    run->crowd = crowd;
    run->capacity = crowd ? PL_COVER_CELLS : PL_COVER_CELLS_NEAR;
    run->cells = crowd ? far : run->near;
    run->on = true;
}

/* ---- threads ---- */

/* All that comes before what `from` does now comes before what `to` does. */
static void inherit(struct pl_cover_run *run, pl_tid to, pl_tid from)
{
    uint8_t *restrict mine = run->before[to];
    const uint8_t *restrict its = run->before[from];

    PL_ASSERT(to != from);
    for (unsigned i = 0; i < PL_COVER_ROW; i++) /* some at a time: nothing depends on another */
        mine[i] = its[i] > mine[i] ? its[i] : mine[i];
}

/* Of threads beyond the first, and when there have been so many, no order is known. */
void pl_cover_run_created(struct pl_cover_run *run, pl_tid creator, pl_tid created)
{
    PL_CHECK(creator != created && run->births <= PL_COVER_RELATED);
    if (run->crowd || run->births == PL_COVER_RELATED)
        return;
    run->births++;
    if (creator >= PL_COVER_RELATED || created >= PL_COVER_RELATED)
        return;
    inherit(run, created, creator);
    run->before[created][creator] = run->births;
}

void pl_cover_run_joined(struct pl_cover_run *run, pl_tid joiner, pl_tid joined)
{
    PL_CHECK(joiner != joined);
    if (run->crowd || joiner >= PL_COVER_RELATED || joined >= PL_COVER_RELATED)
        return;
    inherit(run, joiner, joined);
    run->before[joiner][joined] = UINT8_MAX;
}

/* ---- functions ---- */

/* Take a slot, unless all are in use; say who is alive at the same time. */
RARE static void enter(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                       uint64_t name)
{
    uint64_t used = run->slots;

    PL_CHECK(t->slot == 0);
    if (!t->known)
        t->kind = (uint8_t)pl_cover_thread(c, name);
    t->known = true;
    do {
        if (used == UINT64_MAX)
            return;
        t->slot = (uint8_t)(__builtin_ctzll(~used) + 1);
    } while (!replace_wide(run, &run->slots, &used, used | UINT64_C(1) << (t->slot - 1)));
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

    PL_CHECK(t->slot <= PL_COVER_SLOTS);
    if (t->slot != 0)
        before = exchange(run, &run->standing[t->slot - 1], where);
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

RARE static void move(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                      uint32_t function, uint32_t depth, uint64_t execution)
{
    bool fresh = depth >= PL_COVER_DEPTHS || (t->open & bit_of(depth)) == 0;

    PL_CHECK(function > 0 && function <= PL_COVER_FUNCTIONS);
    /* Without hooks nobody says when a function is left. */
    if (!fresh && t->functions[depth] != function) {
        stand(run, t, 0);
        settle(c, t, depth, execution);
        fresh = true;
    }
    stand(run, t, function | (!fresh && (t->broken & bit_of(depth)) != 0 ? INTERRUPTED : 0));
    t->function = function;
    t->depth = depth;
    run->last = 0;
    if (fresh && depth < PL_COVER_DEPTHS) {
        t->open |= bit_of(depth);
        t->broken &= ~bit_of(depth);
        t->functions[depth] = (uint16_t)function;
    }
    if (!pl_cover_ran(c, t->kind, function)) {
        pl_cover_run_in(c, t->kind, function);
        pl_cover_mark(c, function, PL_COVER_EXECUTED, execution);
    } else if (c->order[function] < t->order && !c->looping[t->kind]) {
        c->looping[t->kind] = true;
    }
    t->order = c->order[function];
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
RARE static void end(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                     uint64_t execution)
{
    stand(run, t, 0);
    for (uint32_t depth = 0; t->open >> depth != 0 && depth < PL_COVER_DEPTHS - 1; depth++)
        settle(c, t, depth, execution);
    settle(c, t, PL_COVER_DEPTHS - 1, execution);
    uint64_t used = run->slots;

    while (t->slot != 0 &&
           !replace_wide(run, &run->slots, &used, used & ~(UINT64_C(1) << (t->slot - 1))))
        continue;
    t->slot = 0;
    t->function = 0;
    t->ended = true;
    run->last = 0;
}

/* Tasks that were shown lately are found here, without a look at the sets. */
static inline _Atomic uint32_t *recent(_Atomic uint32_t *places, uint32_t a, uint32_t b)
{
    return &places[(a * 7 + b) % PL_COVER_RECENT];
}

static inline void show_switch(struct pl_cover *c, uint32_t a, uint32_t b, uint64_t execution)
{
    _Atomic uint32_t *place = recent(c->recent_switches, a, b);

    if (atomic_load_explicit(place, memory_order_relaxed) == (a << 16 | b))
        return;
    pl_cover_switch(c, a, b, execution);
    atomic_store_explicit(place, a << 16 | b, memory_order_relaxed);
}

static inline uint32_t statement_of(uint32_t who)
{
    return (who - 1) >> THREAD_BITS & (PL_COVER_STATEMENTS - 1);
}

static inline uint32_t thread_of(uint32_t who)
{
    return (who - 1) % (1 << THREAD_BITS);
}

static inline bool is_other(uint32_t who, uint32_t me)
{
    return who != 0 && thread_of(who) != thread_of(me);
}

/* Whether creation or join of threads has put what `who` says before what `me` says. */
static bool is_before(const struct pl_cover_run *run, uint32_t who, uint32_t me)
{
    uint32_t x = thread_of(who), y = thread_of(me);

    return !run->crowd && x < PL_COVER_RELATED && y < PL_COVER_RELATED &&
           (who - 1) >> TIME_SHIFT < run->before[y][x];
}

/* Pairs that may still be found to be concurrent are looked at each time. */
RARE static void add_pair(struct pl_cover *c, const struct pl_cover_run *run, uint32_t who,
                          uint32_t me, uint64_t execution)
{
    uint32_t a = statement_of(who), b = statement_of(me);
    bool concurrent = !is_before(run, who, me);

    pl_cover_pair(c, a, b, concurrent, execution);
    if (concurrent)
        atomic_store_explicit(recent(c->recent_pairs, a, b), (a << 16 | b) + 1,
                              memory_order_relaxed);
}

static inline void show_pair(struct pl_cover *c, const struct pl_cover_run *run, uint32_t who,
                             uint32_t me, uint64_t execution)
{
    uint32_t a = statement_of(who), b = statement_of(me);
    const _Atomic uint32_t *place = recent(c->recent_pairs, a, b);

    if (atomic_load_explicit(place, memory_order_relaxed) != (a << 16 | b) + 1)
        add_pair(c, run, who, me, execution);
}

/* Nearly all statements are where they belong; the others are to be looked for. */
static inline uint32_t find_statement(struct pl_cover *c, uint64_t pc, uint64_t caller,
                                      unsigned kind)
{
    uint32_t at = pl_cover_statement_place(pc, caller);
    const struct pl_cover_statement *s = &c->statements[at];
    uint32_t info = atomic_load_explicit(&s->info, memory_order_acquire);

    if (s->pc == pc && s->caller == caller && (info >> 16 & 0xff) == kind && info != 0)
        return at;
    return pl_cover_statement(c, pc, caller, kind);
}

/* All others that stand somewhere are interrupted by this event. */
RARE static void interrupt(struct pl_cover *c, struct pl_cover_run *run,
                           const struct pl_cover_thread *t, uint64_t execution)
{
    uint64_t used = atomic_load_explicit(&run->slots, memory_order_relaxed);

    if (!run->crowd)
        run->last = t->slot;
    if (t->slot != 0)
        used &= ~(UINT64_C(1) << (t->slot - 1));
    for (; used != 0; used &= used - 1) {
        _Atomic uint32_t *place = &run->standing[__builtin_ctzll(used)];
        uint32_t where = atomic_load_explicit(place, memory_order_relaxed);

        if (where == 0)
            continue;
        if ((where & INTERRUPTED) == 0) {
            if (!replace(run, place, where, where | INTERRUPTED))
                continue; /* it has just moved on */
            pl_cover_mark(c, where & FUNCTION, PL_COVER_INTERRUPTED, execution);
        }
        if (t->function != 0)
            show_switch(c, where & FUNCTION, t->function, execution);
    }
}

/* ---- statements ---- */

static inline uint32_t place_of(uint64_t key, uint32_t capacity)
{
    return (uint32_t)(key * UINT64_C(0x9fb21c651e98df25) >> 40) & (capacity - 1);
}

static inline struct pl_claimed cells_of(const struct pl_cover_run *run)
{
    return (struct pl_claimed){.entries = run->cells,
                               .size = sizeof(*run->cells),
                               .mask = run->capacity - 1,
                               .probes = PROBES,
                               .alone = !run->crowd};
}

/* The object's cell, if need be a new one; NULL when there is no room nearby. */
static struct pl_cover_cell *probe(struct pl_cover_run *run, uint64_t key)
{
    bool fresh;
    struct pl_cover_cell *cell =
        pl_claimed_place(cells_of(run), place_of(key, run->capacity), key, &fresh);

    if (fresh)
        atomic_store_explicit(&run->n_cells, run->n_cells + 1, memory_order_relaxed);
    return cell;
}

/* Only with one thread at a time: the cells move on to others. */
static void grow(struct pl_cover *c, struct pl_cover_run *run)
{
    const struct pl_cover_cell *cells = run->cells;
    uint32_t before = run->capacity;

    PL_ASSERT(!run->crowd && before * NEXT_CAPACITY <= PL_COVER_CELLS);
    run->capacity *= NEXT_CAPACITY;
    run->cells = before == PL_COVER_CELLS_NEAR ? run->far : run->cells + before;
    run->n_cells = 0;
    for (uint32_t i = 0; i < before; i++) {
        struct pl_cover_cell *to = cells[i].key != 0 ? probe(run, cells[i].key) : NULL;

        if (to != NULL) {
            for (unsigned k = 0; k < PL_COVER_USES; k++)
                to->uses[k] = cells[i].uses[k];
            to->hold = cells[i].hold;
        } else if (cells[i].key != 0) {
            c->lost++;
        }
    }
}

RARE static struct pl_cover_cell *find_cell(struct pl_cover *c, struct pl_cover_run *run,
                                            uint64_t key)
{
    if (!run->crowd && run->n_cells * 4 > run->capacity * 3 && run->capacity < PL_COVER_CELLS)
        grow(c, run);
    struct pl_cover_cell *cell = probe(run, key);

    if (cell == NULL)
        atomic_fetch_add_explicit(&c->lost, 1, memory_order_relaxed);
    return cell;
}

static inline struct pl_cover_cell *cell_of(struct pl_cover *c, struct pl_cover_run *run,
                                            uint64_t key)
{
    struct pl_cover_cell *cell = &run->cells[place_of(key, run->capacity)];

    if (atomic_load_explicit(&cell->key, memory_order_relaxed) == key)
        return cell;
    return find_cell(c, run, key);
}

/* Whether a later use of the same thread says all that this one would: looks of a thread. */
static inline bool is_repeated(uint64_t before, uint64_t use)
{
    return ((before | use) & CHANGES) == 0 && !is_other((uint32_t)before, (uint32_t)use) &&
           (before & ~use & BYTES) == 0;
}

/* One is left out of those that are too many: the oldest look, or the oldest. */
RARE static unsigned without_oldest_look(uint64_t *kept)
{
    unsigned drop = PL_COVER_USES;

    while (drop > 1 && (kept[drop] & CHANGES) != 0)
        drop--;
    if (drop == 1 && (kept[1] & CHANGES) != 0)
        drop = PL_COVER_USES;
    for (unsigned i = drop; i < PL_COVER_USES; i++)
        kept[i] = kept[i + 1];
    return PL_COVER_USES;
}

/*
 * The object is used once more: this comes after what conflicts with it, and a change makes that
 * void.  If there are too many, the oldest look is forgotten rather than a change.
 */
RARE static void push_use(struct pl_cover *c, const struct pl_cover_run *run,
                          struct pl_cover_cell *cell, uint64_t use, uint64_t execution)
{
    uint64_t kept[PL_COVER_USES + 1];
    unsigned n = 0, used = 0;

    kept[n++] = use;
    for (; used < PL_COVER_USES; used++) {
        uint64_t before = atomic_load_explicit(&cell->uses[used], memory_order_relaxed);

        if (before == 0)
            break;
        uint64_t common = before & use & BYTES;

        if (common != 0 && ((before | use) & CHANGES) != 0 &&
            is_other((uint32_t)before, (uint32_t)use))
            show_pair(c, run, (uint32_t)before, (uint32_t)use, execution);
        if ((use & CHANGES) != 0)
            before &= ~common;
        if ((before & BYTES) != 0 && !is_repeated(before, use))
            kept[n++] = before;
    }
    if (n > PL_COVER_USES)
        n = without_oldest_look(kept);
    /* Where several come at once, nobody knows what is there. */
    used = run->crowd ? PL_COVER_USES : used;
    for (unsigned i = 0; i < n || i < used; i++)
        atomic_store_explicit(&cell->uses[i], i < n ? kept[i] : 0, memory_order_relaxed);
}

/* The object is looked at or changed: by whom before? */
static inline void touch(struct pl_cover *c, const struct pl_cover_run *run,
                         struct pl_cover_cell *cell, uint64_t use, uint64_t execution)
{
    if (atomic_load_explicit(&cell->uses[0], memory_order_relaxed) != use)
        push_use(c, run, cell, use, execution);
}

/* A use of these bytes. */
static inline uint64_t use_of(uint32_t me, uint8_t bytes, bool changes)
{
    return me | (uint64_t)bytes << BYTES_SHIFT | (changes ? CHANGES : 0);
}

/* Objects have other keys than the memory they are in; no address has this bit. */
static inline uint64_t key_of(uint64_t addr)
{
    return addr | UINT64_C(1) << 63;
}

/* Which bytes of the granule are accessed, as bits. */
static inline uint8_t bytes_of(uint64_t granule, const struct pl_operation *op)
{
    uint64_t start = op->addr > granule << 3 ? op->addr & 7 : 0;
    uint64_t end = op->addr + (op->size != 0 ? op->size : 1) - (granule << 3);

    return (uint8_t)((end >= 8 ? ALL_BYTES : (1 << end) - 1) & ALL_BYTES << start);
}

static void touch_memory(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                         const struct pl_operation *op, uint32_t me, uint64_t execution)
{
    bool changes = pl_operation_effect(op->kind) != PL_EFFECT_READ;
    uint64_t first = op->addr >> 3, last = op->size == 0 ? first : (op->addr + op->size - 1) >> 3;
    struct pl_hold_access access = {.statement = (uint16_t)t->statement,
                                    .reads = !changes,
                                    .writes = op->effect >= PL_EFFECT_ADD};

    if (run->crowd || (last - first >= GRANULES && !op->private))
        pl_hold_note(c, t->statement, PL_HOLD_WITHOUT, execution);
    for (uint64_t g = first; g <= last && g - first < GRANULES; g++) {
        struct pl_cover_cell *cell = cell_of(c, run, (g << 1) + 1);

        if (cell == NULL)
            continue;
        access.bytes = bytes_of(g, op);
        touch(c, run, cell, use_of(me, access.bytes, changes), execution);
        if (run->crowd || op->private)
            continue;
        access.cell = g;
        pl_hold_see(c, &run->pending, &t->hold, &cell->hold, &access, execution);
    }
}

/* See touch(). */
static inline void touch_at(struct pl_cover *c, struct pl_cover_run *run, uint64_t key, uint32_t me,
                            bool changes, uint64_t execution)
{
    struct pl_cover_cell *cell = cell_of(c, run, key);

    if (cell != NULL)
        touch(c, run, cell, use_of(me, ALL_BYTES, changes), execution);
}

/* The mutex of a condition is the second object of waiting and the only one of waking up. */
static void touch_object(struct pl_cover *c, struct pl_cover_run *run,
                         const struct pl_operation *op, uint32_t me, uint64_t execution)
{
    bool changes = pl_operation_effect(op->kind) != PL_EFFECT_READ;

    if (op->addr != 0 && !pl_operation_is(op->kind, PL_ROLE_REGAINS))
        touch_at(c, run, key_of(op->addr), me, changes, execution);
    if (op->other != 0)
        touch_at(c, run, key_of(op->other), me, true, execution);
}

/* ---- events ---- */

void pl_cover_run_at(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                     const struct pl_operation *op, const struct pl_cover_event *e)
{
    uint32_t function = 0;

    if (t->slot == 0 && !t->ended)
        enter(c, run, t, op->name);
    if (t->ended || pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS)))
        return;
    t->statement = find_statement(c, op->pc, e->caller, op->kind);
    t->pc = op->pc;
    if (t->statement != PL_COVER_NOTHING)
        function = pl_cover_function_of(c, t->statement);
    if (e->several && function != 0 && (function != t->function || e->depth != t->depth))
        move(c, run, t, function, e->depth, e->execution);
}

/* With one thread at a time nobody has moved since this one had an event in the same function. */
static inline bool is_known(const struct pl_cover_run *run, const struct pl_cover_thread *t)
{
    return run->last == t->slot && t->slot != 0 && !run->crowd;
}

/* No statement, or nobody to interrupt. */
RARE static void see_rest(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                          const struct pl_operation *op, uint64_t execution)
{
    if (pl_operation_is(op->kind, PL_ROLE_ENDS) && !t->ended)
        end(c, run, t, execution);
    if (t->ended || pl_operation_is(op->kind, PL_ROLE_BEGINS) || t->statement == PL_COVER_NOTHING)
        return;
    if (pl_cover_function_of(c, t->statement) != 0)
        pl_cover_mark(c, pl_cover_function_of(c, t->statement), PL_COVER_ALONE, execution);
}

void pl_cover_run_see(struct pl_cover *c, struct pl_cover_run *run, struct pl_cover_thread *t,
                      const struct pl_operation *op, bool several, uint64_t execution)
{
    enum pl_object_kind object = pl_operation_object(op->kind);
    bool thread = pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS));

    PL_CHECK(op->tid < PL_THREADS_MAX);
    t->pc = 0;
    if (!several || thread || t->ended || t->statement == PL_COVER_NOTHING) {
        see_rest(c, run, t, op, execution);
        return;
    }
    if (!is_known(run, t))
        interrupt(c, run, t, execution);
    uint32_t me = ((uint32_t)run->births << TIME_SHIFT | t->statement << THREAD_BITS | op->tid) + 1;

    if (object == PL_OBJECT_MEMORY)
        touch_memory(c, run, t, op, me, execution);
    else if (object != PL_OBJECT_NONE && object != PL_OBJECT_THREAD && object != PL_OBJECT_FILE)
        touch_object(c, run, op, me, execution);
}

/* ---- direction ---- */

/*
 * Whether a thread of this kind, which stands in function n, may still come to a function
 * that has not interrupted m, or with `by` to one that m has not interrupted.  Functions are
 * numbered in the order in which they were first executed, which is that of the program unless it
 * goes back.
 */
static bool may_come(const struct pl_cover *c, unsigned kind, uint32_t n, uint32_t m, bool by)
{
    uint32_t since = c->looping[kind] || n == 0 ? 0 : c->order[n];
    unsigned looks = 0;

    for (uint32_t word = 0; word <= c->n_functions / 64; word++) {
        uint64_t bits = atomic_load_explicit(&c->ran[kind][word], memory_order_relaxed);

        for (; bits != 0 && looks < LOOKS; bits &= bits - 1, looks++) {
            uint32_t x = word * 64 + (uint32_t)__builtin_ctzll(bits);

            if (c->order[x] >= since && !pl_cover_switched(c, by ? x : m, by ? m : x))
                return true;
        }
    }
    return false;
}

/*
 * What would come of it if thread t waited in function m and the others went on: they interrupt
 * function m with what they come to, and they come to where t can interrupt them.
 */
static enum pl_cover_interest interest_in_switch(const struct pl_cover *c,
                                                 const struct pl_cover_run *run,
                                                 const struct pl_cover_thread *t, uint32_t m)
{
    uint64_t used = run->slots;
    enum pl_cover_interest best = PL_COVER_DULL;

    if (t->slot != 0)
        used &= ~(UINT64_C(1) << (t->slot - 1));
    for (; used != 0; used &= used - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(used);
        uint32_t n = run->standing[slot] & FUNCTION;

        if ((n != 0 && !pl_cover_switched(c, m, n)) || may_come(c, run->kinds[slot], n, m, false))
            return PL_COVER_NEW;
        if (best == PL_COVER_DULL && may_come(c, run->kinds[slot], n, m, true))
            best = PL_COVER_PREPARES;
    }
    return best;
}

enum pl_cover_interest pl_cover_run_interest(const struct pl_cover *c,
                                             const struct pl_cover_run *run,
                                             const struct pl_cover_thread *t)
{
    if (t->function == 0 || t->statement == PL_COVER_NOTHING)
        return PL_COVER_DULL;
    if ((run->direct & PL_COVER_M3) != 0 && c->statements[t->statement].open > 0)
        return PL_COVER_NEW;
    if ((run->direct & PL_COVER_M1) != 0 && (c->marks[t->function] & PL_COVER_INTERRUPTED) == 0)
        return PL_COVER_NEW;
    return (run->direct & PL_COVER_M2) != 0 ? interest_in_switch(c, run, t, t->function)
                                            : PL_COVER_DULL;
}

/* ---- risk ---- */

/* The object's cell, if it has one. */
static const struct pl_cover_cell *known_cell(const struct pl_cover_run *run, uint64_t key)
{
    return pl_claimed_find(cells_of(run), place_of(key, run->capacity), key);
}

/* See push_use(). */
static unsigned count_new(const struct pl_cover *c, const struct pl_cover_run *run, uint64_t key,
                          uint64_t use)
{
    const struct pl_cover_cell *cell = known_cell(run, key);
    uint32_t me = (uint32_t)use;
    unsigned n = 0;

    for (unsigned i = 0; cell != NULL && i < PL_COVER_USES; i++) {
        uint64_t before = cell->uses[i];

        n += (before & use & BYTES) != 0 && ((before | use) & CHANGES) != 0 &&
             is_other((uint32_t)before, me) &&
             !pl_cover_shown(c, statement_of((uint32_t)before), statement_of(me));
    }
    return n;
}

unsigned pl_cover_run_risk(const struct pl_cover *c, const struct pl_cover_run *run,
                           const struct pl_cover_thread *t, const struct pl_operation *op)
{
    enum pl_object_kind object = pl_operation_object(op->kind);
    bool changes = pl_operation_effect(op->kind) != PL_EFFECT_READ;
    uint32_t me = (t->statement << THREAD_BITS | op->tid) + 1;
    unsigned n = 0;

    if (t->pc != op->pc || t->statement == PL_COVER_NOTHING ||
        pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS)))
        return 0;
    if (object == PL_OBJECT_MEMORY) {
        uint64_t first = op->addr >> 3;
        uint64_t last = op->size == 0 ? first : (op->addr + op->size - 1) >> 3;

        for (uint64_t g = first; g <= last && g - first < GRANULES; g++)
            n += count_new(c, run, (g << 1) + 1, use_of(me, bytes_of(g, op), changes));
    } else if (object != PL_OBJECT_NONE && object != PL_OBJECT_THREAD && object != PL_OBJECT_FILE) {
        if (op->addr != 0 && !pl_operation_is(op->kind, PL_ROLE_REGAINS))
            n += count_new(c, run, key_of(op->addr), use_of(me, ALL_BYTES, changes));
        if (op->other != 0)
            n += count_new(c, run, key_of(op->other), use_of(me, ALL_BYTES, true));
    }
    return n;
}
