/* SPDX-License-Identifier: MIT */
/* See suite_state.h. */
#include "engine/suite/suite_state.h"

#include "base/hash.h"
#include "engine/suite/suite_list.h"
#include "result/suite_result.h"
#include "trace/value.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1 };

/* ---- identity ---- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        h = pl_hash_add(h, (unsigned char)*text);
    return pl_hash_add(h, 256); /* where it ends */
}

static uint64_t hash_words(uint64_t h, char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        h = hash_text(h, words[i]);
    return pl_hash_add(h, 257);
}

void pl_suite_identify(struct pl_suite_test *test, const char *program)
{
    uint64_t h = hash_words(hash_words(1, test->argv), test->environment);
    struct stat st;

    h = hash_text(hash_text(h, test->directory), test->expect_exit);
    h = pl_hash_add(pl_hash_add(h, test->hang_ms), test->tap);
    if (program != NULL && stat(program, &st) == 0) {
        h = pl_hash_add(h, (uint64_t)st.st_size);
        h = pl_hash_add(h, (uint64_t)st.st_mtim.tv_sec);
        h = pl_hash_add(h, (uint64_t)st.st_mtim.tv_nsec);
    }
    snprintf(test->identity, sizeof(test->identity), "%016llx", (unsigned long long)h);
}

/* ---- writing ---- */

static json_t *of_numbers(const uint64_t numbers[PL_COVER_MODELS])
{
    json_t *list = json_array();

    for (unsigned i = 0; i < PL_COVER_MODELS; i++)
        json_array_append_new(list, pl_value_number(numbers[i]));
    return list;
}

static json_t *of_test(const struct pl_suite_test *test)
{
    const struct pl_suite_result *r = &test->result;
    json_t *o = json_object();

    json_object_set_new(o, "name", pl_value_text(test->name));
    json_object_set_new(o, "identity", pl_value_text(test->identity));
    json_object_set_new(o, "status", json_integer(r->status));
    json_object_set_new(o, "why", r->why ? pl_value_text(r->why) : json_null());
    json_object_set_new(o, "complete", json_boolean(r->complete));
    json_object_set_new(o, "rounds", json_integer(r->rounds));
    json_object_set_new(o, "executions", pl_value_number(r->executions));
    json_object_set_new(o, "failures", pl_value_number(r->failures));
    json_object_set_new(o, "classes", pl_value_number(r->classes));
    json_object_set_new(o, "pairs_both", pl_value_number(r->pairs_both));
    json_object_set_new(o, "pairs_one", pl_value_number(r->pairs_one));
    json_object_set_new(o, "covered", of_numbers(r->covered));
    json_object_set_new(o, "tasks", of_numbers(r->total));
    json_object_set_new(o, "seconds", json_real(r->seconds));
    json_object_set_new(o, "findings", pl_value_findings(r));
    return o;
}

static json_t *of_state(const struct pl_suite_state *state, const struct pl_suite *suite)
{
    json_t *o = json_object(), *tests = json_array();

    for (size_t i = 0; i < suite->n; i++)
        json_array_append_new(tests, of_test(&suite->tests[i]));
    json_object_set_new(o, "version", json_integer(VERSION));
    json_object_set_new(o, "settings", pl_value_text(state->settings));
    json_object_set_new(o, "spent", json_real(state->spent));
    json_object_set_new(o, "finished", json_boolean(state->finished));
    json_object_set_new(o, "tests", tests);
    return o;
}

static void path_of(char to[PATH_MAX], const struct pl_suite_state *state, const char *name)
{
    snprintf(to, PATH_MAX, "%s/%s", state->folder, name);
}

int pl_suite_state_save(const struct pl_suite_state *state, const struct pl_suite *suite,
                        struct pl_err *err)
{
    char path[PATH_MAX], temporary[PATH_MAX];

    path_of(path, state, ".state.json");
    path_of(temporary, state, ".state.tmp");
    json_t *o = of_state(state, suite);
    unlink(temporary); /* of somebody who was killed, or a link of somebody who means harm */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool bad = to == NULL || json_dumpf(o, to, JSON_INDENT(1)) != 0 || fflush(to) != 0 ||
               fsync(fileno(to)) != 0;
    int error = errno;

    json_decref(o);
    if (to != NULL && fclose(to) != 0)
        bad = true;
    if (!bad && rename(temporary, path) == 0)
        return 0;
    return pl_err_set(err, PL_ERR_TARGET,
                      "%.300s cannot be written: %s. Make room or choose another --output.", path,
                      strerror(bad ? error : errno));
}

/* ---- reading ---- */

static const char *string_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s ? s : "";
}

static uint64_t number_of(const json_t *o, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(o, key));

    return n > 0 ? (uint64_t)n : 0;
}

static char *copy_of(const json_t *o, const char *key)
{
    char *copy = strdup(string_of(o, key));

    if (copy == NULL)
        abort();
    return copy;
}

static void take_findings(struct pl_suite_result *r, const json_t *list)
{
    const json_t *o;
    size_t i;

    r->findings = calloc(json_array_size(list) + 1, sizeof(*r->findings));
    if (r->findings == NULL)
        abort();
    json_array_foreach(list, i, o)
    {
        r->findings[r->n_findings++] = (struct pl_suite_finding){
            copy_of(o, "kind"),      copy_of(o, "message"),  copy_of(o, "location"),
            copy_of(o, "signature"), copy_of(o, "identity"), copy_of(o, "schedule")};
    }
}

static void take_result(struct pl_suite_result *r, const json_t *o)
{
    pl_suite_result_clear(r);
    r->status = (enum pl_suite_status)number_of(o, "status");
    if (json_is_string(json_object_get(o, "why")))
        r->why = copy_of(o, "why");
    r->complete = json_is_true(json_object_get(o, "complete"));
    r->rounds = (unsigned)number_of(o, "rounds");
    r->executions = number_of(o, "executions");
    r->failures = number_of(o, "failures");
    r->classes = number_of(o, "classes");
    r->pairs_both = number_of(o, "pairs_both");
    r->pairs_one = number_of(o, "pairs_one");
    for (unsigned i = 0; i < PL_COVER_MODELS; i++) {
        r->covered[i] =
            (uint64_t)json_integer_value(json_array_get(json_object_get(o, "covered"), i));
        r->total[i] = (uint64_t)json_integer_value(json_array_get(json_object_get(o, "tasks"), i));
    }
    r->seconds = json_number_value(json_object_get(o, "seconds"));
    take_findings(r, json_object_get(o, "findings"));
}

static json_t *read_state(const struct pl_suite_state *state)
{
    char path[PATH_MAX];

    path_of(path, state, ".state.json");
    json_t *o = pl_value_load(path, NULL);

    if (o != NULL && number_of(o, "version") != VERSION) {
        json_decref(o);
        o = NULL;
    }
    return o;
}

enum pl_suite_past pl_suite_state_look(struct pl_suite_state *state)
{
    json_t *o = read_state(state);
    enum pl_suite_past past = PL_SUITE_PAST_UNFINISHED;

    if (o == NULL)
        return PL_SUITE_PAST_NONE;
    if (strcmp(string_of(o, "settings"), state->settings) != 0)
        past = PL_SUITE_PAST_OTHER;
    else if (json_is_true(json_object_get(o, "finished")))
        past = PL_SUITE_PAST_FINISHED;
    state->spent = json_number_value(json_object_get(o, "spent"));
    json_decref(o);
    return past;
}

static const json_t *find(const json_t *tests, const struct pl_suite_test *test)
{
    const json_t *o;
    size_t i;

    json_array_foreach(tests, i, o)
    {
        if (strcmp(string_of(o, "name"), test->name) == 0 &&
            strcmp(string_of(o, "identity"), test->identity) == 0)
            return o;
    }
    return NULL;
}

size_t pl_suite_state_load(const struct pl_suite_state *state, struct pl_suite *suite)
{
    json_t *o = read_state(state);
    size_t taken = 0;

    for (size_t i = 0; o != NULL && i < suite->n; i++) {
        struct pl_suite_test *test = &suite->tests[i];
        const json_t *past = find(json_object_get(o, "tests"), test);
        uint64_t status = number_of(past, "status");

        if (test->result.status != PL_SUITE_WAITING || past == NULL || status == PL_SUITE_WAITING ||
            status > PL_SUITE_SKIPPED)
            continue;
        take_result(&test->result, past);
        taken++;
    }
    json_decref(o);
    return taken;
}
