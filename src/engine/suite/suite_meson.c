/* SPDX-License-Identifier: MIT */
/*
 * See suite_list.h.  Meson leaves a description of all tests in its build folder, which is read
 * here; Meson itself is not needed.  It does not say there which tests are expected to fail.
 */
#include "engine/suite/suite_list.h"

#include "base/err.h"
#include "base/file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    return pl_err_must(strdup(text));
}

static void add_environment(struct pl_suite_test *test, const json_t *variables)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)variables, name, value)
    {
        char *word;

        if (!json_is_string(value))
            continue;
        if (asprintf(&word, "%s=%s", name, json_string_value(value)) < 0)
            abort();
        pl_suite_word(&test->environment, word);
        free(word);
    }
}

static void add_words(char ***to, const json_t *list)
{
    const json_t *word;
    size_t i;

    json_array_foreach(list, i, word)
    {
        if (json_is_string(word))
            pl_suite_word(to, json_string_value(word));
    }
}

static void add_test(struct pl_suite *suite, const json_t *o, const char *folder)
{
    const char *name = json_string_value(json_object_get(o, "name"));
    const char *workdir = json_string_value(json_object_get(o, "workdir"));
    const char *protocol = json_string_value(json_object_get(o, "protocol"));
    struct pl_suite_test *test = pl_suite_add(suite, name ? name : "unnamed");
    double seconds = json_number_value(json_object_get(o, "timeout"));
    char why[128];

    add_words(&test->argv, json_object_get(o, "cmd"));
    add_words(&test->labels, json_object_get(o, "suite"));
    add_environment(test, json_object_get(o, "env"));
    test->directory = copy(workdir != NULL ? workdir : folder);
    test->serial = json_is_false(json_object_get(o, "is_parallel"));
    if (seconds >= 0.001)
        test->hang_ms = (uint64_t)(seconds * 1000);
    if (test->argv == NULL) {
        pl_suite_word(&test->argv, test->name);
        pl_suite_settle(test, PL_SUITE_ERROR, "Meson does not say what it runs. Set it up again.");
    } else if (protocol != NULL && strcmp(protocol, "tap") == 0) {
        test->tap = true;
    } else if (protocol != NULL && strcmp(protocol, "exitcode") != 0 &&
               strcmp(protocol, "gtest") != 0) {
        snprintf(why, sizeof(why), "its protocol is %.60s, which plait does not follow", protocol);
        pl_suite_settle(test, PL_SUITE_SKIPPED, why);
    }
    if (protocol == NULL || strcmp(protocol, "exitcode") == 0)
        test->expect_exit = copy("0,77"); /* it skips itself by that */
    test->meson = true;
    if (test->result.status == PL_SUITE_WAITING)
        pl_suite_look_through(test);
}

int pl_suite_meson(struct pl_suite *suite, const char *folder, struct pl_err *err)
{
    size_t before = suite->n, i;
    json_error_t where;
    char path[4096];
    const json_t *one;

    snprintf(path, sizeof(path), "%s/meson-info/intro-tests.json", folder);
    FILE *from = pl_file_open(path, PL_FILE_MOST);

    if (from == NULL)
        return pl_err_set(
            err, PL_ERR_USER,
            "%s is not a build folder of Meson: meson-info/intro-tests.json cannot be "
            "read: %s. Give the folder that meson setup made.",
            folder, strerror(errno));
    json_t *all = json_loadf(from, 0, &where);
    char *whole = realpath(folder, NULL);

    fclose(from);
    if (!json_is_array(all)) {
        free(whole);
        json_decref(all);
        return pl_err_set(err, PL_ERR_USER, "%.300s cannot be read: %.100s. Set it up again.", path,
                          all == NULL ? where.text : "it is no list of tests");
    }
    json_array_foreach(all, i, one)
    {
        add_test(suite, one, whole ? whole : folder);
    }
    free(whole);
    json_decref(all);
    return suite->n > before
               ? 0
               : pl_err_set(err, PL_ERR_USER, "Meson knows no test in %s. Give another folder.",
                            folder);
}
