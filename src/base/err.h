/* SPDX-License-Identifier: MIT */
/*
 * Errors outside the target.  Functions return 0 or -1 and fill a caller-owned
 * struct; each level may put context in front.  It is printed once, by the
 * command.  One sentence says what, one what to do.
 *
 * An error carries its class: whose it is decides how plait exits and what is said
 * with it.  Nobody has to read the text to find out.
 */
#ifndef PL_BASE_ERR_H
#define PL_BASE_ERR_H

enum pl_err_class {
    PL_ERR_NONE,
    PL_ERR_USER,     /* what was asked for cannot be: an option, a file, a folder */
    PL_ERR_TARGET,   /* the program under test cannot be run, or not so */
    PL_ERR_SYSTEM,   /* the machine does not give what is needed */
    PL_ERR_INTERNAL, /* a bug of plait */
    PL_ERR_CLASSES
};

struct pl_err {
    enum pl_err_class class;
    char text[512];
};

/* Fill err and return -1, so that `return pl_err_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int pl_err_set(struct pl_err *err, enum pl_err_class class,
                                                     const char *format, ...);

/* Put "context: " in front of the text and return -1. */
__attribute__((format(printf, 2, 3))) int pl_err_prefix(struct pl_err *err, const char *format,
                                                        ...);

/* The exit code (exit.h) of a command that ends with this error. */
int pl_err_exit(const struct pl_err *err);

/* The memory that was asked for; without it there is nothing left to do, and the process ends. */
void *pl_err_must(void *memory);

#endif /* PL_BASE_ERR_H */
