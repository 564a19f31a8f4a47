/* SPDX-License-Identifier: MIT */
#include "engine/suite/suite.h"

#include "engine/suite/suite_list.h"
#include "engine/suite/suite_state.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

/* The only test of a list with that line. */
static struct pl_suite_test *only(struct pl_suite *suite, const char *line)
{
    struct pl_err err = {PL_ERR_NONE, ""};

    pl_suite_free(suite);
    CHECK(pl_suite_list_line(suite, line, &err) == 0);
    CHECK_STR(err.text, "");
    return &suite->tests[0];
}

static void lines_are_read_as_a_shell_reads_them(void)
{
    struct pl_suite suite = {0};
    struct pl_suite_test *t =
        only(&suite, "bank: ./bank 'a b' \"c \\\" \\\\ \\d\" e\\ f '' g#h # i");

    CHECK_STR(t->name, "bank");
    CHECK_STR(t->argv[0], "./bank");
    CHECK_STR(t->argv[1], "a b");
    CHECK_STR(t->argv[2], "c \" \\ \\d");
    CHECK_STR(t->argv[3], "e f");
    CHECK_STR(t->argv[4], "");
    CHECK_STR(t->argv[5], "g#h");
    CHECK(t->argv[6] == NULL);
    CHECK(t->environment == NULL && t->directory == NULL);

    t = only(&suite, "./bank a: b");
    CHECK_STR(t->name, "./bank a: b");
    CHECK_STR(t->argv[1], "a:");
    pl_suite_free(&suite);
}

static void settings_stand_before_the_program(void)
{
    struct pl_suite suite = {0};
    struct pl_suite_test *t = only(&suite, "cd=sub A=1 _b2='x y' ./p C=3 cd=4");

    CHECK_STR(t->directory, "sub");
    CHECK_STR(t->environment[0], "A=1");
    CHECK_STR(t->environment[1], "_b2=x y");
    CHECK(t->environment[2] == NULL);
    CHECK_STR(t->argv[0], "./p");
    CHECK_STR(t->argv[1], "C=3");
    CHECK_STR(t->argv[2], "cd=4");

    t = only(&suite, "2x=3 y");
    CHECK_STR(t->argv[0], "2x=3");
    pl_suite_free(&suite);
}

static void what_is_no_command_is_refused(void)
{
    static const char *const bad[] = {"./p 'x",  "./p \"x",    "./p | q", "./p > f", "./p $X",
                                      "./p `x`", "./p \"$X\"", "./p *.c", "A=1",     "name: # x",
                                      "./p; q",  "./p ~",      "./p x\\"};
    struct pl_suite suite = {0};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pl_err err = {PL_ERR_NONE, ""};

        CHECK(pl_suite_list_line(&suite, bad[i], &err) == -1);
        CHECK(err.class == PL_ERR_USER && err.text[0] != '\0');
        CHECK(suite.n == 0);
    }
    pl_suite_free(&suite);
}

static void names_are_unique(void)
{
    struct pl_suite suite = {0};

    pl_suite_add(&suite, "a");
    pl_suite_add(&suite, "a");
    pl_suite_add(&suite, "b");
    pl_suite_add(&suite, "a");
    CHECK_STR(suite.tests[1].name, "a#2");
    CHECK_STR(suite.tests[3].name, "a#3");
    pl_suite_remove(&suite, 1);
    CHECK(suite.n == 3);
    CHECK_STR(suite.tests[1].name, "b");
    pl_suite_free(&suite);
}

static void folders_suit_any_name(void)
{
    static const struct {
        const char *name, *folder;
        bool whole; /* or else a number follows */
    } rows[] = {{"bank", "out/bank", true},       {"a.b-c+d_2", "out/a.b-c+d_2", true},
                {"../../etc", "out/etc-", false}, {".state.json", "out/state.json-", false},
                {"a b", "out/a_b-", false},       {"\xff", "out/-", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *folder = pl_suite_folder("out", rows[i].name);

        if (rows[i].whole)
            CHECK_STR(folder, rows[i].folder);
        CHECK(strncmp(folder, rows[i].folder, strlen(rows[i].folder)) == 0);
        CHECK(strlen(folder) == strlen(rows[i].folder) + (rows[i].whole ? 0 : 8));
        free(folder);
    }
    char *one = pl_suite_folder("out", "a b"), *two = pl_suite_folder("out", "a/b");

    CHECK(strcmp(one, two) != 0);
    free(one);
    free(two);
}

/* ---- CTest ---- */

/* JSON with single quotes, for the sake of readers. */
static int read_tests(struct pl_suite *suite, const char *text, struct pl_err *err)
{
    char *json = strdup(text);

    for (char *p = json; *p != '\0'; p++)
        *p = *p == '\'' ? '"' : *p;
    pl_suite_free(suite);
    int rc = pl_suite_ctest_text(suite, json, strlen(json), err);

    free(json);
    return rc;
}

static void tests_of_ctest_have_their_properties(void)
{
    static const char text[] =
        "{'tests': ["
        "{'name': 'a', 'command': ['/p', 'two words'], 'properties': ["
        "{'name': 'WORKING_DIRECTORY', 'value': '/d'},"
        "{'name': 'ENVIRONMENT', 'value': ['A=1', 'B=2']},"
        "{'name': 'TIMEOUT', 'value': 2.5}, {'name': 'WILL_FAIL', 'value': true},"
        "{'name': 'LABELS', 'value': ['x']}]},"
        "{'name': 'b', 'command': ['/usr/bin/cmake', '-E', 'env', 'X=1', '/p', 'Y=2'],"
        "'properties': [{'name': 'SKIP_RETURN_CODE', 'value': 7},"
        "{'name': 'RUN_SERIAL', 'value': true}]}]}";
    struct pl_suite suite = {0};
    struct pl_err err = {PL_ERR_NONE, ""};

    CHECK(read_tests(&suite, text, &err) == 0 && suite.n == 2);
    struct pl_suite_test *a = &suite.tests[0], *b = &suite.tests[1];

    CHECK_STR(a->argv[1], "two words");
    CHECK_STR(a->directory, "/d");
    CHECK_STR(a->environment[1], "B=2");
    CHECK_STR(a->labels[0], "x");
    CHECK_STR(a->expect_exit, "1-255");
    CHECK(a->hang_ms == 2500 && !a->serial && a->result.status == PL_SUITE_WAITING);
    CHECK_STR(b->argv[0], "/p");
    CHECK_STR(b->argv[1], "Y=2");
    CHECK(b->argv[2] == NULL);
    CHECK_STR(b->environment[0], "X=1");
    CHECK_STR(b->expect_exit, "0,7");
    CHECK(b->serial && b->result.status == PL_SUITE_WAITING);
    pl_suite_free(&suite);
}

static void tests_of_ctest_that_are_not_for_plait_are_skipped(void)
{
    static const char text[] =
        "{'tests': ["
        "{'name': 'a', 'command': ['/bin/sh', '-c', 'x']},"
        "{'name': 'b', 'command': ['/usr/bin/python3.11', 'x.py']},"
        "{'name': 'c', 'command': ['/p'], 'properties': [{'name': 'DISABLED', 'value': true}]},"
        "{'name': 'd', 'command': ['/p'], 'properties': ["
        "{'name': 'ENVIRONMENT_MODIFICATION', 'value': ['X=unset:']}]},"
        "{'name': 'e', 'command': ['cmake', '-E', 'env', '--unset=X', '/p']},"
        "{'name': 'f', 'command': ['/p'], 'properties': ["
        "{'name': 'FIXTURES_REQUIRED', 'value': ['x']}]},"
        "{'name': 'g', 'command': ['cmake', '-P', 'x']}]}";
    struct pl_suite suite = {0};
    struct pl_err err = {PL_ERR_NONE, ""};

    CHECK(read_tests(&suite, text, &err) == 0 && suite.n == 7);
    for (size_t i = 0; i < suite.n; i++)
        CHECK(suite.tests[i].result.status == PL_SUITE_SKIPPED &&
              suite.tests[i].result.why != NULL);
    CHECK(read_tests(&suite, "{'tests': [{'name': 'a'}, 5]}", &err) == 0 && suite.n == 2);
    CHECK(suite.tests[0].result.status == PL_SUITE_ERROR);
    pl_suite_free(&suite);
}

static void what_ctest_judges_by_what_is_printed_is_a_check(void)
{
    static const char text[] = "{'tests': ["
                               "{'name': 'a', 'command': ['/p'], 'properties': ["
                               "{'name': 'PASS_REGULAR_EXPRESSION', 'value': ['x y', 'z']}]},"
                               "{'name': 'b', 'command': ['/p'], 'properties': ["
                               "{'name': 'FAIL_REGULAR_EXPRESSION', 'value': ['x']},"
                               "{'name': 'SKIP_REGULAR_EXPRESSION', 'value': ['y']},"
                               "{'name': 'ENVIRONMENT_MODIFICATION', 'value': ['X=set:1', "
                               "'PL_NO=path_list_append:/a']}]}]}";
    struct pl_suite suite = {0};
    struct pl_err err = {PL_ERR_NONE, ""};

    CHECK(read_tests(&suite, text, &err) == 0 && suite.n == 2);
    CHECK(suite.tests[0].result.status == PL_SUITE_WAITING);
    CHECK_STR(suite.tests[0].check, "grep -Eq -e 'x y' -e 'z'");
    CHECK_STR(suite.tests[0].expect_exit, "0-255");
    CHECK(suite.tests[1].result.status == PL_SUITE_WAITING);
    CHECK_STR(suite.tests[1].check, "! grep -Eq -e 'x'");
    CHECK_STR(suite.tests[1].environment[0], "X=1");
    CHECK_STR(suite.tests[1].environment[1], "PL_NO=/a");
    pl_suite_free(&suite);
}

static void other_json_is_refused(void)
{
    static const char *const bad[] = {"", "{", "[]", "{}", "{'tests': 5}", "no tests"};
    struct pl_suite suite = {0};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pl_err err = {PL_ERR_NONE, ""};

        CHECK(read_tests(&suite, bad[i], &err) == -1 && err.class == PL_ERR_USER);
    }
    pl_suite_free(&suite);
}

/* ---- state ---- */

static void fill(struct pl_suite *suite, const char *argument)
{
    static const char *const names[] = {"clean", "failed", "waiting"};

    pl_suite_free(suite);
    for (size_t i = 0; i < 3; i++) {
        struct pl_suite_test *test = pl_suite_add(suite, names[i]);

        pl_suite_word(&test->argv, "/p");
        pl_suite_word(&test->argv, argument);
        pl_suite_identify(test, NULL);
    }
}

static void the_state_comes_back(void)
{
    char folder[] = "suite-XXXXXX", path[64];
    struct pl_suite suite = {0};
    struct pl_err err = {PL_ERR_NONE, ""};
    struct pl_suite_state state = {mkdtemp(folder), "settings", 1.5, false};

    CHECK(pl_suite_state_look(&state) == PL_SUITE_PAST_NONE);
    state.spent = 1.5;
    fill(&suite, "x");
    suite.tests[0].result = (struct pl_suite_result){
        .status = PL_SUITE_CLEAN, .complete = true, .rounds = 2, .executions = 7, .classes = 3};
    suite.tests[1].result = (struct pl_suite_result){.status = PL_SUITE_FAILED, .n_findings = 1};
    suite.tests[1].result.findings = calloc(1, sizeof(struct pl_suite_finding));
    *suite.tests[1].result.findings = (struct pl_suite_finding){
        strdup("exit"), strdup("m\xff"), strdup(""), strdup("12"), strdup("34"), strdup("f.plait")};
    CHECK(pl_suite_state_save(&state, &suite, &err) == 0);

    fill(&suite, "x");
    state.spent = 0;
    CHECK(pl_suite_state_look(&state) == PL_SUITE_PAST_UNFINISHED && state.spent == 1.5);
    CHECK(pl_suite_state_load(&state, &suite) == 2);
    CHECK(suite.tests[0].result.complete && suite.tests[0].result.rounds == 2);
    CHECK(suite.tests[0].result.executions == 7 && suite.tests[0].result.classes == 3);
    CHECK(suite.tests[1].result.status == PL_SUITE_FAILED);
    CHECK_STR(suite.tests[1].result.findings[0].schedule, "f.plait");
    CHECK_STR(suite.tests[1].result.findings[0].message, "m?");
    CHECK(suite.tests[2].result.status == PL_SUITE_WAITING);

    fill(&suite, "y"); /* other commands: nothing counts */
    CHECK(pl_suite_state_load(&state, &suite) == 0);
    state.finished = true;
    CHECK(pl_suite_state_save(&state, &suite, &err) == 0);
    CHECK(pl_suite_state_look(&state) == PL_SUITE_PAST_FINISHED);
    state.settings = "others";
    CHECK(pl_suite_state_look(&state) == PL_SUITE_PAST_OTHER);
    snprintf(path, sizeof(path), "%s/.state.json", folder);
    CHECK(truncate(path, 20) == 0);
    CHECK(pl_suite_state_look(&state) == PL_SUITE_PAST_NONE);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    pl_suite_free(&suite);
}

int main(void)
{
    lines_are_read_as_a_shell_reads_them();
    settings_stand_before_the_program();
    what_is_no_command_is_refused();
    names_are_unique();
    folders_suit_any_name();
    tests_of_ctest_have_their_properties();
    tests_of_ctest_that_are_not_for_plait_are_skipped();
    what_ctest_judges_by_what_is_printed_is_a_check();
    other_json_is_refused();
    the_state_comes_back();
    return unit_result();
}
