/* SPDX-License-Identifier: MIT */
/*
 * plait coverage: what campaigns have covered, together, and what they have not.
 */
#include "base/assert.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "engine/coverage/cover_file.h"
#include "engine/coverage/cover_pairs.h"
#include "engine/shared/glob.h"
#include "engine/worker/pairs.h"
#include "report/coverage/cover.h"
#include "trace/covered.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char PAGE[] = "coverage.html"; /* in a folder */

static void print_help(void)
{
    printf("usage: plait coverage [OPTIONS] DIR|FILE...\n\n"
           "Print which interleavings campaigns have shown: functions that were interrupted (M1),\n"
           "by which other functions (M2), conflicting statements in which order (M3).  DIR is a\n"
           "results folder of `plait test`; several are looked at together.\n\n");
    pl_options_help(stdout, 'C');
    printf("\nexit status: 0 it was printed or written, 2 usage, or a file that is none of ours\n");
}

/* ---- orders that exist by an analysis of the code ---- */

struct pairs {
    char program[PATH_MAX]; /* "": of several, or of none that is known */
    bool any;
    const char **folders;
    unsigned n_folders;
    struct pl_known_sum sum;
    bool known;
};

/* Folders of one program are looked at together; of several there is no one number. */
static void note_program(struct pairs *p, const char *path)
{
    char program[PATH_MAX] = "";

    pl_cover_file_program(path, program);
    if (p->any && strcmp(program, p->program) != 0)
        program[0] = '\0';
    snprintf(p->program, sizeof(p->program), "%s", program);
    p->any = true;
    p->folders = pl_err_must(realloc(p->folders, (p->n_folders + 1) * sizeof(*p->folders)));
    p->folders[p->n_folders++] = path;
}

/* A program that carries no bitcode, or is not there any more, has none. */
static void count_pairs(struct pairs *p)
{
    struct pl_known known = {0};
    struct pl_err ignored = {0};
    struct pl_pair_table *t = p->program[0] != '\0' ? pl_pairs_make(p->program, &ignored) : NULL;

    p->known = t != NULL;
    for (unsigned i = 0; i < p->n_folders && p->known; i++)
        p->known = pl_cover_pairs_read(&known, t, p->folders[i], &ignored) == 0;
    if (p->known)
        p->sum = pl_known_sum(&known, t);
    pl_known_free(&known);
    free(p->folders);
    free(t);
}

/* Which program it is of, where the folder was given to several. */
static void name_program(const char *folder, const char *program)
{
    char path[PATH_MAX], name[32];
    struct stat st;

    pl_cover_file_name(2, name);
    snprintf(path, sizeof(path), "%.*s/%s", (int)(sizeof(path) - sizeof(name) - 1), folder, name);
    if (program[0] != '\0' && stat(path, &st) == 0)
        fprintf(
            stderr,
            "plait coverage: %s has coverage of several programs. This is that of %s, which was "
            "tested last; for others give their files, such as %s.\n",
            folder, program, path);
}

/* A folder stands for the file in it of the program that was tested last. */
static int read_one(struct pl_covered *set, struct pairs *pairs, const char *path,
                    struct pl_err *err)
{
    char program[PATH_MAX] = "";
    struct stat st;
    bool missing;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        bool told = pl_cover_file_program(path, program);

        note_program(pairs, path);
        if (pl_cover_file_read(set, path, told ? program : NULL, &missing, err) != 0)
            return -1;
        if (missing)
            return pl_err_set(err, PL_ERR_USER,
                              "%.300s has no coverage. Give a results folder of `plait test` "
                              "without --no-coverage.",
                              path);
        name_program(path, program);
        return 0;
    }
    pairs->any = true; /* a file does not say whose it is */
    pairs->program[0] = '\0';
    return pl_covered_read(set, path, &missing, err);
}

static int write_json(const struct pl_cover_view *view, const char *path, struct pl_err *err)
{
    if (pl_cover_json_write(path, view) == 0)
        return 0;
    return pl_err_set(err, PL_ERR_USER,
                      "%.300s could not be written: %s. Give --json another file.", path,
                      strerror(errno));
}

/* ---- the page ---- */

static int write_page(const struct pl_cover_view *view, const char *path, struct pl_err *err)
{
    char inside[PATH_MAX];
    struct stat st;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        snprintf(inside, sizeof(inside), "%s/%s", path, PAGE);
        path = inside;
    }
    bool out = strcmp(path, "-") == 0;
    FILE *to = out ? stdout : fopen(path, "we");
    bool failed = to == NULL;

    if (to != NULL) {
        struct pl_source *source = pl_source_open();

        pl_cover_html_print(to, view, source);
        pl_source_close(source);
        failed = fflush(to) != 0 || ferror(to);
        failed |= !out && fclose(to) != 0;
    }
    return !failed ? 0
                   : pl_err_set(err, PL_ERR_USER,
                                "%.300s could not be written: %s. Give --html another file.", path,
                                strerror(errno));
}

/* ---- lists ---- */

static bool fits_one(const struct pl_options *o, enum pl_option_id id,
                     const struct pl_covered_function *f, const struct pl_cover_place *place)
{
    PL_ASSERT(id == PL_OPTION_ID_listed_function || id == PL_OPTION_ID_listed_file);
    if (o->text[id] == NULL)
        return true;
    for (unsigned i = 0; i < o->n_many; i++) {
        const char *pattern = o->many[i].text;

        if (o->many[i].id != id)
            continue;
        if (id == PL_OPTION_ID_listed_function
                ? pl_glob_fits_function(pattern, f->name)
                : pl_glob_fits_file(pattern, place->file, place->line))
            return true;
    }
    return false;
}

static bool fits(const void *context, const struct pl_covered_function *f,
                 const struct pl_cover_place *place)
{
    return fits_one(context, PL_OPTION_ID_listed_file, f, place) &&
           fits_one(context, PL_OPTION_ID_listed_function, f, place);
}

/* Without a wish it is what is missing; with -v all. */
static unsigned states_of(const struct pl_options *o)
{
    unsigned states =
        (unsigned)(o->text[PL_OPTION_ID_listed_covered] != NULL) << PL_COVERED_SHOWN |
        (unsigned)(o->text[PL_OPTION_ID_listed_uncovered] != NULL) << PL_COVERED_OPEN |
        (unsigned)(o->text[PL_OPTION_ID_listed_impossible] != NULL) << PL_COVERED_NEVER;

    if (states != 0)
        return states;
    return 1 << PL_COVERED_OPEN | 1 << PL_COVERED_NEVER |
           (unsigned)(o->text[PL_OPTION_ID_all] != NULL) << PL_COVERED_SHOWN;
}

static void print(const struct pl_covered *set, const struct pairs *pairs,
                  const struct pl_options *options)
{
    struct pl_cover_filter filter = {fits, options};
    struct pl_cover_style style = {.width = pl_terminal_width(),
                                   .unicode = pl_terminal_unicode() && !pl_terminal_dumb(),
                                   .all = options->text[PL_OPTION_ID_all] != NULL,
                                   .states = states_of(options),
                                   .source = pl_source_open()};
    struct pl_cover_view view;

    PL_ASSERT(style.states != 0 && style.states >> PL_COVERED_STATES == 0);
    pl_cover_view_make(&view, set, &filter);
    view.pairs = pairs->known ? &pairs->sum : NULL;
    pl_cover_print(stdout, &view, &style);
    pl_cover_view_free(&view);
    pl_source_close(style.source);
}

/* ---- all of it ---- */

/* Files have everything: wishes about lists would be lost. */
static int check(const struct pl_options *o, struct pl_err *err)
{
    static const enum pl_option_id lists[] = {
        PL_OPTION_ID_listed_covered, PL_OPTION_ID_listed_uncovered, PL_OPTION_ID_listed_impossible,
        PL_OPTION_ID_listed_file,    PL_OPTION_ID_listed_function,  PL_OPTION_ID_all};
    const char *json = o->text[PL_OPTION_ID_json], *html = o->text[PL_OPTION_ID_html];
    const char *instead = o->text[PL_OPTION_ID_merge] != NULL      ? "merge"
                          : html != NULL                           ? "html"
                          : json != NULL && strcmp(json, "-") == 0 ? "json"
                                                                   : NULL;

    if (json != NULL && html != NULL && strcmp(json, "-") == 0 && strcmp(html, "-") == 0)
        return pl_err_set(err, PL_ERR_USER,
                          "--json and --html cannot both be printed. Give one of them a file.");
    for (size_t i = 0; instead != NULL && i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (o->text[lists[i]] != NULL)
            return pl_err_set(err, PL_ERR_USER,
                              "--%s is about what is printed, and with --%s nothing is: a file "
                              "always has everything. Leave one of them out.",
                              pl_options_row(lists[i])->name, instead);
    }
    return 0;
}

static int write_files(const struct pl_covered *set, const struct pairs *pairs,
                       const struct pl_options *o, struct pl_err *err)
{
    const char *json = o->text[PL_OPTION_ID_json], *html = o->text[PL_OPTION_ID_html];
    struct pl_cover_view view;
    int rc = 0;

    if (o->text[PL_OPTION_ID_merge] != NULL)
        rc = pl_covered_write(set, o->text[PL_OPTION_ID_merge], err);
    if (rc != 0 || (json == NULL && html == NULL))
        return rc;
    pl_cover_view_make(&view, set, NULL);
    view.pairs = pairs->known ? &pairs->sum : NULL;
    if (json != NULL)
        rc = write_json(&view, json, err);
    if (rc == 0 && html != NULL)
        rc = write_page(&view, html, err);
    pl_cover_view_free(&view);
    return rc;
}

/* With a file to write there is nothing to print, except beside a file of JSON. */
static int put(const struct pl_covered *set, const struct pairs *pairs, const struct pl_options *o,
               struct pl_err *err)
{
    const char *json = o->text[PL_OPTION_ID_json];

    if (check(o, err) != 0 || write_files(set, pairs, o, err) != 0)
        return -1;
    if (o->text[PL_OPTION_ID_merge] == NULL && o->text[PL_OPTION_ID_html] == NULL &&
        (json == NULL || strcmp(json, "-") != 0))
        print(set, pairs, o);
    if (fflush(stdout) != 0 || ferror(stdout))
        return pl_err_set(err, PL_ERR_USER, "it could not be printed. Is there room on the disk?");
    return 0;
}

static int run(struct pl_covered *set, int argc, char **argv, struct pl_err *err)
{
    struct pl_options options = {0};
    struct pairs pairs = {0};
    unsigned files = 0;
    bool ended = false;

    for (int at = 1; at < argc;) {
        if (!ended && pl_options_parse(&options, 'C', argc, argv, &at, &ended, err) != 0)
            return -1;
        for (; at < argc && (ended || argv[at][0] != '-' || argv[at][1] == '\0'); at++, files++) {
            if (read_one(set, &pairs, argv[at], err) != 0)
                return -1;
        }
    }
    if (files == 0)
        return pl_err_set(err, PL_ERR_USER,
                          "nothing was given to look at. Write plait coverage .plait/PROG.");
    count_pairs(&pairs);
    return put(set, &pairs, &options, err);
}

int pl_cmd_coverage(int argc, char **argv)
{
    struct pl_covered set = {0};
    struct pl_err err = {PL_ERR_NONE, ""};

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return PL_EXIT_CLEAN;
        }
    }
    int rc = run(&set, argc, argv, &err);

    pl_covered_free(&set);
    if (rc == 0)
        return PL_EXIT_CLEAN;
    fprintf(stderr, "plait: %s\n", err.text);
    return pl_err_exit(&err);
}
