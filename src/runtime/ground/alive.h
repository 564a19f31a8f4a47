/* SPDX-License-Identifier: MIT */
/* Whether another process of the execution still does anything. */
#ifndef PL_RUNTIME_GROUND_ALIVE_H
#define PL_RUNTIME_GROUND_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

/* It has not ended, whether or not anybody has taken note of its end. */
bool pl_alive(int32_t pid);

#endif /* PL_RUNTIME_GROUND_ALIVE_H */
