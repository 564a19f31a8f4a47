/* SPDX-License-Identifier: MIT */
/*
 * plait coverage: what campaigns have covered, together, and what they have not.
 */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/options.h"
#include "report/cover.h"
#include "trace/covered.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void print_help(void)
{
    printf("usage: plait coverage [OPTIONS] DIR|FILE...\n\n"
           "Print which interleavings campaigns have shown: functions that were interrupted (M1),\n"
           "by which other functions (M2), conflicting statements in which order (M3).  DIR is a\n"
           "results folder of `plait test`; several are looked at together.\n\noptions:\n");
    pl_options_help(stdout, 'C');
    printf("\nexit status: 0 it was printed or written, 2 usage, or a file that is none of ours\n");
}

/* A folder stands for the file in it. */
static int read_one(struct pl_covered *set, const char *path, struct pl_err *err)
{
    char inside[PATH_MAX];
    struct stat st;
    bool missing;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        snprintf(inside, sizeof(inside), "%s/%s", path, PL_COVERED_FILE);
        if (pl_covered_read(set, inside, &missing, err) == 0)
            return 0;
        if (missing)
            pl_err_set(err, PL_EXIT_USAGE,
                       "%.300s has no coverage. Give a results folder of `plait test` without "
                       "--no-coverage.",
                       path);
        return -1;
    }
    return pl_covered_read(set, path, &missing, err);
}

static int write_json(const struct pl_cover_view *view, const char *path, struct pl_err *err)
{
    if (pl_cover_json_write(path, view) == 0)
        return 0;
    return pl_err_set(err, PL_EXIT_USAGE,
                      "%.300s could not be written: %s. Give --json another file.", path,
                      strerror(errno));
}

/* With a file to write there is nothing to print. */
static int put(const struct pl_covered *set, const struct pl_options *options, struct pl_err *err)
{
    const char *merged = options->text[PL_OPTION_ID_merge];
    const char *json = options->text[PL_OPTION_ID_json];
    struct pl_cover_view view;
    int rc = merged != NULL ? pl_covered_write(set, merged, err) : 0;

    if (rc != 0 || (merged != NULL && json == NULL))
        return rc;
    pl_cover_view_make(&view, set);
    if (json != NULL)
        rc = write_json(&view, json, err);
    if (json == NULL || (strcmp(json, "-") != 0 && merged == NULL))
        pl_cover_print(stdout, &view, options->text[PL_OPTION_ID_all] != NULL);
    pl_cover_view_free(&view);
    if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        rc = pl_err_set(err, PL_EXIT_USAGE, "it could not be printed. Is there room on the disk?");
    return rc;
}

static int run(struct pl_covered *set, int argc, char **argv, struct pl_err *err)
{
    struct pl_options options = {0};
    unsigned files = 0;
    bool ended = false;

    for (int at = 1; at < argc;) {
        if (!ended && pl_options_parse(&options, 'C', argc, argv, &at, &ended, err) != 0)
            return -1;
        for (; at < argc && (ended || argv[at][0] != '-' || argv[at][1] == '\0'); at++, files++) {
            if (read_one(set, argv[at], err) != 0)
                return -1;
        }
    }
    if (files == 0)
        return pl_err_set(err, PL_EXIT_USAGE,
                          "nothing was given to look at. Write plait coverage .plait/PROG.");
    return put(set, &options, err);
}

int pl_cmd_coverage(int argc, char **argv)
{
    struct pl_covered set = {0};
    struct pl_err err = {0, ""};

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
    return err.code;
}
