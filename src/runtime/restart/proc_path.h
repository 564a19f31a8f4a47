/* SPDX-License-Identifier: MIT */
/*
 * Whom a path below /proc is about.
 *
 * "self", "thread-self" and numbers, of the process or of its threads as the program knows them;
 * with "task" and the number of a thread behind that, or without.
 */
#ifndef PL_RUNTIME_RESTART_PROC_PATH_H
#define PL_RUNTIME_RESTART_PROC_PATH_H

#include "runtime/ground/stage.h"

struct pl_proc_path {
    bool own;                       /* it is this process, or a thread of it; else another one */
    bool by_number;                 /* the process has a number there */
    bool by_task;                   /* "task" and a number follow, which thread has; */
    const struct pl_thread *thread; /* else who "self" is there; NULL: nobody that is known */
    const char *rest;               /* what follows: a slash and a file, or nothing */
};

/* False: it is about no process. */
bool pl_proc_path_read(const char *path, struct pl_proc_path *p);

/* Which file about whoever it is; "" if none. */
const char *pl_proc_path_file(const struct pl_proc_path *p);

#endif /* PL_RUNTIME_RESTART_PROC_PATH_H */
