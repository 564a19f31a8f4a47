/* SPDX-License-Identifier: MIT */
/*
 * What every operation of a native thread begins and ends with; inline, since locks are short.
 *
 * Coverage is sampled (see hooks.h) where nothing is disturbed.  What is remembered of a place may
 * be another's, which shares its entry.
 */
#ifndef PL_RUNTIME_NATIVE_NATIVE_BEGIN_H
#define PL_RUNTIME_NATIVE_NATIVE_BEGIN_H

#include "runtime/free/noise.h"
#include "runtime/ground/stage.h"
#include "runtime/native/native.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/hooks.h"

/* The calling thread's; NULL when it is none of the program's, or there is no other. */
extern _Thread_local struct pl_native_site *pl_native_sites
    __attribute__((tls_model("initial-exec")));

static inline struct pl_native_site *pl_native_site_of(uint64_t pc)
{
    struct pl_native_site *sites = pl_native_sites;

    return sites != NULL ? &sites[(pc ^ pc >> 8) & (PL_NATIVE_SITES - 1)] : NULL;
}

/* A visit that is looked at: whether it counts.  At most `most` visits pass until the next. */
static inline bool pl_native_visit(struct pl_native_site *s, unsigned most)
{
    bool noisy = pl_stage->noise.on;

    if (noisy && s->wait > 0) {
        s->wait--;
        return false;
    }
    s->gap = (uint16_t)pl_hooks_gap(s->gap, most);
    *(noisy ? &s->wait : &s->left) = (uint16_t)pl_hooks_wait(s->gap);
    return true;
}

/* Whether there is anybody whom a disturbance could concern. */
static inline bool pl_native_noisy(void)
{
    return pl_stage->noise.on && pl_stage->n_threads > 1;
}

/*
 * The calling thread is about to do something; NULL when it is none of the program's.  Way, thread
 * and name are in t->op from the start, everything else is 0 unless somebody sets it.
 */
static inline struct pl_thread *pl_native_begin(enum pl_op_kind kind, const void *object,
                                                bool timed, uint64_t pc)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL)
        return NULL;
    t->op.kind = (uint8_t)kind;
    t->op.addr = (uint64_t)object;
    t->op.pc = pc;
    t->op.ordinal = t->ordinal++;
    t->call_pc = pc;
    t->timed = timed;
    t->announced = true;
    if (__builtin_expect(!pl_stage->rooted, 0))
        pl_native_early(kind, object);
    if (pl_native_noisy())
        pl_noise_disturb(t, &t->op, true);
    return t;
}

/* Count the announced operation for coverage, if this visit of its place is one that counts. */
static inline void pl_native_cover(struct pl_thread *t)
{
    enum { MOST = 16 };
    struct pl_native_site *s = pl_stage->noise.on ? NULL : pl_native_site_of(t->op.pc);

    if (s != NULL && s->left > 0)
        s->left--;
    else if (s == NULL || pl_native_visit(s, MOST))
        pl_cover_event(t, &t->op);
}

/* The announced operation has been done. */
static inline void pl_native_end(struct pl_thread *t)
{
    t->announced = false;
    if (pl_native_noisy())
        pl_noise_disturb(t, &t->op, false);
}

/* The same for an operation that takes something: it counts for coverage once it has it. */
static inline void pl_native_take(struct pl_thread *t)
{
    pl_native_cover(t);
    pl_native_end(t);
}

#endif /* PL_RUNTIME_NATIVE_NATIVE_BEGIN_H */
