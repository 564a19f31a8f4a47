/* SPDX-License-Identifier: MIT */
/*
 * The tests of a suite and what came of them.  Each is a program with its
 * arguments, run as a campaign of its own, once or in several rounds.
 *
 * Strings and lists are owned by the test; a list of strings ends with NULL and may
 * be NULL itself when it is empty.
 */
#ifndef PL_MODEL_SUITE_H
#define PL_MODEL_SUITE_H

#include "model/coverage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_suite_status {
    PL_SUITE_WAITING, /* has not been run to its end */
    PL_SUITE_CLEAN,
    PL_SUITE_FAILED,
    PL_SUITE_ERROR,   /* could not be run, or was not under control */
    PL_SUITE_SKIPPED, /* is not for plait, or not wanted by whoever lists it */
};

struct pl_suite_finding {
    char *kind, *message, *location, *signature;
    char *identity; /* the same after an edit; may be empty */
    char *schedule; /* the file; empty when there is none */
};

/* Sums over all rounds, except for classes and pairs, which are those of the best round, and
 * tasks, which add up in the test's folder. */
struct pl_suite_result {
    enum pl_suite_status status;
    char *why; /* of an error or a skipped test; else NULL */
    bool complete;
    unsigned rounds;
    uint64_t executions, failures, classes;
    uint64_t pairs_both, pairs_one; /* pairs seen in both orders, in one */
    uint64_t covered[PL_COVER_MODELS], total[PL_COVER_MODELS]; /* tasks of coverage */
    double seconds;
    size_t n_findings;
    struct pl_suite_finding *findings; /* different ones, the first found first */
};

struct pl_suite_test {
    char *name;
    char **argv;
    char **environment; /* NAME=VALUE, in addition to what plait itself has */
    char **labels;
    char *directory;   /* where it runs; NULL: where plait does */
    char *expect_exit; /* as for --expect-exit; NULL: what the user says */
    uint64_t hang_ms;  /* 0: what the user says */
    bool serial;       /* must run alone */
    bool tap;          /* prints TAP, which is judged */
    bool meson;        /* listed by Meson, which does not say whether it should fail */
    char *folder;      /* for its results */
    char *check;       /* as for --check; NULL: what the user says */
    char *report;      /* what people read of it; NULL: it is in its folder */
    char identity[20]; /* changes when the program or how it is started does */
    struct pl_suite_result result;
};

struct pl_suite {
    size_t n, room;
    struct pl_suite_test *tests;
    size_t left_out; /* files of a folder that are not executable, or libraries */
    char *of_ctest;  /* such a folder in which CTest knows better; or NULL */
};

#endif /* PL_MODEL_SUITE_H */
