/* SPDX-License-Identifier: MIT */
/* plait suite: existing tests, each as a campaign of its own, in one go. */
#include "base/assert.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "engine/findings/suppress.h"
#include "engine/shared/folder.h"
#include "engine/shared/glob.h"
#include "engine/shared/interrupt.h"
#include "engine/suite/suite.h"
#include "engine/suite/suite_list.h"
#include "engine/worker/marks.h"
#include "model/strategy.h"
#include "report/suite.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JOBS_MAX = 256,
    NAME_WIDTH = 40, /* longer names do not move the rest of the lines */
};

struct command {
    struct pl_options options;
    struct pl_settings settings;
    struct pl_suite suite;
    char **words;   /* for each `plait test` */
    char *as_text;  /* the same and what else results depend on */
    FILE *to;       /* for people; standard error when a file goes to standard output */
    unsigned width; /* of the names */
};

static void print_help(void)
{
    printf("usage: plait suite [OPTIONS] FILE|DIR...\n"
           "       plait suite [OPTIONS] --ctest DIR | --meson DIR\n\n"
           "Explore each test of a suite as plait test does, several at a time, and go on after\n"
           "failures.  FILE lists a command a line or is a program, DIR is a folder of programs.\n"
           "The same command goes on where an interrupted one was.\n\n");
    pl_options_help(stdout, 'S');
    printf(
        "\nexit status: 0 no finding, 1 finding, 2 usage, 3 some test could not be run and none\n"
        "failed, or all were skipped, 130 or 143 interrupted without a finding\n");
}

static const char *text_of(const struct command *c, enum pl_option_id id)
{
    return c->options.text[id];
}

static bool goes_to_stdout(const struct command *c, enum pl_option_id id)
{
    return text_of(c, id) != NULL && strcmp(text_of(c, id), "-") == 0;
}

/* ---- what each test is told ---- */

/* Tests may run in other folders, so files are named from the root. */
static void add_option(struct command *c, enum pl_option_id id, const char *text)
{
    const struct pl_option *o = pl_options_row(id);
    bool marks = id == PL_OPTION_ID_trust || id == PL_OPTION_ID_noise_at;
    bool listed = marks && text[0] == '@';
    bool is_file = o->type == PL_OPTION_FILE || id == PL_OPTION_ID_suppressions || listed;
    char *whole = is_file ? realpath(text + listed, NULL) : NULL, *word;

    if (asprintf(&word, "--%s%s%s%s", o->name, o->type == PL_OPTION_FLAG ? "" : "=",
                 listed ? "@" : "", whole ? whole : text + listed) < 0)
        abort();
    pl_suite_word(&c->words, word);
    free(word);
    free(whole);
}

/* What the suite itself decides for each test is not handed on. */
static bool is_handed_on(enum pl_option_id id)
{
    const struct pl_option *o = pl_options_row(id);

    return strchr(o->commands, 'S') != NULL && strchr(o->commands, 'T') != NULL &&
           o->type != PL_OPTION_MANY && id != PL_OPTION_ID_executions && id != PL_OPTION_ID_seed &&
           id != PL_OPTION_ID_json && id != PL_OPTION_ID_junit && id != PL_OPTION_ID_sarif &&
           id != PL_OPTION_ID_quiet && id != PL_OPTION_ID_verbose;
}

static void fill_words(struct command *c)
{
    const struct pl_options *o = &c->options;
    char number[32];

    pl_suite_word(&c->words, "--verbose"); /* its report is kept in a file */
    pl_suite_word(&c->words, "--paths=0");
    for (unsigned id = 0; id < PL_OPTIONS; id++) {
        if (o->text[id] != NULL && is_handed_on(id))
            add_option(c, id, o->text[id]);
    }
    for (unsigned i = 0; i < o->n_many; i++) {
        if (strchr(pl_options_row(o->many[i].id)->commands, 'T') != NULL)
            add_option(c, o->many[i].id, o->many[i].text);
    }
    if (c->settings.executions != 0) {
        snprintf(number, sizeof(number), "%llu", (unsigned long long)c->settings.executions);
        add_option(c, PL_OPTION_ID_executions, number);
    }
}

/* Results of other options than these do not count. */
static void fill_text(struct command *c)
{
    size_t size;
    FILE *to = open_memstream(&c->as_text, &size);

    if (to == NULL)
        abort();
    for (size_t i = 0; c->words[i] != NULL; i++)
        fprintf(to, "%s\n", c->words[i]);
    fprintf(to, "seed %llu\ntime %llu\ntotal %d\n", (unsigned long long)c->settings.seed,
            (unsigned long long)c->options.number[PL_OPTION_ID_test_time],
            text_of(c, PL_OPTION_ID_total_time) != NULL);
    fclose(to);
}

/* Say at once what every test would say. */
static int check_lists(const struct pl_options *o, struct pl_err *err)
{
    struct pl_suppressions suppressions = {0};
    struct pl_marks marks = {0};
    int rc = 0;

    for (unsigned i = 0; rc == 0 && i < o->n_many; i++) {
        if (o->many[i].id == PL_OPTION_ID_suppressions)
            rc = pl_suppress_read(&suppressions, o->many[i].text, err);
        else if (o->many[i].id == PL_OPTION_ID_trust)
            rc = pl_marks_add(&marks, PL_MARK_TRUST, o->many[i].text, err);
        else if (o->many[i].id == PL_OPTION_ID_noise_at)
            rc = pl_marks_add(&marks, PL_MARK_NOISE, o->many[i].text, err);
    }
    pl_suppress_free(&suppressions);
    pl_marks_free(&marks);
    return rc;
}

static int check_options(struct command *c, struct pl_err *err)
{
    const char *jobs = text_of(c, PL_OPTION_ID_tests_at_a_time);

    if (pl_settings_fill(&c->settings, &c->options, false, err) != 0 ||
        check_lists(&c->options, err) != 0)
        return -1;
    if (jobs != NULL && c->options.number[PL_OPTION_ID_tests_at_a_time] > JOBS_MAX)
        return pl_err_set(err, PL_ERR_USER, "--jobs cannot be %s. Give at most %d.", jobs,
                          (int)JOBS_MAX);
    if (pl_output_check(&c->options, err) != 0)
        return -1;
    if (text_of(c, PL_OPTION_ID_tap) != NULL && text_of(c, PL_OPTION_ID_check) != NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "--tap is a check of its own. Leave out --tap or --check.");
    if (text_of(c, PL_OPTION_ID_fresh) != NULL && text_of(c, PL_OPTION_ID_rerun_failed) != NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "--fresh forgets what --rerun-failed needs. Leave out one of them.");
    return 0;
}

/* ---- which tests ---- */

static bool fits(const struct command *c, const struct pl_suite_test *test)
{
    const struct pl_options *o = &c->options;

    for (unsigned i = 0; i < o->n_many; i++) {
        if (o->many[i].id != PL_OPTION_ID_filter)
            continue;
        if (pl_glob_fits(o->many[i].text, test->name))
            return true;
        for (size_t k = 0; test->labels != NULL && test->labels[k] != NULL; k++) {
            if (pl_glob_fits(o->many[i].text, test->labels[k]))
                return true;
        }
    }
    return false;
}

static int filter(struct command *c, struct pl_err *err)
{
    const char *pattern = text_of(c, PL_OPTION_ID_filter);

    for (size_t i = c->suite.n; pattern != NULL && i-- > 0;) {
        if (!fits(c, &c->suite.tests[i]))
            pl_suite_remove(&c->suite, i);
    }
    if (c->suite.n > 0)
        return 0;
    return pl_err_set(err, PL_ERR_USER,
                      "no test fits --filter %s. A pattern such as '*%s*' fits parts.", pattern,
                      pattern);
}

static int read_ctest(struct command *c, struct pl_err *err)
{
    const struct pl_options *o = &c->options;

    for (unsigned i = 0; i < o->n_many; i++) {
        if (o->many[i].id == PL_OPTION_ID_ctest &&
            pl_suite_ctest(&c->suite, o->many[i].text, err) != 0)
            return -1;
        if (o->many[i].id == PL_OPTION_ID_meson &&
            pl_suite_meson(&c->suite, o->many[i].text, err) != 0)
            return -1;
    }
    return 0;
}

static int parse(struct command *c, int argc, char **argv, struct pl_err *err)
{
    bool ended = false;
    int at = 1, sources = 0;
    char **files = calloc((size_t)argc + 1, sizeof(*files));
    int rc = 0;

    if (files == NULL)
        abort();
    while (rc == 0 && at < argc) {
        if (!ended)
            rc = pl_options_parse(&c->options, 'S', argc, argv, &at, &ended, err);
        if (rc == 0 && at < argc)
            files[sources++] = argv[at++];
    }
    PL_ASSERT(sources < argc);
    for (int i = 0; rc == 0 && i < sources; i++)
        rc = pl_suite_list_any(&c->suite, files[i], err);
    free(files);
    if (rc == 0 && sources == 0 && text_of(c, PL_OPTION_ID_ctest) == NULL &&
        text_of(c, PL_OPTION_ID_meson) == NULL)
        rc = pl_err_set(err, PL_ERR_USER,
                        "no tests were given. Give a list of commands, a folder of programs, or "
                        "--ctest DIR or --meson DIR.");
    return rc;
}

/* ---- running ---- */

static void on_note(void *context, const char *text)
{
    const struct command *c = context;

    if (text_of(c, PL_OPTION_ID_quiet) == NULL)
        fprintf(c->to, "%s\n", text);
    fflush(c->to);
}

static void on_ended(void *context, const struct pl_suite_test *test)
{
    struct command *c = context;
    bool dull = test->result.status == PL_SUITE_CLEAN || test->result.status == PL_SUITE_SKIPPED;

    if (text_of(c, PL_OPTION_ID_quiet) == NULL || !dull)
        pl_suite_line_print(c->to, test, c->width, text_of(c, PL_OPTION_ID_verbose) != NULL);
    fflush(c->to);
}

static unsigned processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

    return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (unsigned)n;
}

static int write_files(const struct command *c, const struct pl_suite_document *d)
{
    const char *json = text_of(c, PL_OPTION_ID_json), *junit = text_of(c, PL_OPTION_ID_junit);
    int rc = 0;

    if (json != NULL && pl_suite_json_write(json, d) != 0) {
        fprintf(stderr, "plait: %s cannot be written: %s. Choose another with --json.\n", json,
                strerror(errno));
        rc = -1;
    }
    if (junit != NULL && pl_junit_write(junit, d) != 0) {
        fprintf(stderr, "plait: %s cannot be written: %s. Choose another with --junit.\n", junit,
                strerror(errno));
        rc = -1;
    }
    const char *sarif = text_of(c, PL_OPTION_ID_sarif);

    if (sarif != NULL && pl_sarif_write(sarif, d) != 0) {
        fprintf(stderr, "plait: %s cannot be written: %s. Choose another with --sarif.\n", sarif,
                strerror(errno));
        rc = -1;
    }
    return rc;
}

static int exit_code(const struct command *c, const struct pl_suite_outcome *outcome)
{
    PL_ASSERT(c->suite.n > 0);
    if (pl_suite_count(&c->suite, PL_SUITE_FAILED) > 0)
        return PL_EXIT_FINDING;
    if (outcome->interrupted)
        return pl_interrupt_exit(PL_EXIT_INTERRUPTED);
    if (pl_suite_count(&c->suite, PL_SUITE_ERROR) + pl_suite_count(&c->suite, PL_SUITE_WAITING) > 0)
        return PL_EXIT_TARGET;
    if (pl_suite_count(&c->suite, PL_SUITE_SKIPPED) == c->suite.n)
        return PL_EXIT_TARGET; /* nothing was tried */
    return PL_EXIT_CLEAN;
}

static void prepare(struct command *c)
{
    fill_words(c);
    fill_text(c);
    c->to = goes_to_stdout(c, PL_OPTION_ID_json) || goes_to_stdout(c, PL_OPTION_ID_junit) ||
                    goes_to_stdout(c, PL_OPTION_ID_sarif)
                ? stderr
                : stdout;
    for (size_t i = 0; i < c->suite.n; i++) {
        size_t n = strlen(c->suite.tests[i].name);

        c->suite.tests[i].tap |= text_of(c, PL_OPTION_ID_tap) != NULL;
        if (text_of(c, PL_OPTION_ID_check) != NULL) { /* the user knows better */
            c->suite.tests[i].tap = false;
            free(c->suite.tests[i].check);
            c->suite.tests[i].check = NULL;
        }
        c->width = n > c->width && n <= NAME_WIDTH ? (unsigned)n : c->width;
    }
    if (c->suite.left_out > 0 && text_of(c, PL_OPTION_ID_quiet) == NULL)
        fprintf(c->to, "%zu file%s that cannot be executed left out\n", c->suite.left_out,
                c->suite.left_out == 1 ? "" : "s");
    if (c->suite.of_ctest != NULL && text_of(c, PL_OPTION_ID_quiet) == NULL)
        fprintf(c->to, "what CTest tests there, with arguments: plait suite --ctest %s\n",
                c->suite.of_ctest);
}

static int run(struct command *c, struct pl_err *err)
{
    const char *folder = text_of(c, PL_OPTION_ID_suite_output);
    char home[PATH_MAX];
    const char *strategy = text_of(c, PL_OPTION_ID_strategy);
    const struct pl_options *o = &c->options;
    struct pl_suite_outcome outcome;
    struct pl_suite_request request = {
        .folder = folder ? folder : home,
        .options = c->words,
        .settings = c->as_text,
        .seed = c->settings.seed,
        .time_ms = o->number[PL_OPTION_ID_test_time],
        .total_ms = o->number[PL_OPTION_ID_total_time],
        .counted = c->settings.executions != 0,
        .jobs = text_of(c, PL_OPTION_ID_tests_at_a_time)
                    ? (unsigned)o->number[PL_OPTION_ID_tests_at_a_time]
                    : processors(),
        .keep_going = text_of(c, PL_OPTION_ID_keep_going) != NULL,
        .fresh = text_of(c, PL_OPTION_ID_fresh) != NULL,
        .rerun_failed = text_of(c, PL_OPTION_ID_rerun_failed) != NULL,
        .note = on_note,
        .ended = on_ended,
        .context = c};

    if ((folder == NULL && pl_folder_suite(home, err) != 0) ||
        pl_suite_run(&request, &c->suite, &outcome, err) != 0)
        return pl_err_exit(err);
    struct pl_suite_document document = {
        .suite = &c->suite,
        .strategy = strategy ? strategy : pl_strategy_with(PL_TRAIT_DEFAULT)->name,
        .folder = request.folder,
        .seed = request.seed,
        .seconds = outcome.seconds,
        .rounds = outcome.rounds,
        .resumed = outcome.resumed,
        .interrupted = outcome.interrupted};
    int code = exit_code(c, &outcome);

    if (text_of(c, PL_OPTION_ID_quiet) == NULL)
        pl_suite_summary_print(c->to, &document);
    if (write_files(c, &document) != 0 && code == PL_EXIT_CLEAN)
        code = PL_EXIT_USAGE;
    return code;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

int pl_cmd_suite(int argc, char **argv)
{
    struct command c = {0};
    struct pl_err err = {PL_ERR_NONE, ""};
    int code;

    if (wants_help(argc, argv)) {
        print_help();
        return PL_EXIT_CLEAN;
    }
    if (parse(&c, argc, argv, &err) != 0 || check_options(&c, &err) != 0 ||
        read_ctest(&c, &err) != 0 || filter(&c, &err) != 0) {
        code = pl_err_exit(&err);
    } else {
        prepare(&c);
        code = run(&c, &err);
    }
    if (err.text[0] != '\0')
        fprintf(stderr, "plait: %s\n", err.text);
    for (size_t i = 0; c.words != NULL && c.words[i] != NULL; i++)
        free(c.words[i]);
    free(c.words);
    free(c.as_text);
    pl_suite_free(&c.suite);
    return code;
}
