/* SPDX-License-Identifier: MIT */
/*
 * The virtual clock: nanoseconds since the epoch of the clocks, in pl_stage->now.
 *
 * It stands still while the program computes; sleeps, timeouts that are chosen, and looks at the
 * clock move it forward, so that the same schedule sees the same times.  On the free carrier time
 * is real.
 *
 * The clock is an object like any other: to look at it and to let time pass are operations on it,
 * once a thread is known to look at what another one has moved (core/shadow.c learns that, as of
 * memory).  A look moves it, so that two stamps differ and their order matters; a look at a clock
 * that counts seconds or ticks does not, unless it is repeated; sleeping moves it to a moment, so
 * that two sleeps commute.  Since stamps have as many orders as there are interleavings, only the
 * first looks and sleeps of a thread are operations.  The rest is not ordered, and the search then
 * does not claim to be complete.  A wait that times out moves the clock in the same step; after one
 * at a condition that is a step of its own, since the mutex comes first.
 */
#ifndef PL_RUNTIME_CORE_CLOCK_H
#define PL_RUNTIME_CORE_CLOCK_H

#include "runtime/ground/stage.h"

#include <time.h>

#define PL_CLOCK_REAL UINT64_C(1700000000) /* seconds where the clocks begin */
#define PL_CLOCK_BOOT UINT64_C(1000000000)
#define PL_CLOCK_SPAN UINT64_C(10000000)

uint64_t pl_clock_ns(const struct timespec *ts);
struct timespec pl_clock_timespec(uint64_t ns);
/* Whether the kernel takes it for a time; NULL says that there is none. */
bool pl_clock_is_time(const struct timespec *ts);
uint64_t pl_clock_of(clockid_t clock, const struct timespec *absolute);
/* A wait has timed out. */
void pl_clock_reach(uint64_t deadline);
/* Whether that is seen by others: a timeout then has the clock as its second object. */
bool pl_clock_is_seen(void);
/* Whether timers of the program keep sleeps from their end, as far as is known. */
bool pl_clock_has_timers(void);
/* The running thread is about to look at the clock; if that moves it, the stamp is its own. */
void pl_clock_look(bool moves, uint64_t pc);
/* The clock as the second object of an operation that looks at it, or 0: nobody else moves it. */
uint64_t pl_clock_within(void);
/* It sleeps from now on, until a moment; and that moment has come. */
void pl_clock_sleep(uint64_t pc);
void pl_clock_wake(uint64_t deadline, uint64_t pc);
uint64_t pl_clock_now(void); /* where pl_clock_of() counts from */

/*
 * A child on its own lives in real time, which goes on from where the program's clock was.  Until
 * the program has learned of the end of all of them it sees at least as much as they do, whoever
 * waited for whom.  Of that a gap stays between what clocks show and `now`, which is as it would be
 * without: who sleeps wakes at the same place in the order.
 */
void pl_clock_part(void); /* a child is about to be made */
void pl_clock_meet(void); /* all are known to have ended */
uint64_t pl_clock_shown(void);
/* What a child of the program is shown now; 0: the program knows of none. */
uint64_t pl_clock_beside(void);
/* In a child, what its clock shows, and what the kernel's will show then. */
uint64_t pl_clock_in_child(clockid_t clock);
const struct timespec *pl_clock_real(clockid_t clock, const struct timespec *absolute,
                                     struct timespec *room);
/* The same with room of its own, for a call of libc's function. */
#define PL_CLOCK_REAL_UNTIL(clock, absolute) pl_clock_real(clock, absolute, &(struct timespec){0})

/* How much less this clock shows than real time. */
static inline uint64_t pl_clock_behind(clockid_t clock)
{
    bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
                clock == CLOCK_REALTIME_ALARM;

    return real ? 0 : (PL_CLOCK_REAL - PL_CLOCK_BOOT) * UINT64_C(1000000000);
}

#endif /* PL_RUNTIME_CORE_CLOCK_H */
