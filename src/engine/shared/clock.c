/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "engine/shared/clock.h"

#include <time.h>

uint64_t pl_clock_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
