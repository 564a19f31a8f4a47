/* SPDX-License-Identifier: MIT */
/* See recorded.h. */
#include "cli/recorded.h"

#include "base/assert.h"
#include "base/exit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether --help is among the words before --. */
static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

static int parse(struct pl_recorded *recorded, struct pl_options *options, char command, int argc,
                 char **argv, struct pl_err *err)
{
    int at = 1;
    bool ended = false;

    while (at < argc && !ended) {
        if (pl_options_parse(options, command, argc, argv, &at, &ended, err) != 0)
            return -1;
        if (ended || at >= argc)
            break;
        if (recorded->file != NULL)
            return pl_err_set(err, PL_ERR_USER,
                              "'%s' is one file too many. A program stands behind --.", argv[at]);
        recorded->file = argv[at++];
    }
    if (recorded->file == NULL && ended && at < argc) { /* plait replay -- FILE */
        recorded->file = argv[at++];
        ended = at < argc;
    }
    if (recorded->file == NULL)
        return pl_err_set(err, PL_ERR_USER, "no schedule was given. Write plait %s FILE.plait.",
                          argv[0]);
    recorded->argv = ended && at < argc ? argv + at : NULL;
    return 0;
}

/* Options that were recorded count unless the command line has others. */
static int add_options(struct pl_options *options, const struct pl_schedule *s, struct pl_err *err)
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
    PL_ASSERT(s->program != NULL);
    for (size_t i = 0; i < s->n_arguments; i++)
        argv[i + 1] = (char *)s->arguments[i];
    return argv;
}

static int open_recorded(struct pl_recorded *recorded, struct pl_options *options, char command,
                         int argc, char **argv, struct pl_err *err)
{
    PL_ASSERT(argc >= 1);
    *recorded = (struct pl_recorded){.file = NULL};
    pl_schedule_init(&recorded->schedule);
    if (parse(recorded, options, command, argc, argv, err) != 0 ||
        pl_schedule_read(recorded->file, &recorded->schedule, err) != 0)
        return -1;
    recorded->owned = recorded_program(&recorded->schedule);
    if (recorded->argv == NULL)
        recorded->argv = recorded->owned;
    return add_options(options, &recorded->schedule, err);
}

static void close_recorded(struct pl_recorded *recorded)
{
    free(recorded->owned);
    pl_schedule_free(&recorded->schedule);
}

int pl_recorded_command(char command, int argc, char **argv, void (*print_help)(void),
                        pl_recorded_run *run)
{
    struct pl_options options = {0};
    struct pl_recorded recorded;
    struct pl_err err = {PL_ERR_NONE, ""};
    int code;

    if (wants_help(argc, argv)) {
        print_help();
        return PL_EXIT_CLEAN;
    }
    if (open_recorded(&recorded, &options, command, argc, argv, &err) == 0)
        code = run(&options, &recorded, &err);
    else
        code = pl_err_exit(&err);
    close_recorded(&recorded);
    if (err.text[0] != '\0')
        fprintf(stderr, "plait: %s\n", err.text);
    return code;
}

int pl_recorded_request(struct pl_request *request, const struct pl_recorded *recorded,
                        const struct pl_options *options, struct pl_err *err)
{
    if (pl_settings_fill(&request->settings, options, true, err) != 0)
        return -1;
    PL_ASSERT(recorded->argv != NULL && recorded->argv[0] != NULL);
    request->argv = recorded->argv;
    request->settings.seed = recorded->schedule.seed;
    request->settings.starts_chosen = recorded->schedule.carrier == PL_CARRIER_FREE;
    request->expect_output = options->text[PL_OPTION_ID_expect_output];
    request->check = options->text[PL_OPTION_ID_check];
    request->files = pl_settings_files(options);
    return 0;
}

bool pl_recorded_check(const struct pl_replay *replay)
{
    const char *program = replay->result.program;

    if (replay->rebuilt)
        fprintf(stderr,
                "plait: %s was rebuilt since the schedule was recorded; it may not fit "
                "any more.\n",
                program);
    if (replay->verdict == PL_RERUN_SAME)
        return true;
    fprintf(stderr, "plait: %s did not replay: %s.%s\n", program, replay->text,
            replay->rebuilt ? " Find the schedule again with plait test." : "");
    return false;
}
