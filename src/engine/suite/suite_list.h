/* SPDX-License-Identifier: MIT */
/*
 * Where the tests of a suite come from: a list of commands, a folder of
 * programs, a build folder of CTest or Meson.  What plait cannot test is listed too, with the
 * reason why it is skipped.
 */
#ifndef PL_ENGINE_SUITE_SUITE_LIST_H
#define PL_ENGINE_SUITE_SUITE_LIST_H

#include "base/err.h"
#include "model/suite.h"

/* Add a test of that name, which is made unique, and return it; valid until the next is added. */
struct pl_suite_test *pl_suite_add(struct pl_suite *suite, const char *name);

/* Take the test of that index out. */
void pl_suite_remove(struct pl_suite *suite, size_t index);

/* Take the suite apart. */
void pl_suite_free(struct pl_suite *suite);

/* Say what came of a test that is not going to be run; the text is copied. */
void pl_suite_settle(struct pl_suite_test *test, enum pl_suite_status status, const char *why);

/* Add a copy of the word to a list that ends with NULL. */
void pl_suite_word(char ***list, const char *word);

/*
 * A list: one command a line, `NAME: cd=DIR VARIABLE=VALUE PROGRAM ARGUMENTS`, of which only the
 * program is needed.  Quotes are a shell's; what else a shell would do is refused.
 */
int pl_suite_list_file(struct pl_suite *suite, const char *path, struct pl_err *err);

/* One line of such a list; exposed for its test. */
int pl_suite_list_line(struct pl_suite *suite, const char *line, struct pl_err *err);

/* The executable files of a folder, in the order of their names. */
int pl_suite_list_folder(struct pl_suite *suite, const char *path, struct pl_err *err);

/* A file or folder as the user names it: a folder, a program, or a list. */
int pl_suite_list_any(struct pl_suite *suite, const char *path, struct pl_err *err);

/* Skip a test whose command only starts the program; what `cmake -E env` adds is taken in. */
void pl_suite_look_through(struct pl_suite_test *test);

/* What `ctest --show-only=json-v1` says of a build folder. */
int pl_suite_ctest(struct pl_suite *suite, const char *folder, struct pl_err *err);

/* What Meson says of a build folder, in meson-info/intro-tests.json. */
int pl_suite_meson(struct pl_suite *suite, const char *folder, struct pl_err *err);

/* The same from the text that ctest prints; exposed for its test. */
int pl_suite_ctest_text(struct pl_suite *suite, const char *text, size_t size, struct pl_err *err);

#endif /* PL_ENGINE_SUITE_SUITE_LIST_H */
