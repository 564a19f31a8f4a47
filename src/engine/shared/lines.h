/* SPDX-License-Identifier: MIT */
/* Files that the user writes, one entry a line. */
#ifndef PL_ENGINE_SHARED_LINES_H
#define PL_ENGINE_SHARED_LINES_H

#include "base/err.h"

/*
 * Call `add` for each line that is neither empty nor begins with #, without blanks at
 * its ends and with its number from 1.  Stops with -1 when add() returns that, or
 * when the file cannot be read; `what` is what it holds, for the sentence.
 */
int pl_lines_each(const char *path, const char *what,
                  int (*add)(void *context, const char *text, unsigned number, struct pl_err *err),
                  void *context, struct pl_err *err);

#endif /* PL_ENGINE_SHARED_LINES_H */
