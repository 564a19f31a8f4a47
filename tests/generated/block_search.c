/* SPDX-License-Identifier: MIT */
/* The search: see exitblock.c. */
#include "block_paths.h"

#include <stdlib.h>
#include <string.h>

/* A thread that was put off, or that could not get a lock, with what its block touched. */
struct entry_of_thread {
    uint8_t thread;
    bool awaits;    /* has been woken, and needs a mutex: there was no attempt */
    bool shared;    /* for reading */
    objects needed; /* the lock that was not to be had */
    objects read, written;
};

struct node {
    struct blocks_state s;
    unsigned n_enabled, n_delayed, n_blocked;
    uint8_t enabled[THREADS_MAX]; /* the oldest first */
    struct entry_of_thread delayed[THREADS_MAX], blocked[THREADS_MAX];
    uint8_t current;
    bool after_abort;
    bool lost; /* a thread that was put off has been forgotten */
    uint32_t spared;
    struct node *next; /* of those that nobody uses */
};

static struct node *spare;

static struct node *get_node(void)
{
    struct node *n = spare;

    if (n == NULL && (n = malloc(sizeof(*n))) == NULL)
        abort();
    if (n == spare)
        spare = n->next;
    return n;
}

static uint64_t next_random(void)
{
    uint64_t z = model.option.seed += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void drop(uint8_t *list, unsigned *n, unsigned t)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < *n; i++) {
        if (list[i] != t)
            list[kept++] = list[i];
    }
    *n = kept;
}

static void drop_entry(struct entry_of_thread *list, unsigned *n, unsigned at)
{
    memmove(&list[at], &list[at + 1], (--*n - at) * sizeof(list[0]));
}

static bool is_enabled(const struct node *n, unsigned t)
{
    return memchr(n->enabled, (int)t, n->n_enabled) != NULL;
}

static void enable(struct node *n, unsigned t)
{
    n->enabled[n->n_enabled++] = (uint8_t)t;
}

/* Who goes on: the current thread, or another when it cannot. */
static unsigned choose_thread(const struct node *n)
{
    if (is_enabled(n, n->current))
        return n->current;
    unsigned at = model.option.order == OLDEST   ? 0
                  : model.option.order == NEWEST ? n->n_enabled - 1
                                                 : (unsigned)(next_random() % n->n_enabled);

    return n->enabled[at];
}

/* What a block reads and writes.  `locks`: locks and conditions, too. */
static void accesses(const struct block *k, bool locks, objects *read, objects *written)
{
    *read = k->data_read;
    *written = k->data_written;
    if (!locks)
        return;
    *read |= k->looked_at;
    *written |= k->used | k->refused;
    if (model.option.coarse) {
        *written |= k->entered | (k->released & model.blocks.tried);
    } else {
        *written |= k->ends;
        *read |= k->entered & ~k->ends;
    }
}

static bool conflicts(const struct entry_of_thread *e, objects read, objects written)
{
    return ((e->read | e->written) & written) != 0 || (e->written & read) != 0;
}

/* After a block: those who were put off go on, with --rw only if that makes a difference. */
static void wake_delayed(struct node *n, const struct block *k)
{
    objects read, written;

    accesses(k, !model.option.without['C'], &read, &written);
    for (unsigned i = 0; i < n->n_delayed;) {
        if (model.option.rw && !conflicts(&n->delayed[i], read, written)) {
            i++;
            continue;
        }
        enable(n, n->delayed[i].thread);
        drop_entry(n->delayed, &n->n_delayed, i);
    }
}

/* And those who could not get a lock, when it may be there or another lock be wanted. */
static void wake_blocked(struct node *n, const struct block *k)
{
    objects read, written;

    accesses(k, true, &read, &written);
    for (unsigned i = 0; i < n->n_blocked;) {
        const struct entry_of_thread *e = &n->blocked[i];
        bool released = (e->needed & k->released) != 0;
        bool free = e->awaits && blocks_is_free(&n->s, e->needed);
        bool differs = !model.option.without['B'] && !e->awaits && conflicts(e, read, written);

        if (!released && !free && !differs) {
            i++;
            continue;
        }
        enable(n, e->thread);
        drop_entry(n->blocked, &n->n_blocked, i);
    }
}

static void after_exit(struct node *n, unsigned t, const struct block *k)
{
    for (unsigned i = 0; i < k->n_born; i++)
        enable(n, n->s.born - k->n_born + i);
    if (n->s.phase[t] == PARKED)
        drop(n->enabled, &n->n_enabled, t);
    for (unsigned i = 0; i < k->n_woken; i++) {
        n->blocked[n->n_blocked++] = (struct entry_of_thread){
            .thread = k->woken[i],
            .awaits = true,
            .needed = blocks_needed(&model.blocks, &n->s, k->woken[i]),
        };
    }
    wake_delayed(n, k);
    wake_blocked(n, k);
}

/* Threads that might wait for each other in a circle. */
struct chain {
    const struct node *n;
    const struct blocks_state *s; /* with what the last of them has tried */
    unsigned seeker;              /* that one */
    unsigned length;
    uint8_t threads[THREADS_MAX + 1];
    uint16_t since[THREADS_MAX + 1]; /* what these threads did from then on is thought away; */
    const struct knowledge *knew[THREADS_MAX + 1]; /* what they knew before that */
};

/* Whether nobody in the circle knows of anything that is thought away. */
static bool is_consistent(const struct chain *c)
{
    for (unsigned i = 0; i < c->length && !model.option.without['I']; i++) {
        for (unsigned j = 0; j < c->length; j++) {
            unsigned t = c->threads[i];

            if (i != j && c->knew[j]->of[t] >= c->since[i])
                return false;
        }
    }
    return true;
}

static bool is_in_chain(const struct chain *c, unsigned t)
{
    return memchr(c->threads, (int)t, c->length) != NULL;
}

static bool leads_back(struct chain *c, unsigned t, objects via);

/* The same for whoever has a lock that thread t wants, or wanted at that time. */
static bool owner_leads_back(struct chain *c, unsigned t, unsigned lock, bool shared,
                             unsigned since, const struct knowledge *knew)
{
    bool found = false;

    c->threads[c->length] = (uint8_t)t;
    c->knew[c->length] = knew;
    c->since[c->length++] = (uint16_t)since;
    for (unsigned o = 0; o < c->s->born && !found; o++) {
        if (o == t || !blocks_excludes(c->s, o, lock, shared))
            continue;
        if (o == c->seeker && c->length > 1)
            found = is_consistent(c);
        else if (!is_in_chain(c, o))
            found = leads_back(c, o, (objects)1 << lock);
    }
    c->length--;
    return found;
}

/*
 * Whether thread t, which holds `via`, is part of a circle with the seeker: it had `via` when it
 * took the lock that it released last, or it has it and could not get another; and whoever has
 * that one now leads to the seeker.
 */
static bool leads_back(struct chain *c, unsigned t, objects via)
{
    const struct released *last = &c->s->last[t];
    bool nested = model.option.without['F'] || (last->taken.held & via) != 0;

    if (last->lock != NO_OBJECT && nested && !last->taken.tried &&
        owner_leads_back(c, t, last->lock, last->shared, last->taken.since, &last->taken.knew))
        return true;
    for (unsigned i = 0; i < c->n->n_blocked && !model.option.without['H']; i++) {
        const struct entry_of_thread *e = &c->n->blocked[i];

        if (e->thread == t && e->needed != 0 &&
            owner_leads_back(c, t, (unsigned)__builtin_ctzll(e->needed), e->shared, UINT16_MAX,
                             &c->s->knows[t]))
            return true;
    }
    return false;
}

/* Whether thread t, which could not get a lock, would wait in a circle. */
static bool finds_circle(const struct node *n, const struct blocks_state *tried, unsigned t,
                         const struct block *k)
{
    struct chain c = {.n = n, .s = tried, .seeker = t};

    return owner_leads_back(&c, t, (unsigned)__builtin_ctzll(k->refused), k->refused_shared,
                            UINT16_MAX, &tried->knows[t]);
}

static void report(void)
{
    model.result.reports++;
    model.result.deadlock = true;
}

/* Nobody is enabled. */
static void end_path(const struct node *n)
{
    model.result.ended_by_abort += n->after_abort;
    if (n->n_delayed > 0 || n->lost) {
        paths_count(&model.result.cut);
        return;
    }
    bool finished = paths_all_dead(&n->s);

    paths_count(finished ? &model.result.finished : &model.result.stuck);
    if (!finished && model.option.dd)
        report();
    if (finished && model.option.sets)
        paths_note_outcome(&n->s);
}

/* A lock was not to be had: `tried` is the state up to there, which is undone. */
static void park(struct node *n, const struct blocks_state *tried, unsigned t,
                 const struct block *k)
{
    struct entry_of_thread *e = &n->blocked[n->n_blocked];

    model.result.aborts++;
    if (model.option.dd && finds_circle(n, tried, t, k))
        report();
    *e = (struct entry_of_thread){
        .thread = (uint8_t)t, .shared = k->refused_shared, .needed = k->refused};
    n->n_blocked++;
    accesses(k, true, &e->read, &e->written);
    drop(n->enabled, &n->n_enabled, t);
    n->after_abort = true;
}

/* The branch in which others go first; false if there is nobody. */
static bool others_first(struct node *n, unsigned t, const struct block *k)
{
    struct entry_of_thread e = {.thread = (uint8_t)t};

    accesses(k, !model.option.without['C'], &e.read, &e.written);
    drop(n->enabled, &n->n_enabled, t);
    if (model.option.without['A'] && n->n_delayed > 0 && !model.option.rw) {
        n->n_delayed = 0;
        n->lost = true;
    }
    n->delayed[n->n_delayed++] = e;
    n->current = NOBODY;
    n->after_abort = false;
    n->spared = 0;
    return n->n_enabled > 0 || model.option.without['G'];
}

static void explore(struct node *n);

/* Run a block; without E it goes on beyond lock exits while nobody else is enabled. */
static void run_block(struct node *child, unsigned t, struct block *k)
{
    blocks_run(&model.blocks, &child->s, t, k);
    while (model.option.without['E'] && k->end == BLOCK_EXIT && child->n_enabled == 1 &&
           k->n_born == 0 && child->s.phase[t] == READY)
        blocks_run(&model.blocks, &child->s, t, k);
    paths_learn(k);
}

/* A block of thread t that has come to its end, and what follows it. */
static void follow(struct node *child, unsigned t, const struct block *k)
{
    size_t length = model.schedule.n;

    paths_append(t, k);
    if (k->end == BLOCK_FAILED) {
        paths_note_failure(&child->s, t);
        paths_count(&model.result.finished);
    } else {
        child->current = (uint8_t)t;
        child->after_abort = false;
        child->spared = 0;
        after_exit(child, t, k);
        explore(child);
    }
    model.schedule.n = length;
}

/* The thesis's branches at signals: others may come first, and the signal is sent again. */
static void follow_as_printed(const struct node *n, const struct block *k, struct node *child)
{
    for (unsigned i = 0; i < k->n_again; i++) {
        *child = *n;
        child->spared = k->spared_again[i];
        child->current = NOBODY;
        explore(child);
    }
}

/* One block; true when the search goes on in the same node, changed. */
static bool explore_block(struct node *n, struct node *child)
{
    unsigned t = choose_thread(n);
    struct block k = {.as_printed = model.option.without['D'], .spared = n->spared};

    *child = *n;
    run_block(child, t, &k);
    if (k.end == BLOCK_REFUSED) {
        park(n, &child->s, t, &k);
        return true;
    }
    if (k.end == BLOCK_DEATH) {
        n->s = child->s;
        drop(n->enabled, &n->n_enabled, t);
        n->after_abort = false;
        return true;
    }
    struct block first = k;

    follow(child, t, &k);
    while (paths_choose_next(&k)) {
        *child = *n;
        run_block(child, t, &k);
        follow(child, t, &k);
    }
    follow_as_printed(n, &first, child);
    return others_first(n, t, &first);
}

/* Changes the node. */
static void explore(struct node *n)
{
    struct node *child = get_node();
    bool goes_on = true;

    while (goes_on && n->n_enabled > 0)
        goes_on = explore_block(n, child);
    if (goes_on)
        end_path(n);
    child->next = spare;
    spare = child;
}

void block_search(const struct blocks_state *s)
{
    struct node *root = get_node();

    memset(root, 0, sizeof(*root));
    root->s = *s;
    for (unsigned t = 0; t < s->born; t++)
        enable(root, t);
    explore(root);
    root->next = spare;
    spare = root;
}
