/* SPDX-License-Identifier: MIT */
/*
 * The front door: finds the command in one table and calls it.  Installed under
 * three names; plait-cc and plait-c++ are the compiler wrappers themselves.
 */
#include "base/exit.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/plain.h"
#include "cli/refuse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
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
    fputs("usage: plait COMMAND [ARGUMENTS]\n\n"
          "plait finds the thread interleaving that breaks a C or C++ program,\n"
          "and hands it over as a file that breaks it again every time.\n\n"
          "begin with:\n"
          "  plait cc -g -pthread -o prog prog.c\n"
          "  plait test ./prog\n\n"
          "commands:\n",
          to);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`plait help COMMAND` explains one command, its manual is plait-COMMAND(1); the first\n"
          "page of all is plait(1).  `plait --version` prints the version.\n",
          to);
}

static const struct pl_command *find(const char *name)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

/* The one that was meant, if two letters are wrong at most; NULL: nobody knows. */
static const struct pl_command *find_nearest(const char *name)
{
    const struct pl_command *nearest = NULL;
    size_t least = strlen(name) > 3 ? 3 : 2;

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        size_t d = pl_nearest_distance(name, strlen(name), commands[i].name);

        if (d < least) {
            least = d;
            nearest = &commands[i];
        }
    }
    return nearest;
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

/* argv[0] is the command. */
static int dispatch(int argc, char **argv)
{
    const struct pl_command *command = find(argv[0]);

    if (command == NULL) {
        pl_plain_install(false);
        command = find_nearest(argv[0]);
        return command != NULL
                   ? pl_refuse("there is no command '%s'. Did you mean %s?", argv[0], command->name)
                   : pl_refuse("there is no command '%s'. `plait help` lists them.", argv[0]);
    }
    if (command->words != OWN_WORDS) {
        pl_file_mask_own();
        pl_plain_install(command->words == OTHER_WORDS);
    }
    return leave(command->main(argc, argv));
}

/* What a command says of itself; `--help` of the compiler is that of the one which it calls. */
static int explain(char *name)
{
    const struct pl_command *command = find(name);
    bool compiles = command != NULL && command->words == OWN_WORDS;
    char *words[] = {name, compiles ? "--plait-help" : "--help", NULL};

    return dispatch(2, words);
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
        if (argc > 2 && strcmp(argv[2], "help") != 0)
            return explain(argv[2]);
        print_help(stdout);
        return leave(PL_EXIT_CLEAN);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("plait %s\n", PL_VERSION);
        return leave(PL_EXIT_CLEAN);
    }
    return dispatch(argc - 1, argv + 1);
}
