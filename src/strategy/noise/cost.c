/* SPDX-License-Identifier: MIT */
/* See cost.h. */
#include "strategy/noise/cost.h"

#include "strategy/shared/draw.h"

#define LONG 1e9   /* nanoseconds from which on executions are paced */
#define SLACK 20e6 /* by which a paced one may be ahead: it begins with nothing earned */
#define LEAST (1.0 / 8)
#define MOST 16.0
#define WAKING 1.25 /* what a sleep costs for each nanosecond of it */
#define AIM 0.85    /* of what short ones may cost, since the cap is not to be passed */

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

double pl_cost_extra(const struct pl_cost *c, uint32_t cost)
{
    double extra = (cost / 100.0 - 1) * c->quiet_ns;

    return extra < c->least_ns ? c->least_ns : extra;
}

void pl_cost_begin(const struct pl_cost *c, uint32_t cost, uint64_t most_ns, uint64_t *rng,
                   struct pl_cost_limit *limit)
{
    *limit = (struct pl_cost_limit){.times = cost / 100.0, .fixed = c->fixed, .scale_256 = 256};
    limit->most_ns = (double)most_ns;
    limit->paced = cost != 0 && (c->n_quiet == 0 || c->quiet_ns >= LONG);
    limit->extra_ns = (double)most_ns;
    if (cost == 0 || c->n_quiet == 0)
        return;
    limit->quiet_ns = c->quiet_ns;
    limit->rate = c->quiet_cpu_ns / c->quiet_ns;
    /* Some may cost little and some twice as much; all less where they came to more than that. */
    limit->extra_ns =
        pl_cost_extra(c, cost) * pl_draw_wide(rng, -1, 0.8) * within(pl_cost_scale(c), 0, 1);
}

/* Machines are not always equally busy. */
void pl_cost_average(double *mean, uint64_t n, double x)
{
    PL_ASSERT(n > 0);
    *mean += (x - *mean) / (double)(n < 16 ? n : 16);
}

/*
 * Lengths grow or shrink by how far the execution was from the cap, of which what
 * the ones before have left over or taken is a part.
 */
static void adjust(struct pl_cost *c, double target, double extra)
{
    PL_ASSERT(target > 0 && extra >= 0);
    double goal = AIM * target + within(c->owed_ns / 16, -target, target);
    double step = within((goal - extra) / target, -2, 1);

    c->owed_ns = within(c->owed_ns + AIM * target - extra, -64 * target, 64 * target);
    PL_ASSERT(step >= -2 && step <= 1);
    c->scale = within(pl_cost_scale(c) * pl_draw_power(0.2 * step), LEAST, c->fixed ? 1 : MOST);
}

void pl_cost_end(struct pl_cost *c, uint32_t cost, bool quiet, uint64_t ns, uint64_t cpu_ns,
                 uint64_t spent_ns)
{
    if (quiet) {
        c->n_quiet++;
        pl_cost_average(&c->quiet_ns, c->n_quiet, (double)ns);
        pl_cost_average(&c->quiet_cpu_ns, c->n_quiet, (double)cpu_ns);
        return;
    }
    c->n_disturbed++;
    pl_cost_average(&c->disturbed_ns, c->n_disturbed, (double)ns);
    if (cost != 0 && c->n_quiet > 0 && c->quiet_ns < LONG)
        adjust(c, pl_cost_extra(c, cost),
               within((double)ns - c->quiet_ns, 0, WAKING * (double)spent_ns));
}

/* Of a paced execution: lengths grow as long as there is room, and shrink when there is none. */
static double pace(struct pl_cost_limit *limit, double room, double earned)
{
    uint32_t scale = __atomic_load_n(&limit->scale_256, __ATOMIC_RELAXED);
    double share = within(room / earned, -1, 1);
    double next = within(scale * (1 + 0.25 * share), 4, limit->fixed ? 256 : 65536);

    __atomic_store_n(&limit->scale_256, (uint32_t)next, __ATOMIC_RELAXED);
    return scale / 256.0;
}

uint64_t pl_cost_grant(struct pl_cost_limit *limit, uint64_t ns, uint64_t cap_ns, uint64_t now_ns,
                       uint64_t cpu_ns)
{
    double come = (double)cpu_ns / limit->rate, length = (double)ns;

    if ((double)now_ns < limit->from_ns)
        return 0;
    if (limit->quiet_ns > 0 && come > limit->quiet_ns)
        come = limit->quiet_ns;
    double earned = limit->paced ? (limit->times - 1) * come + SLACK : limit->extra_ns;
    double room = come + earned - (double)now_ns, left = limit->most_ns - (double)now_ns;

    room = room < left ? room : left;
    if (limit->paced)
        length = within(length * pace(limit, room, earned), 0, (double)cap_ns);
    if (room < 1000)
        return 0;
    return (uint64_t)(length < room ? length : room);
}
