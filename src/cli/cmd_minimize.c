/* SPDX-License-Identifier: MIT */
/*
 * plait minimize: make a schedule simpler and say what decides.  The file it
 * begins with stays as it is, unless the result is to be written over it.
 */
#include "base/assert.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "engine/shared/interrupt.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void)
{
    printf("usage: plait minimize [OPTIONS] FILE [-- PROG ARGUMENTS]\n\n"
           "Look for a schedule that shows the same finding as FILE with fewer preemptions,\n"
           "switches and operations; write it, and say which two operations decide.  Without PROG\n"
           "the program and arguments in the file are used, from the current folder.\n\n");
    pl_options_help(stdout, 'M');
    printf("\nexit status: 0 a schedule was written, 2 usage, 3 the program could not be run, or "
           "FILE\ndoes not show its finding any more or could not be made simpler, 130 or 143 "
           "interrupted\n");
}

static void on_progress(void *context, const struct pl_progress *progress)
{
    pl_progress_draw(context, progress);
}

/* NAME-min.plait for NAME.plait */
static void default_output(char *to, size_t size, const char *file)
{
    static const char end[] = ".plait";
    size_t n = strlen(file), m = strlen(end);
    PL_ASSERT(n > 0);

    if (n > m && strcmp(file + n - m, end) == 0)
        n -= m;
    snprintf(to, size, "%.*s-min%s", (int)n, file, end);
}

static int print(const struct pl_output *output, const struct pl_replay *replay,
                 const struct pl_recorded *recorded)
{
    const struct pl_result_finding *f = replay->result.findings;

    if (!pl_recorded_check(recorded, replay))
        return PL_EXIT_TARGET;
    PL_ASSERT(replay->result.n_findings > 0);
    if (f->minimal[0] == '\0') {
        fprintf(stderr, "plait: %s was left as it is: %s\n", recorded->file, f->unminimized);
        return PL_EXIT_TARGET;
    }
    if (!output->quiet)
        pl_output_finding(output, f, 1);
    return PL_EXIT_CLEAN;
}

static int run(const struct pl_options *options, const struct pl_recorded *recorded,
               struct pl_err *err)
{
    const char *to = options->text[PL_OPTION_ID_minimized];
    struct pl_request request = {.progress = on_progress};
    struct pl_progress_line line;
    struct pl_output output;
    struct pl_replay replay;
    char beside[PATH_MAX];

    if (recorded->schedule.finding == PL_FINDING_NONE)
        return pl_err_set(err, PL_ERR_USER,
                          "%s shows no finding, so there is nothing to keep. Name a schedule of a "
                          "finding.",
                          recorded->file),
               pl_err_exit(err);
    default_output(beside, sizeof(beside), recorded->file);
    to = to != NULL ? to : beside;
    if (pl_recorded_request(&request, recorded, options, err) != 0 ||
        pl_output_check_file("output", to, err) != 0)
        return pl_err_exit(err);
    pl_settings_minimize(&request, options);
    if (options->text[PL_OPTION_ID_minimize_time] != NULL)
        request.time_ms = request.minimize_ms = options->number[PL_OPTION_ID_minimize_time];
    pl_output_open(&output, options);
    pl_progress_open(&line, !output.quiet);
    request.context = &line;
    int rc = pl_replay_minimize(&replay, &request, &recorded->schedule, recorded->file, to, err);

    pl_progress_wipe(&line);
    int code = rc == 0 ? print(&output, &replay, recorded) : pl_err_exit(err);

    if (rc == 0 && pl_output_json(&output, &replay.result) != 0 && code == PL_EXIT_CLEAN)
        code = PL_EXIT_USAGE;
    free(replay.out.text);
    free(replay.err.text);
    pl_result_free(&replay.result);
    return pl_interrupt_exit(code);
}

int pl_cmd_minimize(int argc, char **argv)
{
    return pl_recorded_command('M', argc, argv, print_help, run);
}
