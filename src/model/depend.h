/* SPDX-License-Identifier: MIT */
/*
 * The dependency relation: which two operations of different threads must not
 * be swapped.  Everything that speaks of equivalent executions uses this one:
 * the classes that are counted, and the searches that visit each class once.
 *
 * An operation touches at most two objects, and each by reading, by adding or by
 * writing it (enum pl_effect).  Two operations depend on each other if they touch
 * the same bytes or the same object, and neither do both read it nor do both add
 * to it.  An addition is whatever commutes with its like: a semaphore's post, an
 * atomic addition whose result nobody uses, a reader's lock, beginning to wait
 * at a condition, an arrival at a barrier.
 *
 * Locks: an acquisition and a release both write.  An acquisition can never
 * change places with the release before it, since it is not enabled until then;
 * the question is whether it can with the acquisition before that.  The search
 * asks it (strategy/dpor/past_lock.c).
 *
 * An object counts as the first byte at its address, so that memory that is
 * written over an object depends on it.  Threads have no address: they have
 * numbers above all addresses.  So have those who wait at a futex, and the serial
 * thread of a barrier: memory that is freed or used anew has nothing to do with them.
 */
#ifndef PL_MODEL_DEPEND_H
#define PL_MODEL_DEPEND_H

#include "model/operation.h"

#define PL_DEPEND_THREADS (UINT64_C(1) << 63)
#define PL_DEPEND_FILES (UINT64_C(1) << 62)
#define PL_DEPEND_SERIALS (UINT64_C(1) << 61)
#define PL_DEPEND_QUEUES (UINT64_C(1) << 60)
#define PL_DEPEND_COPIES (UINT64_C(1) << 59)

/* Those who wait at the futex with this address; where threads are moved between futexes, at all.
 */
static inline uint64_t pl_depend_queue(uint64_t addr, bool apart)
{
    return PL_DEPEND_QUEUES + (apart ? addr : 0);
}

/* The address of what the operation is about; 0 when there is nothing. */
static inline uint64_t pl_depend_object(const struct pl_operation *op)
{
    uint64_t elsewhere =
        pl_operation_traits(op->kind)->roles & PL_ROLES(OF_THREAD, OF_FILES, OF_SERIAL, OF_QUEUE);

    if (elsewhere == 0)
        return op->addr;
    return elsewhere == PL_ROLE_OF_THREAD  ? PL_DEPEND_THREADS + op->aux * UINT64_C(8)
           : elsewhere == PL_ROLE_OF_FILES ? PL_DEPEND_FILES /* who fills a pipe is not known */
           : elsewhere == PL_ROLE_OF_QUEUE ? pl_depend_queue(op->addr, op->size != 0)
                                           : PL_DEPEND_SERIALS + op->addr;
}

/* How many bytes of it.  Kinds come in no order that could be predicted, so there is no branch. */
static inline uint64_t pl_depend_size(const struct pl_operation *op)
{
    bool memory = (pl_operation_object(op->kind) == PL_OBJECT_MEMORY) |
                  pl_operation_is(op->kind, PL_ROLE_QUEUES);
    uint64_t size = op->size & -(uint64_t)memory;

    return size + (size == 0);
}

/* Whether two effects on the same thing may not be swapped. */
static inline bool pl_depend_conflict(unsigned a, unsigned b)
{
    return (a != PL_EFFECT_NONE) & (b != PL_EFFECT_NONE) &
           ((a == PL_EFFECT_WRITE) | (b == PL_EFFECT_WRITE) | (a != b));
}

/*
 * The same for effects on bytes from a and from b on.  Additions to the same
 * number commute; those to different parts of it may not.
 */
static inline bool pl_depend_touch(uint64_t a, uint64_t a_size, unsigned a_effect, uint64_t b,
                                   uint64_t b_size, unsigned b_effect)
{
    return a < b + b_size && b < a + a_size &&
           (pl_depend_conflict(a_effect, b_effect) ||
            (a_effect == PL_EFFECT_ADD && b_effect == PL_EFFECT_ADD &&
             (a != b || a_size != b_size)));
}

/*
 * Would two pending operations conflict?  All who choose between threads ask this; what is
 * known before an operation is performed is the bytes that it touches and what it does to them
 * as a rule.  What differs on purpose is what counts as a conflict.
 */
enum pl_depend_sense {
    PL_DEPEND_TOUCH,  /* that both touch the same, whatever they do to it */
    PL_DEPEND_CHANGE, /* and that one of them changes it: only reads commute */
    PL_DEPEND_ORDER,  /* and that they do not commute: additions do, as in pl_depend() */
};

struct pl_depend_extent {
    uint64_t from, to; /* the bytes, from the first one to behind the last one */
    unsigned effect;   /* enum pl_effect */
};

/* What a pending operation would do; what it does to a second object does not count. */
static inline struct pl_depend_extent pl_depend_pending(const struct pl_operation *op)
{
    uint64_t from = pl_depend_object(op);

    return (struct pl_depend_extent){from, from + pl_depend_size(op),
                                     pl_operation_effect(op->kind)};
}

/* Whose threads are different is for the caller to know. */
static inline bool pl_depend_would_conflict(const struct pl_depend_extent *a,
                                            const struct pl_depend_extent *b,
                                            enum pl_depend_sense sense)
{
    if (sense == PL_DEPEND_TOUCH) /* whose answers are hard to predict: without a branch */
        return (a->from < b->to) & (b->from < a->to);
    if (a->from >= b->to || b->from >= a->to)
        return false;
    if (sense == PL_DEPEND_CHANGE)
        return (a->effect != PL_EFFECT_NONE) & (b->effect != PL_EFFECT_NONE) &
               ((a->effect != PL_EFFECT_READ) | (b->effect != PL_EFFECT_READ));
    return pl_depend_conflict(a->effect, b->effect);
}

/* Whether the operation has taken a mutex, spin lock or reader-writer lock. */
static inline bool pl_depend_took_lock(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_ACQUIRES) && op->effect > PL_EFFECT_READ;
}

/* Whether the operation is the end of an initialisation, which its beginning has announced. */
static inline bool pl_depend_initialised(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_INITIALISES) && op->noted;
}

/*
 * Whether a thread ends its wait at a condition without having been woken: it leaves the condition,
 * and takes the lock with an operation of its own.
 */
static inline bool pl_depend_leaves(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_REGAINS) && op->way > PL_WAY_NORMAL;
}

/*
 * The lock that the operation has taken, and the one that it has given back; 0: none.  An
 * initialisation counts as a lock, which is held while it is going on.
 */
static inline uint64_t pl_depend_taken_lock(const struct pl_operation *op)
{
    if (pl_operation_is(op->kind, PL_ROLE_REGAINS))
        return pl_depend_leaves(op) ? 0 : op->other;
    if (pl_operation_is(op->kind, PL_ROLE_INITIALISES))
        return op->effect == PL_EFFECT_WRITE && !op->noted ? op->addr : 0;
    return pl_depend_took_lock(op) ? op->addr : 0;
}

static inline uint64_t pl_depend_given_lock(const struct pl_operation *op)
{
    if (pl_operation_is(op->kind, PL_ROLE_GIVES_UP))
        return op->other;
    if (pl_operation_is(op->kind, PL_ROLE_RELEASES))
        return op->effect > PL_EFFECT_READ ? op->addr
                                           : 0; /* not an inner unlock, nor a refused one */
    return pl_depend_initialised(op) ? op->addr : 0;
}

/* The address of what an operation waits for that contends for it. */
static inline uint64_t pl_depend_awaited(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_REGAINS) ? op->other : op->addr;
}

/* Whether it waits for the end of a thread, however long that takes. */
static inline bool pl_depend_awaits_end(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_JOINS) && pl_operation_is(op->kind, PL_ROLE_UNNOTICED);
}

/* Whether it has been cancelled, and goes on since the thread has ended that it waits for. */
static inline bool pl_depend_finds_ended(const struct pl_operation *op)
{
    return pl_depend_awaits_end(op) && op->way == PL_WAY_NORMAL && op->other != 0;
}

/*
 * Whether it waits for the end of a thread with no other way out: it depends on nothing, but
 * happens after all that the thread did.
 */
static inline bool pl_depend_joins(const struct pl_operation *op)
{
    return pl_depend_awaits_end(op) && !pl_depend_finds_ended(op);
}

/* Whether it is about some of what goes through files: who uses all of it may wait for any. */
static inline bool pl_depend_is_output(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_FILE &&
           pl_depend_object(op) != PL_DEPEND_FILES;
}

/* Whether two operations that have been performed, by different threads, depend on each other. */
bool pl_depend(const struct pl_operation *a, const struct pl_operation *b);

/*
 * Whether nobody else can tell the operation from its not having happened: it may as well be
 * performed as soon as it can be.
 */
static inline bool pl_depend_nothing(const struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL && !op->cancellable && !op->exposed &&
           (op->private || pl_operation_is(op->kind, PL_ROLE_UNNOTICED));
}

/* Whether it looks at something, and changes nothing. */
static inline bool pl_depend_looks(const struct pl_operation *op)
{
    return op->effect == PL_EFFECT_READ && (op->other == 0 || op->other_effect == PL_EFFECT_READ);
}

/* Whether it waits until it can be performed, and is not merely told that it cannot. */
static inline bool pl_depend_waits(const struct pl_operation *op)
{
    return (pl_operation_is(op->kind, PL_ROLE_CONTENDS) || op->untimed) && !op->ready &&
           !pl_depend_leaves(op);
}

/* Whether it cancels a thread, which was not cancelled before, or sends it a signal. */
static inline bool pl_depend_cancels(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_CANCELS) && op->effect == PL_EFFECT_WRITE;
}

/* Where pl_operation.deaf has the signal that is sent. */
static inline unsigned pl_depend_bit(const struct pl_operation *sent)
{
    return (sent->size - 1) % 64;
}

/* Whether a signal has to do with all that its target does; see pl_depend_reaches(). */
static inline bool pl_depend_reaches_all(const struct pl_operation *sent)
{
    return sent->other_effect == PL_EFFECT_WRITE || sent->size == 0;
}

/* Whether one with that bit may come before the operation, or be found by it. */
static inline bool pl_depend_hears(const struct pl_operation *op, unsigned bit)
{
    return op->way == PL_WAY_SIGNAL || (op->deaf >> bit & 1) == 0;
}

/*
 * Whether what is sent to the thread of the operation makes it another: a cancellation does where
 * the thread looks for one.  A signal may come before whatever does not block it; one that is
 * blocked is noticed by who asks for it or opens the mask, and these touch the same object.  So
 * does who takes a signal, but where it waits for two objects there is no place for a third.  Of a
 * signal for the process it matters who blocks it.
 */
static inline bool pl_depend_reaches(const struct pl_operation *sent, const struct pl_operation *op)
{
    if (!pl_operation_is(sent->kind, PL_ROLE_SIGNALS))
        return op->cancellable;
    return pl_depend_reaches_all(sent) || pl_depend_hears(op, pl_depend_bit(sent));
}

/* Whether it tells its thread nothing: what that does next does not depend on it. */
static inline bool pl_depend_silent(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_SILENT);
}

#endif /* PL_MODEL_DEPEND_H */
