/* SPDX-License-Identifier: MIT */
/* See cuts.h. */
#include "strategy/exitblock/cuts.h"

#include "base/claimed.h"
#include "base/hash.h"
#include "model/depend.h"

#include <stddef.h>

/* ---- what is learned ---- */

/* Whether the lock is in the set; if that is full it may be. */
static bool is_among(const struct pl_cuts_locks *set, uint64_t addr)
{
    const uint64_t *lock = pl_claimed_slot(PL_CLAIMED_ALONE(set->addr), pl_hash_mix(addr), addr);

    PL_ASSERT(addr != 0); /* which is a free slot */
    return lock == NULL || *lock == addr;
}

static void learn(struct pl_cuts *k, struct pl_cuts_locks *set, uint64_t addr)
{
    bool fresh;

    if (pl_claimed_place(PL_CLAIMED_ALONE(set->addr), pl_hash_mix(addr), addr, &fresh) == NULL)
        k->full = true;
    k->again |= fresh;
}

/* The thread uses the lock; whether nobody else does, as far as is known. */
static bool is_private(struct pl_cuts *k, uint64_t addr, pl_tid tid)
{
    bool fresh;
    struct pl_cuts_owner *o =
        pl_claimed_place(PL_CLAIMED_ALONE(k->owners), pl_hash_mix(addr), addr, &fresh);

    if (o == NULL)
        return false;
    if (fresh)
        o->tid = tid;
    if (o->tid != tid && !o->shared) {
        k->again |= o->private;
        o->shared = true;
        o->private = false;
    }
    return o->private;
}

bool pl_cuts_judge(struct pl_cuts *k)
{
    bool any = false;

    if (k->judged || k->java)
        return false;
    k->judged = true;
    for (unsigned i = 0; i < PL_CUTS_LOCKS; i++) {
        struct pl_cuts_owner *o = &k->owners[i];

        o->private = o->addr != 0 && !o->shared && !is_among(&k->watched, o->addr);
        any |= o->private;
    }
    return any;
}

static struct pl_cuts_condition *condition_of(struct pl_cuts *k, uint64_t addr)
{
    bool fresh;
    struct pl_cuts_condition *d =
        pl_claimed_place(PL_CLAIMED_ALONE(k->conditions), pl_hash_mix(addr), addr, &fresh);

    PL_ASSERT(addr != 0);
    k->full |= d == NULL;
    return d;
}

/* Keep of what is assumed to be held only `addr`; false when that was not among it. */
static bool narrow(struct pl_cuts_condition *d, uint64_t addr)
{
    bool found = false;

    for (unsigned i = 0; i < PL_CUTS_ASSUMED; i++) {
        found |= d->assumed[i] == addr;
        d->assumed[i] = i == 0 ? addr : 0;
    }
    return found;
}

static void loosen(struct pl_cuts *k, struct pl_cuts_condition *d)
{
    if (d->loose)
        return;
    d->loose = true;
    k->again = true;
}

/* Somebody waits at the condition with this mutex. */
static void learn_mutex(struct pl_cuts *k, uint64_t addr, uint64_t mutex)
{
    struct pl_cuts_condition *d = condition_of(k, addr);

    if (d != NULL && !narrow(d, mutex) && d->signalled)
        loosen(k, d);
    else if (d != NULL)
        d->signalled = true; /* from now on its mutex is known */
}

/* The thread signals: whether it holds what is assumed to be the mutex. */
static bool holds_mutex(struct pl_cuts *k, struct pl_cuts_condition *d, pl_tid tid)
{
    uint64_t kept[PL_CUTS_ASSUMED] = {0};
    unsigned n = 0;

    PL_CHAIN_EACH(lock, &k->chain, pl_chain_held(&k->chain, tid))
    {
        bool assumed = !d->signalled;

        for (unsigned i = 0; i < PL_CUTS_ASSUMED; i++)
            assumed |= d->assumed[i] == lock->addr;
        if (assumed && n < PL_CUTS_ASSUMED)
            kept[n++] = lock->addr;
    }
    for (unsigned i = 0; n > 0 && i < PL_CUTS_ASSUMED; i++)
        d->assumed[i] = kept[i];
    d->signalled = true;
    return n > 0;
}

static bool is_loose(struct pl_cuts *k, const struct pl_operation *op)
{
    struct pl_cuts_condition *d = condition_of(k, op->addr);

    if (d != NULL && !d->loose && !holds_mutex(k, d, op->tid))
        loosen(k, d);
    return d == NULL || d->loose;
}

/* ---- locks ---- */

static void touch(struct pl_cuts *k, uint64_t addr, uint64_t size, enum pl_effect effect)
{
    if (addr == 0 || effect == PL_EFFECT_NONE)
        return;
    PL_ASSERT(k->open + 1 == k->blocks.n_sets); /* what is touched goes into the last set */
    k->blocks.sets[k->open].visible = true;
    pl_blocks_touch(&k->blocks, addr, size, effect);
}

/*
 * The lock is looked at.  A lock with two sides is two objects: who takes it to
 * write looks at both, who takes it to read at the first.
 */
static void look(struct pl_cuts *k, uint64_t addr, bool shared, bool sides)
{
    touch(k, addr, sides && !shared ? 2 : 1, PL_EFFECT_READ);
}

/*
 * The lock is held across an end of the block.  Readers add to the second object,
 * so that they are in nobody's way but a writer's.
 */
static void keep(struct pl_cuts *k, const struct pl_chain_lock *lock)
{
    if (lock->shared)
        touch(k, lock->addr + 1, 1, PL_EFFECT_ADD);
    else
        touch(k, lock->addr, lock->sides ? 2 : 1, PL_EFFECT_WRITE);
}

/* A lock is taken; true if others could see that. */
static bool enter(struct pl_cuts *k, const struct pl_operation *op, uint64_t addr)
{
    bool watched = is_among(&k->watched, addr);

    if (op->nested)
        return false;
    /* Others who take it do not matter; whoever writes over it does. */
    pl_discipline_touch(&k->discipline, &k->chain, op, addr, 1, PL_EFFECT_READ, true);
    pl_chain_enter(&k->chain, op, addr);
    bool private = is_private(k, addr, op->tid);
    /* What the lock of a stream protects is libc's, where nobody sees an access. */
    bool stream = pl_operation_object(op->kind) == PL_OBJECT_FILE;

    if (watched || stream)
        touch(k, addr, 1, PL_EFFECT_WRITE);
    else if (!private)
        look(k, addr, pl_chain_reads(op->kind), pl_chain_sides(op->kind));
    return watched || is_among(&k->crossed, addr);
}

/*
 * Whether the thread is within an initialisation.  That ends at once behind the last lock exit in
 * it, so that no block may end there.
 */
static bool is_initialising(const struct pl_cuts *k, pl_tid tid)
{
    PL_CHAIN_EACH(lock, &k->chain, pl_chain_held(&k->chain, tid))
    {
        if (pl_operation_is(lock->op, PL_ROLE_INITIALISES))
            return true;
    }
    return false;
}

static bool leave(struct pl_cuts *k, const struct pl_operation *op, uint64_t addr)
{
    const struct pl_chain_lock *lock = pl_chain_find(&k->chain, op->tid, addr);

    if (op->nested)
        return false;
    /* One that was taken before the search began, or by another thread. */
    if (lock == NULL || is_among(&k->watched, addr))
        touch(k, addr, 1, PL_EFFECT_WRITE);
    if (pl_chain_leave(&k->chain, op->tid, addr) || is_initialising(k, op->tid))
        learn(k, &k->crossed, addr);
    return !is_private(k, addr, op->tid);
}

/* An attempt that does not wait. */
static bool attempt(struct pl_cuts *k, const struct pl_operation *op)
{
    learn(k, &k->watched, op->addr);
    is_private(k, op->addr, PL_TID_NONE); /* not any more: it is watched */
    if (op->nested)
        return false;
    if (op->effect != PL_EFFECT_READ)
        return enter(k, op, op->addr);
    touch(k, op->addr, 2, PL_EFFECT_READ);
    return true;
}

static bool initialise(struct pl_cuts *k, const struct pl_operation *op)
{
    if (op->noted) {
        pl_discipline_touch(&k->discipline, &k->chain, op, op->addr, 1, PL_EFFECT_WRITE, true);
        touch(k, op->addr, 1, PL_EFFECT_WRITE); /* who comes later does not do it again */
        return leave(k, op, op->addr);
    }
    if (op->effect == PL_EFFECT_WRITE) {
        enter(k, op, op->addr);
        return true;
    }
    pl_discipline_touch(&k->discipline, &k->chain, op, op->addr, 1, PL_EFFECT_READ, true);
    is_private(k, op->addr, op->tid);
    touch(k, op->addr, 1, PL_EFFECT_READ);
    return false;
}

/* ---- the rest ---- */

bool pl_cuts_silent(const struct pl_operation *op)
{
    return !pl_operation_is(op->kind, PL_ROLE_CREATES) &&
           (pl_depend_nothing(op) || op->kind == PL_OP_CHOOSE);
}

/* Who reads what another wrote knows what that one did. */
static void spread(struct pl_cuts *k, const struct pl_operation *op, uint64_t addr)
{
    struct pl_knowledge *knowledge = &k->chain.knowledge;
    bool stores = pl_operation_is(op->kind, PL_ROLE_OVERWRITES) &&
                  pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC));

    if (addr == 0 || op->effect == PL_EFFECT_NONE)
        return;
    if (!stores && op->effect != PL_EFFECT_ADD)
        pl_knowledge_read(knowledge, op->tid, addr);
    if (op->effect == PL_EFFECT_WRITE)
        pl_knowledge_write(knowledge, op->tid, addr);
    else if (op->effect == PL_EFFECT_ADD)
        pl_knowledge_add(knowledge, op->tid, addr);
}

/* Who leaves a barrier knows what all have done who arrived there. */
static void see_off(struct pl_cuts *k, const struct pl_operation *op)
{
    if (pl_operation_object(op->kind) == PL_OBJECT_BARRIER &&
        pl_operation_is(op->kind, PL_ROLE_LEARNS))
        pl_discipline_learn(&k->discipline, op->tid, op->addr);
}

/* Whoever waits for input may wait for any output, as in pl_depend(). */
static void meet_in_files(struct pl_cuts *k, const struct pl_operation *op)
{
    enum pl_effect effect = pl_depend_is_output(op) ? PL_EFFECT_ADD : PL_EFFECT_WRITE;

    if (pl_operation_object(op->kind) != PL_OBJECT_FILE)
        return;
    pl_discipline_touch(&k->discipline, &k->chain, op, PL_DEPEND_FILES, 1, effect, true);
    touch(k, PL_DEPEND_FILES, 1, effect);
}

/* An operation that others see at once: a lock exit of its own. */
static bool at_once(struct pl_cuts *k, const struct pl_operation *op)
{
    if (op->private)
        return false;
    see_off(k, op);
    pl_discipline_touch(&k->discipline, &k->chain, op, pl_depend_object(op), pl_depend_size(op),
                        (enum pl_effect)op->effect, true);
    if (op->other != 0)
        pl_discipline_touch(&k->discipline, &k->chain, op, op->other, 1,
                            (enum pl_effect)op->other_effect, true);
    if (k->atomic_pc == 0 && pl_operation_is(op->kind, PL_ROLE_ATOMIC) &&
        pl_operation_object(op->kind) == PL_OBJECT_MEMORY)
        k->atomic_pc = op->pc;
    spread(k, op, pl_depend_object(op));
    touch(k, pl_depend_object(op), pl_depend_size(op), (enum pl_effect)op->effect);
    if (op->other != 0)
        touch(k, op->other, 1, (enum pl_effect)op->other_effect);
    meet_in_files(k, op);
    return op->effect != PL_EFFECT_NONE;
}

/* A child has all of this in its copy, finished or not. */
static void leave_to_copies(struct pl_cuts *k, const struct pl_operation *op)
{
    if (k->copies)
        pl_discipline_touch(&k->discipline, &k->chain, op, PL_DEPEND_COPIES, 1, PL_EFFECT_ADD,
                            false);
}

/* What lies on the stack of another thread is there until that ends, which is no lock exit. */
static void look_at_owner(struct pl_cuts *k, const struct pl_operation *op)
{
    if (op->other < PL_DEPEND_THREADS || op->other_effect != PL_EFFECT_READ)
        return;
    touch(k, op->other, 1, PL_EFFECT_READ);
    pl_discipline_touch(&k->discipline, &k->chain, op, op->other, 1, PL_EFFECT_READ, false);
}

/* An access that others see only at a lock exit. */
static bool access(struct pl_cuts *k, const struct pl_operation *op)
{
    look_at_owner(k, op);
    pl_blocks_touch(&k->blocks, op->addr, pl_depend_size(op), (enum pl_effect)op->effect);
    pl_discipline_touch(&k->discipline, &k->chain, op, op->addr, pl_depend_size(op),
                        (enum pl_effect)op->effect, false);
    if (op->effect == PL_EFFECT_WRITE)
        leave_to_copies(k, op);
    spread(k, op, op->addr);
    return false;
}

static bool acquire(struct pl_cuts *k, const struct pl_operation *op)
{
    bool seen =
        pl_operation_is(op->kind, PL_ROLES(TRIES, TIMED)) ? attempt(k, op) : enter(k, op, op->addr);

    if (!op->nested)
        leave_to_copies(k, op); /* with the lock held: who forks under it never finds it taken */
    return seen;
}

static bool release(struct pl_cuts *k, const struct pl_operation *op)
{
    /* Whoever takes it next is told: that it has been taken and released makes a difference. */
    if (op->kind == PL_OP_MUTEX_ABANDON)
        learn(k, &k->watched, op->addr);
    look_at_owner(k, op);
    return leave(k, op, op->addr);
}

static bool wait_at(struct pl_cuts *k, const struct pl_operation *op)
{
    touch(k, op->addr, 1, PL_EFFECT_WRITE);
    learn_mutex(k, op->addr, op->other);
    leave(k, op, op->other);
    return true;
}

static bool wake_up(struct pl_cuts *k, const struct pl_operation *op)
{
    if (!pl_depend_leaves(op))
        return enter(k, op, op->other);
    touch(k, op->addr, 1, PL_EFFECT_WRITE);
    return true;
}

static bool signal(struct pl_cuts *k, const struct pl_operation *op)
{
    touch(k, op->addr, 1, (enum pl_effect)op->effect);
    if (op->other >= PL_DEPEND_THREADS) /* whom it wakes comes after it, with no lock between */
        touch(k, op->other, 1, (enum pl_effect)op->other_effect);
    return is_loose(k, op);
}

/* Births and deaths: nobody can tell, but what was born could not do anything before. */
static bool create(struct pl_cuts *k, const struct pl_operation *op)
{
    pl_discipline_join(&k->discipline, (pl_tid)op->aux, op->tid);
    pl_knowledge_join(&k->chain.knowledge, (pl_tid)op->aux, op->tid);
    /* The first thread but one is there when the search begins. */
    if (k->java && k->blocks.sets[k->open].tid != PL_TID_NONE)
        touch(k, PL_DEPEND_THREADS + op->tid * UINT64_C(8), 1, PL_EFFECT_READ);
    return true;
}

static bool die(struct pl_cuts *k, const struct pl_operation *op)
{
    enum pl_effect effect = op->noted ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
    uint64_t self = PL_DEPEND_THREADS + op->tid * UINT64_C(8);

    touch(k, self, 1, effect);
    pl_discipline_touch(&k->discipline, &k->chain, op, self, 1, effect, true);
    k->exits |= k->java && op->noted && op->tid != 0;
    k->again |= k->exits;
    return false; /* it ends anyway */
}

/* A signal that is sent meets what is to be done with it, besides the thread. */
static bool cancel(struct pl_cuts *k, const struct pl_operation *op)
{
    at_once(k, op);
    k->blocks.sets[k->open].cancels |= UINT64_C(1) << (op->aux & 63);
    k->blocks.sets[k->open].visible = true;
    return true;
}

static bool quit(struct pl_cuts *k, const struct pl_operation *op)
{
    k->blocks.sets[k->open].all = k->blocks.sets[k->open].visible = true;
    return true;
}

/* As if it read all memory, in the middle of whatever others do there. */
static bool copy(struct pl_cuts *k, const struct pl_operation *op)
{
    k->copies = true;
    pl_discipline_touch(&k->discipline, &k->chain, op, PL_DEPEND_COPIES, 1, PL_EFFECT_WRITE, false);
    return quit(k, op);
}

/* What operations do, by their roles; an operation has one of these, or is seen at once. */
static const struct {
    uint64_t role;
    bool (*perform)(struct pl_cuts *k, const struct pl_operation *op);
} performances[] = {
    {PL_ROLE_ACQUIRES, acquire}, {PL_ROLE_RELEASES, release}, {PL_ROLE_GIVES_UP, wait_at},
    {PL_ROLE_REGAINS, wake_up},  {PL_ROLE_WAKES, signal},     {PL_ROLE_INITIALISES, initialise},
    {PL_ROLE_CREATES, create},   {PL_ROLE_ENDS, die},         {PL_ROLE_CANCELS, cancel},
    {PL_ROLE_QUITS, quit},       {PL_ROLE_COPIES, copy},
};

/* For checks: how many of the roles say what an operation does to a block. */
__attribute__((unused)) static unsigned count_performances(uint64_t roles)
{
    unsigned n = 0;

    for (size_t i = 0; i < sizeof(performances) / sizeof(performances[0]); i++)
        n += (roles & performances[i].role) != 0;
    return n;
}

static bool perform(struct pl_cuts *k, const struct pl_operation *op)
{
    uint64_t roles = pl_operation_traits(op->kind)->roles;

    PL_CHECK(count_performances(roles) <= 1);
    if (pl_operation_object(op->kind) == PL_OBJECT_MEMORY && (roles & PL_ROLE_ATOMIC) == 0 &&
        (roles & PL_ROLES(PLAIN, OVERWRITES)) != 0)
        return access(k, op);
    for (size_t i = 0; i < sizeof(performances) / sizeof(performances[0]); i++) {
        if ((roles & performances[i].role) != 0)
            return performances[i].perform(k, op);
    }
    return at_once(k, op);
}

void pl_cuts_clear(struct pl_cuts *k)
{
    pl_blocks_drop(&k->blocks, 1);
    pl_cuts_back(k, (struct pl_cuts_mark){{1, 0, {1, 0}}, {1, 1, 0}});
    k->discipline.outside = (struct pl_discipline_pair){0};
    k->atomic_pc = 0;
    k->copies = false;
}

struct pl_cuts_mark pl_cuts_mark(const struct pl_cuts *k)
{
    return (struct pl_cuts_mark){pl_chain_mark(&k->chain), pl_discipline_mark(&k->discipline)};
}

void pl_cuts_back(struct pl_cuts *k, struct pl_cuts_mark mark)
{
    pl_chain_back(&k->chain, mark.chain);
    pl_discipline_back(&k->discipline, mark.discipline);
}

void pl_cuts_note(struct pl_cuts *k, const struct pl_operation *op)
{
    see_off(k, op);
    if (!pl_operation_is(op->kind, PL_ROLE_JOINS) || op->way != PL_WAY_NORMAL)
        return;
    pl_discipline_join(&k->discipline, op->tid, (pl_tid)op->aux);
    pl_knowledge_join(&k->chain.knowledge, op->tid, (pl_tid)op->aux);
}

void pl_cuts_suspect(struct pl_cuts *k, const struct pl_operation *op)
{
    PL_ASSERT(op->private && k->open > 0);
    pl_blocks_touch(&k->blocks, op->addr, pl_depend_size(op),
                    pl_operation_is(op->kind, PL_ROLES(ATOMIC, OVERWRITES)) ? PL_EFFECT_WRITE
                                                                            : PL_EFFECT_READ);
}

void pl_cuts_open(struct pl_cuts *k, pl_tid tid)
{
    k->open = pl_blocks_open(&k->blocks, tid);
    k->held_first = tid != PL_TID_NONE ? pl_chain_held(&k->chain, tid) : 0;
}

bool pl_cuts_perform(struct pl_cuts *k, const struct pl_operation *op)
{
    PL_ASSERT(k->open > 0 && k->open + 1 == k->blocks.n_sets);
    if (op->cancellable) /* whoever cancels its thread comes before it or behind it */
        k->blocks.sets[k->open].visible = true;
    return (perform(k, op) || op->cancellable) && !op->trusted;
}

void pl_cuts_fail(struct pl_cuts *k, const struct pl_operation *op)
{
    is_private(k, op->addr, op->tid);
    look(k, op->addr, pl_chain_reads(op->kind), pl_chain_sides(op->kind));
}

uint32_t pl_cuts_close(struct pl_cuts *k, bool ends)
{
    struct pl_blocks_set *set = &k->blocks.sets[k->open];

    PL_ASSERT(k->open > 0 && k->held_first < k->chain.n_locks);
    if (set->tid != PL_TID_NONE) {
        PL_CHAIN_EACH(lock, &k->chain, k->held_first)
        keep(k, lock);
        PL_CHAIN_EACH(lock, &k->chain, pl_chain_held(&k->chain, set->tid))
        keep(k, lock);
    }
    set->visible |= ends;
    pl_blocks_close(&k->blocks, k->open);
    return k->open;
}
