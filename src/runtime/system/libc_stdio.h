/* SPDX-License-Identifier: MIT */
/*
 * stdio: calls on one FILE do not commute, so each is a point; then libc's own function does the
 * work.  flockfile() is modelled.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_STDIO_H
#define PL_RUNTIME_SYSTEM_LIBC_STDIO_H

#include "runtime/ground/stage.h"

void pl_stdio_init(void);             /* at the start of the library */
void pl_stdio_flush(void);            /* what exit() does at its very end */
pl_tid pl_stdio_owner(uint64_t addr); /* who has locked the FILE there */

#endif /* PL_RUNTIME_SYSTEM_LIBC_STDIO_H */
