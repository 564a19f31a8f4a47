/* SPDX-License-Identifier: MIT */
/*
 * Programs for the machine, put together step by step or drawn.  A drawn program gives back the
 * locks that it takes, but may come to wait for a semaphore for ever.
 */
#include "machine.h"

#include "base/rng.h"

struct machine_step *machine_add(struct machine_program *p, unsigned thread, enum pl_op_kind kind,
                                 uint64_t addr)
{
    unsigned n = 0;

    PL_ASSERT(thread < p->n);
    while (p->threads[thread].steps[n].kind != PL_OP_NONE)
        n++;
    PL_ASSERT(n + 1 < MACHINE_STEPS);
    p->threads[thread].steps[n] = (struct machine_step){.kind = kind, .addr = addr};
    return &p->threads[thread].steps[n];
}

static void draw_access(struct machine_program *p, unsigned t, uint64_t *rng)
{
    static const enum pl_op_kind kinds[] = {PL_OP_READ, PL_OP_WRITE, PL_OP_ATOMIC_RMW,
                                            PL_OP_ATOMIC_CAS};
    uint64_t cell = 0x1000 + MACHINE_SIZE * pl_rng_below(rng, 2);
    unsigned which = pl_rng_below(rng, 5);
    struct machine_step *s =
        which < 4 ? machine_add(p, t, kinds[which], cell) : machine_add(p, t, PL_OP_WRITE, 0x1004);

    s->value = pl_operation_is(s->kind, PL_ROLE_LOADS) ? 0 : t + 1; /* exchanges want 0 */
    s->adds = s->kind == PL_OP_ATOMIC_RMW;
}

/* Locks are given back at once. */
static void draw_sync(struct machine_program *p, unsigned t, uint64_t *rng)
{
    static const struct {
        enum pl_op_kind first, then;
        uint64_t addr;
    } pairs[] = {
        {PL_OP_MUTEX_LOCK, PL_OP_MUTEX_UNLOCK, 0x2000},
        {PL_OP_MUTEX_LOCK, PL_OP_MUTEX_UNLOCK, 0x2040},
        {PL_OP_SEM_POST, PL_OP_NONE, 0x3000},
        {PL_OP_SEM_WAIT, PL_OP_NONE, 0x3000},
        {PL_OP_SEM_TRYWAIT, PL_OP_NONE, 0x3000},
        {PL_OP_RWLOCK_READ, PL_OP_RWLOCK_UNLOCK, 0x4000},
        {PL_OP_RWLOCK_WRITE, PL_OP_RWLOCK_UNLOCK, 0x4000},
    };
    unsigned which = pl_rng_below(rng, sizeof(pairs) / sizeof(pairs[0]));

    machine_add(p, t, pairs[which].first, pairs[which].addr);
    if (pairs[which].then != PL_OP_NONE)
        machine_add(p, t, pairs[which].then, pairs[which].addr);
}

struct machine_program machine_draw(unsigned threads, enum machine_palette palette, uint64_t seed)
{
    struct machine_program p = {.n = threads};
    uint64_t rng = seed;

    for (unsigned i = 0; i < threads * (palette == MACHINE_MEMORY ? 3 : 2); i++) {
        if (palette == MACHINE_MEMORY)
            draw_access(&p, i % threads, &rng);
        else
            draw_sync(&p, i % threads, &rng);
    }
    return p;
}
