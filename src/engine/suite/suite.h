/* SPDX-License-Identifier: MIT */
/*
 * A suite: campaigns of many tests, several at a time, round after round while there
 * is time, with a state that survives whatever ends the supervisor.
 */
#ifndef PL_ENGINE_SUITE_SUITE_H
#define PL_ENGINE_SUITE_SUITE_H

#include "base/err.h"
#include "model/suite.h"

struct pl_suite_request {
    const char *folder;   /* for results and state */
    char *const *options; /* of each `plait test`; ends with NULL */
    const char *settings; /* the same and all else that results depend on, as text */
    uint64_t seed;        /* of the first round; each has the next */
    uint64_t time_ms;     /* of a test in a round; 0: not given */
    uint64_t total_ms;    /* of the suite; 0: one round */
    bool counted;         /* a number of executions ends each campaign */
    unsigned jobs;        /* tests at a time */
    bool keep_going;      /* tests that failed are run in later rounds too */
    bool fresh, rerun_failed;
    void (*note)(void *context, const char *text); /* something worth knowing */
    void (*ended)(void *context, const struct pl_suite_test *test);
    void *context;
};

struct pl_suite_outcome {
    bool interrupted;
    size_t resumed;  /* tests whose result is of an earlier start */
    unsigned rounds; /* that were begun, in all starts */
    double seconds;  /* of all starts */
};

/* Run it.  -1 when it cannot begin or its state cannot be kept. */
int pl_suite_run(const struct pl_suite_request *request, struct pl_suite *suite,
                 struct pl_suite_outcome *outcome, struct pl_err *err);

/* The folder of a test below that of the suite; exposed for its test.  The caller frees it. */
char *pl_suite_folder(const char *folder, const char *name);

#endif /* PL_ENGINE_SUITE_SUITE_H */
