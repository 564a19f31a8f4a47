/* SPDX-License-Identifier: MIT */
/* See suite.h: the XML that continuous integration servers read. */
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "report/suite.h"
#include "trace/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 1 << 16 }; /* bytes of a campaign's report that are copied */

/* XML 1.0 has no way to write these. */
static bool is_allowed(uint32_t code)
{
    return code == '\t' || code == '\n' ||
           (code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff &&
            !(code >= 0x80 && code < 0xa0));
}

static const char *escape(uint32_t code)
{
    return code == '&'   ? "&amp;"
           : code == '<' ? "&lt;"
           : code == '>' ? "&gt;"
           : code == '"' ? "&quot;"
                         : NULL;
}

/* As on a terminal. */
static void print_code(FILE *to, const char *bytes, size_t n)
{
    for (size_t i = 0; i < (n > 0 ? n : 1); i++)
        fprintf(to, "\\x%02x", (unsigned char)bytes[i]);
}

void pl_junit_text(FILE *to, const char *text)
{
    while (*text != '\0') {
        uint32_t code = 0;
        size_t n = pl_utf8_decode(text, &code);

        if (n == 0 || !is_allowed(code))
            print_code(to, text, n);
        else if (escape(code) != NULL)
            fputs(escape(code), to);
        else
            fwrite(text, 1, n, to);
        text += n > 0 ? n : 1;
    }
}

/* A reader makes a space of a line break in an attribute, but not of its number. */
static void print_attribute(FILE *to, const char *name, const char *value)
{
    fprintf(to, " %s=\"", name);
    while (*value != '\0') {
        size_t n = strcspn(value, "\n\t");
        char *part = pl_err_must(strndup(value, n));

        pl_junit_text(to, part);
        free(part);
        value += n;
        if (*value != '\0')
            fprintf(to, "&#%d;", *value++);
    }
    fputc('"', to);
}

static void print_report(FILE *to, const struct pl_suite_test *test)
{
    char path[PATH_MAX], text[REPORT_MAX];

    if (test->report != NULL) {
        pl_junit_text(to, test->report);
        return;
    }
    snprintf(path, sizeof(path), "%s/report.txt", test->folder);
    FILE *from = pl_file_open(path, PL_FILE_MOST);
    size_t n = from != NULL ? fread(text, 1, sizeof(text) - 1, from) : 0;

    text[n] = '\0';
    pl_junit_text(to, text);
    if (from != NULL)
        fclose(from);
}

/* One element: several are not in every reader's idea of the format. */
static void print_failure(FILE *to, const struct pl_suite_test *test)
{
    const struct pl_suite_finding *f = &test->result.findings[0];
    PL_ASSERT(test->result.n_findings > 0);

    fprintf(to, "      <failure");
    print_attribute(to, "type", f->kind);
    print_attribute(to, "message", f->message);
    fputc('>', to);
    for (size_t i = 0; i < test->result.n_findings; i++) {
        char *command = NULL;
        size_t size;
        FILE *memory = open_memstream(&command, &size);

        if (memory == NULL)
            continue;
        pl_suite_replay_print(memory, test, &test->result.findings[i]);
        fclose(memory);
        pl_junit_text(to, command);
        fputc('\n', to);
        free(command);
    }
    fputc('\n', to);
    print_report(to, test);
    fprintf(to, "</failure>\n");
}

static void print_reason(FILE *to, const char *element, const char *why)
{
    fprintf(to, "      <%s", element);
    print_attribute(to, "message", why);
    fprintf(to, "/>\n");
}

static void print_test(FILE *to, const struct pl_suite_test *test)
{
    const struct pl_suite_result *r = &test->result;

    fprintf(to, "    <testcase classname=\"plait\"");
    print_attribute(to, "name", test->name);
    fprintf(to, " time=\"%.3f\">\n", r->seconds);
    if (r->status == PL_SUITE_FAILED)
        print_failure(to, test);
    else if (r->status == PL_SUITE_ERROR)
        print_reason(to, "error", r->why ? r->why : "");
    else if (r->status == PL_SUITE_SKIPPED)
        print_reason(to, "skipped", r->why ? r->why : "");
    else if (r->status == PL_SUITE_WAITING)
        print_reason(to, "skipped", "it was not run");
    else
        fprintf(to, "      <system-out>%s, %llu execution%s</system-out>\n",
                r->complete ? "complete" : "not complete", (unsigned long long)r->executions,
                r->executions == 1 ? "" : "s");
    fprintf(to, "    </testcase>\n");
}

static void print_counts(FILE *to, const struct pl_suite_document *d)
{
    const struct pl_suite *suite = d->suite;

    fprintf(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
            suite->n, pl_suite_count(suite, PL_SUITE_FAILED), pl_suite_count(suite, PL_SUITE_ERROR),
            pl_suite_count(suite, PL_SUITE_SKIPPED) + pl_suite_count(suite, PL_SUITE_WAITING),
            d->seconds);
}

int pl_junit_write(const char *path, const struct pl_suite_document *d)
{
    PL_ASSERT(path != NULL && d->suite != NULL);
    FILE *to = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");

    if (to == NULL)
        return -1;
    fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    print_counts(to, d);
    fprintf(to, ">\n  <testsuite name=\"plait suite\"");
    print_counts(to, d);
    fprintf(to, ">\n");
    for (size_t i = 0; i < d->suite->n; i++)
        print_test(to, &d->suite->tests[i]);
    fprintf(to, "  </testsuite>\n</testsuites>\n");
    int bad = ferror(to) | fflush(to);

    if (to != stdout)
        bad |= fclose(to);
    return bad ? -1 : 0;
}
