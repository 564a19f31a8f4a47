/* SPDX-License-Identifier: MIT */
/*
 * The front door: finds the command in one table and calls it.  Installed under
 * three names; plait-cc and plait-c++ are the compiler wrappers themselves.
 */
#include "base/exit.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static const struct pl_command commands[] = {
    {"test", "explore the interleavings of a program", pl_cmd_test},
    {"suite", "explore the tests of a suite, one campaign each", pl_cmd_suite},
    {"replay", "run a schedule again", pl_cmd_replay},
    {"show", "print a schedule thread by thread", pl_cmd_show},
    {"pairs", "list which statements can conflict, without running the program", pl_cmd_pairs},
    {"minimize", "make a schedule simpler and say what decides", pl_cmd_minimize},
    {"coverage", "print which interleavings have been seen, and which not", pl_cmd_coverage},
    {"cc", "compile C for plait (also plait-cc)", pl_cmd_cc},
    {"c++", "compile C++ for plait (also plait-c++)", pl_cmd_cxx},
    {"list", "list strategies, detectors or options", pl_cmd_list},
};

static void print_help(FILE *to)
{
    fprintf(to, "usage: plait COMMAND [ARGUMENTS]\n\n"
                "plait finds the thread interleaving that breaks a C or C++ program,\n"
                "and hands it over as a file that breaks it again every time.\n\n"
                "commands:\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\n`plait COMMAND --help` explains one command; the manual is plait(1).\n"
                "`plait --version` prints the version.\n");
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash ? slash + 1 : (argc > 0 ? argv[0] : "plait");

    if (strcmp(self, "plait-cc") == 0)
        return pl_cmd_cc(argc, argv);
    if (strcmp(self, "plait-c++") == 0)
        return pl_cmd_cxx(argc, argv);

    if (argc < 2) {
        print_help(stderr);
        return PL_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return PL_EXIT_CLEAN;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("plait %s\n", PL_VERSION);
        return PL_EXIT_CLEAN;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].main(argc - 1, argv + 1);
    }
    fprintf(stderr, "plait: there is no command '%s'. `plait --help` lists the commands.\n",
            argv[1]);
    return PL_EXIT_USAGE;
}
