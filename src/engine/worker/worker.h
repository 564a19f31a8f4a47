/* SPDX-License-Identifier: MIT */
/*
 * One process of the program under test with the runtime inside: how it is
 * started, ended and cleaned up after.
 *
 * A worker leads a process group of its own.  It dies with the tool, and
 * nothing of the group survives pl_worker_reap(): the tool adopts orphans
 * (PR_SET_CHILD_SUBREAPER), so that also a runner whose keeper was killed is
 * waited for.
 */
#ifndef PL_ENGINE_WORKER_WORKER_H
#define PL_ENGINE_WORKER_WORKER_H

#include "base/err.h"
#include "engine/worker/space.h"
#include "engine/worker/target.h"

#include <sys/types.h>

/* Descriptors of the worker as the runtime has them; see runtime/ground/config.h. */
enum {
    PL_WORKER_FD_BOARD,
    PL_WORKER_FD_STDOUT,
    PL_WORKER_FD_STDERR,
    PL_WORKER_FD_COMMON,
    PL_WORKER_FD_BELL,
    PL_WORKER_FD_CLIENT, /* where there is a client */
    PL_WORKER_FD_OWN = 256,
};

/* The number of one; all are above what the limit of this process usually allows a program. */
int pl_worker_fd(unsigned which);

struct pl_worker {
    pid_t pid;             /* 0: none */
    int pidfd;             /* readable when it has ended */
    struct pl_space space; /* what its process had of its own, for the next one */
};

/* Memory files of one worker: board, standard output and error; of all: common and bell. */
struct pl_worker_files {
    int board, out, err;
    int common, bell;
};

/*
 * The worker runs on one processor, the `cpu`-th of those allowed, counted round and round, or
 * where the system likes.
 */
enum { PL_WORKER_ANY_CPU = -1 };

struct pl_worker pl_worker_none(void);
/* Worker `number` of its session has a folder of its own for what it changes. */
int pl_worker_start(struct pl_worker *worker, const struct pl_target *target, unsigned number,
                    const struct pl_worker_files *files, int cpu, struct pl_err *err);

/* Kill what is left of the group, wait for all of it, and return the leader's wait status. */
int pl_worker_reap(struct pl_worker *worker);

/* That, and nothing is kept for another process. */
void pl_worker_close(struct pl_worker *worker);

#endif /* PL_ENGINE_WORKER_WORKER_H */
