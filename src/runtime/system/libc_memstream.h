/* SPDX-License-Identifier: MIT */
/*
 * A FILE in memory of the program: what fmemopen() was given, where open_memstream() says what
 * there is, a buffer of setvbuf().  libc touches that whenever it fills or empties the FILE.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_MEMSTREAM_H
#define PL_RUNTIME_SYSTEM_LIBC_MEMSTREAM_H

#include "runtime/system/functions.h"

#include <stdio.h>

/* A function on the FILE is about to be called, which changes it, and may say how much there is. */
void pl_memstream_touched(FILE *file, bool says, struct pl_call who);

#endif /* PL_RUNTIME_SYSTEM_LIBC_MEMSTREAM_H */
