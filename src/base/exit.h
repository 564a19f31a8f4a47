/* SPDX-License-Identifier: MIT */
/* The exit codes of every plait command; plait(1) documents them. */
#ifndef PL_BASE_EXIT_H
#define PL_BASE_EXIT_H

enum pl_exit {
    PL_EXIT_CLEAN = 0,
    PL_EXIT_FINDING = 1,
    PL_EXIT_USAGE = 2,
    PL_EXIT_TARGET = 3,     /* the program could not be run or was not under control */
    PL_EXIT_INCOMPLETE = 4, /* --require-complete, and the search was not complete; or an execution
                               was too slow, or none came to its end */
    PL_EXIT_UNCOVERED = 5,  /* --cover, and an order was not shown */
    PL_EXIT_INTERNAL = 70,
    PL_EXIT_INTERRUPTED =
        130, /* by SIGINT; 128 and its number by another signal.  What was found counts for more */
};

#endif /* PL_BASE_EXIT_H */
