/* SPDX-License-Identifier: MIT */
/* See chain.h. */
#include "strategy/exitblock/chain.h"

#include <stddef.h>

void pl_chain_start(struct pl_chain *c, struct pl_arena arena)
{
    uint64_t part = arena.left / 4 & ~UINT64_C(63);

    pl_knowledge_start(&c->knowledge, pl_arena_part(&arena, 2 * part));
    c->locks_max = (uint32_t)(arena.left / 4 * 3 / sizeof(struct pl_chain_lock));
    c->locks = PL_ARENA_TAKE(&arena, struct pl_chain_lock, c->locks_max);
    c->undo_max = (uint32_t)PL_ARENA_FITS(&arena, struct pl_chain_undo);
    c->undo = PL_ARENA_TAKE(&arena, struct pl_chain_undo, c->undo_max);
    PL_ASSERT(c->locks_max > 1 && c->undo_max > 0);
    c->n_locks = 1;
    c->n_undo = 0;
    c->n_threads = 0;
    c->full = false;
    c->locks[0] = (struct pl_chain_lock){0};
    for (unsigned i = 0; i < PL_THREADS_MAX; i++)
        c->threads[i] = (struct pl_chain_word){0};
}

struct pl_chain_mark pl_chain_mark(const struct pl_chain *c)
{
    return (struct pl_chain_mark){c->n_locks, c->n_undo, pl_knowledge_mark(&c->knowledge)};
}

void pl_chain_back(struct pl_chain *c, struct pl_chain_mark mark)
{
    PL_ASSERT(mark.undo <= c->n_undo && mark.locks > 0 && mark.locks <= c->n_locks);
    while (c->n_undo > mark.undo) {
        const struct pl_chain_undo *u = &c->undo[c->n_undo - 1];

        c->threads[u->tid] = u->old;
        c->n_undo--;
    }
    c->n_locks = mark.locks;
    pl_knowledge_back(&c->knowledge, mark.knowledge);
}

static void set(struct pl_chain *c, pl_tid tid, struct pl_chain_word word)
{
    PL_ASSERT(tid < PL_THREADS_MAX && word.held < c->n_locks && word.last < c->n_locks);
    if (c->n_undo == c->undo_max) {
        c->full = true;
        return;
    }
    c->undo[c->n_undo] = (struct pl_chain_undo){c->threads[tid], tid};
    c->n_undo++;
    c->threads[tid] = word;
    if (c->n_threads <= tid)
        c->n_threads = tid + 1u;
}

/* A new list that begins with a copy of the lock. */
static uint32_t put(struct pl_chain *c, struct pl_chain_lock lock, uint32_t next)
{
    if (c->n_locks == c->locks_max) {
        c->full = true;
        return next;
    }
    PL_ASSERT(next < c->n_locks); /* members never change, so lists lead to earlier ones */
    lock.next = next;
    c->locks[c->n_locks] = lock;
    return c->n_locks++;
}

bool pl_chain_reads(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLE_SHARES);
}

bool pl_chain_sides(unsigned kind)
{
    return pl_operation_object(kind) == PL_OBJECT_RWLOCK;
}

void pl_chain_enter(struct pl_chain *c, const struct pl_operation *op, uint64_t addr)
{
    struct pl_chain_word word = c->threads[op->tid];
    uint32_t knew = pl_knowledge_now(&c->knowledge, op->tid);
    struct pl_chain_lock lock = {.addr = addr,
                                 .pc = op->pc,
                                 .name = op->name,
                                 .knew = knew,
                                 .since = pl_knowledge_tick(&c->knowledge, op->tid),
                                 .op = op->kind,
                                 .shared = pl_chain_reads(op->kind),
                                 .sides = pl_chain_sides(op->kind)};

    word.held = put(c, lock, word.held);
    set(c, op->tid, word);
}

/* The list without the lock at `addr`; locks before it are copied. */
static uint32_t without(struct pl_chain *c, uint32_t list, uint64_t addr, uint32_t *taken_out)
{
    if (list == 0)
        return 0;
    struct pl_chain_lock lock = c->locks[list];

    if (lock.addr == addr) {
        *taken_out = list;
        return lock.next;
    }
    uint32_t rest = without(c, lock.next, addr, taken_out);

    return *taken_out != 0 ? put(c, lock, rest) : list;
}

bool pl_chain_leave(struct pl_chain *c, pl_tid tid, uint64_t addr)
{
    struct pl_chain_word word = c->threads[tid];
    uint32_t taken_out = 0, first = word.held;

    word.held = without(c, word.held, addr, &taken_out);
    if (taken_out == 0)
        return false;
    PL_ASSERT(c->locks[taken_out].addr == addr);
    word.last = taken_out;
    set(c, tid, word);
    return taken_out != first;
}

static const struct pl_chain_lock *find(const struct pl_chain *c, uint32_t list, uint64_t addr)
{
    PL_CHAIN_EACH(lock, c, list)
    {
        if (lock->addr == addr)
            return lock;
    }
    return NULL;
}

const struct pl_chain_lock *pl_chain_find(const struct pl_chain *c, pl_tid tid, uint64_t addr)
{
    return find(c, c->threads[tid].held, addr);
}

static bool is_member(const struct pl_cycle *cycle, pl_tid tid)
{
    for (unsigned i = 0; i < cycle->n; i++) {
        if (cycle->members[i].tid == tid)
            return true;
    }
    return false;
}

static void hold(struct pl_cycle_member *m, const struct pl_chain_lock *lock)
{
    m->holds = lock->addr;
    m->holds_pc = lock->pc;
    m->holds_shared = lock->shared;
}

/* A search for a circle. */
struct search {
    const struct pl_chain *c;
    const struct pl_chain_wants *others;
    struct pl_cycle *cycle;
    uint16_t since[PL_CYCLE_MAX]; /* what members did from then on is thought away; */
    uint32_t knew[PL_CYCLE_MAX];  /* what they knew before that */
};

/* Whether no member knows of anything that is thought away. */
static bool is_possible(const struct search *s)
{
    const struct pl_cycle_member *m = s->cycle->members;

    for (unsigned i = 0; i < s->cycle->n; i++) {
        for (unsigned j = 0; j < s->cycle->n; j++) {
            if (i != j && s->since[i] != UINT16_MAX &&
                pl_knowledge_of(&s->c->knowledge, s->knew[j], m[i].tid) >= s->since[i])
                return false;
        }
    }
    return true;
}

static bool close(struct search *s);

/* The thread, which has `lock`, may want another: go on from there. */
static bool goes_on(struct search *s, struct pl_cycle_member m, const struct pl_chain_lock *lock,
                    uint16_t since, uint32_t knew)
{
    if (s->cycle->n == PL_CYCLE_MAX)
        return false;
    hold(&m, lock);
    PL_ASSERT(!is_member(s->cycle, m.tid) && m.wants != 0);
    s->since[s->cycle->n] = since;
    s->knew[s->cycle->n] = knew;
    s->cycle->members[s->cycle->n++] = m;
    if (close(s))
        return true;
    s->cycle->n--;
    return false;
}

/* Whether operations of this kind take a lock, or get it back, and wait if they cannot. */
static bool waits(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLE_CONTENDS) &&
           pl_operation_is(kind, PL_ROLES(ACQUIRES, INITIALISES, REGAINS));
}

/* What it released last it took when it had `lock`: it might want that one. */
static bool wanted(struct search *s, pl_tid tid, const struct pl_chain_lock *lock)
{
    const struct pl_chain_lock *last = &s->c->locks[s->c->threads[tid].last];
    struct pl_cycle_member m = {.tid = tid,
                                .op = last->op,
                                .shared = last->shared,
                                .name = last->name,
                                .wants = last->addr,
                                .wants_pc = last->pc};

    return last != s->c->locks && waits(last->op) && find(s->c, last->next, lock->addr) != NULL &&
           goes_on(s, m, lock, last->since, last->knew);
}

static struct pl_cycle_member seeker(const struct pl_operation *failed)
{
    return (struct pl_cycle_member){.tid = failed->tid,
                                    .op = failed->kind,
                                    .shared = pl_chain_reads(failed->kind),
                                    .name = failed->name,
                                    .wants = failed->addr,
                                    .wants_pc = failed->pc};
}

/* What it has tried to take in vain it does want. */
static bool wants(struct search *s, pl_tid tid, const struct pl_chain_lock *lock)
{
    for (unsigned i = 0; i < s->others->n; i++) {
        if (s->others->failed[i].tid == tid &&
            goes_on(s, seeker(&s->others->failed[i]), lock, UINT16_MAX,
                    pl_knowledge_now(&s->c->knowledge, tid)))
            return true;
    }
    return false;
}

/* From the last member on, back to the first. */
static bool close(struct search *s)
{
    const struct pl_cycle_member *m = &s->cycle->members[s->cycle->n - 1];

    PL_ASSERT(s->cycle->n > 0 && s->cycle->n <= PL_CYCLE_MAX);
    for (pl_tid tid = 0; tid < s->c->n_threads; tid++) {
        const struct pl_chain_lock *lock = pl_chain_find(s->c, tid, m->wants);

        if (lock == NULL || tid == m->tid || (lock->shared && m->shared))
            continue;
        if (tid == s->cycle->members[0].tid) {
            hold(&s->cycle->members[0], lock);
            if (is_possible(s))
                return true;
            continue;
        }
        if (!is_member(s->cycle, tid) && (wanted(s, tid, lock) || wants(s, tid, lock)))
            return true;
    }
    return false;
}

bool pl_chain_closes(const struct pl_chain *c, const struct pl_operation *failed,
                     const struct pl_chain_wants *others, struct pl_cycle *cycle)
{
    struct search s = {.c = c,
                       .others = others,
                       .cycle = cycle,
                       .since = {UINT16_MAX},
                       .knew = {pl_knowledge_now(&c->knowledge, failed->tid)}};

    cycle->n = 1;
    cycle->members[0] = seeker(failed);
    return close(&s);
}

bool pl_chain_acquires(const struct pl_operation *op)
{
    return waits(op->kind) && !pl_operation_is(op->kind, PL_ROLE_REGAINS);
}
