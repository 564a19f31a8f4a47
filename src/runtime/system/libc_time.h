/* SPDX-License-Identifier: MIT */
/* Time that is read without a call of clock_gettime() and its kin. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_TIME_H
#define PL_RUNTIME_SYSTEM_LIBC_TIME_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock, which the look moves on like others; it is no point. */
uint64_t pl_time_look(void);
/* Whether a timer has gone off is looked at, by who does not wait for it: as at a clock that counts
 * in large steps, which moves when that is all that the thread does. */
void pl_time_glance(uint64_t pc);

#endif /* PL_RUNTIME_SYSTEM_LIBC_TIME_H */
