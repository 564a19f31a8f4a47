/* SPDX-License-Identifier: MIT */
/*
 * plait test: explore the interleavings of a program.  Findings are printed as
 * they are made, the summary at the end.
 */
#include "base/assert.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "engine/campaign/campaign.h"
#include "engine/findings/suppress.h"
#include "engine/shared/interrupt.h"
#include "engine/worker/marks.h"
#include "engine/worker/pairs.h"
#include "engine/worker/sought.h"
#include "result/incomplete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct display {
    struct pl_output output;
    struct pl_progress_line line;
};

static void print_help(void)
{
    printf("usage: plait test [OPTIONS] [--] PROG [ARGUMENTS]\n\n"
           "Execute PROG under one schedule after another until something breaks, nothing is\n"
           "left to explore, or a limit is reached.  What breaks is kept as a schedule file that\n"
           "`plait replay` runs again.\n\n");
    pl_options_help(stdout, 'T');
    printf(
        "\nexit status: 0 no finding, 1 finding, 2 usage, 3 the program could not be run or was\n"
        "not under control, 4 no execution came to its end, one was too slow, or\n"
        "--require-complete was given and the search is not complete, 5 an order that --cover\n"
        "asks for was not shown, 130 or 143 interrupted without a finding\n");
}

static void on_progress(void *context, const struct pl_progress *progress)
{
    pl_progress_draw(&((struct display *)context)->line, progress);
}

static void on_finding(void *context, const struct pl_result_finding *finding, size_t number)
{
    struct display *d = context;

    pl_progress_wipe(&d->line);
    pl_output_finding(&d->output, finding, number);
    if (!d->output.quiet)
        fputc('\n', d->output.to);
    fflush(d->output.to);
}

static void on_path(void *context, const char *line)
{
    struct display *d = context;

    pl_progress_wipe(&d->line);
    fprintf(d->output.to, "%s\n", line);
}

static bool lacks_order(const struct pl_result *r)
{
    for (size_t i = 0; i < r->n_orders; i++) {
        if (r->orders[i].found == NULL)
            return true;
    }
    return false;
}

static int exit_code(const struct pl_result *r, const struct pl_options *o)
{
    PL_ASSERT(r->n_findings == 0 || r->findings != NULL);
    if (r->n_findings > 0) /* whatever became of its schedule */
        return PL_EXIT_FINDING;
    if (pl_result_uncontrolled(r))
        return PL_EXIT_TARGET;
    if (r->divergences > 0 || r->bypassed > 0 || r->child_threads > 0)
        return PL_EXIT_TARGET;
    if (r->slow > 0 || (r->executions == 0 &&
                        r->until[0] == '\0')) /* whether there is something to find is not known */
        return PL_EXIT_INCOMPLETE;
    if (!r->complete && o->text[PL_OPTION_ID_require_complete] != NULL)
        return PL_EXIT_INCOMPLETE;
    if (lacks_order(r))
        return PL_EXIT_UNCOVERED;
    return PL_EXIT_CLEAN;
}

/* Why a result without findings is no success, for formats that know only that; NULL if it is. */
static const char *why_no_success(const struct pl_result *r, int code, char *to, size_t size)
{
    char ended[PL_RESULT_LINE];
    const char *why = "an execution did not follow its schedule";

    pl_incomplete_text(r, ended, sizeof(ended));
    snprintf(to, size, "not complete: %.*s", (int)size - 20, ended);
    if (code == PL_EXIT_FINDING)
        return NULL;
    if (pl_interrupt_exit(code) != code)
        return to;
    if (code == PL_EXIT_INCOMPLETE)
        return r->slow > 0          ? "an execution was too slow"
               : r->executions == 0 ? "no execution came to its end"
                                    : to;
    if (code == PL_EXIT_UNCOVERED)
        return "an order that --cover asks for was not shown";
    if (pl_result_uncontrolled(r))
        why = "it created no thread";
    else if (r->child_threads > 0)
        why = "threads of processes that it forks were not under control";
    else if (r->bypassed > 0)
        why = "raw threads or processes were not under control";
    return code == PL_EXIT_CLEAN ? NULL : why;
}

/* What options that may be given several times come to. */
struct lists {
    struct pl_suppressions suppressions;
    struct pl_marks marks;
};

static int read_lists(struct lists *to, const struct pl_options *options, struct pl_err *err)
{
    int rc = 0;

    for (unsigned i = 0; rc == 0 && i < options->n_many; i++) {
        const char *text = options->many[i].text;

        if (options->many[i].id == PL_OPTION_ID_suppressions)
            rc = pl_suppress_read(&to->suppressions, text, err);
        else if (options->many[i].id == PL_OPTION_ID_trust)
            rc = pl_marks_add(&to->marks, PL_MARK_TRUST, text, err);
        else if (options->many[i].id == PL_OPTION_ID_noise_at)
            rc = pl_marks_add(&to->marks, PL_MARK_NOISE, text, err);
    }
    return rc;
}

/* "P3: b->a": the number of the pair, and whether the second statement is to come first. */
static int read_forced(const char *text, unsigned *pair, bool *reversed, struct pl_err *err)
{
    char first, second;
    int end = 0;

    if (sscanf(text, " P%u : %c -> %c %n", pair, &first, &second, &end) < 3 || text[end] != '\0' ||
        *pair == 0 || !((first == 'a' && second == 'b') || (first == 'b' && second == 'a')))
        return pl_err_set(err, PL_ERR_USER,
                          "--force cannot be '%.100s'. Give a pair of `plait pairs` and an order, "
                          "such as 'P3: b->a'.",
                          text);
    *reversed = first == 'b';
    return 0;
}

/* The addresses of a statement in the program's file, if they are few; else nothing. */
static void write_addresses(const struct pl_pair_table *t, const struct pl_pair_site *site,
                            char *to, size_t size)
{
    uint32_t number = (uint32_t)(site - pl_pair_sites(t)), count = 0;
    size_t n = 0;

    to[0] = '\0';
    for (uint32_t i = 0; i < t->n_places; i++) {
        const struct pl_pair_place *p = &pl_pair_places(t)[i];

        if (pl_pair_positions(t)[p->position].site != number)
            continue;
        if (count++ == PL_SOUGHT_PCS || p->module != 0) {
            to[0] = '\0';
            return;
        }
        n += (size_t)snprintf(to + n, size - n, "%s%" PRIx64, n > 0 ? "+" : "", p->pc);
    }
}

/* The order as --cover has it; only where the two are at one object. */
static int forced_order(const struct pl_pair_table *t, const char *text, char *to, size_t size,
                        struct pl_err *err)
{
    const struct pl_pair_site *sites = pl_pair_sites(t), *of[2];
    struct pl_sought_side sides[2];
    char addresses[2][PL_SOUGHT_TEXT];
    const char *files[2];
    unsigned pair = 0;
    bool reversed = false;

    if (read_forced(text, &pair, &reversed, err) != 0)
        return -1;
    if (pair > t->n_pairs)
        return pl_err_set(err, PL_ERR_USER, "There is no pair P%u: `plait pairs` lists %u of them.",
                          pair, t->n_pairs);
    const struct pl_pair *p = &pl_pair_pairs(t)[pair - 1];

    for (unsigned i = 0; i < 2; i++) {
        const char *slash;

        of[i] = &sites[(i == 0) == reversed ? p->b : p->a];
        files[i] = pl_pair_string(t, of[i]->file);
        slash = strrchr(files[i], '/');
        files[i] = slash != NULL ? slash + 1 : files[i];
        write_addresses(t, of[i], addresses[i], sizeof(addresses[i]));
    }
    int n = snprintf(to, size, "%s:%u<%s:%u !%s<%s", files[0], of[0]->line, files[1], of[1]->line,
                     addresses[0], addresses[1]);

    if (n < 0 || (size_t)n >= size) /* by lines then */
        snprintf(to, size, "%s:%u<%s:%u !", files[0], of[0]->line, files[1], of[1]->line);
    return pl_sought_parse(sides, to, err);
}

/* Orders of pairs are sought like any others, once their places are known. */
static int force(struct pl_settings *s, const struct pl_options *o, const char *program,
                 struct pl_err *err)
{
    struct pl_pair_table *t = NULL;
    unsigned n = s->cover[0] != '\0';
    int rc = 0;

    for (const char *c = s->cover; *c != '\0'; c++)
        n += *c == '\n';
    for (unsigned i = 0; rc == 0 && i < o->n_many; i++) {
        char order[PL_SOUGHT_TEXT];

        if (o->many[i].id != PL_OPTION_ID_force)
            continue;
        if (t == NULL && (t = pl_pairs_make(program, err)) == NULL)
            return -1;
        if (n == PL_SOUGHT_ORDERS)
            rc = pl_err_set(err, PL_ERR_USER,
                            "More than %d orders are asked for. Look for some of them later.",
                            (int)PL_SOUGHT_ORDERS);
        else
            rc = forced_order(t, o->many[i].text, order, sizeof(order), err);
        if (rc != 0)
            break;
        if (n++ > 0)
            strcat(s->cover, "\n");
        strcat(s->cover, order); /* which pl_sought_parse() found short enough */
        s->seek = true;
    }
    free(t);
    return rc;
}

static int run(const struct pl_options *options, char **program, struct lists *lists,
               struct pl_err *err)
{
    struct pl_request_option recorded[PL_OPTIONS];
    struct pl_request request = {.argv = program,
                                 .home = options->text[PL_OPTION_ID_output],
                                 .expect_output = options->text[PL_OPTION_ID_expect_output],
                                 .check = options->text[PL_OPTION_ID_check],
                                 .show_output = options->text[PL_OPTION_ID_show_output] != NULL,
                                 .suppressions = &lists->suppressions,
                                 .marks = &lists->marks,
                                 .options = recorded,
                                 .progress = on_progress,
                                 .finding = on_finding,
                                 .path = on_path};
    struct display display;
    struct pl_result result;

    if (pl_output_check(options, err) != 0 ||
        pl_settings_fill(&request.settings, options, false, err) != 0 ||
        pl_settings_jobs(&request.jobs, options, err) != 0 ||
        pl_settings_paths(&request, options, err) != 0 ||
        pl_settings_until(&request, options, err) != 0 ||
        pl_settings_coverage(&request, options, err) != 0 ||
        force(&request.settings, options, program[0], err) != 0 ||
        read_lists(lists, options, err) != 0)
        return pl_err_exit(err);
    /* One that ends the search has to hold. */
    request.confirmed = options->text[PL_OPTION_ID_confirmed] != NULL;
    request.unconfirmed = options->text[PL_OPTION_ID_unconfirmed] != NULL;
    request.settings.suppressing = lists->suppressions.n > 0 || !request.settings.keep_going ||
                                   (request.settings.detect & UINT32_C(1) << PL_DETECT_RACE) != 0;
    request.settings.marks = pl_marks_used(&lists->marks);
    request.files = pl_settings_files(options);
    request.files_named = options->text[PL_OPTION_ID_files] != NULL;
    request.keep_files = options->text[PL_OPTION_ID_keep_files] != NULL;
    request.time_ms = pl_settings_time(&request.settings, options);
    request.n_options = pl_settings_recorded(options, recorded);
    pl_settings_minimize(&request, options);
    pl_output_open(&display.output, options);
    pl_progress_open(&display.line, !display.output.quiet);
    request.context = &display;

    PL_ASSERT(request.jobs >= 1 && request.n_options <= PL_OPTIONS);
    int rc = pl_campaign_run(&request, &result, err);

    pl_progress_wipe(&display.line);
    int code = rc != 0 && (err->class == PL_ERR_INTERNAL || result.n_findings == 0)
                   ? pl_err_exit(err)
                   : exit_code(&result, options);

    if (rc == 0 && !display.output.quiet)
        pl_output_summary(&display.output, &result);
    bool to_files = display.output.junit != NULL || display.output.sarif != NULL;

    if (rc == 0 || result.n_findings > 0 || to_files) {
        char why[PL_RESULT_LINE];
        const char *error = rc != 0 ? err->text : why_no_success(&result, code, why, sizeof(why));

        if (pl_output_files(&display.output, &result, error, rc == 0) != 0 && code == PL_EXIT_CLEAN)
            code = PL_EXIT_USAGE;
    }
    if (rc != 0)
        fprintf(stderr, "plait: %s\n", err->text);
    pl_result_free(&result);
    err->text[0] = '\0'; /* said already */
    return pl_interrupt_exit(code);
}

int pl_cmd_test(int argc, char **argv)
{
    struct pl_options options = {0};
    struct lists lists = {0};
    struct pl_err err = {PL_ERR_NONE, ""};
    int at = 1, code;
    bool ended;

    for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return PL_EXIT_CLEAN;
        }
    }
    if (pl_options_parse(&options, 'T', argc, argv, &at, &ended, &err) != 0)
        code = pl_err_exit(&err);
    else if (at >= argc)
        code = (pl_err_set(&err, PL_ERR_USER,
                           "no program was given. Write plait test ./PROG ARGUMENTS."),
                pl_err_exit(&err));
    else
        code = run(&options, argv + at, &lists, &err);
    pl_suppress_free(&lists.suppressions);
    pl_marks_free(&lists.marks);
    if (err.text[0] != '\0')
        fprintf(stderr, "plait: %s\n", err.text);
    return code;
}
