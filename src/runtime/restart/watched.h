/* SPDX-License-Identifier: MIT */
/*
 * A system call that the gate has caught, and what is decided about it.  watch.c has the gate and
 * the table; watched_files.c decides about descriptors, files and names, watched_process.c about
 * memory, limits and signals.
 */
#ifndef PLAIT_RUNTIME_RESTART_WATCHED_H
#define PLAIT_RUNTIME_RESTART_WATCHED_H

#include "runtime/restart/rollback.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct pl_watched {
    ucontext_t *context;
    long number;
    uint64_t a[6];
    long result;
    struct pl_kernel_action action; /* in place of one of the program's */
};

enum pl_verdict {
    PL_MAKE,   /* the call, as it is */
    PL_DONE,   /* it has been made; the result is known */
    PL_LET_GO, /* the runner is spoiled: the call is looked at once more as that of any process */
};

/* Use the descriptor that is the first argument; see undo.c for what was open at the root. */
enum pl_verdict pl_watched_use(struct pl_watched *c, bool write);

/* A child is about to be made, with all descriptors: note what the files hold that it can write. */
void pl_watched_inherited(void);

/* Note how to undo what lasts beyond the process; *made: the call has been made with that. */
bool pl_watched_lasting(const struct pl_watched *c, bool *made);

/* Note what the file holds that a descriptor stands for, before it changes. */
bool pl_watched_content(uint64_t fd);

/* The program's handlers from before leave the signals open that the gate needs. */
void pl_watched_open_handlers(void);

/* What a row that is CHECKED asks. */
#define PL_CALL(name, operation, undo, ...) undo
#define CHECKED(function, ...) enum pl_verdict pl_##function(struct pl_watched *c);
#include "runtime/ground/calls.def"

#endif
