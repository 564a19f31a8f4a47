/* SPDX-License-Identifier: MIT */
/*
 * The whole unit test framework.  A test is one C file: functions that CHECK
 * facts, and a main() that calls them and ends with `return unit_result();`.
 */
#ifndef PL_TESTS_UNIT_H
#define PL_TESTS_UNIT_H

#include <stdio.h>
#include <string.h>

static int unit_failures;

/* A fact that must hold.  The test goes on, so that one start shows all that is wrong. */
#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__, \
                    #condition);                                                       \
            unit_failures++;                                                           \
        }                                                                              \
    } while (0)

/* The same for two strings, which are printed when they differ. */
#define CHECK_STR(is, expected)                                                               \
    do {                                                                                      \
        const char *unit_is = (is);                                                           \
        const char *unit_expected = (expected);                                               \
        if (strcmp(unit_is, unit_expected) != 0) {                                            \
            fprintf(stderr, "%s:%d: %s: %s is\n  %s\ninstead of\n  %s\n", __FILE__, __LINE__, \
                    __func__, #is, unit_is, unit_expected);                                   \
            unit_failures++;                                                                  \
        }                                                                                     \
    } while (0)

/* The exit code of the test. */
static inline int unit_result(void)
{
    if (unit_failures)
        fprintf(stderr, "%d checks failed\n", unit_failures);
    return unit_failures != 0;
}

#endif /* PL_TESTS_UNIT_H */
