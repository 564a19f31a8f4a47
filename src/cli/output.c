/* SPDX-License-Identifier: MIT */
/* See output.h. */
#include "cli/output.h"

#include "base/assert.h"
#include "engine/shared/folder.h"
#include "report/report.h"
#include "report/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Whoever makes a file there can. */
static bool is_open_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%.*s",
             slash == NULL   ? 1
             : slash == path ? 1
                             : (int)(slash - path),
             slash == NULL ? "." : path);
    return access(folder, W_OK | X_OK) == 0;
}

int pl_output_check_file(const char *option, const char *path, struct pl_err *err)
{
    struct stat st;
    bool there = path != NULL && stat(path, &st) == 0;

    if (path == NULL || is_stdout(path))
        return 0;
    if (there && S_ISDIR(st.st_mode))
        return pl_err_set(err, PL_ERR_USER, "--%s cannot be %s: it is a folder. Name a file.",
                          option, path);
    if (there ? access(path, W_OK) == 0 : is_open_folder(path))
        return 0;
    return pl_err_set(err, PL_ERR_USER, "--%s cannot be %s: %s. Name a file that can be written.",
                      option, path, strerror(errno));
}

int pl_output_check(const struct pl_options *options, struct pl_err *err)
{
    static const enum pl_option_id reports[] = {PL_OPTION_ID_json, PL_OPTION_ID_junit,
                                                PL_OPTION_ID_sarif};
    unsigned n = 0;

    for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
        const char *path = options->text[reports[i]];

        n += is_stdout(path);
        if (pl_output_check_file(pl_options_row(reports[i])->name, path, err) != 0)
            return -1;
    }
    if (n <= 1)
        return 0;
    return pl_err_set(err, PL_ERR_USER,
                      "of --json, --junit and --sarif only one can go to standard output. Name a "
                      "file.");
}

void pl_output_open(struct pl_output *output, const struct pl_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    PL_ASSERT(options != NULL);

    output->json = options->text[PL_OPTION_ID_json];
    output->junit = options->text[PL_OPTION_ID_junit];
    output->sarif = options->text[PL_OPTION_ID_sarif];
    bool taken = is_stdout(output->json) || is_stdout(output->junit) || is_stdout(output->sarif);

    output->to = taken ? stderr : stdout;
    output->fd = taken ? STDERR_FILENO : STDOUT_FILENO;
    output->quiet = options->text[PL_OPTION_ID_quiet] != NULL;
    output->verbose = options->text[PL_OPTION_ID_verbose] != NULL;
    output->color = isatty(output->fd) && (no_color == NULL || no_color[0] == '\0');
}

void pl_output_finding(const struct pl_output *output, const struct pl_result_finding *finding,
                       size_t number)
{
    struct pl_report_style style = {output->color, output->verbose, output->fd};

    PL_ASSERT(output->to != NULL && number > 0);
    pl_finding_text_print(output->to, finding, number, &style);
    fflush(output->to);
}

void pl_output_summary(const struct pl_output *output, const struct pl_result *result)
{
    struct pl_report_style style = {output->color, output->verbose, output->fd};

    PL_ASSERT(output->to != NULL && !output->quiet);
    pl_summary_print(output->to, result, &style);
    fflush(output->to);
}

/* Those formats that know suites only. */
static int write_as_suite(const struct pl_output *output, const struct pl_result *result,
                          const char *error)
{
    struct pl_suite_document document;
    int rc = 0;

    if (output->junit == NULL && output->sarif == NULL)
        return 0;
    pl_single_open(&document, result, error);
    if (output->junit != NULL && pl_junit_write(output->junit, &document) != 0) {
        fprintf(stderr, "plait: %s could not be written: %s. Give --junit another file.\n",
                output->junit, strerror(errno));
        rc = -1;
    }
    if (output->sarif != NULL && pl_sarif_write(output->sarif, &document) != 0) {
        fprintf(stderr, "plait: %s could not be written: %s. Give --sarif another file.\n",
                output->sarif, strerror(errno));
        rc = -1;
    }
    pl_single_close(&document);
    return rc;
}

int pl_output_files(const struct pl_output *output, const struct pl_result *result,
                    const char *error, bool whole)
{
    char path[PATH_MAX];

    if (result->folder[0] != '\0') {
        snprintf(path, sizeof(path), "%s/" PL_FOLDER_RESULT, result->folder);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0 || close(fd) != 0 || pl_json_write(path, result) != 0)
            fprintf(stderr, "plait: %s could not be written: %s. Is there room on the disk?\n",
                    path, strerror(errno));
    }
    int rc = write_as_suite(output, result, error);

    if (!whole && result->n_findings == 0)
        return rc;
    return pl_output_json(output, result) != 0 ? -1 : rc;
}

int pl_output_json(const struct pl_output *output, const struct pl_result *result)
{
    int rc = output->json != NULL ? pl_json_write(output->json, result) : 0;

    if (rc != 0)
        fprintf(stderr, "plait: %s could not be written: %s. Give --json another file.\n",
                output->json, strerror(errno));
    return rc;
}
