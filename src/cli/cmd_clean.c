/* SPDX-License-Identifier: MIT */
/* plait clean: the only command that removes results. */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/refuse.h"
#include "engine/shared/folder.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct orders {
    unsigned keep;
    bool coverage;
};

static void print_help(void)
{
    printf(
        "usage: plait clean [--keep N] [--coverage] [DIR...]\n\n"
        "Remove the results of earlier campaigns below DIR, by default .plait: schedules and\n"
        "what belongs to them.  Files that plait did not write stay, links are not followed, and\n"
        "campaigns that are under way are left alone.\n\n"
        "  --keep N       keep the newest N campaigns of each program\n"
        "  --coverage     remove what coverage was kept of these programs, too\n"
        "  --help         print this\n\n"
        "exit status: 0 done, 2 usage\n");
}

/* 0 to go on, else an exit code plus one. */
static int parse(int argc, char **argv, struct orders *o)
{
    static const struct option options[] = {
        {"keep", required_argument, NULL, 'k'},
        {"coverage", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option;

    opterr = 0;
    optind = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        char *end = NULL;

        if (option == 'h') {
            print_help();
            return 1 + PL_EXIT_CLEAN;
        }
        if (option == 'c') {
            o->coverage = true;
        } else if (option == 'k') {
            unsigned long n = strtoul(optarg, &end, 10);

            if (optarg[strspn(optarg, "0123456789")] != '\0' || optarg[0] == '\0' || n > 1000000)
                return 1 + pl_refuse("--keep takes a number of campaigns, not %s.", optarg);
            o->keep = (unsigned)n;
        } else if (option == ':') {
            return 1 + pl_refuse("%s needs a number.", argv[optind - 1]);
        } else {
            return 1 + pl_refuse("there is no option %s. `plait clean --help` lists the options.",
                                 argv[optind - 1]);
        }
    }
    return 0;
}

static void clean(const char *folder, const struct orders *o)
{
    struct pl_folder_removed r = pl_folder_clean(folder, o->keep, o->coverage);

    printf("%s: removed %u campaign%s with %u finding%s\n", folder, r.campaigns,
           r.campaigns == 1 ? "" : "s", r.findings, r.findings == 1 ? "" : "s");
}

int pl_cmd_clean(int argc, char **argv)
{
    struct orders o = {0};
    int code = parse(argc, argv, &o);
    struct stat st;

    if (code > 0)
        return code - 1;
    for (int i = optind; i < argc; i++) { /* all or nothing */
        if (stat(argv[i], &st) != 0 || !S_ISDIR(st.st_mode))
            return pl_refuse("'%s' is no folder. Name a results folder.", argv[i]);
    }
    for (int i = optind; i < argc; i++)
        clean(argv[i], &o);
    if (optind == argc && lstat(PL_FOLDER_ROOT, &st) == 0 && S_ISDIR(st.st_mode))
        clean(PL_FOLDER_ROOT, &o);
    else if (optind == argc)
        printf("there is no folder " PL_FOLDER_ROOT " here\n");
    return PL_EXIT_CLEAN;
}
