/* SPDX-License-Identifier: MIT */
/*
 * See cover.h.  Sets are tables whose keys are claimed and never change again (base/claimed.h),
 * so that a look needs no lock; what has been seen before is found with loads alone.
 */
#include "model/cover.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"

#include <stdatomic.h>
#include <stddef.h>

enum { READY = 1 << 24 };
_Static_assert(READY < 1 << PL_HOLD_SHIFT, "facts have bits of their own");
_Static_assert(PL_COVER_SWITCHES == 1 << (32 - 14), "pl_cover_switch_place() fits");
_Static_assert(PL_COVER_PAIRS == 1 << (64 - 46), "pl_cover_pair_place() fits");

static void lose(struct pl_cover *c)
{
    atomic_fetch_add_explicit(&c->lost, 1, memory_order_relaxed);
}

static void put_log(struct pl_cover *c, enum pl_cover_task task, uint32_t which)
{
    uint32_t at = atomic_fetch_add(&c->n_log, 1);

    PL_ASSERT(which > 0 && which < UINT32_C(1) << (32 - PL_COVER_TASK_BITS));
    if (at < PL_COVER_LOG)
        c->log[at] = which << PL_COVER_TASK_BITS | task;
}

/* A task is new: number `which` of its kind. */
static void count(struct pl_cover *c, enum pl_cover_task task, uint32_t which, uint64_t execution)
{
    static const uint8_t models[] = {0, 0, 1, 2, 2};
    uint64_t latest = atomic_load_explicit(&c->latest, memory_order_relaxed);

    put_log(c, task, which);
    atomic_fetch_add_explicit(&c->counts[models[task]], 1, memory_order_relaxed);
    while (latest < execution && !atomic_compare_exchange_weak(&c->latest, &latest, execution))
        continue;
}

uint32_t pl_cover_function(const struct pl_cover *c, uint64_t pc)
{
    uint32_t low = 0, high = c->n_ranges;

    PL_ASSERT(high <= PL_COVER_RANGES);
    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (c->ranges[middle].end < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->n_ranges && c->ranges[low].start < pc ? c->ranges[low].function : 0;
}

/* Whoever finds the slot claimed but not described describes it as well: in the same words. */
static void describe(struct pl_cover *c, struct pl_cover_statement *s, uint64_t pc, uint64_t caller,
                     unsigned kind)
{
    uint32_t none = 0;

    PL_CHECK(pl_cover_function(c, pc) <= c->n_functions);
    s->pc = pc;
    s->caller = caller;
    /* Whoever was faster may have added facts. */
    atomic_compare_exchange_strong(&s->info, &none, READY | kind << 16 | pl_cover_function(c, pc));
}

uint32_t pl_cover_statement(struct pl_cover *c, uint64_t pc, uint64_t caller, unsigned kind)
{
    uint64_t key = pl_cover_statement_key(pc, caller, kind);
    uint32_t home = pl_cover_statement_place(pc, caller);
    bool fresh;

    PL_CHECK(kind < PL_OP_KINDS);
    struct pl_cover_statement *s = pl_claimed_place(PL_CLAIMED(c->statements), home, key, &fresh);

    if (s == NULL) {
        lose(c);
        return PL_COVER_NOTHING;
    }
    if (fresh)
        atomic_fetch_add(&c->n_statements, 1);
    uint32_t at = (uint32_t)(s - c->statements), block = at / PL_COVER_BLOCK;

    if (atomic_load_explicit(&s->info, memory_order_acquire) == 0) {
        atomic_fetch_or(&c->used[block / 64], UINT64_C(1) << (block % 64));
        describe(c, s, pc, caller, kind);
    }
    return at;
}

uint64_t pl_cover_context(struct pl_cover *c, const uint64_t *callers, unsigned n)
{
    uint64_t key = pl_hash_words(n, callers, n) | 1;
    bool fresh;

    PL_ASSERT(n <= PL_COVER_CALLERS);
    if (n < 2)
        return n == 0 ? 0 : callers[0];
    struct pl_cover_context *x = pl_claimed_place(PL_CLAIMED(c->contexts), key >> 8, key, &fresh);

    if (x == NULL) {
        lose(c);
        return callers[0];
    }
    for (unsigned k = 0; k < n && x->callers[0] == 0; k++) /* the first one last */
        x->callers[n - 1 - k] = callers[n - 1 - k];
    return PL_COVER_DEEP | (uint64_t)(x - c->contexts);
}

void pl_cover_mark(struct pl_cover *c, uint32_t function, uint32_t mark, uint64_t execution)
{
    _Atomic uint32_t *marks = &c->marks[function];

    PL_CHECK(function > 0 && function <= PL_COVER_FUNCTIONS);
    PL_CHECK((mark & (mark - 1)) == 0);
    if ((atomic_load_explicit(marks, memory_order_relaxed) & mark) != 0 ||
        (atomic_fetch_or(marks, mark) & mark) != 0)
        return;
    if (mark == PL_COVER_INTERRUPTED) {
        c->interrupted[function] = execution;
        count(c, PL_COVER_TASK_INTERRUPTED, function, execution);
    } else if (mark == PL_COVER_WHOLE) {
        c->whole[function] = execution;
        count(c, PL_COVER_TASK_WHOLE, function, execution);
    } else if (mark == PL_COVER_EXECUTED) {
        c->order[function] = atomic_fetch_add(&c->n_executed, 1) + 1;
    }
}

void pl_cover_switch(struct pl_cover *c, uint32_t a, uint32_t b, uint64_t execution)
{
    uint32_t key = a << 16 | b;
    bool fresh;

    PL_CHECK(a > 0 && a <= PL_COVER_FUNCTIONS && b > 0 && b <= PL_COVER_FUNCTIONS);
    struct pl_cover_switch *s =
        pl_claimed_place(PL_CLAIMED(c->switches), pl_cover_switch_place(key), key, &fresh);

    if (s == NULL) {
        lose(c);
    } else if (fresh) {
        s->first = execution;
        count(c, PL_COVER_TASK_SWITCH, (uint32_t)(s - c->switches) + 1, execution);
    }
}

bool pl_cover_switched(const struct pl_cover *c, uint32_t a, uint32_t b)
{
    uint32_t key = a << 16 | b;

    return pl_claimed_find(PL_CLAIMED(c->switches), pl_cover_switch_place(key), key) != NULL;
}

static void share(struct pl_cover *c, uint64_t pc)
{
    bool fresh;

    if (pl_claimed_place(PL_CLAIMED(c->sharing), pl_hash_quick(0, pc) >> 8, pc, &fresh) == NULL)
        lose(c);
}

bool pl_cover_sharing(const struct pl_cover *c, uint64_t pc)
{
    return pl_claimed_find(PL_CLAIMED(c->sharing), pl_hash_quick(0, pc) >> 8, pc) != NULL;
}

/* Nobody else comes between a lock and its unlock: the other order is impossible. */
static bool unlocks(const struct pl_cover *c, uint32_t statement)
{
    return pl_operation_is(pl_cover_kind_of(c, statement), PL_ROLE_RELEASES);
}

/* a before b is new.  `before` says whether b before a had been seen. */
static void open_pair(struct pl_cover *c, uint32_t a, uint32_t b, bool before)
{
    if (a == b || unlocks(c, a) || unlocks(c, b))
        return;
    if (before)
        c->statements[b].open--;
    else
        c->statements[a].open++;
}

static void show(struct pl_cover *c, struct pl_cover_pair *p, uint32_t a, uint32_t b,
                 uint64_t execution)
{
    uint32_t mine = a <= b ? PL_COVER_LOWER_FIRST : PL_COVER_HIGHER_FIRST;
    uint32_t now = execution != 0 ? mine << PL_COVER_NOW_SHIFT : 0;
    uint32_t seen = atomic_load_explicit(&p->seen, memory_order_relaxed);

    if ((seen & (mine | now)) == (mine | now) ||
        ((seen = atomic_fetch_or(&p->seen, mine | now)) & mine) != 0)
        return;
    p->first[mine - 1] = execution;
    open_pair(c, a, b, seen != 0);
    if (seen == 0) {
        share(c, c->statements[a].pc);
        share(c, c->statements[b].pc);
    }
    count(c, mine == PL_COVER_LOWER_FIRST ? PL_COVER_TASK_LOWER : PL_COVER_TASK_HIGHER,
          (uint32_t)(p - c->pairs) + 1, execution);
}

static void meet(struct pl_cover *c, struct pl_cover_pair *p, uint64_t execution)
{
    uint64_t never = 0;

    if (p->met == 0 && atomic_compare_exchange_strong(&p->met, &never, execution))
        put_log(c, PL_COVER_TASK_CONCURRENT, (uint32_t)(p - c->pairs) + 1);
}

void pl_cover_pair(struct pl_cover *c, uint32_t a, uint32_t b, bool concurrent, uint64_t execution)
{
    uint64_t key = pl_cover_pair_key(a, b);
    bool fresh;

    PL_CHECK(a < PL_COVER_STATEMENTS && b < PL_COVER_STATEMENTS);
    struct pl_cover_pair *p =
        pl_claimed_place(PL_CLAIMED(c->pairs), pl_cover_pair_place(key), key, &fresh);

    if (p == NULL) {
        lose(c);
        return;
    }
    show(c, p, a, b, execution);
    if (concurrent && execution != 0)
        meet(c, p, execution);
}

/* What is known of a before b, as if a were the lower one: bits that are LOWER_FIRST. */
static uint32_t known_of(const struct pl_cover *c, uint32_t a, uint32_t b)
{
    uint64_t key = pl_cover_pair_key(a, b);
    const struct pl_cover_pair *p =
        pl_claimed_find(PL_CLAIMED(c->pairs), pl_cover_pair_place(key), key);

    return p != NULL ? p->seen >> (a > b) : 0;
}

bool pl_cover_paired(const struct pl_cover *c, uint32_t a, uint32_t b)
{
    return (known_of(c, a, b) & 1) != 0;
}

bool pl_cover_shown(const struct pl_cover *c, uint32_t a, uint32_t b)
{
    return (known_of(c, a, b) & PL_COVER_LOWER_FIRST << PL_COVER_NOW_SHIFT) != 0;
}

unsigned pl_cover_thread(struct pl_cover *c, uint64_t name)
{
    struct pl_claimed table = PL_CLAIMED(c->threads);
    bool fresh;

    table.spared = 1; /* all others */
    const _Atomic uint64_t *t = pl_claimed_place(table, name, name, &fresh);

    return t != NULL ? (unsigned)(t - c->threads) : PL_COVER_THREADS - 1;
}

static void set(_Atomic uint64_t *words, unsigned i)
{
    uint64_t bit = UINT64_C(1) << (i % 64);

    if ((atomic_load_explicit(&words[i / 64], memory_order_relaxed) & bit) == 0)
        atomic_fetch_or_explicit(&words[i / 64], bit, memory_order_relaxed);
}

void pl_cover_together(struct pl_cover *c, unsigned a, unsigned b)
{
    PL_CHECK(a < PL_COVER_THREADS && b < PL_COVER_THREADS);
    set(c->together[a], b);
    set(c->together[b], a);
}

void pl_cover_run_in(struct pl_cover *c, unsigned thread, uint32_t function)
{
    PL_CHECK(thread < PL_COVER_THREADS && function <= PL_COVER_FUNCTIONS);
    set(c->ran[thread], function);
}
