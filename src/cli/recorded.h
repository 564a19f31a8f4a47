/* SPDX-License-Identifier: MIT */
/*
 * Commands that begin with a schedule file: `plait replay` and `plait minimize`.
 * Everything that influenced the recorded execution is in the file; the command
 * line may override it.
 */
#ifndef PL_CLI_RECORDED_H
#define PL_CLI_RECORDED_H

#include "cli/settings.h"
#include "engine/campaign/replay.h"

struct pl_recorded {
    const char *file;
    struct pl_schedule schedule;
    char **argv;  /* of the program: what stands behind --, or what was recorded */
    char **owned; /* freed in the end */
};

/*
 * The whole of such a command, 'R' or 'M': read the command line and the file it
 * names, where what was recorded becomes the default of each option, then run().
 * Returns the exit code.
 */
typedef int pl_recorded_run(const struct pl_options *options, const struct pl_recorded *recorded,
                            struct pl_err *err);
int pl_recorded_command(char command, int argc, char **argv, void (*print_help)(void),
                        pl_recorded_run *run);

/* What the engine is asked to do. */
int pl_recorded_request(struct pl_request *request, const struct pl_recorded *recorded,
                        const struct pl_options *options, struct pl_err *err);

/*
 * Say that it did not replay, or that what was wrong with the program is not any more.  False when
 * it did not.
 */
bool pl_recorded_check(const struct pl_recorded *recorded, const struct pl_replay *replay);

#endif /* PL_CLI_RECORDED_H */
