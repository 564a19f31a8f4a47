/* SPDX-License-Identifier: MIT */
/* Time that is read without a call of clock_gettime() and its kin. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_TIME_H
#define PL_RUNTIME_SYSTEM_LIBC_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct sysinfo;

/* Nanoseconds of the monotonic clock, which the look moves on like others; it is no point. */
uint64_t pl_time_look(void);
/* Whether a timer has gone off is looked at, by who does not wait for it: as at a clock that counts
 * in large steps, which moves when that is all that the thread does. */
void pl_time_glance(uint64_t pc);
/* The kernel has told how long it runs: by the program's clock, then; true. */
bool pl_time_told(struct sysinfo *out);

#endif /* PL_RUNTIME_SYSTEM_LIBC_TIME_H */
