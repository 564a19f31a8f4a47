/* SPDX-License-Identifier: MIT */
/* Time that is read without a call. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_TIME_H
#define PL_RUNTIME_SYSTEM_LIBC_TIME_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock, which the look moves on like others; it is no point. */
uint64_t pl_time_look(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_TIME_H */
