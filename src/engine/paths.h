/* SPDX-License-Identifier: MIT */
/*
 * Paths as workers make them, one line each: number, how it ended, and its
 * segments with the operations at their beginning and end.
 */
#ifndef PL_ENGINE_PATHS_H
#define PL_ENGINE_PATHS_H

#include "engine/request.h"
#include "engine/session.h"
#include "engine/symbols.h"

#include <stdio.h>

struct pl_paths {
    const struct pl_request *request;
    const struct pl_session *session;
    struct pl_symbols *symbols; /* NULL: none yet */
    uint64_t listed;
};

/* Let workers record paths if the request wants them.  Before the first one starts. */
void pl_paths_open(struct pl_paths *paths, const struct pl_request *request,
                   const struct pl_session *session);

/* List those that are new. */
void pl_paths_update(struct pl_paths *paths);
void pl_paths_close(struct pl_paths *paths);

/* One path as a line without its end; exposed for its test. */
void pl_paths_print(FILE *to, const struct pl_segments *path, struct pl_symbols *symbols);

#endif /* PL_ENGINE_PATHS_H */
