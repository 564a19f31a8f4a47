/* SPDX-License-Identifier: MIT */
/*
 * The options of `plait test`, `plait replay`, `plait minimize` and `plait suite`, read by one
 * parser from the one table in model/options.def, which --help is printed from as well.
 */
#ifndef PL_CLI_OPTIONS_H
#define PL_CLI_OPTIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum pl_option_type {
    PL_OPTION_FLAG,
    PL_OPTION_COUNT,
    PL_OPTION_NUMBER,
    PL_OPTION_TIME,
    PL_OPTION_WORD,
    PL_OPTION_FILE,
    PL_OPTION_LIST,
    PL_OPTION_MANY,
};

enum pl_option_id {
#define PL_OPTION(id, name, letter, type, value, commands, help) PL_OPTION_ID_##id,
#include "model/options.def"
#undef PL_OPTION
    PL_OPTIONS
};

/*
 * Values by enum pl_option_id.  text is NULL when the option was not given, ""
 * for a flag, else the value as given; number is the value of COUNT and NUMBER,
 * and milliseconds for TIME.  Texts are the caller's.  All values of options that may
 * be given several times are in many[], in their order; text has the last.
 */
enum { PL_OPTIONS_MANY = 64 };

struct pl_options {
    const char *text[PL_OPTIONS];
    uint64_t number[PL_OPTIONS];
    unsigned n_many;
    struct {
        enum pl_option_id id;
        const char *text;
    } many[PL_OPTIONS_MANY];
};

struct pl_option {
    const char *name, *value, *commands, *help;
    enum pl_option_type type;
    char letter; /* 0: none */
};

/* A row of the table. */
const struct pl_option *pl_options_row(enum pl_option_id id);

/*
 * Read options from argv[*at] on and leave *at at the first argument that is
 * none; a "--" is stepped over and *ended says so.  `command` is 'T', 'R', 'M' or 'S'.  On
 * failure err is of PL_ERR_USER.
 */
int pl_options_parse(struct pl_options *options, char command, int argc, char **argv, int *at,
                     bool *ended, struct pl_err *err);

/* Set one option by its name, unless it is set already.  Unknown names are refused. */
int pl_options_default(struct pl_options *options, const char *name, const char *value,
                       struct pl_err *err);

/* The option lines of --help, in groups, and as wide as the terminal. */
void pl_options_help(FILE *to, char command);

/* "90s", "1.5m", "200ms" in milliseconds; false when it is none of these. */
bool pl_options_time(const char *text, uint64_t *ms);

#endif /* PL_CLI_OPTIONS_H */
