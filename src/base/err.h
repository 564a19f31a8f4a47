/* SPDX-License-Identifier: MIT */
/*
 * Errors of the user or the system, outside the target.  Functions return 0 or
 * -1 and fill a caller-owned struct; each level may put context in front.  It
 * is printed once, by the command.  One sentence says what, one what to do.
 */
#ifndef PL_BASE_ERR_H
#define PL_BASE_ERR_H

struct pl_err {
    int code; /* an exit code of exit.h */
    char text[512];
};

/* Fill err and return -1, so that `return pl_err_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int pl_err_set(struct pl_err *err, int code,
                                                     const char *format, ...);

/* Put "context: " in front of the text and return -1. */
__attribute__((format(printf, 2, 3))) int pl_err_prefix(struct pl_err *err, const char *format,
                                                        ...);

/* The memory that was asked for; without it there is nothing left to do, and the process ends. */
void *pl_err_must(void *memory);

#endif /* PL_BASE_ERR_H */
