/* SPDX-License-Identifier: MIT */
/* plait list: what the tables in src/model hold, for people and for shell completion. */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/refuse.h"
#include "engine/shared/folder.h"
#include "engine/worker/program.h"
#include "model/detector.h"
#include "model/finding.h"
#include "model/strategy.h"
#include "report/line.h"
#include "trace/schedule.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void list_strategies(void)
{
    for (unsigned i = 0; i < PL_STRATEGIES; i++) {
        const struct pl_strategy_row *row = &pl_strategy_rows[i];

        if ((row->traits & PL_TRAIT_HIDDEN) == 0)
            printf("%-16s %s\n", row->name, row->summary);
    }
}

static void list_detectors(void)
{
    for (unsigned i = 0; i < PL_DETECTORS; i++) {
        const struct pl_detector_row *row = &pl_detector_rows[i];

        printf("%-16s %s%s\n", row->text, row->summary,
               (row->traits & PL_DETECTOR_USUAL) != 0 ? "" : "; if asked for");
    }
}

static void list_options(void)
{
    for (unsigned id = 0; id < PL_OPTIONS; id++) {
        const struct pl_option *o = pl_options_row(id);
        char left[64];

        snprintf(left, sizeof(left), "--%s%s%s", o->name, o->value[0] ? "=" : "", o->value);
        printf("%-26s %s\n", left, o->help);
    }
}

/* ---- findings ---- */

static bool was_rebuilt(const struct pl_schedule *s)
{
    struct pl_program program;
    struct pl_err ignored;
    char build[2 * sizeof(program.build_id) + 1];

    if (s->build_id == NULL || pl_program_open(&program, s->program, &ignored) != 0 ||
        program.build_id_size == 0)
        return false;
    pl_program_hex(program.build_id, program.build_id_size, build);
    return strcmp(build, s->build_id) != 0;
}

static bool list_finding(void *context, const char *path)
{
    struct pl_schedule s;
    struct pl_err err;

    (*(size_t *)context)++;
    if (pl_schedule_read(path, &s, &err) != 0) {
        printf("%s\n    damaged: %s\n", pl_line(path), pl_line(err.text));
        return true;
    }
    printf("%s\n    %s%s%s%s%s, by %s%s\n", pl_line(path), pl_finding_text(s.finding),
           s.message != NULL ? ": " : "", s.message != NULL ? pl_line(s.message) : "",
           s.location != NULL ? ", at " : "", s.location != NULL ? pl_line(s.location) : "",
           pl_line(s.program), was_rebuilt(&s) ? ", which was rebuilt since" : "");
    pl_schedule_free(&s);
    return true;
}

static int list_findings(int n, char **folders)
{
    for (int i = 0; i < n; i++) {
        struct stat st;

        if (stat(folders[i], &st) == 0 && S_ISDIR(st.st_mode))
            continue;
        return pl_refuse("'%s' is no folder. Name a results folder.", folders[i]);
    }
    size_t found = 0;

    for (int i = 0; i < n; i++)
        pl_folder_each_finding(folders[i], list_finding, &found);
    if (n == 0)
        pl_folder_each_finding(PL_FOLDER_ROOT, list_finding, &found);
    if (found == 0)
        printf("no findings in %s\n", n == 0   ? PL_FOLDER_ROOT
                                      : n == 1 ? folders[0]
                                               : "these folders");
    return PL_EXIT_CLEAN;
}

static void print_help(FILE *to)
{
    fprintf(to, "usage: plait list findings [DIR...]\n"
                "       plait list strategies|detectors|options\n\n"
                "Print each finding that there is a schedule of in .plait or DIR; or one line for\n"
                "each strategy, detector or option: its name and what it does.\n");
}

int pl_cmd_list(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    if (argc >= 2 && strcmp(argv[1], "findings") == 0)
        return list_findings(argc - 2, argv + 2);
    if (strcmp(what, "strategies") == 0) {
        list_strategies();
    } else if (strcmp(what, "detectors") == 0) {
        list_detectors();
    } else if (strcmp(what, "options") == 0) {
        list_options();
    } else if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) {
        print_help(stdout);
    } else {
        static const char lists[] = "Give findings, strategies, detectors or options.";

        if (argc < 2)
            return pl_refuse("nothing to list was named. %s", lists);
        return argc == 2 ? pl_refuse("'%s' cannot be listed. %s", what, lists)
                         : pl_refuse("one list at a time. %s", lists);
    }
    return PL_EXIT_CLEAN;
}
