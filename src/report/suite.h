/* SPDX-License-Identifier: MIT */
/* What came of a suite: lines for people, JSON, the XML that JUnit made common, and SARIF. */
#ifndef PL_REPORT_SUITE_H
#define PL_REPORT_SUITE_H

#include "model/suite.h"

#include <stdio.h>

struct pl_suite_document {
    const struct pl_suite *suite;
    const char *strategy, *folder;
    uint64_t seed;
    double seconds;
    unsigned rounds;
    size_t resumed;
    bool interrupted;
};

/* How many tests have that status. */
size_t pl_suite_count(const struct pl_suite *suite, enum pl_suite_status status);

/* "clean", "failed", "error", "skipped", "not-run" */
const char *pl_suite_status_text(enum pl_suite_status status);

/* One line for a test: its name, what came of it and where the schedule is. */
void pl_suite_line_print(FILE *to, const struct pl_suite_test *test, unsigned width, bool verbose);

/* All tests that need attention and the sums. */
void pl_suite_summary_print(FILE *to, const struct pl_suite_document *document);

/* The command that shows a finding again, as a shell reads it, from the folder plait ran in. */
void pl_suite_replay_print(FILE *to, const struct pl_suite_test *test,
                           const struct pl_suite_finding *finding);

/* Write to that path; "-" is standard output.  0, or -1 with errno. */
int pl_suite_json_write(const char *path, const struct pl_suite_document *document);
int pl_junit_write(const char *path, const struct pl_suite_document *document);
int pl_sarif_write(const char *path, const struct pl_suite_document *document);

/* A campaign as a suite of one test; `error` says why it could not be run, or is NULL. */
struct pl_result;
void pl_single_open(struct pl_suite_document *document, const struct pl_result *result,
                    const char *error);
void pl_single_close(struct pl_suite_document *document);

/* Text as XML: what has a meaning there is escaped, what XML cannot hold becomes '?'. */
void pl_junit_text(FILE *to, const char *text);

#endif /* PL_REPORT_SUITE_H */
