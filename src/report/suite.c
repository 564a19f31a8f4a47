/* SPDX-License-Identifier: MIT */
/* See suite.h: the lines for people. */
#include "report/suite.h"

#include "base/assert.h"
#include "report/fit.h"
#include "report/line.h"

#include <stdlib.h>
#include <string.h>

size_t pl_suite_count(const struct pl_suite *suite, enum pl_suite_status status)
{
    size_t n = 0;

    for (size_t i = 0; i < suite->n; i++)
        n += suite->tests[i].result.status == status;
    return n;
}

const char *pl_suite_status_text(enum pl_suite_status status)
{
    static const char *const texts[] = {"not-run", "clean", "failed", "error", "skipped"};

    PL_ASSERT(status < sizeof(texts) / sizeof(texts[0]));
    return texts[status];
}

static void print_clean(FILE *to, const char *text)
{
    char clean[PL_FIT_TEXT];

    pl_fit_clean(clean, sizeof(clean), text);
    fputs(clean, to);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void print_explored(FILE *to, const struct pl_suite_result *r, bool verbose)
{
    fprintf(to, "%s, %llu execution%s", r->complete ? "complete" : "not complete",
            (unsigned long long)r->executions, plural(r->executions));
    if (r->rounds > 1)
        fprintf(to, " in %u rounds", r->rounds);
    if (verbose && r->classes > 0)
        fprintf(to, ", %llu class%s", (unsigned long long)r->classes, r->classes == 1 ? "" : "es");
    if (r->total[1] > 0)
        fprintf(to, ", coverage %llu of %llu",
                (unsigned long long)(r->covered[0] + r->covered[1] + r->covered[2]),
                (unsigned long long)(r->total[0] + r->total[1] + r->total[2]));
    if (verbose)
        fprintf(to, ", %.2f s", r->seconds);
}

static void print_failed(FILE *to, const struct pl_suite_result *r)
{
    const struct pl_suite_finding *f = &r->findings[0];
    PL_ASSERT(r->n_findings > 0);

    fprintf(to, "FAILED ");
    print_clean(to, f->kind);
    if (f->location[0] != '\0') {
        fprintf(to, " at ");
        print_clean(to, f->location);
    }
    if (r->n_findings > 1)
        fprintf(to, " and %zu more", r->n_findings - 1);
    fprintf(to, ", ");
    print_clean(to, f->schedule[0] != '\0' ? f->schedule : "no schedule");
}

void pl_suite_line_print(FILE *to, const struct pl_suite_test *test, unsigned width, bool verbose)
{
    const struct pl_suite_result *r = &test->result;
    unsigned long used = strlen(test->name);

    PL_ASSERT(test->name != NULL);
    print_clean(to, test->name);
    fprintf(to, "%*s", (int)(used < width ? width - used : 0) + 2, "");
    if (r->status == PL_SUITE_FAILED) {
        print_failed(to, r);
    } else if (r->status == PL_SUITE_CLEAN) {
        fprintf(to, "clean, ");
        print_explored(to, r, verbose);
    } else if (r->status == PL_SUITE_WAITING) {
        fprintf(to, "not run");
    } else {
        fprintf(to, "%s: ", r->status == PL_SUITE_ERROR ? "could not be run" : "skipped");
        print_clean(to, r->why ? r->why : "");
    }
    fputc('\n', to);
}

static void print_count(FILE *to, size_t n, const char *what)
{
    if (n > 0)
        fprintf(to, ", %zu %s", n, what);
}

/* Each failing test with what it takes to see it again. */
static void print_failures(FILE *to, const struct pl_suite *suite)
{
    for (size_t i = 0; i < suite->n; i++) {
        const struct pl_suite_test *test = &suite->tests[i];

        for (size_t k = 0; k < test->result.n_findings; k++) {
            const struct pl_suite_finding *f = &test->result.findings[k];

            fprintf(to, "  ");
            print_clean(to, test->name);
            fprintf(to, ": ");
            print_clean(to, f->message[0] != '\0' ? f->message : f->kind);
            fprintf(to, "\n    ");
            pl_suite_replay_print(to, test, f);
            fputc('\n', to);
            if (test->meson && strcmp(f->kind, "exit") == 0)
                fprintf(
                    to,
                    "    (Meson does not tell whether it has should_fail; if so, all is well)\n");
        }
    }
}

void pl_suite_summary_print(FILE *to, const struct pl_suite_document *d)
{
    const struct pl_suite *suite = d->suite;
    uint64_t executions = 0;
    size_t complete = 0;

    for (size_t i = 0; i < suite->n; i++) {
        executions += suite->tests[i].result.executions;
        complete += suite->tests[i].result.complete;
    }
    fprintf(to, "%zu test%s: %zu failed, %zu clean", suite->n, plural(suite->n),
            pl_suite_count(suite, PL_SUITE_FAILED), pl_suite_count(suite, PL_SUITE_CLEAN));
    print_count(to, pl_suite_count(suite, PL_SUITE_ERROR), "could not be run");
    print_count(to, pl_suite_count(suite, PL_SUITE_SKIPPED), "skipped");
    print_count(to, pl_suite_count(suite, PL_SUITE_WAITING), "not run");
    fprintf(to, "\n  %llu execution%s in %u round%s, %.1f s; %zu test%s explored completely%s\n",
            (unsigned long long)executions, plural(executions), d->rounds, plural(d->rounds),
            d->seconds, complete, plural(complete),
            d->interrupted ? "; interrupted, the same command goes on" : "");
    print_failures(to, suite);
}

/* ---- a command for a shell ---- */

void pl_suite_replay_print(FILE *to, const struct pl_suite_test *test,
                           const struct pl_suite_finding *finding)
{
    char *whole = test->directory != NULL ? realpath(finding->schedule, NULL) : NULL;

    if (test->directory != NULL) {
        fputs("cd ", to);
        pl_line_quoted(to, test->directory);
        fputs(" && ", to);
    }
    if (test->environment != NULL) {
        fputs("env ", to);
        for (size_t i = 0; test->environment[i] != NULL; i++) {
            pl_line_quoted(to, test->environment[i]);
            fputc(' ', to);
        }
    }
    fputs("plait replay ", to);
    pl_line_quoted(to, whole != NULL ? whole : finding->schedule);
    free(whole);
}
