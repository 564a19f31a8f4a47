/* SPDX-License-Identifier: MIT */
/* See suite.h: a campaign as a suite of one test, for those formats that know only suites. */
#include "base/err.h"
#include "model/incomplete.h"
#include "report/report.h"
#include "report/suite.h"
#include "result/suite_result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    return pl_err_must(strdup(text));
}

static void add_finding(struct pl_suite_result *to, const struct pl_result_finding *f)
{
    char signature[20], identity[20];

    snprintf(signature, sizeof(signature), "%016" PRIx64, f->signature);
    snprintf(identity, sizeof(identity), "%016" PRIx64, f->identity);
    to->findings[to->n_findings++] =
        (struct pl_suite_finding){.kind = copy(f->kind),
                                  .message = copy(f->message[0] ? f->message : f->meaning),
                                  .location = copy(f->location),
                                  .signature = copy(signature),
                                  .identity = copy(identity),
                                  .schedule = copy(f->schedule)};
}

/* What a person would have read of the findings. */
static char *report_of(const struct pl_result *r)
{
    struct pl_report_style style = {.fd = -1};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (to == NULL)
        abort();
    for (size_t i = 0; i < r->n_findings; i++)
        pl_finding_text_print(to, &r->findings[i], i + 1, &style);
    fclose(to);
    return text;
}

void pl_single_open(struct pl_suite_document *d, const struct pl_result *r, const char *error)
{
    struct pl_suite *suite = pl_err_must(calloc(1, sizeof(*suite)));
    struct pl_suite_test *test = pl_err_must(calloc(1, sizeof(*test)));
    struct pl_suite_result *result = &test->result;

    test->name = copy(r->program);
    test->folder = copy(r->folder);
    test->report = report_of(r);
    result->findings = pl_err_must(calloc(r->n_findings + 1, sizeof(*result->findings)));
    for (size_t i = 0; i < r->n_findings; i++)
        add_finding(result, &r->findings[i]);
    result->complete = r->complete;
    result->executions = r->executions;
    result->seconds = r->seconds;
    result->status = r->n_findings > 0           ? PL_SUITE_FAILED
                     : error != NULL             ? PL_SUITE_ERROR
                     : pl_result_uncontrolled(r) ? PL_SUITE_ERROR
                                                 : PL_SUITE_CLEAN;
    if (result->status == PL_SUITE_ERROR)
        result->why = copy(error != NULL ? error : "it created no thread");
    *suite = (struct pl_suite){.n = 1, .room = 1, .tests = test};
    *d =
        (struct pl_suite_document){.suite = suite,
                                   .strategy = r->strategy,
                                   .folder = r->folder,
                                   .seed = r->seed,
                                   .seconds = r->seconds,
                                   .rounds = 1,
                                   .interrupted = (r->incomplete & PL_INCOMPLETE_INTERRUPTED) != 0};
}

void pl_single_close(struct pl_suite_document *d)
{
    struct pl_suite_test *test = d->suite->tests;

    pl_suite_result_clear(&test->result);
    free(test->name);
    free(test->folder);
    free(test->report);
    free(test);
    free((void *)d->suite);
}
