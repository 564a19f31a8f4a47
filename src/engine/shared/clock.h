/* SPDX-License-Identifier: MIT */
/* Time for limits and for what is said to have taken so long. */
#ifndef PL_ENGINE_SHARED_CLOCK_H
#define PL_ENGINE_SHARED_CLOCK_H

#include <stdint.h>

/* Milliseconds on a clock that never goes back. */
uint64_t pl_clock_ms(void);

#endif /* PL_ENGINE_SHARED_CLOCK_H */
