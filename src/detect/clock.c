/* SPDX-License-Identifier: MIT */
#include "detect/clock.h"

#include "base/assert.h"
#include "detect/host.h"

enum { FIRST = 8 };

/* Make entries up to n, new ones 0.  What a clock leaves behind is less than what it has. */
static bool reach(struct pl_clock *c, uint32_t n)
{
    PL_ASSERT(n <= PL_THREADS_MAX && c->n <= c->room);
    if (n > c->room) {
        uint32_t room = c->room != 0 ? c->room : FIRST;

        while (room < n)
            room *= 2;
        uint32_t *at = pl_host_allocate(room * sizeof(*at));

        if (at == NULL)
            return false;
        for (uint32_t i = 0; i < c->n; i++)
            at[i] = c->at[i];
        c->at = at;
        c->room = room;
    }
    for (; c->n < n; c->n++)
        c->at[c->n] = 0;
    return true;
}

bool pl_clock_set(struct pl_clock *c, pl_tid tid, uint32_t time)
{
    if (tid >= c->n && !reach(c, (uint32_t)tid + 1))
        return false;
    PL_ASSERT(time > 0 && time >= c->at[tid]);
    c->at[tid] = time;
    return true;
}

bool pl_clock_join(struct pl_clock *c, const struct pl_clock *other)
{
    if (other->n > c->n && !reach(c, other->n))
        return false;
    for (uint32_t i = 0; i < other->n; i++) {
        if (other->at[i] > c->at[i])
            c->at[i] = other->at[i];
    }
    return true;
}

bool pl_clock_copy(struct pl_clock *c, const struct pl_clock *other)
{
    if (other->n > c->n && !reach(c, other->n))
        return false;
    c->n = other->n;
    for (uint32_t i = 0; i < other->n; i++)
        c->at[i] = other->at[i];
    return true;
}
