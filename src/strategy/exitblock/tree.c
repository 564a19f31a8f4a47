/* SPDX-License-Identifier: MIT */
/* See tree.h. */
#include "strategy/exitblock/tree.h"

#include "base/hash.h"

#include <stddef.h>

enum { WANTS = 64 };

/* ---- the stack ---- */

void pl_tree_start(struct pl_tree *t, struct pl_arena arena)
{
    uint64_t part = (arena.left / 9) & ~UINT64_C(63);

    pl_blocks_start(&t->cuts.blocks, pl_arena_part(&arena, 3 * part));
    pl_chain_start(&t->cuts.chain, pl_arena_part(&arena, part));
    pl_discipline_start(&t->cuts.discipline, pl_arena_part(&arena, part));
    t->nodes_max = (uint32_t)(part / sizeof(struct pl_tree_node));
    t->nodes = PL_ARENA_TAKE(&arena, struct pl_tree_node, t->nodes_max);
    t->entries_max = (uint32_t)(2 * part / sizeof(struct pl_tree_entry));
    t->entries = PL_ARENA_TAKE(&arena, struct pl_tree_entry, t->entries_max);
    t->outcomes_max = (uint32_t)(part / sizeof(struct pl_tree_outcome));
    t->outcomes = PL_ARENA_TAKE(&arena, struct pl_tree_outcome, t->outcomes_max);
    PL_ASSERT(t->nodes != NULL && t->entries != NULL && t->outcomes != NULL);
    PL_ASSERT(t->nodes_max > 0); /* the root is always there */
    pl_tree_clear(t);
}

void pl_tree_clear(struct pl_tree *t)
{
    t->n_predicted = 0;
    t->paths = (struct pl_paths){.known = true};
    pl_cuts_clear(&t->cuts);
    t->n_nodes = t->plan = 1;
    t->n_entries = t->n_outcomes = t->plan_outcomes = 0;
    t->nodes[0] =
        (struct pl_tree_node){.current = PL_TID_NONE, .sets = 1, .cuts = pl_cuts_mark(&t->cuts)};
}

void pl_tree_return(struct pl_tree *t, uint32_t i)
{
    const struct pl_tree_node *n = &t->nodes[i];

    PL_ASSERT(i < t->n_nodes && n->entries + n->n_entries <= t->n_entries);
    PL_ASSERT(n->sets > 0); /* number 0 belongs to nobody */
    t->n_nodes = i + 1;
    t->n_entries = n->entries + n->n_entries;
    pl_cuts_back(&t->cuts, n->cuts);
    pl_blocks_drop(&t->cuts.blocks, n->sets);
}

struct pl_tree_node *pl_tree_push(struct pl_tree *t, uint32_t before, uint32_t decisions)
{
    if (t->n_nodes == t->nodes_max || t->n_entries + PL_THREADS_MAX > t->entries_max ||
        t->cuts.blocks.full || t->cuts.chain.full) {
        t->full = true;
        return NULL;
    }
    PL_ASSERT(before < t->n_nodes && t->nodes[before].decisions <= decisions);
    struct pl_tree_node *n = &t->nodes[t->n_nodes++];

    *n = (struct pl_tree_node){.current = PL_TID_NONE,
                               .decisions = decisions,
                               .before = before,
                               .n_threads = t->nodes[before].n_threads,
                               .entries = t->n_entries,
                               .vector = t->n_outcomes,
                               .sets = t->cuts.blocks.n_sets,
                               .held_back = t->held_back,
                               .cuts = pl_cuts_mark(&t->cuts)};
    return n;
}

static struct pl_tree_entry *entry_at(const struct pl_tree *t, const struct pl_tree_node *n,
                                      uint32_t i)
{
    PL_ASSERT(i < n->n_entries);
    return &t->entries[n->entries + i];
}

/* For checks: how often a thread is listed at a node. */
__attribute__((unused)) static unsigned times_listed(const struct pl_tree *t,
                                                     const struct pl_tree_node *n, pl_tid tid)
{
    unsigned times = 0;

    for (uint32_t i = 0; i < n->n_entries; i++)
        times += entry_at(t, n, i)->tid == tid;
    return times;
}

/* For checks: whether nobody is marked as listed at a node that is being made. */
__attribute__((unused)) static bool is_nobody_seen(const struct pl_tree *t)
{
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        if (t->seen[i] != 0)
            return false;
    }
    return true;
}

/* ---- making a node ---- */

static void add_entry(struct pl_tree *t, struct pl_tree_node *n, struct pl_tree_entry e)
{
    PL_ASSERT(e.tid < PL_THREADS_MAX && t->n_entries < t->entries_max);
    PL_ASSERT(n->entries + n->n_entries == t->n_entries); /* the node is the last one */
    PL_CHECK(times_listed(t, n, e.tid) == 0);
    t->entries[t->n_entries++] = e;
    n->n_entries++;
    t->seen[e.tid] = 1;
}

static void enable(struct pl_tree *t, struct pl_tree_node *n, const struct pl_operation *op)
{
    struct pl_tree_entry e = {.tid = op->tid,
                              .status = PL_TREE_ENABLED,
                              .op = op->kind,
                              .fails = op->way == PL_WAY_BLOCKED,
                              .unlikely = op->way == PL_WAY_TIMEOUT || op->way == PL_WAY_SPURIOUS,
                              .risky = t->risk != NULL && t->risk(op) != 0,
                              .lock = op->addr,
                              .pc = op->pc,
                              .name = op->name};

    add_entry(t, n, e);
}

/* What the thread would begin with; NULL when it waits or is dead. */
static const struct pl_operation *offered(const struct pl_tree_offer *o, pl_tid tid)
{
    for (unsigned i = 0; i < o->n; i++) {
        if (o->next[i]->tid == tid)
            return o->next[i];
    }
    for (unsigned i = 0; i < o->n_blocked; i++) {
        const struct pl_operation *op = o->blocked[i];

        if (op->tid == tid)
            return op->way == PL_WAY_BLOCKED && pl_chain_acquires(op) ? op : NULL;
    }
    return NULL;
}

/* Whether the block of the node before gives the thread another chance. */
static bool is_released(const struct pl_tree *t, const struct pl_tree_entry *e, uint32_t set)
{
    if (e->status == PL_TREE_DELAYED && !t->rw && t->cuts.blocks.sets[set].visible)
        return true;
    return pl_blocks_conflict(&t->cuts.blocks, e->set, set);
}

/* Those of one status at the node before. */
static void inherit(struct pl_tree *t, struct pl_tree_node *n, const struct pl_tree_offer *o,
                    enum pl_tree_status status)
{
    const struct pl_tree_node *before = &t->nodes[n->before];

    for (uint32_t i = 0; i < before->n_entries; i++) {
        const struct pl_tree_entry *e = entry_at(t, before, i);

        if (e->status != status)
            continue;
        if (status == PL_TREE_ENABLED || is_released(t, e, before->set)) {
            const struct pl_operation *op = offered(o, e->tid);

            t->seen[e->tid] = 1;
            if (op != NULL)
                enable(t, n, op);
        } else {
            add_entry(t, n, *e);
        }
    }
}

/* Threads that are not listed: from number `first` on, those before may have been waiting. */
static void add_others(struct pl_tree *t, struct pl_tree_node *n, const struct pl_tree_offer *o,
                       pl_tid first)
{
    for (unsigned i = 0; i < o->n; i++) {
        if (o->next[i]->tid >= first && t->seen[o->next[i]->tid] == 0)
            enable(t, n, o->next[i]);
    }
    for (unsigned i = 0; i < o->n_blocked; i++) {
        pl_tid tid = o->blocked[i]->tid;

        if (tid >= first && t->seen[tid] == 0 && offered(o, tid) != NULL)
            enable(t, n, o->blocked[i]);
    }
}

static void count_threads(struct pl_tree_node *n, const struct pl_tree_offer *o)
{
    for (unsigned i = 0; i < o->n; i++)
        n->n_threads = n->n_threads > o->next[i]->tid ? n->n_threads : o->next[i]->tid + 1;
    for (unsigned i = 0; i < o->n_blocked; i++)
        n->n_threads = n->n_threads > o->blocked[i]->tid ? n->n_threads : o->blocked[i]->tid + 1;
}

static void forget_seen(struct pl_tree *t, const struct pl_tree_node *n)
{
    for (uint32_t i = 0; i < n->n_entries; i++)
        t->seen[entry_at(t, n, i)->tid] = 0;
}

/*
 * As in the thesis: behind those that were enabled come those that the block has given birth to,
 * then those that get another chance.
 */
struct pl_tree_node *pl_tree_grow(struct pl_tree *t, uint32_t before, uint32_t decisions,
                                  const struct pl_tree_offer *offer)
{
    struct pl_tree_node *n = pl_tree_push(t, before, decisions);

    if (n == NULL)
        return NULL;
    inherit(t, n, offer, PL_TREE_ENABLED);
    add_others(t, n, offer, t->nodes[before].n_threads);
    inherit(t, n, offer, PL_TREE_DELAYED);
    inherit(t, n, offer, PL_TREE_BLOCKED);
    add_others(t, n, offer, 0);
    count_threads(n, offer);
    forget_seen(t, &t->nodes[before]);
    forget_seen(t, n);
    PL_CHECK(is_nobody_seen(t));
    return n;
}

/* ---- counting ---- */

void pl_tree_count(struct pl_tree *t, uint64_t *kind, bool failed)
{
    if (failed && t->cuts.java)
        return; /* the thesis does not count paths that end in a failed attempt */
    (*kind)++;
    t->paths.total++;
}

static struct pl_operation operation_of(const struct pl_tree_entry *e)
{
    return (struct pl_operation){
        .kind = e->op, .tid = e->tid, .addr = e->lock, .pc = e->pc, .name = e->name};
}

/* What a thread has failed to take is what it wants, whatever its block began with. */
static void note_failure(struct pl_tree *t, const struct pl_tree_node *n,
                         const struct pl_operation *failed)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        struct pl_tree_entry *e = entry_at(t, n, i);

        if (e->tid != failed->tid)
            continue;
        e->op = failed->kind;
        e->lock = failed->addr;
        e->pc = failed->pc;
        e->name = failed->name;
    }
}

void pl_tree_fail(struct pl_tree *t, const struct pl_tree_node *n,
                  const struct pl_operation *failed)
{
    struct pl_cycle *cycle = &t->predicted[t->n_predicted];
    struct pl_operation wants[WANTS];
    struct pl_chain_wants others = {wants, 0};

    PL_ASSERT(t->n_predicted < PL_TREE_PREDICTED); /* of more the last ones are lost */
    t->paths.aborts++;
    t->visible = true;
    note_failure(t, n, failed);
    for (uint32_t i = 0; i < n->n_entries && others.n < WANTS; i++) {
        if (entry_at(t, n, i)->status == PL_TREE_BLOCKED)
            wants[others.n++] = operation_of(entry_at(t, n, i));
    }
    if (!pl_chain_closes(&t->cuts.chain, failed, &others, cycle))
        return;
    t->paths.reports += t->dd;
    if (t->n_predicted < PL_TREE_PREDICTED - 1)
        t->n_predicted++;
}

static bool is_any(const struct pl_tree *t, const struct pl_tree_node *n,
                   enum pl_tree_status status)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        if (entry_at(t, n, i)->status == status)
            return true;
    }
    return false;
}

bool pl_tree_end_path(struct pl_tree *t, const struct pl_tree_node *n, bool failed)
{
    if (is_any(t, n, PL_TREE_DELAYED)) {
        /* A branch that only those began who had nothing to do is none. */
        if (t->visible)
            pl_tree_count(t, &t->paths.cut, failed);
        return false;
    }
    pl_tree_count(t, n->held_back ? &t->paths.late : &t->paths.stuck, failed);
    t->paths.reports += t->dd && !n->held_back;
    return !n->held_back;
}

/* ---- choosing ---- */

/* Those with the lowest rank come first: what is new, what is not, what would be a time-out. */
enum { RISKY, USUAL, UNLIKELY, RANKS };

static unsigned rank_of(const struct pl_tree_entry *e)
{
    return e->unlikely ? UNLIKELY : e->risky ? RISKY : USUAL;
}

static bool is_candidate(const struct pl_tree_entry *e, unsigned rank)
{
    return e->status == PL_TREE_ENABLED && rank_of(e) == rank;
}

/* The n-th of the candidates. */
static struct pl_tree_entry *candidate(const struct pl_tree *t, const struct pl_tree_node *n,
                                       unsigned rank, unsigned nth)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        if (is_candidate(entry_at(t, n, i), rank) && nth-- == 0)
            return entry_at(t, n, i);
    }
    return NULL;
}

/* Who is to be chosen; NULL when nobody is enabled. */
static struct pl_tree_entry *pick(const struct pl_tree *t, const struct pl_tree_node *n,
                                  pl_tid first)
{
    unsigned counts[RANKS] = {0}, rank = 0, nth = 0;

    for (uint32_t i = 0; i < n->n_entries; i++) {
        for (unsigned r = 0; r < RANKS; r++)
            counts[r] += is_candidate(entry_at(t, n, i), r);
    }
    while (rank < UNLIKELY && counts[rank] == 0)
        rank++;
    for (uint32_t i = 0; i < n->n_entries && rank < UNLIKELY; i++) {
        struct pl_tree_entry *e = entry_at(t, n, i);

        if (is_candidate(e, rank) && e->tid == first)
            return e;
    }
    unsigned all = counts[rank];

    if (t->order == PL_TREE_NEWEST && all > 0)
        nth = all - 1;
    else if (t->order == PL_TREE_RANDOM && all > 0)
        nth = (unsigned)(pl_hash_add(t->paths.total * 64 + all, t->n_nodes) % all);
    return candidate(t, n, rank, nth);
}

/* The first operation fails: an attempt that needs no execution. */
static void fail_at_once(struct pl_tree *t, struct pl_tree_node *n, struct pl_tree_entry *e)
{
    struct pl_operation op = operation_of(e);

    PL_ASSERT(e->status == PL_TREE_ENABLED && e->fails);
    pl_tree_fail(t, n, &op);
    e->status = PL_TREE_BLOCKED;
    pl_cuts_open(&t->cuts, e->tid);
    pl_cuts_fail(&t->cuts, &op);
    e->set = pl_cuts_close(&t->cuts, false);
    n->sets = t->cuts.blocks.n_sets;
}

bool pl_tree_settle(struct pl_tree *t, struct pl_tree_node *n, pl_tid first, bool *failed)
{
    struct pl_tree_entry *e;

    while ((e = pick(t, n, first)) != NULL && e->fails) {
        fail_at_once(t, n, e);
        *failed = true;
    }
    if (e == NULL)
        return false;
    PL_ASSERT(e->status == PL_TREE_ENABLED);
    n->current = e->tid;
    n->set = n->gathered = 0;
    n->done = false;
    return true;
}

/* ---- the next execution ---- */

static struct pl_tree_entry *entry_of(const struct pl_tree *t, const struct pl_tree_node *n)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        if (entry_at(t, n, i)->tid == n->current)
            return entry_at(t, n, i);
    }
    return NULL;
}

static bool plan(struct pl_tree *t, uint32_t i)
{
    PL_ASSERT(i + 1 == t->n_nodes); /* the search is back at that node */
    t->plan = i + 1;
    t->plan_outcomes = t->n_outcomes;
    return true;
}

/* Whether the block has another outcome: then it is the next. */
static bool next_outcome(struct pl_tree *t, const struct pl_tree_node *n)
{
    struct pl_tree_outcome *o = t->outcomes;

    PL_ASSERT(n->vector <= t->n_outcomes);
    while (t->n_outcomes > n->vector &&
           o[t->n_outcomes - 1].order + 1u >= o[t->n_outcomes - 1].options)
        t->n_outcomes--;
    if (t->n_outcomes == n->vector)
        return false;
    o[t->n_outcomes - 1].order++;
    return true;
}

/* What the block has touched belongs to the node, together with what it did with other outcomes. */
static void gather(struct pl_tree *t, struct pl_tree_node *n)
{
    struct pl_blocks *b = &t->cuts.blocks;

    if (n->set == 0)
        return;
    PL_ASSERT(n->set < b->n_sets);
    PL_ASSERT(n->gathered == 0 || n->gathered + 1 == n->set || b->full);
    b->n_sets = n->set + 1;
    b->n_cells = b->sets[n->set].first + b->sets[n->set].n;
    if (n->gathered != 0)
        pl_blocks_merge(b, n->gathered);
    else
        n->gathered = n->set;
    n->set = 0;
    n->sets = b->n_sets;
}

/*
 * Back at node i, of which one block has been explored or has failed.  True when there is another
 * execution that goes there.
 */
static bool turn_at(struct pl_tree *t, uint32_t i, bool failed, bool shown)
{
    struct pl_tree_node *n = &t->nodes[i];

    gather(t, n);
    pl_tree_return(t, i);
    n->done |= !failed;
    if (next_outcome(t, n))
        return plan(t, i);
    struct pl_tree_entry *e = entry_of(t, n);

    if (e == NULL || n->shows || (!failed && !t->cuts.blocks.sets[n->gathered].visible))
        return false;                        /* nobody could tell whether others went first */
    PL_ASSERT(e->status == PL_TREE_ENABLED); /* it was chosen here */
    e->status = n->done ? PL_TREE_DELAYED : PL_TREE_BLOCKED;
    e->set = n->gathered;
    if (pl_tree_settle(t, n, PL_TID_NONE, &failed))
        return plan(t, i);
    if (!failed || !pl_tree_end_path(t, n, true) || shown)
        return false;
    n->shows = true; /* a deadlock: it is executed once more, without undoing anything */
    return plan(t, i);
}

bool pl_tree_turn(struct pl_tree *t, uint32_t failed, bool shown)
{
    for (uint32_t i = t->n_nodes; i-- > 0;) {
        bool here = failed != 0 && i == failed;

        if (!t->nodes[i].automatic && turn_at(t, i, here, shown && here))
            return true;
    }
    return false;
}
