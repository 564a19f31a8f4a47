/* SPDX-License-Identifier: MIT */
/*
 * Which memory is shared?  Only accesses to granules (8 bytes) that two threads
 * touch, one of them writing, need to be points.
 *
 * Two bytes of shadow per granule say who touched it first in this execution
 * and how.  A granule that turns out shared is noted on the board, from there
 * goes to the common when the execution is over, and stays shared in all later
 * executions: addresses are deterministic.  Accesses made before that were no
 * points, so an exhaustive strategy is told to start over.
 */
#include "runtime/rollback.h"

enum {
    OWNER = 0x0fff, /* thread id plus 1 */
    MULTI = 0x1000,
    WRITTEN = 0x2000,
    SHARED = 0x8000,
};

static inline uint16_t *shadow(uint64_t addr)
{
    return (uint16_t *)(PL_SHADOW_ADDRESS + (addr >> 3) * 2);
}

/* A change that belongs to this execution. */
static inline void set(uint16_t *s, uint16_t value)
{
    if (pl_stage->rolling)
        pl_rollback_log(s);
    *s = value;
}

void pl_shadow_share(uint64_t addr)
{
    uint16_t *s = shadow(addr);

    if (*s & SHARED)
        return;
    set(s, *s | SHARED);
    pl_board->shared_grew = true;
    if (pl_board->n_grown < PL_BOARD_SHARED)
        pl_board->grown[pl_board->n_grown++] = addr & ~UINT64_C(7);
}

bool pl_shadow_known(uint64_t addr)
{
    return addr >> 47 == 0 && (*shadow(addr) & SHARED) != 0;
}

/* Note an access; true when it is to shared memory. */
bool pl_shadow_shared(uint64_t addr, uint64_t size, bool write, struct pl_thread *t)
{
    uint16_t me = (uint16_t)(t->id + 1);
    bool shared = pl_board->settings.points_all;

    if (addr >> 47 != 0)
        return false;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t *s = shadow(g << 3);
        uint16_t v = *s;

        if (v & SHARED) {
            shared = true;
            continue;
        }
        if ((v & OWNER) == 0) {
            set(s, (uint16_t)(me | (write ? WRITTEN : 0)));
            continue;
        }
        if ((v & OWNER) != me)
            v |= MULTI;
        if (write)
            v |= WRITTEN;
        if (v != *s)
            set(s, v);
        if ((v & (MULTI | WRITTEN)) == (MULTI | WRITTEN)) {
            pl_shadow_share(g << 3);
            shared = true;
        }
    }
    return shared;
}

/* Fresh memory: what was there before has nothing to do with it. */
void pl_shadow_clear(uint64_t addr, uint64_t size)
{
    if (!pl_active || size == 0)
        return;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t *s = shadow(g << 3);

        if ((*s & ~SHARED) != 0)
            set(s, *s & SHARED);
    }
}

/* Bring the shadow up to date with what was known when the execution was planned. */
void pl_shadow_apply(void)
{
    if (pl_stage->shared_applied == pl_board->shared_known)
        return;
    for (; pl_stage->shared_applied < pl_board->shared_known; pl_stage->shared_applied++) {
        uint16_t *s = shadow(pl_common->shared[pl_stage->shared_applied]);

        *s |= SHARED;
        pl_rollback_commit(s, sizeof(*s));
    }
    pl_rollback_commit(&pl_stage->shared_applied, sizeof(pl_stage->shared_applied));
}
