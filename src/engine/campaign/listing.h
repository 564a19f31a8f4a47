/* SPDX-License-Identifier: MIT */
/*
 * Paths as workers make them, one line each: number, how it ended, and its
 * segments with the operations at their beginning and end.
 */
#ifndef PL_ENGINE_CAMPAIGN_LISTING_H
#define PL_ENGINE_CAMPAIGN_LISTING_H

#include "engine/symbols/symbols.h"
#include "engine/worker/session.h"
#include "result/request.h"

#include <stdio.h>

struct pl_listing {
    const struct pl_request *request;
    const struct pl_session *session;
    struct pl_symbols *symbols; /* NULL: none yet */
    uint64_t listed;
};

/* Let workers record paths if the request wants them.  Before the first one starts. */
void pl_listing_open(struct pl_listing *paths, const struct pl_request *request,
                     const struct pl_session *session);

/* List those that are new. */
void pl_listing_update(struct pl_listing *paths);
void pl_listing_close(struct pl_listing *paths);

/* One path as a line without its end, behind it lines with call stacks; exposed for its test. */
void pl_listing_print(FILE *to, const struct pl_segments *path, struct pl_symbols *symbols,
                      bool stacks);

#endif /* PL_ENGINE_CAMPAIGN_LISTING_H */
