/* SPDX-License-Identifier: MIT */
/* See recorded.h. */
#include "cli/recorded.h"

#include "base/assert.h"
#include "base/exit.h"
#include "cli/output.h"
#include "cli/words.h"
#include "engine/shared/own.h"
#include "engine/worker/program.h"
#include "report/line.h"

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

/*
 * Whether what the file says is to be run is what this user has run here before; see
 * engine/shared/own.h.  A program that is not there is nobody's: it is not run.
 */
static bool is_own(const struct pl_schedule *s, char **argv)
{
    struct pl_program program;
    struct pl_err ignored;
    char seal[PL_OWN_SEAL];

    if (s->seal == NULL || pl_program_open(&program, s->program, &ignored) != 0)
        return false;
    struct pl_own_words words = {.program = program.path,
                                 .arguments = (const char *const *)argv + 1,
                                 .check = pl_schedule_option(s, "check"),
                                 .client = pl_schedule_option(s, "client"),
                                 .inputs = s->inputs,
                                 .n_inputs = s->n_inputs};

    return pl_own_seal(&words, seal) && strcmp(seal, s->seal) == 0;
}

static void show_command(const struct pl_schedule *s, char **argv)
{
    const char *check = pl_schedule_option(s, "check");
    char *const words[] = {"sh", "-c", (char *)check, NULL};

    fputs("plait: the file would run\n  ", stderr);
    pl_words_print(stderr, argv);
    if (check != NULL) {
        fputs("and check what it prints by\n  ", stderr);
        pl_words_print(stderr, (char **)words);
    }
    if (pl_schedule_option(s, "client") != NULL)
        fprintf(stderr, "with the client\n  %s\n", pl_line(pl_schedule_option(s, "client")));
    if (s->inputs != NULL)
        fputs("with what the file has for it to read, variables of the environment among that\n",
              stderr);
}

/* Nothing is run that the user has neither named nor recorded. */
static int allow(const struct pl_recorded *recorded, const struct pl_options *options,
                 const char *own_check, struct pl_err *err)
{
    const struct pl_schedule *s = &recorded->schedule;
    bool named = recorded->argv != recorded->owned;
    bool checked = pl_schedule_option(s, "check") != NULL && own_check == NULL;
    bool used =
        pl_schedule_option(s, "client") != NULL && options->text[PL_OPTION_ID_client] == NULL;

    if (options->text[PL_OPTION_ID_run_recorded] != NULL ||
        (named && !checked && !used && s->inputs == NULL) || is_own(s, recorded->owned))
        return 0;
    struct pl_program program;

    if (!named && pl_program_open(&program, s->program, err) != 0)
        return -1; /* there is nothing to run */
    show_command(s, recorded->owned);
    return pl_err_set(err, PL_ERR_USER,
                      "%s was not recorded here by you, so nothing was run. %s, or allow all of it "
                      "with --run-recorded.",
                      recorded->file,
                      named && checked ? "Give the check with --check"
                      : named && used  ? "Give the client with --client"
                                       : "Name the program behind --");
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
    const char *own_check = options->text[PL_OPTION_ID_check];

    recorded->owned = recorded_program(&recorded->schedule);
    if (recorded->argv == NULL)
        recorded->argv = recorded->owned;
    return allow(recorded, options, own_check, err) == 0
               ? add_options(options, &recorded->schedule, err)
               : -1;
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
    if (pl_output_check(options, err) != 0 ||
        pl_settings_fill(&request->settings, options, true, err) != 0)
        return -1;
    PL_ASSERT(recorded->argv != NULL && recorded->argv[0] != NULL);
    request->argv = recorded->argv;
    request->settings.seed = recorded->schedule.seed;
    request->settings.starts_chosen = recorded->schedule.carrier == PL_CARRIER_FREE;
    request->settings.company = pl_schedule_has_processes(&recorded->schedule);
    request->expect_output = options->text[PL_OPTION_ID_expect_output];
    request->check = options->text[PL_OPTION_ID_check];
    request->files = pl_settings_files(options);
    return 0;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static void say_other_program(const struct pl_recorded *recorded, const char *program)
{
    const char *before = recorded->schedule.program;

    if (strcmp(base_of(program), base_of(before)) != 0)
        fprintf(stderr, "plait: the schedule is one of %s, and not of %s.\n", pl_line(before),
                pl_line(program));
    else
        fprintf(stderr, "plait: %s was rebuilt since the schedule was recorded.\n",
                pl_line(program));
}

bool pl_recorded_check(const struct pl_recorded *recorded, const struct pl_replay *replay)
{
    const char *program = replay->result.program;

    if (replay->rebuilt && replay->verdict != PL_RERUN_SAME)
        say_other_program(recorded, program);
    switch (replay->verdict) {
    case PL_RERUN_SAME:
        return true;
    case PL_RERUN_HELD:
        fprintf(stderr, "plait: %s: the schedule ran through and held.\n", pl_line(program));
        return false;
    case PL_RERUN_GONE:
        fprintf(stderr, "plait: %s: the order no longer exists: %s.\n", pl_line(program),
                pl_line(replay->text));
        return false;
    default:
        fprintf(
            stderr, "plait: %s did not replay: %s.%s\n", pl_line(program), pl_line(replay->text),
            replay->rebuilt && !replay->passes ? " Find the schedule again with plait test." : "");
        return false;
    }
}
