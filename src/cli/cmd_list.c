/* SPDX-License-Identifier: MIT */
/* plait list: what the tables in src/model hold, for people and for shell completion. */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/options.h"
#include "model/detector.h"
#include "model/strategy.h"

#include <stdio.h>
#include <string.h>

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

static void print_help(FILE *to)
{
    fprintf(to, "usage: plait list strategies|detectors|options\n\n"
                "Print one line for each: its name and what it does.\n");
}

int pl_cmd_list(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    if (strcmp(what, "strategies") == 0) {
        list_strategies();
    } else if (strcmp(what, "detectors") == 0) {
        list_detectors();
    } else if (strcmp(what, "options") == 0) {
        list_options();
    } else if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) {
        print_help(stdout);
    } else {
        fprintf(stderr,
                argc < 2 ? "plait: nothing to list was named. " : "plait: this cannot be listed. ");
        fprintf(stderr, "Give strategies, detectors or options.\n");
        return PL_EXIT_USAGE;
    }
    return PL_EXIT_CLEAN;
}
