/* SPDX-License-Identifier: MIT */
/*
 * The equivalence class of an execution as a number: two executions
 * have the same class when their dependent operations are in the same order.
 *
 * Each operation that counts gets a hash of its thread's earlier ones and of the
 * operations it depends on (model/depend.h): the last write, and the additions since that unless it
 * is one itself.  Reads leave nothing: that a write came after one is known from what that has
 * read.  So it is with a signal, on which all depends that it may come before, or that may find it
 * pending.  The class is the sum over all operations, so the order of independent ones does not
 * matter.
 * Memory is taken byte by byte; bytes that are always accessed together share a cell.
 */
#include "runtime/core/class.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/depend.h"
#include "runtime/core/observer.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/stage.h"

enum { GRANULE = 8, WOKEN = 78 };

/*
 * Cells lie densely, found through chains: an execution that touches few objects
 * touches few pages.  For the same reason the table of chains is small at first.
 */
static uint32_t *chain_of(uint64_t addr)
{
    uint64_t h = addr * UINT64_C(0x9e3779b97f4a7c15) >> 48;

    return pl_stage->n_cells <= PL_BUCKETS_NEAR * 2 ? &pl_stage->near_buckets[h % PL_BUCKETS_NEAR]
                                                    : &pl_stage->buckets[h];
}

/* There are many cells now: sort them into the large table. */
static void spread(void)
{
    PL_ASSERT(pl_stage->n_cells > PL_BUCKETS_NEAR * 2);
    for (uint64_t i = 0; i < pl_stage->n_cells; i++) {
        if (pl_stage->cells[i].addr == 0)
            continue; /* of a byte, or the one being made */
        uint32_t *chain = chain_of(pl_stage->cells[i].addr);

        pl_stage->cells[i].next = *chain;
        *chain = (uint32_t)i + 1;
    }
}

/* The cell of a granule; NULL when there is no room for another. */
static struct pl_cell *cell(uint64_t granule)
{
    uint32_t *chain = chain_of(granule);

    for (uint32_t i = *chain; i != 0; i = pl_stage->cells[i - 1].next) {
        if (pl_stage->cells[i - 1].addr == granule)
            return &pl_stage->cells[i - 1];
    }
    PL_CHECK(granule % GRANULE == 0 && pl_stage->n_cells <= PL_CELLS);
    if (pl_stage->n_cells + 1 + GRANULE > PL_CELLS)
        return NULL;
    struct pl_cell *c = &pl_stage->cells[pl_stage->n_cells++];

    if (pl_stage->n_cells == PL_BUCKETS_NEAR * 2 + 1)
        spread();
    chain = chain_of(granule);
    c->addr = granule;
    c->next = *chain;
    *chain = (uint32_t)pl_stage->n_cells;
    return c;
}

/*
 * Accesses differ in what they cover: from now on each byte has a cell of its own.  False when
 * there is no room for them.
 */
static bool split(struct pl_cell *c)
{
    uint64_t first = pl_stage->n_cells;

    PL_ASSERT(c->bytes == 0 && c->size > 0 && c->offset + c->size <= GRANULE);
    if (first + GRANULE > PL_CELLS)
        return false;
    pl_stage->n_cells += GRANULE;
    for (unsigned i = c->offset; i < c->offset + c->size; i++) {
        pl_stage->cells[first + i].write = c->write;
        pl_stage->cells[first + i].adds = c->adds;
        pl_stage->cells[first + i].offset = c->offset;
        pl_stage->cells[first + i].size = c->size;
    }
    c->bytes = (uint32_t)first + 1;
    if (first <= PL_BUCKETS_NEAR * 2 && pl_stage->n_cells > PL_BUCKETS_NEAR * 2)
        spread();
    return true;
}

/* The part of an access that lies in one granule. */
struct part {
    struct pl_cell *cell;
    unsigned offset, size; /* in the granule */
    uint64_t at;           /* in the access */
};

/* The cells of a part, all of which have the same history, in `from`; their number. */
static unsigned same(const struct part *p, struct pl_cell **from)
{
    if (p->cell->bytes == 0) {
        *from = p->cell;
        return 1;
    }
    PL_CHECK(p->cell->bytes - 1 + GRANULE <= pl_stage->n_cells);
    *from = &pl_stage->cells[p->cell->bytes - 1 + p->offset];
    return p->size;
}

/* The cell of these bytes, if it is the first of its chain and they are all that it has; or NULL.
 */
static inline struct pl_cell *find_at_once(uint64_t addr, uint64_t size)
{
    uint32_t i = *chain_of(addr & ~(uint64_t)(GRANULE - 1));
    struct pl_cell *c = i != 0 ? &pl_stage->cells[i - 1] : NULL;

    return c != NULL && c->addr == (addr & ~(uint64_t)(GRANULE - 1)) && c->bytes == 0 &&
                   c->offset == addr % GRANULE && c->size == size
               ? c
               : NULL;
}

static bool find(struct part *p, uint64_t addr, uint64_t at, uint64_t size)
{
    p->cell = cell((addr + at) & ~(uint64_t)(GRANULE - 1));
    p->at = at;
    p->offset = (unsigned)((addr + at) % GRANULE);
    p->size = (unsigned)(size - at < GRANULE - p->offset ? size - at : GRANULE - p->offset);
    if (p->cell == NULL)
        return false;
    PL_CHECK(p->size > 0 && p->offset + p->size <= GRANULE);
    if (p->cell->size == 0) {
        p->cell->offset = (uint8_t)p->offset;
        p->cell->size = (uint8_t)p->size;
    } else if (p->cell->bytes == 0 && (p->cell->offset != p->offset || p->cell->size != p->size)) {
        return split(p->cell);
    }
    return true;
}

/* Additions to different parts of a number do not commute. */
static enum pl_effect on(const struct part *p, enum pl_effect effect)
{
    struct pl_cell *c;

    if (effect != PL_EFFECT_ADD || p->cell->bytes == 0)
        return effect;
    unsigned n = same(p, &c);

    for (unsigned i = 0; i < n; i++) {
        if (c[i].adds != 0 && (c[i].offset != p->offset || c[i].size != p->size))
            return PL_EFFECT_WRITE;
    }
    return effect;
}

/*
 * What an access depends on.  Byte i counts 2i+1 times what it last held: a sum
 * that is the same whether the bytes have cells of their own or one together.
 */
static inline uint64_t look_in(const struct pl_cell *c, enum pl_effect effect, uint64_t at,
                               uint64_t size)
{
    uint64_t seen = c->write * ((at + size) * (at + size) - at * at);

    if (effect != PL_EFFECT_ADD)
        seen += c->adds * size * 5;
    return seen;
}

static inline void leave_in(struct pl_cell *c, enum pl_effect effect, uint64_t h)
{
    if (effect == PL_EFFECT_ADD) {
        c->adds += h;
    } else if (effect != PL_EFFECT_READ) {
        c->write = h;
        c->adds = 0;
    }
}

static uint64_t look(const struct part *p, enum pl_effect effect)
{
    struct pl_cell *c;
    unsigned n = same(p, &c);
    uint64_t each = p->size / n, seen = 0;

    effect = on(p, effect);
    for (uint64_t i = 0, at = p->at; i < n; i++, at += each)
        seen += look_in(&c[i], effect, at, each);
    return seen;
}

static void leave(const struct part *p, enum pl_effect effect, uint64_t h)
{
    struct pl_cell *c;
    unsigned n = same(p, &c);

    effect = on(p, effect);
    for (unsigned i = 0; i < n; i++) {
        leave_in(&c[i], effect, h);
        if (effect == PL_EFFECT_ADD && p->cell->bytes != 0) {
            c[i].offset = (uint8_t)p->offset;
            c[i].size = (uint8_t)p->size;
        }
    }
}

/* An object that the operation touches. */
struct touch {
    uint64_t addr, size;
    enum pl_effect effect;
    struct part first;
};

static uint64_t look_at(struct touch *o)
{
    struct part p;
    uint64_t seen = 0;

    for (uint64_t at = 0; at < o->size; at += p.size) {
        if (!find(&p, o->addr, at, o->size)) {
            pl_stage->class_overflow = true;
            return 0;
        }
        if (at == 0)
            o->first = p;
        seen += look(&p, o->effect);
    }
    return seen;
}

static void leave_at(const struct touch *o, uint64_t h)
{
    struct part p;

    if (o->size > 0)
        leave(&o->first, o->effect, h);
    for (uint64_t at = o->first.size; at < o->size; at += p.size) {
        bool found = find(&p, o->addr, at, o->size);

        PL_CHECK(found); /* it was looked at before */
        leave(&p, o->effect, h);
    }
}

/* The signals that others have sent to its thread, as far as they have to do with it. */
__attribute__((noinline, cold)) static uint64_t heard(const struct pl_thread *t,
                                                      const struct pl_operation *op)
{
    uint64_t sum = t->signals.sent[PL_SENT_TO_ALL];

    for (unsigned bit = 0; bit < PL_SENT_TO_ALL; bit++)
        sum += pl_depend_hears(op, bit) ? t->signals.sent[bit] : 0;
    return sum * 11;
}

/* One is sent, as the last operation of the thread: it makes another what its target does. */
static void send(const struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_thread *target = pl_thread_by_id((pl_tid)op->aux);

    target->reached = true;
    target->signals.sent[pl_depend_reaches_all(op) ? PL_SENT_TO_ALL : pl_depend_bit(op)] = t->chain;
}

/* The hash of the operation itself, on top of what its thread did and what it depends on. */
static inline uint64_t hash_of(const struct pl_thread *t, const struct pl_operation *op,
                               uint64_t seen)
{
    if (__builtin_expect(t->reached, 0))
        seen += heard(t, op);
    return pl_hash_add(t->chain ^ seen * UINT64_C(0xd6e8feb86659fd93),
                       t->name ^ op->kind ^ (uint64_t)op->way << 8 ^ (uint64_t)op->effect << 16);
}

/*
 * The usual case at once: one object, in one granule, always accessed in this
 * size.  False when it is another; nothing has been noted then.
 */
static inline bool add_simple(struct pl_thread *t, const struct pl_operation *op)
{
    uint64_t addr = pl_depend_object(op), size = pl_depend_size(op);
    enum pl_effect effect = (enum pl_effect)op->effect;
    struct part p;

    if (op->other != 0 || effect == PL_EFFECT_NONE || addr == 0 || pl_depend_is_output(op) ||
        addr % GRANULE + size > GRANULE)
        return false;
    struct pl_cell *c = find_at_once(addr, size);

    if (c == NULL) {
        if (!find(&p, addr, 0, size) || p.cell->bytes != 0)
            return false;
        c = p.cell;
    }
    uint64_t h = hash_of(t, op, look_in(c, effect, 0, size));

    t->chain = h;
    t->classed += h;
    leave_in(c, effect, h);
    pl_board->class_hash += h;
    return true;
}

/* Any other case. */
__attribute__((noinline)) static void add(struct pl_thread *t, const struct pl_operation *op)
{
    struct touch first = {.effect = (enum pl_effect)op->effect}, second = {0}, all = {0},
                 queue = {0};
    uint64_t seen = 0;

    if (op->effect != PL_EFFECT_NONE) {
        first.addr = pl_depend_object(op);
        first.size = first.addr != 0 ? pl_depend_size(op) : 0;
        seen = look_at(&first);
    }
    if (op->other != 0) {
        second = (struct touch){.addr = op->other, .size = 1};
        second.effect = (enum pl_effect)op->other_effect;
        seen += look_at(&second) * 3;
    }
    if (pl_depend_is_output(op) && op->effect != PL_EFFECT_NONE) {
        /* whoever waits for input may wait for any output */
        all = (struct touch){.addr = PL_DEPEND_FILES, .size = 1, .effect = PL_EFFECT_ADD};
        seen += look_at(&all) * 5;
    }
    if (op->way == PL_WAY_SIGNAL && op->other != (uint64_t)&t->signals) {
        /* of a call that has two objects: what is sent to the thread is one more (depend.h) */
        queue = (struct touch){.addr = (uint64_t)&t->signals, .size = 1, .effect = PL_EFFECT_WRITE};
        seen += look_at(&queue) * 7;
    }
    if (pl_stage->class_overflow)
        return;
    uint64_t h = hash_of(t, op, seen);

    t->chain = h;
    t->classed += h;
    leave_at(&first, h);
    if (all.size != 0)
        leave_at(&all, h);
    if (queue.size != 0)
        leave_at(&queue, h);
    if (op->other != 0)
        leave_at(&second, h);
    pl_board->class_hash += h;
}

/* All that the thread has done since that operation was to look: so it has not. */
static void idle(struct pl_thread *t, uint32_t from)
{
    if (t->n_changed > from)
        return; /* it took locks, say, and gave them back: somebody may have noticed */
    pl_board->class_hash -= t->classed - t->spin.classed;
    t->classed = t->spin.classed;
    t->chain = t->spin.chain;
}

/*
 * What processes have together, as one of a few numbers: memory by what it shows, and all that the
 * kernel has as one thing.  NULL: it is the process's own.
 */
static uint64_t *common_chain(const struct pl_operation *op)
{
    const struct pl_mapping m = pl_alias_mapping(op->addr);
    uint64_t *chains = pl_board->company.chains;
    uint64_t at = op->addr - m.start + m.offset;

    if (m.size != 0)
        return &chains[1 + pl_hash_add(pl_hash_add(m.device, m.file), at / GRANULE) %
                               (PL_COMPANY_CHAINS - 1)];
    return pl_operation_is(op->kind, PL_ROLES(OF_FILES, OF_SERIAL, OF_QUEUE, COPIES)) ? &chains[0]
                                                                                      : NULL;
}

/* Where there are several processes; each knows the cells of its own only. */
__attribute__((noinline, cold)) static void add_common(struct pl_thread *t,
                                                       const struct pl_operation *op)
{
    uint64_t *chain = op->effect != PL_EFFECT_NONE ? common_chain(op) : NULL;

    if (chain == NULL)
        return;
    pl_class_note(t, *chain);
    if (op->effect != PL_EFFECT_READ)
        *chain = t->chain;
}

/* What nobody can tell from its not having happened is in no class. */
static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    if (op->effect == PL_EFFECT_NONE &&
        (op->noted || pl_depend_nothing(op) || pl_operation_is(op->kind, PL_ROLE_LATE)))
        return;
    if (!pl_stage->class_overflow && !add_simple(t, op))
        add(t, op);
    if (__builtin_expect(pl_stage->process.company, 0))
        add_common(t, op);
    if (pl_operation_is(op->kind, PL_ROLE_SIGNALS) && pl_depend_cancels(op) && op->aux != t->id &&
        op->aux < pl_stage->n_threads)
        send(t, op);
    /* Who was woken before it was cancelled goes on, and who gets a signal handles it; but the two
     * are not swapped (depend.h). */
    if (op->cancellable && op->way != PL_WAY_CANCEL && t->cancel.pending)
        pl_class_note(t, WOKEN);
    if (!pl_depend_looks(op))
        t->n_changed = op->ordinal + 1;
}

const struct pl_observer pl_class_observer = {.performed = performed, .idle = idle};
