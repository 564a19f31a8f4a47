/* SPDX-License-Identifier: MIT */
/*
 * What must hold, said where it must.  Every layer may use it, inside the program
 * under test and outside of it.
 *
 * PL_ASSERT is for what costs a comparison or two: it is on in every build.
 * PL_CHECK is for what walks over a data structure: it is on in builds that are
 * made for testing (PL_CHECKS, which `make test` sets and an installation does not).
 *
 * When one fails, plait has a bug.  What happens then is decided once in each
 * process: by default it says so on stderr and exits with PL_EXIT_INTERNAL; the
 * runtime reports it with the place in the search and ends the runner, so that
 * the tool can tell (runtime/start/init.c).
 */
#ifndef PL_BASE_ASSERT_H
#define PL_BASE_ASSERT_H

/* The failed condition and where it stands. */
struct pl_assert_place {
    const char *file;
    int line;
    const char *function, *text;
};

/* What a process does when an assertion fails; returns if the default is to follow. */
typedef void pl_assert_handler(const struct pl_assert_place *place);
void pl_assert_handle(pl_assert_handler *handler);

__attribute__((noreturn, cold)) void pl_assert_failed(const char *file, int line,
                                                      const char *function, const char *text);

#define PL_ASSERT(condition)            \
    (__builtin_expect(!!(condition), 1) \
         ? (void)0                      \
         : pl_assert_failed(__FILE__, __LINE__, __func__, #condition))

#ifdef PL_CHECKS
#define PL_CHECK(condition) PL_ASSERT(condition)
#else
#define PL_CHECK(condition) ((void)(0 && (condition)))
#endif

#endif /* PL_BASE_ASSERT_H */
