/* SPDX-License-Identifier: MIT */
/*
 * Patterns as the user writes them for names of functions, files and objects: those
 * of the shell, where `*` also stands for slashes.  A pattern fits a name as a
 * whole.
 */
#ifndef PL_ENGINE_SHARED_GLOB_H
#define PL_ENGINE_SHARED_GLOB_H

#include <stdbool.h>

/* Nothing fits an empty text.  A text fits itself, whatever stands in it. */
bool pl_glob_fits(const char *pattern, const char *text);

/*
 * A file fits with or without folders in front, and with `line`, unless that is 0,
 * or without it behind a colon.
 */
bool pl_glob_fits_file(const char *pattern, const char *file, unsigned line);

/* A function fits with or without its parameters, and without what a compiler adds to a part of it.
 */
bool pl_glob_fits_function(const char *pattern, const char *function);

#endif /* PL_ENGINE_SHARED_GLOB_H */
