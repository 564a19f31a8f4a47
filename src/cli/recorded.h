/* SPDX-License-Identifier: MIT */
/*
 * Commands that begin with a schedule file: `plait replay` and `plait minimize`.
 * Everything that influenced the recorded execution is in the file; the command
 * line may override it.
 */
#ifndef PL_CLI_RECORDED_H
#define PL_CLI_RECORDED_H

#include "cli/settings.h"
#include "engine/replay.h"

struct pl_recorded {
    const char *file;
    struct pl_schedule schedule;
    char **argv;  /* of the program: what stands behind --, or what was recorded */
    char **owned; /* freed in the end */
};

/* Whether --help is among the words before --. */
bool pl_recorded_wants_help(int argc, char **argv);

/*
 * Read the command line of `command` ('R' or 'M') and the file it names; what
 * was recorded becomes the default of each option.  To be closed in any case.
 */
int pl_recorded_open(struct pl_recorded *recorded, struct pl_options *options, char command,
                     int argc, char **argv, struct pl_err *err);
void pl_recorded_close(struct pl_recorded *recorded);

/* What the engine is asked to do. */
int pl_recorded_request(struct pl_request *request, const struct pl_recorded *recorded,
                        const struct pl_options *options, struct pl_err *err);

/* Say that the program was rebuilt, and that it did not replay.  False when it did not. */
bool pl_recorded_check(const struct pl_replay *replay);

#endif /* PL_CLI_RECORDED_H */
