/* SPDX-License-Identifier: MIT */
/* See libc_stdio.c. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_STDIO_H
#define PL_RUNTIME_SYSTEM_LIBC_STDIO_H

#include "runtime/ground/stage.h"

void pl_stdio_init(void);
void pl_stdio_flush(void);            /* what exit() does at its very end */
pl_tid pl_stdio_owner(uint64_t addr); /* who has locked the stream */

#endif /* PL_RUNTIME_SYSTEM_LIBC_STDIO_H */
