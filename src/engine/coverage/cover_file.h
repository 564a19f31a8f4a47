/* SPDX-License-Identifier: MIT */
/*
 * The files of a results folder that have coverage, each of one program.
 *
 * The home of a program has coverage.json.  A folder that the user named may be given to several
 * programs; the first has that file, others coverage-2.json and so on.  Nothing is ever merged that
 * is of different programs, unless the user names several folders or files.
 */
#ifndef PL_ENGINE_COVERAGE_COVER_FILE_H
#define PL_ENGINE_COVERAGE_COVER_FILE_H

#include "trace/covered.h"

#include <limits.h>
#include <stdbool.h>

enum { PL_COVER_FILES = 100 }; /* of a folder */

/* The name of the i-th, from 1. */
void pl_cover_file_name(unsigned i, char to[32]);

/*
 * Find the file of a program, or the place for it, and add what it has.  NULL: of no particular
 * one, the first.  -1 with a sentence; *missing: there is none yet.
 */
int pl_cover_file_find(struct pl_covered *set, const char *folder, const char *program,
                       char path[PATH_MAX], bool *missing, struct pl_err *err);

/*
 * Add what a folder has that somebody names: of this program if it is known and there, else of the
 * first.  -1 with a sentence; *missing: there is nothing.
 */
int pl_cover_file_read(struct pl_covered *set, const char *folder, const char *program,
                       bool *missing, struct pl_err *err);

/* The program whose campaign is the folder's latest; false: it does not say. */
bool pl_cover_file_program(const char *folder, char to[PATH_MAX]);

#endif /* PL_ENGINE_COVERAGE_COVER_FILE_H */
