/* SPDX-License-Identifier: MIT */
/* plait show: a schedule as a table, for people. */
#include "base/assert.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/refuse.h"
#include "cli/terminal.h"
#include "report/table.h"
#include "trace/schedule.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_help(FILE *to)
{
    fputs("usage: plait show [--all] [--segments] [--color WHEN] FILE\n\n"
          "Print a schedule as a table: one column a thread, one row an operation, source\n"
          "lines at the side, an arrow where another thread goes on, the finding at the end.\n"
          "Source files are looked up from the current folder.\n"
          "Above a long table stands the path, if it is short: a line for each segment of one\n"
          "thread, with the operations at its beginning and at its end.\n\n"
          "  --all          print all rows of a long schedule\n"
          "  --segments     print the path alone, however long it is\n"
          "  --color WHEN   auto (default), always or never; NO_COLOR means never\n"
          "  --help         print this\n",
          to);
}

/* Whether WHEN means colours now: -1 when it is no such word. */
static int wants_color(const char *when)
{
    const char *no_color = getenv("NO_COLOR");

    if (strcmp(when, "always") == 0)
        return 1;
    if (strcmp(when, "never") == 0)
        return 0;
    if (strcmp(when, "auto") != 0)
        return -1;
    return isatty(STDOUT_FILENO) && !(no_color && no_color[0] != '\0') && !pl_terminal_dumb();
}

/* 0 to go on with *style and *file, else an exit code plus one. */
static int parse(int argc, char **argv, struct pl_table_style *style, const char **file)
{
    static const struct option options[] = {
        {"all", no_argument, NULL, 'a'},
        {"color", required_argument, NULL, 'c'},
        {"segments", no_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *when = "auto";
    int option;

    opterr = 0;
    optind = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h') {
            print_help(stdout);
            return 1 + PL_EXIT_CLEAN;
        }
        if (option == 'a')
            style->all = true;
        else if (option == 's')
            style->segments = PL_TABLE_ONLY_SEGMENTS;
        else if (option == 'c')
            when = optarg;
        else if (option == ':')
            return 1 + pl_refuse("%s needs a value: auto, always or never.", argv[optind - 1]);
        else
            return 1 + pl_refuse("there is no option %s. `plait show --help` lists the options.",
                                 argv[optind - 1]);
    }

    int color = wants_color(when);

    if (color < 0)
        return 1 + pl_refuse("'%s' is no value of --color. It is auto, always or never.", when);
    if (optind == argc)
        return 1 + pl_refuse("no schedule was given. Write plait show FILE.plait.");
    if (argc - optind > 1)
        return 1 + pl_refuse("'%s' is one file too many. Name one schedule.", argv[optind + 1]);
    PL_ASSERT(color == 0 || color == 1);
    style->color = color;
    *file = argv[optind];
    return 0;
}

int pl_cmd_show(int argc, char **argv)
{
    struct pl_table_style style = {.segments = PL_TABLE_OVERVIEW};
    struct pl_schedule schedule;
    struct pl_err err;
    const char *file = NULL;
    int code = parse(argc, argv, &style, &file);

    if (code > 0)
        return code - 1;
    if (pl_schedule_read(file, &schedule, &err) != 0) {
        fprintf(stderr, "plait: %s\n", err.text);
        return pl_err_exit(&err);
    }
    PL_ASSERT(file != NULL);
    style.unicode = pl_terminal_unicode();
    style.width = pl_terminal_width();
    style.source = pl_source_open();
    char folder[PATH_MAX];
    const char *slash = strrchr(file, '/');

    snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - file) + 1 : 0, file);
    style.folder = folder;
    pl_table_print(stdout, &schedule, &style);
    pl_source_close(style.source);
    pl_schedule_free(&schedule);
    if (fflush(stdout) != 0 || ferror(stdout))
        return pl_refuse("cannot write the table%s. Is there room on the disk?", "");
    return PL_EXIT_CLEAN;
}
