/* SPDX-License-Identifier: MIT */
/*
 * Vector clocks: how much of each thread's past is known.
 *
 * A thread counts its time in its own entry.  A moment of thread t at time n is
 * known to whoever has at least n in entry t.  Entries that are not there are 0,
 * which no thread's time ever is.  Clocks grow in memory from detect/host.h; one
 * that is all zeros is an empty clock.
 */
#ifndef PL_DETECT_CLOCK_H
#define PL_DETECT_CLOCK_H

#include "model/operation.h"

struct pl_clock {
    uint32_t n, room;
    uint32_t *at;
};

static inline uint32_t pl_clock_get(const struct pl_clock *c, pl_tid tid)
{
    return tid < c->n ? c->at[tid] : 0;
}

/* These return false when there is no memory; the clock is then as it was. */
bool pl_clock_set(struct pl_clock *c, pl_tid tid, uint32_t time);
/* Know also what `other` knows. */
bool pl_clock_join(struct pl_clock *c, const struct pl_clock *other);
/* Know what `other` knows and nothing else. */
bool pl_clock_copy(struct pl_clock *c, const struct pl_clock *other);

static inline void pl_clock_clear(struct pl_clock *c)
{
    c->n = 0;
}

#endif /* PL_DETECT_CLOCK_H */
