/* SPDX-License-Identifier: MIT */
/*
 * The virtual clock: nanoseconds since the epoch of the clocks, in pl_stage->now.
 *
 * It stands still while the program computes; sleeps, timeouts that are chosen, and looks at the
 * clock move it forward, so that the same schedule sees the same times.  On the free carrier time
 * is real.
 */
#ifndef PL_RUNTIME_CORE_CLOCK_H
#define PL_RUNTIME_CORE_CLOCK_H

#include "runtime/ground/stage.h"

#include <time.h>

#define PL_CLOCK_REAL UINT64_C(1700000000) /* seconds where the clocks begin */
#define PL_CLOCK_BOOT UINT64_C(1000000000)
#define PL_CLOCK_SPAN UINT64_C(10000000)

uint64_t pl_clock_ns(const struct timespec *ts);
uint64_t pl_clock_of(clockid_t clock, const struct timespec *absolute);
void pl_clock_reach(uint64_t deadline);
uint64_t pl_clock_now(void); /* where pl_clock_of() counts from */

/* How much less this clock shows than real time. */
static inline uint64_t pl_clock_behind(clockid_t clock)
{
    bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
                clock == CLOCK_REALTIME_ALARM;

    return real ? 0 : (PL_CLOCK_REAL - PL_CLOCK_BOOT) * UINT64_C(1000000000);
}

#endif /* PL_RUNTIME_CORE_CLOCK_H */
