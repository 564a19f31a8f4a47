/* SPDX-License-Identifier: MIT */
/*
 * Time is virtual.  It stands still while the program computes; sleeping and
 * timeouts move it forward at once, a look at the clock a little (libc_time.c).  On the free
 * carrier it is real.
 */
#include "runtime/core/clock.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/spin.h"
#include "runtime/ground/stage.h"

#define SECOND UINT64_C(1000000000)

uint64_t pl_clock_ns(const struct timespec *ts)
{
    uint64_t s = ts->tv_sec < 0 ? 0 : (uint64_t)ts->tv_sec;

    return s > UINT64_MAX / SECOND / 2 ? UINT64_MAX / 2 : s * SECOND + (uint64_t)ts->tv_nsec;
}

uint64_t pl_clock_of(clockid_t clock, const struct timespec *absolute)
{
    pl_spin_ignore(pl_thread_self(), absolute, sizeof(*absolute), (uint64_t)absolute->tv_nsec);
    return pl_clock_ns(absolute) + pl_clock_behind(clock);
}

void pl_clock_reach(uint64_t deadline)
{
    PL_ASSERT(deadline != UINT64_MAX);
    if (pl_stage->now < deadline)
        pl_stage->now = deadline;
}

/* On the free carrier time is real; the clocks differ from each other as on the others. */
static uint64_t real_now(void)
{
    struct timespec now;

    pl_sys(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return pl_clock_ns(&now);
}

uint64_t pl_clock_now(void)
{
    return pl_free ? real_now() : pl_stage->now;
}
