/* SPDX-License-Identifier: MIT */
/* The progress line of `plait test` on a terminal; nothing elsewhere. */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include "result/request.h"

struct pl_progress_line {
    bool on;      /* standard error is a terminal and the user wants it */
    bool visible; /* something stands there that must be wiped before other text */
    uint64_t drawn_ms, drawn_executions;
    double rate;
};

void pl_progress_open(struct pl_progress_line *line, bool wanted);
void pl_progress_draw(struct pl_progress_line *line, const struct pl_progress *progress);
void pl_progress_wipe(struct pl_progress_line *line);

#endif /* PL_CLI_PROGRESS_H */
