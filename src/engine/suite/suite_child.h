/* SPDX-License-Identifier: MIT */
/*
 * One campaign of a suite: `plait test` as a process of its own, so that whatever
 * happens to it happens to one test.  What it prints is in report.txt of the test's
 * folder, its result in result.json.
 */
#ifndef PL_ENGINE_SUITE_SUITE_CHILD_H
#define PL_ENGINE_SUITE_SUITE_CHILD_H

#include "base/err.h"
#include "model/suite.h"

#include <sys/types.h>

struct pl_suite_child {
    struct pl_suite_test *test;
    pid_t pid; /* 0: nothing runs here */
    int pidfd;
    char folder[4000]; /* of this campaign */
};

/* What a campaign is asked to do besides what the test says. */
struct pl_suite_orders {
    char *const *options; /* of `plait test`; ends with NULL */
    uint64_t seed, time_ms;
    unsigned round; /* from 1 */
};

/* Start it.  -1 with a full err when it cannot be. */
int pl_suite_child_start(struct pl_suite_child *child, struct pl_suite_test *test,
                         const struct pl_suite_orders *orders, struct pl_err *err);

/*
 * The process has ended: add what it found to the test's result.  False when it was
 * stopped before it had anything to say.
 */
bool pl_suite_child_end(struct pl_suite_child *child, bool stopped);

/* Ask it to stop; at once if `now`. */
void pl_suite_child_stop(struct pl_suite_child *child, bool now);

#endif /* PL_ENGINE_SUITE_SUITE_CHILD_H */
