/* SPDX-License-Identifier: MIT */
/*
 * What the core asks of an operation: one descriptor for each kind that is MODELLED
 * in model/operation.def, beside the function that performs it.
 *
 *     PL_DESCRIBE(MUTEX_LOCK) = {.enabled = is_free, .effect = effect_of_lock, ...};
 *
 * The core includes no object's header; it finds the descriptor by the kind.  A kind
 * without one does not link.  Every answer is about the announced operation of t, or the
 * one that it is about to perform, in the state as it is now; none of these functions changes
 * anything.  What is NULL has the answer that its comment gives.
 */
#ifndef PL_RUNTIME_CORE_DESCRIPTOR_H
#define PL_RUNTIME_CORE_DESCRIPTOR_H

#include "runtime/ground/stage.h"

struct pl_descriptor {
    /* Whether it could be performed now.  NULL: always. */
    bool (*enabled)(const struct pl_thread *t);

    /*
     * What it does to its object, and in other_effect to the second one; it may note in the
     * operation what it finds.  NULL: as model/operation.def says.
     */
    enum pl_effect (*effect)(struct pl_thread *t, struct pl_operation *op);

    /* The thread that must do something before the operation is enabled.  NULL: nobody in
     * particular. */
    pl_tid (*holder)(const struct pl_thread *t);
    /* Whether `other` is one of those, where there can be several.  NULL: only the holder. */
    bool (*waits_for)(const struct pl_thread *t, const struct pl_thread *other);

    /* Whether time or a cancellation may end the wait now.  NULL: yes. */
    bool (*may_leave)(const struct pl_thread *t);
    /* Whether it may fail for no reason.  NULL: no. */
    bool (*may_fail)(const struct pl_thread *t);

    /* What kind of thing it waits for: enum pl_object_kind, or 0.  NULL, and 0: as its object. */
    uint8_t (*awaited)(const struct pl_thread *t);

    /* When the clock must have come to for it to be performed.  NULL: that does not matter. */
    uint64_t (*moment)(const struct pl_thread *t);

    /* On the free carrier: wait outside for at most so long for what does not come from the
     * program.  NULL: it all comes from there. */
    void (*pause)(const struct pl_thread *t, int ms);
    /* Of such a thread: whether what it waits for can come from nowhere else all the same.  NULL:
     * it cannot be told. */
    bool (*is_inside)(const struct pl_thread *t);
    /* The same where several processes are under control: whether it can come from no other. */
    bool (*is_company)(const struct pl_thread *t);

    /* Of libc's own object, where nothing is modelled (native/native.h): whether the thread
     * waits, and for whom.  NULL: no; nobody in particular. */
    bool (*native_blocked)(const struct pl_thread *t);
    pl_tid (*native_holder)(const struct pl_thread *t);
} __attribute__((aligned(64)));

#define PL_DESCRIBE(kind)                                                                       \
    extern const struct pl_descriptor pl_describe_##kind __attribute__((visibility("hidden"))); \
    const struct pl_descriptor pl_describe_##kind

/* The table by kind; the start of the runtime hands it over with pl_descriptor_learn(). */
extern const struct pl_descriptor *const *pl_descriptors;
void pl_descriptor_learn(const struct pl_descriptor *const *all);

/* What there is to ask of a kind at every choice: whether it is enabled, and its moment. */
enum { PL_ASKS_ENABLED = 1, PL_ASKS_MOMENT = 2 };
extern uint8_t pl_descriptor_asks[256];

/* Whether it may have to wait; and whether for a moment of the clock, when nothing else stops it.
 */
static inline bool pl_descriptor_may_wait(unsigned kind)
{
    return (pl_descriptor_asks[kind & 0xff] & PL_ASKS_ENABLED) != 0;
}

static inline bool pl_descriptor_has_moment(unsigned kind)
{
    return (pl_descriptor_asks[kind & 0xff] & PL_ASKS_MOMENT) != 0;
}

static inline const struct pl_descriptor *pl_descriptor_of(const struct pl_thread *t)
{
    return pl_descriptors[t->op.kind];
}

/* Answers that several kinds have in common. */
bool pl_descriptor_woken(const struct pl_thread *t);          /* enabled once it has been woken */
bool pl_descriptor_waits_natively(const struct pl_thread *t); /* it always does */

/* Fill in what the operation of t does. */
void pl_descriptor_settle(struct pl_thread *t);

/* The lock that a waiting thread wants: its object, or the mutex that it must get back. */
static inline uint64_t pl_descriptor_wanted(const struct pl_thread *t)
{
    return pl_operation_is(t->op.kind, PL_ROLE_REGAINS) ? t->mutex : t->op.addr;
}

#endif /* PL_RUNTIME_CORE_DESCRIPTOR_H */
