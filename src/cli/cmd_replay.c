/* SPDX-License-Identifier: MIT */
/*
 * plait replay: run a schedule again.  Everything that influenced the recorded
 * execution is in the file; the command line may override it.
 */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "engine/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void)
{
    printf("usage: plait replay [OPTIONS] FILE [-- PROG ARGUMENTS]\n\n"
           "Run the schedule in FILE again and say whether the same happens.  Without PROG the\n"
           "program and arguments in the file are used, from the current folder.  Options are\n"
           "taken from the file too, unless given here.\n\noptions:\n");
    pl_options_help(stdout, 'R');
    printf(
        "\nexit status: 1 the same finding, 0 nothing as recorded, 2 usage, 3 the program could\n"
        "not be run, left the schedule, or ended in another way\n");
}

/* The words of the command line. */
struct words {
    const char *file;
    char **program; /* NULL: the one in the file */
};

static int parse(struct pl_options *options, struct words *words, int argc, char **argv,
                 struct pl_err *err)
{
    int at = 1;
    bool ended = false;

    while (at < argc && !ended) {
        if (pl_options_parse(options, 'R', argc, argv, &at, &ended, err) != 0)
            return -1;
        if (ended || at >= argc)
            break;
        if (words->file != NULL)
            return pl_err_set(err, PL_EXIT_USAGE,
                              "'%s' is one file too many. A program stands behind --.", argv[at]);
        words->file = argv[at++];
    }
    if (words->file == NULL && ended && at < argc) { /* plait replay -- FILE */
        words->file = argv[at++];
        ended = at < argc;
    }
    if (words->file == NULL)
        return pl_err_set(err, PL_EXIT_USAGE,
                          "no schedule was given. Write plait replay FILE.plait.");
    words->program = ended && at < argc ? argv + at : NULL;
    return 0;
}

/* Options that were recorded count unless the command line has others. */
static int add_recorded(struct pl_options *options, const struct pl_schedule *s, struct pl_err *err)
{
    for (size_t i = 0; i < s->n_options; i++) {
        if (pl_options_default(options, s->options[i].key, s->options[i].value, err) != 0)
            return -1;
    }
    return pl_options_default(options, "carrier",
                              s->carrier == PL_CARRIER_THREAD ? "thread" : "fiber", err);
}

static char **recorded_program(const struct pl_schedule *s)
{
    char **argv = calloc(s->n_arguments + 2, sizeof(*argv));

    if (argv == NULL)
        abort();
    argv[0] = (char *)s->program;
    for (size_t i = 0; i < s->n_arguments; i++)
        argv[i + 1] = (char *)s->arguments[i];
    return argv;
}

static int print(const struct pl_output *output, const struct pl_replay *replay)
{
    const struct pl_result *r = &replay->result;

    if (replay->rebuilt)
        fprintf(stderr,
                "plait: %s was rebuilt since the schedule was recorded; it may not fit "
                "any more.\n",
                r->program);
    for (size_t i = 0; i < r->n_findings; i++)
        pl_output_finding(output, &r->findings[i], i + 1);
    if (replay->verdict != PL_RERUN_SAME) {
        fprintf(stderr, "plait: %s did not replay: %s.%s\n", r->program, replay->text,
                replay->rebuilt ? " Find the schedule again with plait test." : "");
        return PL_EXIT_TARGET;
    }
    if (!output->quiet)
        fprintf(output->to, "%s%s: %s, as recorded.\n", r->n_findings > 0 ? "\n" : "", r->program,
                r->n_findings > 0 ? "the same finding" : "no finding");
    return r->n_findings > 0 ? PL_EXIT_FINDING : PL_EXIT_CLEAN;
}

static int run(struct pl_options *options, const struct words *words, const struct pl_schedule *s,
               struct pl_err *err)
{
    struct pl_request request = {.argv = words->program};
    struct pl_output output;
    struct pl_replay replay;

    if (add_recorded(options, s, err) != 0 ||
        pl_settings_fill(&request.settings, options, true, err) != 0)
        return err->code;
    request.settings.seed = s->seed;
    request.expect_output = options->text[PL_OPTION_ID_expect_output];
    request.check = options->text[PL_OPTION_ID_check];
    char **recorded = recorded_program(s);

    if (request.argv == NULL)
        request.argv = recorded;
    pl_output_open(&output, options);
    int rc = pl_replay_run(&replay, &request, s, words->file, err);
    int code = rc == 0 ? print(&output, &replay) : err->code;

    if (rc == 0 && pl_output_json(&output, &replay.result) != 0 && code == PL_EXIT_CLEAN)
        code = PL_EXIT_USAGE;
    pl_result_free(&replay.result);
    free(recorded);
    return code;
}

int pl_cmd_replay(int argc, char **argv)
{
    struct pl_options options = {0};
    struct words words = {NULL, NULL};
    struct pl_err err = {0, ""};
    struct pl_schedule schedule;
    int code;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return PL_EXIT_CLEAN;
        }
    }
    if (parse(&options, &words, argc, argv, &err) != 0 ||
        pl_schedule_read(words.file, &schedule, &err) != 0) {
        code = err.code;
    } else {
        code = run(&options, &words, &schedule, &err);
        pl_schedule_free(&schedule);
    }
    if (err.text[0] != '\0')
        fprintf(stderr, "plait: %s\n", err.text);
    return code;
}
