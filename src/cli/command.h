/* SPDX-License-Identifier: MIT */
/*
 * One function and one file per subcommand, one table (main.c) that lists them.
 * A command returns an exit code of exit.h; it has printed its own errors.
 */
#ifndef PL_CLI_COMMAND_H
#define PL_CLI_COMMAND_H

struct pl_command {
    const char *name;
    const char *summary;                /* one line for `plait --help`, no full stop */
    int (*main)(int argc, char **argv); /* argv[0] is the command's name */
};

int pl_cmd_cc(int argc, char **argv);
int pl_cmd_cxx(int argc, char **argv);
int pl_cmd_test(int argc, char **argv);
int pl_cmd_replay(int argc, char **argv);
int pl_cmd_minimize(int argc, char **argv);
int pl_cmd_suite(int argc, char **argv);
int pl_cmd_coverage(int argc, char **argv);
int pl_cmd_show(int argc, char **argv);
int pl_cmd_pairs(int argc, char **argv);
int pl_cmd_list(int argc, char **argv);

#endif /* PL_CLI_COMMAND_H */
