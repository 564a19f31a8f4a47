/* SPDX-License-Identifier: MIT */
/* See cost.h. */
#include "strategy/cost.h"

#include "strategy/draw.h"

#define LONG 1e9   /* nanoseconds from which on executions are paced */
#define SLACK 20e6 /* by which a paced one may be ahead: it begins with nothing earned */
#define LEAST (1.0 / 64)
#define MOST 256.0
#define EXCESS 4.0 /* so many times what a short one may cost on average, it may cost */

static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

bool pl_cost_unknown(const struct pl_cost *c)
{
    return c->n_quiet == 0;
}

double pl_cost_scale(const struct pl_cost *c)
{
    return c->scale > 0 ? c->scale : 1;
}

void pl_cost_begin(const struct pl_cost *c, uint32_t cost, uint64_t most_ns,
                   struct pl_cost_limit *limit)
{
    double extra = (cost / 100.0 - 1) * c->quiet_ns;

    *limit = (struct pl_cost_limit){
        .limit_ns = (double)most_ns, .times = cost / 100.0, .fixed = c->fixed, .scale_256 = 256};
    if (cost == 0)
        return;
    limit->paced = c->n_quiet == 0 || c->quiet_ns >= LONG;
    if (c->n_quiet > 0)
        limit->limit_ns =
            within(c->quiet_ns + (limit->paced ? 1 : EXCESS) * extra, 0, (double)most_ns);
    if (c->n_quiet > 0)
        limit->rate = c->quiet_cpu_ns / c->quiet_ns;
}

/* The last ones count most, since machines are not always equally busy. */
static void average(double *mean, uint64_t n, double x)
{
    *mean += (x - *mean) / (double)(n < 32 ? n : 32);
}

/*
 * Lengths grow or shrink by how far the execution was from the cap, of which what
 * the ones before have left over or taken is a part.
 */
static void adjust(struct pl_cost *c, double target, double extra)
{
    double goal = target + within(c->owed_ns / 16, -target, target);
    double step = within((goal - extra) / target, -4, 1);

    c->owed_ns += target - extra;
    c->owed_ns = within(c->owed_ns, -64 * target, 64 * target);
    c->scale = within(pl_cost_scale(c) * pl_draw_power(0.2 * step), LEAST, c->fixed ? 1 : MOST);
}

void pl_cost_end(struct pl_cost *c, uint32_t cost, bool quiet, uint64_t ns, uint64_t cpu_ns)
{
    if (quiet) {
        c->n_quiet++;
        average(&c->quiet_ns, c->n_quiet, (double)ns);
        average(&c->quiet_cpu_ns, c->n_quiet, (double)cpu_ns);
        return;
    }
    c->n_disturbed++;
    average(&c->disturbed_ns, c->n_disturbed, (double)ns);
    if (cost != 0 && c->n_quiet > 0 && c->quiet_ns < LONG)
        adjust(c, (cost / 100.0 - 1) * c->quiet_ns, (double)ns - c->quiet_ns);
}

/* Of a paced execution: lengths grow as long as there is room, and shrink when there is none. */
static double pace(struct pl_cost_limit *limit, double room, double earned)
{
    uint32_t scale = __atomic_load_n(&limit->scale_256, __ATOMIC_RELAXED);
    double share = within(room / earned, -1, 1);
    double next = within(scale * (1 + 0.25 * share), 256 * LEAST, limit->fixed ? 256 : 256 * MOST);

    __atomic_store_n(&limit->scale_256, (uint32_t)next, __ATOMIC_RELAXED);
    return scale / 256.0;
}

uint64_t pl_cost_grant(struct pl_cost_limit *limit, uint64_t ns, uint64_t cap_ns, uint64_t now_ns,
                       uint64_t cpu_ns)
{
    double room = limit->limit_ns - (double)now_ns, length = (double)ns;

    if (limit->paced) {
        double come = (double)cpu_ns / limit->rate;
        double earned = (limit->times - 1) * come + SLACK;
        double left = limit->times * come + SLACK - (double)now_ns;

        room = left < room ? left : room;
        length = within(length * pace(limit, room, earned), 0, (double)cap_ns);
    }
    if (room < 1000)
        return 0;
    return (uint64_t)(length < room ? length : room);
}
