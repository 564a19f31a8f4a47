/* SPDX-License-Identifier: MIT */
/* See libc_memory.c. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_MEMORY_H
#define PL_RUNTIME_SYSTEM_LIBC_MEMORY_H

#include "runtime/ground/stage.h"

void pl_libc_memory_init(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_MEMORY_H */
