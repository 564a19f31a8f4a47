/* SPDX-License-Identifier: MIT */
/* plait replay: run a schedule again. */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/recorded.h"
#include "engine/campaign/replay.h"
#include "engine/shared/interrupt.h"
#include "report/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void)
{
    printf("usage: plait replay [OPTIONS] FILE [-- PROG ARGUMENTS]\n\n"
           "Run the schedule in FILE again and say whether the same happens.  Without PROG the\n"
           "program and arguments in the file are used, from the current folder.  Options are\n"
           "taken from the file too, unless given here.\n\n");
    pl_options_help(stdout, 'R');
    printf(
        "\nexit status: 1 the same finding, 0 nothing or an order as recorded, or a program that\n"
        "was changed holds where it failed, 2 usage, 3 the\n"
        "program could not be run, left the schedule, or ended in another way, 130 or 143\n"
        "interrupted\n");
}

static int print(const struct pl_output *output, const struct pl_replay *replay,
                 const struct pl_recorded *recorded)
{
    const struct pl_result *r = &replay->result;
    unsigned kind = recorded->schedule.finding; /* if that is none, some may be noted on the way */
    bool order = kind == PL_FINDING_ORDER, clean = kind == PL_FINDING_NONE;
    const char *came = order               ? "the order is shown"
                       : !clean            ? "the same finding"
                       : r->n_findings > 0 ? "it ends well in spite of that"
                                           : "no finding";

    for (size_t i = 0; i < r->n_findings; i++)
        pl_output_finding(output, &r->findings[i], i + 1);
    if (!pl_recorded_check(recorded, replay)) {
        bool fixed = replay->verdict == PL_RERUN_HELD || replay->verdict == PL_RERUN_GONE;

        return fixed ? PL_EXIT_CLEAN : replay->again ? PL_EXIT_FINDING : PL_EXIT_TARGET;
    }
    if (!output->quiet)
        fprintf(output->to, "%s%s: %s, as recorded.\n", r->n_findings > 0 ? "\n" : "",
                pl_line(r->program), came);
    return clean || order ? PL_EXIT_CLEAN : PL_EXIT_FINDING;
}

/* What the program printed, as it would have by itself, but for what could control a terminal. */
static void pass_on(FILE *to, struct pl_result_said *said, bool wanted)
{
    size_t n = said->text != NULL ? strlen(said->text) : 0;

    if (wanted && n > 0)
        fprintf(to, "%s%s", said->text, said->text[n - 1] == '\n' ? "" : "\n");
    fflush(to);
    free(said->text);
    said->text = NULL;
}

static int run(const struct pl_options *options, const struct pl_recorded *recorded,
               struct pl_err *err)
{
    struct pl_request request = {0};
    struct pl_output output;
    struct pl_replay replay;

    if (pl_recorded_request(&request, recorded, options, err) != 0)
        return pl_err_exit(err);
    request.time_ms = options->number[PL_OPTION_ID_replay_time];
    pl_output_open(&output, options);
    int rc = pl_replay_run(&replay, &request, &recorded->schedule, recorded->file, err);
    pass_on(output.to, &replay.out, rc == 0 && !output.quiet);
    pass_on(stderr, &replay.err, rc == 0 && !output.quiet);
    int code = rc == 0 ? print(&output, &replay, recorded) : pl_err_exit(err);

    if (rc == 0 && pl_output_json(&output, &replay.result) != 0 && code == PL_EXIT_CLEAN)
        code = PL_EXIT_USAGE;
    pl_result_free(&replay.result);
    return pl_interrupt_exit(code);
}

int pl_cmd_replay(int argc, char **argv)
{
    return pl_recorded_command('R', argc, argv, print_help, run);
}
