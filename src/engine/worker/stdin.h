/* SPDX-License-Identifier: MIT */
/*
 * Standard input of the program under test.  Every worker must read the same
 * bytes from the same place, so what cannot be read twice is copied first: a
 * pipe into memory.  A terminal is replaced by nothing.
 */
#ifndef PL_ENGINE_WORKER_STDIN_H
#define PL_ENGINE_WORKER_STDIN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_stdin {
    int fd;
    int64_t offset; /* where every worker begins to read; -1: not seekable */
    bool silent;    /* a pipe gave nothing for a second and was given up */
};

/* Look at the tool's own standard input.  May wait for a pipe to end. */
int pl_stdin_open(struct pl_stdin *input, struct pl_err *err);

/* The same, with these bytes instead of what the tool could read. */
int pl_stdin_from(struct pl_stdin *input, const void *bytes, size_t size, struct pl_err *err);

/* A new descriptor with its own position; -1 and errno. */
int pl_stdin_fresh(const struct pl_stdin *input);

void pl_stdin_close(struct pl_stdin *input);

#endif /* PL_ENGINE_WORKER_STDIN_H */
