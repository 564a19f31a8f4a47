/* SPDX-License-Identifier: MIT */
/* The results folder of a campaign and the names of the files in it. */
#ifndef PL_ENGINE_SHARED_FOLDER_H
#define PL_ENGINE_SHARED_FOLDER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Make the folder and its parents; remove what an earlier campaign left, and only that. */
int pl_folder_prepare(const char *path, struct pl_err *err);

/* "DIR/finding-001-deadlock.plait" */
void pl_folder_schedule(const char *path, unsigned number, const char *kind, char *to, size_t size);

/* "DIR/shown-001-order.plait": the execution that shows the order with this number. */
void pl_folder_shown(const char *path, unsigned number, char *to, size_t size);

/* "DIR/passing-001-deadlock.plait": like the finding's, but it passes. */
void pl_folder_passing(const char *path, unsigned number, const char *kind, char *to, size_t size);

/* "DIR/first-001-race.plait", "DIR/second-001-race.plait": with this access first. */
void pl_folder_order(const char *path, unsigned number, const char *kind, unsigned which, char *to,
                     size_t size);

/* Whether a file in the folder is one of ours; exposed for its test. */
bool pl_folder_is_ours(const char *name);

#endif /* PL_ENGINE_SHARED_FOLDER_H */
