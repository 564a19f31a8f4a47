/* SPDX-License-Identifier: MIT */
/*
 * The front door: finds the command in one table and calls it.  Installed under
 * three names; plait-cc and plait-c++ are the compiler wrappers themselves.
 */
#include "base/exit.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whose words a command prints; see plain.h. */
enum { OWN_WORDS, CLEANED_WORDS, OTHER_WORDS };

static const struct pl_command commands[] = {
    {"test", "explore the interleavings of a program", pl_cmd_test, OTHER_WORDS},
    {"suite", "explore the tests of a suite, one campaign each", pl_cmd_suite, OTHER_WORDS},
    {"replay", "run a schedule again", pl_cmd_replay, OTHER_WORDS},
    {"show", "print a schedule thread by thread", pl_cmd_show, CLEANED_WORDS},
    {"pairs", "list which statements can conflict, without running the program", pl_cmd_pairs,
     OTHER_WORDS},
    {"minimize", "make a schedule simpler and say what decides", pl_cmd_minimize, OTHER_WORDS},
    {"clean", "remove results of earlier campaigns", pl_cmd_clean, OTHER_WORDS},
    {"coverage", "print which interleavings have been seen, and which not", pl_cmd_coverage,
     OTHER_WORDS},
    {"cc", "compile C for plait (also plait-cc)", pl_cmd_cc, OWN_WORDS},
    {"c++", "compile C++ for plait (also plait-c++)", pl_cmd_cxx, OWN_WORDS},
    {"list", "list findings, strategies, detectors or options", pl_cmd_list, OTHER_WORDS},
};

static void print_help(FILE *to)
{
    fprintf(to, "usage: plait COMMAND [ARGUMENTS]\n\n"
                "plait finds the thread interleaving that breaks a C or C++ program,\n"
                "and hands it over as a file that breaks it again every time.\n\n"
                "commands:\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(to,
            "\n`plait COMMAND --help` explains one command, `plait cc --plait-help` the compiler;\n"
            "the manual is plait(1).  `plait --version` prints the version.\n");
}

/* Where one of the first three descriptors is closed, the next file would take its number, and get
 * what is printed. */
static void open_descriptors(void)
{
    int fd = 0;

    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd > STDERR_FILENO)
        close(fd);
}

/* A command that could not say what it has to say was no success. */
static int leave(int code)
{
    if (pl_plain_arrived() || code != PL_EXIT_CLEAN)
        return code;
    fprintf(stderr, "plait: standard output could not be written: %s. Send it elsewhere.\n",
            strerror(errno));
    return PL_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash ? slash + 1 : (argc > 0 ? argv[0] : "plait");

    if (strcmp(self, "plait-cc") == 0)
        return pl_cmd_cc(argc, argv);
    if (strcmp(self, "plait-c++") == 0)
        return pl_cmd_cxx(argc, argv);
    open_descriptors();

    if (argc < 2) {
        print_help(stderr);
        return PL_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return leave(PL_EXIT_CLEAN);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("plait %s\n", PL_VERSION);
        return leave(PL_EXIT_CLEAN);
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        if (commands[i].words != OWN_WORDS) {
            pl_file_mask_own();
            pl_plain_install(commands[i].words == OTHER_WORDS);
        }
        return leave(commands[i].main(argc - 1, argv + 1));
    }
    pl_plain_install(false);
    fprintf(stderr, "plait: there is no command '%s'. `plait --help` lists the commands.\n",
            argv[1]);
    return PL_EXIT_USAGE;
}
