/* SPDX-License-Identifier: MIT */
/*
 * How long a process has had, as patience with it counts.
 *
 * By the wall's clock a process on a busy machine, or one that somebody looks at
 * in a debugger, would run out of time without having had any.  So what counts is
 * the processor time that it has used, and the time in which it wanted none: while
 * all of its threads slept.
 */
#ifndef PL_BASE_PATIENCE_H
#define PL_BASE_PATIENCE_H

#include <stdint.h>

/* A process that is looked at again and again; begin with all 0. */
struct pl_patience {
    int32_t pid;              /* that was looked at last; 0: none */
    uint64_t wall_ns, cpu_ns; /* what the clocks said then */
};

/*
 * The nanoseconds since the last look that count against the process; 0 at the
 * first look at it.  Where the system does not tell, all of them do.
 */
uint64_t pl_patience_look(struct pl_patience *p, int32_t pid);

#endif /* PL_BASE_PATIENCE_H */
