/* SPDX-License-Identifier: MIT */
/* See suite.h: the result as one JSON object; plait-suite(1) lists its members. */
#include "report/report.h"
#include "report/suite.h"
#include "trace/value.h"

static json_t *of_words(char **words)
{
    json_t *list = json_array();

    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        json_array_append_new(list, pl_value_text(words[i]));
    return list;
}

static json_t *of_coverage(const struct pl_suite_result *r)
{
    if (r->pairs_both + r->pairs_one == 0)
        return json_null();
    json_t *o = json_object();

    json_object_set_new(o, "pairs_both", pl_value_number(r->pairs_both));
    json_object_set_new(o, "pairs_one", pl_value_number(r->pairs_one));
    return o;
}

/* null when nothing was counted. */
static json_t *of_tasks(const struct pl_suite_result *r)
{
    static const char *const names[] = {"m1", "m2", "m3"};
    json_t *o = json_object();

    if (r->total[0] == 0) {
        json_decref(o);
        return json_null();
    }
    for (unsigned i = 0; i < PL_COVER_MODELS; i++) {
        json_t *model = json_object();

        json_object_set_new(model, "covered", pl_value_number(r->covered[i]));
        json_object_set_new(model, "total", pl_value_number(r->total[i]));
        json_object_set_new(o, names[i], model);
    }
    return o;
}

static json_t *of_test(const struct pl_suite_test *test)
{
    const struct pl_suite_result *r = &test->result;
    json_t *o = json_object();

    json_object_set_new(o, "name", pl_value_text(test->name));
    json_object_set_new(o, "command", of_words(test->argv));
    json_object_set_new(o, "directory",
                        test->directory ? pl_value_text(test->directory) : json_null());
    json_object_set_new(o, "environment", of_words(test->environment));
    json_object_set_new(o, "labels", of_words(test->labels));
    json_object_set_new(o, "status", pl_value_text(pl_suite_status_text(r->status)));
    json_object_set_new(o, "why", r->why ? pl_value_text(r->why) : json_null());
    json_object_set_new(o, "complete", json_boolean(r->complete));
    json_object_set_new(o, "executions", pl_value_number(r->executions));
    json_object_set_new(o, "failures", pl_value_number(r->failures));
    json_object_set_new(o, "classes", pl_value_number(r->classes));
    json_object_set_new(o, "coverage", of_coverage(r));
    json_object_set_new(o, "covered", of_tasks(r));
    json_object_set_new(o, "rounds", pl_value_number(r->rounds));
    json_object_set_new(o, "seconds", json_real(r->seconds));
    json_object_set_new(o, "folder", pl_value_text(test->folder ? test->folder : ""));
    json_object_set_new(o, "schedule",
                        r->n_findings > 0 ? pl_value_text(r->findings[0].schedule) : json_null());
    json_object_set_new(o, "findings", pl_value_findings(r));
    return o;
}

static json_t *of_document(const struct pl_suite_document *d)
{
    static const enum pl_suite_status all[] = {PL_SUITE_FAILED, PL_SUITE_CLEAN, PL_SUITE_ERROR,
                                               PL_SUITE_SKIPPED, PL_SUITE_WAITING};
    json_t *o = json_object(), *tests = json_array(), *counts = json_object();

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        json_object_set_new(counts, pl_suite_status_text(all[i]),
                            pl_value_number(pl_suite_count(d->suite, all[i])));
    for (size_t i = 0; i < d->suite->n; i++)
        json_array_append_new(tests, of_test(&d->suite->tests[i]));
    json_object_set_new(o, "format", json_string("plait-suite"));
    json_object_set_new(o, "version", json_integer(PL_JSON_VERSION));
    json_object_set_new(o, "strategy", pl_value_text(d->strategy));
    json_object_set_new(o, "seed", pl_value_number(d->seed));
    json_object_set_new(o, "folder", pl_value_text(d->folder));
    json_object_set_new(o, "rounds", pl_value_number(d->rounds));
    json_object_set_new(o, "seconds", json_real(d->seconds));
    json_object_set_new(o, "resumed", pl_value_number(d->resumed));
    json_object_set_new(o, "interrupted", json_boolean(d->interrupted));
    json_object_set_new(o, "counts", counts);
    json_object_set_new(o, "tests", tests);
    return o;
}

int pl_suite_json_write(const char *path, const struct pl_suite_document *document)
{
    return pl_value_write(path, of_document(document));
}
