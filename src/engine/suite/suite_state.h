/* SPDX-License-Identifier: MIT */
/*
 * What a suite has come to so far, as a file in its results folder.  It is replaced as
 * a whole after each test, so that it can be read whatever happens to the writer.
 */
#ifndef PL_ENGINE_SUITE_SUITE_STATE_H
#define PL_ENGINE_SUITE_SUITE_STATE_H

#include "base/err.h"
#include "model/suite.h"

struct pl_suite_state {
    const char *folder;   /* of the suite */
    const char *settings; /* what the results depend on besides the tests, as text */
    double spent;         /* seconds, of all starts together */
    bool finished;        /* nothing was left to be done */
};

enum pl_suite_past {
    PL_SUITE_PAST_NONE,      /* there is no state, or none that can be read */
    PL_SUITE_PAST_OTHER,     /* it has other settings */
    PL_SUITE_PAST_FINISHED,  /* the suite came to its end */
    PL_SUITE_PAST_UNFINISHED /* it did not */
};

/* Write it.  -1 with a full err when that is not possible. */
int pl_suite_state_save(const struct pl_suite_state *state, const struct pl_suite *suite,
                        struct pl_err *err);

/* What kind of state there is; sets state->spent. */
enum pl_suite_past pl_suite_state_look(struct pl_suite_state *state);

/*
 * Take over what came of the tests that wait and have not changed since.  Returns how many
 * those are.
 */
size_t pl_suite_state_load(const struct pl_suite_state *state, struct pl_suite *suite);

/* Set the identity of a test from its command and, unless NULL, the file of the program. */
void pl_suite_identify(struct pl_suite_test *test, const char *program);

#endif /* PL_ENGINE_SUITE_SUITE_STATE_H */
