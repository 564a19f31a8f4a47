/* SPDX-License-Identifier: MIT */
/*
 * See suite.h: findings as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the
 * source. A rule is a kind of finding; what a finding is known by from one run to the next is its
 * identity.
 */
#include "base/assert.h"
#include "model/finding.h"
#include "report/place.h"
#include "report/suite.h"
#include "trace/value.h"

#include <stdlib.h>
#include <string.h>

static void put(json_t *o, const char *key, json_t *value)
{
    json_object_set_new(o, key, value);
}

static json_t *of_message(const char *text)
{
    json_t *o = json_object();

    put(o, "text", pl_value_text(text));
    return o;
}

/* A path as a reference: what has no place in one is written in hex. */
static json_t *of_uri(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+@,";
    size_t n = strlen(path), used = 0;
    char *uri = malloc(3 * n + 16);

    if (uri == NULL)
        abort();
    if (path[0] == '/')
        used = (size_t)sprintf(uri, "file://");
    for (size_t i = 0; i < n; i++) {
        if (strchr(plain, path[i]) != NULL)
            uri[used++] = path[i];
        else
            used += (size_t)sprintf(uri + used, "%%%02X", (unsigned char)path[i]);
    }
    uri[used] = '\0';
    json_t *value = pl_value_text(uri);

    free(uri);
    return value;
}

static json_t *of_location(const char *location)
{
    struct pl_place_words place;
    json_t *o = json_object(), *physical = json_object(), *artifact = json_object();

    pl_place_read(&place, location);
    if (place.file[0] != '\0') {
        json_t *region = json_object();

        put(artifact, "uri", of_uri(place.file));
        put(physical, "artifactLocation", json_incref(artifact));
        if (place.line > 0) { /* code that the compiler made is of no line */
            put(region, "startLine", pl_value_number(place.line));
            put(physical, "region", json_incref(region));
        }
        json_decref(region);
        put(o, "physicalLocation", json_incref(physical));
    }
    if (place.function[0] != '\0') {
        json_t *logical = json_object(), *list = json_array();

        put(logical, "name", pl_value_text(place.function));
        put(logical, "kind", json_string("function"));
        json_array_append_new(list, logical);
        put(o, "logicalLocations", list);
    }
    json_decref(artifact);
    json_decref(physical);
    return o;
}

static json_t *of_finding(const struct pl_suite_test *test, const struct pl_suite_finding *f)
{
    json_t *o = json_object(), *locations = json_array(), *prints = json_object();
    json_t *properties = json_object();
    unsigned kind = pl_finding_find(f->kind);
    char *command = NULL;
    size_t size;
    FILE *to = open_memstream(&command, &size);

    if (to == NULL)
        abort();
    pl_suite_replay_print(to, test, f);
    fclose(to);
    put(o, "ruleId", pl_value_text(f->kind));
    if (kind < PL_FINDING_KINDS)
        put(o, "ruleIndex", pl_value_number(kind));
    put(o, "level", json_string("error"));
    put(o, "message",
        of_message(f->message[0] != '\0' || kind == PL_FINDING_KINDS ? f->message
                                                                     : pl_finding_meaning(kind)));
    if (f->location[0] != '\0')
        json_array_append_new(locations, of_location(f->location));
    put(o, "locations", locations);
    put(prints, "plaitIdentity/v1",
        pl_value_text(f->identity != NULL && f->identity[0] != '\0' ? f->identity : f->signature));
    put(o, "partialFingerprints", prints);
    put(properties, "test", pl_value_text(test->name));
    put(properties, "schedule", pl_value_text(f->schedule));
    if (f->schedule[0] != '\0')
        put(properties, "replay", pl_value_text(command));
    put(o, "properties", properties);
    free(command);
    return o;
}

/* Every kind is a rule, so that an index means the same in all files. */
static json_t *of_rules(void)
{
    json_t *list = json_array();

    for (unsigned kind = 0; kind < PL_FINDING_KINDS; kind++) {
        json_t *o = json_object();

        put(o, "id", pl_value_text(pl_finding_text(kind)));
        put(o, "shortDescription", of_message(pl_finding_meaning(kind)));
        json_array_append_new(list, o);
    }
    return list;
}

/* Tests that could not be run are no results; they are said to be so. */
static json_t *of_invocation(const struct pl_suite_document *d)
{
    json_t *o = json_object(), *notes = json_array();
    bool fine = !d->interrupted;

    for (size_t i = 0; i < d->suite->n; i++) {
        const struct pl_suite_test *test = &d->suite->tests[i];
        json_t *note = json_object();
        char *text = NULL;

        if (test->result.status != PL_SUITE_ERROR && test->result.status != PL_SUITE_SKIPPED) {
            json_decref(note);
            continue;
        }
        if (asprintf(&text, "%s: %s", test->name, test->result.why ? test->result.why : "") < 0)
            abort();
        put(note, "message", of_message(text));
        put(note, "level", json_string(test->result.status == PL_SUITE_ERROR ? "error" : "note"));
        json_array_append_new(notes, note);
        free(text);
        fine &= test->result.status != PL_SUITE_ERROR;
    }
    put(o, "executionSuccessful", json_boolean(fine));
    put(o, "toolExecutionNotifications", notes);
    return o;
}

int pl_sarif_write(const char *path, const struct pl_suite_document *d)
{
    json_t *o = json_object(), *runs = json_array(), *run = json_object(), *tool = json_object();
    json_t *driver = json_object(), *results = json_array(), *invocations = json_array();

    PL_ASSERT(path != NULL && d->suite != NULL);
    put(driver, "name", json_string("plait"));
    put(driver, "version", json_string(PL_VERSION));
    put(driver, "rules", of_rules());
    put(tool, "driver", driver);
    for (size_t i = 0; i < d->suite->n; i++) {
        const struct pl_suite_test *test = &d->suite->tests[i];

        for (size_t k = 0; k < test->result.n_findings; k++)
            json_array_append_new(results, of_finding(test, &test->result.findings[k]));
    }
    json_array_append_new(invocations, of_invocation(d));
    put(run, "tool", tool);
    put(run, "invocations", invocations);
    put(run, "results", results);
    json_array_append_new(runs, run);
    put(o, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    put(o, "version", json_string("2.1.0"));
    put(o, "runs", runs);
    return pl_value_write(path, o);
}
