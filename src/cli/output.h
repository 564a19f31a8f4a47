/* SPDX-License-Identifier: MIT */
/* The reports that the user asked for, and where they go. */
#ifndef PL_CLI_OUTPUT_H
#define PL_CLI_OUTPUT_H

#include "cli/options.h"
#include "result/result.h"

#include <stdbool.h>
#include <stdio.h>

struct pl_output {
    FILE *to; /* for people; standard error when JSON goes to standard output */
    int fd;
    bool color, quiet, verbose;
    const char *json, *junit, *sarif; /* paths, or NULL */
};

/* Whether a file can be written that an option names; it is not touched. */
int pl_output_check_file(const char *option, const char *path, struct pl_err *err);

/* The same for all reports that were asked for: nobody is to wait for a report in vain. */
int pl_output_check(const struct pl_options *options, struct pl_err *err);

void pl_output_open(struct pl_output *output, const struct pl_options *options);

/* Print one finding. */
void pl_output_finding(const struct pl_output *output, const struct pl_result_finding *finding,
                       size_t number);

/* Print the summary. */
void pl_output_summary(const struct pl_output *output, const struct pl_result *result);

/*
 * Write what belongs into the campaign's folder, and the files that were asked for; as below.
 * `error` says why it cannot be called a success although nothing was found, or is NULL; `whole`
 * that there is a result.
 */
int pl_output_files(const struct pl_output *output, const struct pl_result *result,
                    const char *error, bool whole);

/* Write the JSON file if asked to.  0, or -1 after having said what went wrong. */
int pl_output_json(const struct pl_output *output, const struct pl_result *result);

#endif /* PL_CLI_OUTPUT_H */
