/* SPDX-License-Identifier: MIT */
/*
 * What `plait cc` does to a compiler's command line.
 *
 * A function from one argument vector to another.  It starts no process and
 * changes nothing; the only thing it looks at besides its arguments is the
 * response files (@FILE) named in them.  So a unit test can show it any
 * command line.
 *
 * The user's arguments are kept as they are and in order.  Instrumentation goes
 * in front of them, so that the user's own -fno-sanitize=thread still wins; the
 * gate goes behind them, where the linker has seen every object that needs it.
 */
#ifndef PL_CLI_WRAPPER_H
#define PL_CLI_WRAPPER_H

#include "base/err.h"
#include "cli/words.h"

#include <stdbool.h>

enum pl_wrapper_family {
    PL_WRAPPER_GCC,
    PL_WRAPPER_CLANG,
};

/* The compiler and our own files.  Strings belong to the caller. */
struct pl_wrapper_setup {
    enum pl_wrapper_family family;
    int major;               /* the compiler's version */
    const char *archive;     /* libplait_gate.a */
    const char *link_dir;    /* where gcc is to find "libtsan" */
    const char *include_dir; /* where plait.h is, or NULL */
};

/* What the command asks the compiler to do. */
enum pl_wrapper_mode {
    PL_WRAPPER_QUERY,   /* no work: --version, -print-…, no input */
    PL_WRAPPER_COMPILE, /* stops before the linker */
    PL_WRAPPER_PARTIAL, /* ld -r: objects into an object */
    PL_WRAPPER_LINK,    /* makes an executable or a shared library */
};

/*
 * Classify the arguments that follow the compiler's name, response files
 * expanded.  -1 and a full err (exit code 2) when plait cannot do what is asked.
 */
int pl_wrapper_mode(const struct pl_wrapper_setup *setup, int argc, char **argv,
                    enum pl_wrapper_mode *mode, struct pl_err *err);

/*
 * Add to `out`, which begins with the compiler's own words, what the compiler
 * is to be called with.  Returns as pl_wrapper_mode does.
 */
int pl_wrapper_plan(const struct pl_wrapper_setup *setup, int argc, char **argv,
                    struct pl_words *out, struct pl_err *err);

#endif /* PL_CLI_WRAPPER_H */
