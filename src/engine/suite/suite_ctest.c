/* SPDX-License-Identifier: MIT */
/*
 * See suite_list.h.  CTest describes tests as JSON: a command and a list of
 * properties for each.  A test that is judged or prepared in a way that plait
 * does not know is skipped rather than judged in another way.
 */
#include "engine/suite/suite_list.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void replace(char **text, const char *with)
{
    free(*text);
    *text = strdup(with);
    if (*text == NULL)
        abort();
}

/* ---- properties ---- */

/* A property that is one text, or a list of them. */
static void each_text(const json_t *value, void (*take)(void *context, const char *text),
                      void *context)
{
    const json_t *item;
    size_t i;

    if (json_is_string(value))
        take(context, json_string_value(value));
    json_array_foreach(value, i, item)
    {
        if (json_is_string(item))
            take(context, json_string_value(item));
    }
}

static void add_word(void *list, const char *text)
{
    pl_suite_word(list, text);
}

static void add_list(char ***to, const json_t *list)
{
    each_text(list, add_word, to);
}

static void skip_for(struct pl_suite_test *test, const char *name)
{
    char why[128];

    snprintf(why, sizeof(why), "it has the property %s, which plait does not follow", name);
    pl_suite_settle(test, PL_SUITE_SKIPPED, why);
}

static bool must_be_skipped(const char *name)
{
    static const char *const names[] = {"FIXTURES_REQUIRED", "GENERATED_RESOURCE_SPEC_FILE"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static void expect_also(struct pl_suite_test *test, const json_t *value)
{
    char list[40];

    if (test->expect_exit == NULL) { /* WILL_FAIL includes every other status */
        snprintf(list, sizeof(list), "0,%lld", (long long)json_integer_value(value));
        replace(&test->expect_exit, list);
    }
}

/* A word as a shell reads it back. */
static void put_quoted(FILE *to, const char *word)
{
    fputc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}

static void put_pattern(void *to, const char *pattern)
{
    fputs(" -e ", to);
    put_quoted(to, pattern);
}

/*
 * What CTest judges by what is printed becomes a check: CMake's regular expressions are those of
 * grep -E as far as tests use them.  With PASS_REGULAR_EXPRESSION the exit status does not count.
 */
static void judge_output(struct pl_suite_test *test, bool pass, const json_t *value)
{
    char *check = NULL;
    size_t size;
    FILE *to = open_memstream(&check, &size);

    if (to == NULL)
        abort();
    fputs(pass ? "grep -Eq" : "! grep -Eq", to);
    each_text(value, put_pattern, to);
    fclose(to);
    if (test->check != NULL) { /* both: that is judged by neither alone */
        free(check);
        skip_for(test, "FAIL_REGULAR_EXPRESSION beside PASS_REGULAR_EXPRESSION");
        return;
    }
    test->check = check;
    if (pass)
        replace(&test->expect_exit, "0-255");
}

/* "NAME=set:VALUE" and the like; what cannot be done before the test starts skips it. */
static void modify_environment(void *context, const char *text)
{
    struct pl_suite_test *test = context;
    const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
    char name[256], *word = NULL;

    if (colon == NULL || (size_t)(equals - text) >= sizeof(name)) {
        skip_for(test, "ENVIRONMENT_MODIFICATION");
        return;
    }
    snprintf(name, sizeof(name), "%.*s", (int)(equals - text), text);
    size_t n = (size_t)(colon - equals - 1);
    const char *way = equals + 1, *value = colon + 1, *old = getenv(name);
    bool path = strncmp(way, "path_list_", 10) == 0;
    bool after = n >= 7 && strncmp(way + n - 7, "_append", 7) == 0;
    bool before = n >= 8 && strncmp(way + n - 8, "_prepend", 8) == 0;
    const char *between = path && old != NULL && old[0] != '\0' ? ":" : "";
    int rc = -1;

    old = old != NULL ? old : "";
    if (n == 3 && strncmp(way, "set", 3) == 0)
        rc = asprintf(&word, "%s=%s", name, value);
    else if (after && (path || strncmp(way, "string_", 7) == 0))
        rc = asprintf(&word, "%s=%s%s%s", name, old, between, value);
    else if (before && (path || strncmp(way, "string_", 7) == 0))
        rc = asprintf(&word, "%s=%s%s%s", name, value, between, old);
    if (rc < 0) {
        skip_for(test, "ENVIRONMENT_MODIFICATION");
        return;
    }
    pl_suite_word(&test->environment, word);
    free(word);
}

/* Without them CTest does not run it. */
static void require(void *context, const char *path)
{
    struct pl_suite_test *test = context;
    char why[PATH_MAX + 64];

    snprintf(why, sizeof(why), "it needs %s, which is not there. Make it first.", path);
    if (path[0] != '/')
        skip_for(test, "REQUIRED_FILES with a path that is not absolute");
    else if (access(path, F_OK) != 0)
        pl_suite_settle(test, PL_SUITE_ERROR, why);
}

static void add_property(struct pl_suite_test *test, const char *name, const json_t *value)
{
    if (strcmp(name, "WORKING_DIRECTORY") == 0 && json_is_string(value))
        replace(&test->directory, json_string_value(value));
    else if (strcmp(name, "ENVIRONMENT") == 0)
        add_list(&test->environment, value);
    else if (strcmp(name, "LABELS") == 0)
        add_list(&test->labels, value);
    else if (strcmp(name, "TIMEOUT") == 0 && json_number_value(value) >= 0.001)
        test->hang_ms = (uint64_t)(json_number_value(value) * 1000);
    else if (strcmp(name, "WILL_FAIL") == 0 && json_is_true(value))
        replace(&test->expect_exit, "1-255");
    else if (strcmp(name, "SKIP_RETURN_CODE") == 0 && json_is_integer(value))
        expect_also(test, value);
    else if (strcmp(name, "RUN_SERIAL") == 0)
        test->serial |= json_is_true(value);
    else if (strcmp(name, "RESOURCE_LOCK") == 0)
        test->serial = true;
    else if (strcmp(name, "DISABLED") == 0 && json_is_true(value))
        pl_suite_settle(test, PL_SUITE_SKIPPED, "it is disabled");
    else if (strcmp(name, "PASS_REGULAR_EXPRESSION") == 0)
        judge_output(test, true, value);
    else if (strcmp(name, "FAIL_REGULAR_EXPRESSION") == 0)
        judge_output(test, false, value);
    else if (strcmp(name, "ENVIRONMENT_MODIFICATION") == 0)
        each_text(value, modify_environment, test);
    else if (strcmp(name, "REQUIRED_FILES") == 0)
        each_text(value, require, test);
    else if (must_be_skipped(name))
        skip_for(test, name);
    /* One that skips itself (SKIP_REGULAR_EXPRESSION, as GoogleTest's) ends well, which is fine. */
}

static void add_properties(struct pl_suite_test *test, const json_t *properties)
{
    const json_t *property;
    size_t i;

    json_array_foreach(properties, i, property)
    {
        const char *name = json_string_value(json_object_get(property, "name"));

        if (name != NULL)
            add_property(test, name, json_object_get(property, "value"));
    }
}

/* ---- the command ---- */

static bool is_cmake(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "cmake") == 0;
}

/*
 * `cmake -E env VARIABLE=VALUE PROGRAM` comes to the program with these variables.  Its options
 * (--unset and others) are left to cmake, so that the test is skipped as one of cmake.
 */
static void unwrap(struct pl_suite_test *test)
{
    char **argv = test->argv;
    size_t n = 0, words = 0;

    while (argv[words] != NULL)
        words++;
    if (words < 4 || !is_cmake(argv[0]) || strcmp(argv[1], "-E") != 0 ||
        strcmp(argv[2], "env") != 0)
        return;
    for (n = 3; n < words && argv[n][0] != '-' && strchr(argv[n], '=') != NULL; n++)
        continue;
    if (n < words && strcmp(argv[n], "--") == 0)
        n++;
    if (n == words || argv[n][0] == '-')
        return;
    for (size_t i = 0; i < n; i++) {
        if (i >= 3 && strcmp(argv[i], "--") != 0)
            pl_suite_word(&test->environment, argv[i]);
        free(argv[i]);
    }
    memmove(argv, argv + n, (words - n + 1) * sizeof(*argv));
}

/* Programs that only start the one under test, or another language's. */
static bool is_wrapper(const char *path)
{
    static const char *const names[] = {"cmake", "ctest", "sh",   "bash",     "dash", "env",
                                        "perl",  "ruby",  "make", "valgrind", "gdb",  "mpiexec"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return strncmp(name, "python", 6) == 0;
}

void pl_suite_look_through(struct pl_suite_test *test)
{
    char why[256];

    unwrap(test);
    if (test->result.status == PL_SUITE_WAITING && is_wrapper(test->argv[0])) {
        snprintf(why, sizeof(why), "%.180s starts it, and plait cannot look through that",
                 test->argv[0]);
        pl_suite_settle(test, PL_SUITE_SKIPPED, why);
    }
}

static void add_command(struct pl_suite_test *test, const json_t *command)
{
    add_list(&test->argv, command);
    if (test->argv == NULL) {
        pl_suite_word(&test->argv, test->name);
        if (test->result.status == PL_SUITE_WAITING)
            pl_suite_settle(test, PL_SUITE_ERROR,
                            "CTest does not find its program. Build the project first.");
        return;
    }
    pl_suite_look_through(test);
}

int pl_suite_ctest_text(struct pl_suite *suite, const char *text, size_t size, struct pl_err *err)
{
    json_error_t where;
    json_t *all = json_loadb(text, size, 0, &where);
    const json_t *tests = json_object_get(all, "tests"), *one;
    size_t i;

    if (!json_is_array(tests)) {
        const char *what = all == NULL ? where.text : "there is no list of tests";

        json_decref(all);
        return pl_err_set(err, PL_ERR_USER,
                          "what ctest says cannot be read: %.200s. Is it CMake 3.14 or later?",
                          what);
    }
    json_array_foreach(tests, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        struct pl_suite_test *test = pl_suite_add(suite, name ? name : "unnamed");

        add_properties(test, json_object_get(one, "properties"));
        add_command(test, json_object_get(one, "command"));
    }
    json_decref(all);
    return 0;
}

/* ---- ctest itself ---- */

/* What it prints, all of it. */
static char *read_all(int fd, size_t *size)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    ssize_t n;

    *size = 0;
    while (text != NULL &&
           ((n = read(fd, text + *size, room - *size)) > 0 || (n < 0 && errno == EINTR))) {
        *size += n > 0 ? (size_t)n : 0;
        if (*size == room)
            text = realloc(text, room *= 2);
    }
    if (text == NULL)
        abort();
    return text;
}

/* Start it with its output in a pipe; the process, or -1 with errno. */
static pid_t start(const char *folder, int *from)
{
    char *argv[] = {"ctest", "--test-dir", (char *)folder, "--show-only=json-v1", NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t pid = -1;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);

    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        errno = error;
        return -1;
    }
    *from = ends[0];
    return pid;
}

int pl_suite_ctest(struct pl_suite *suite, const char *folder, struct pl_err *err)
{
    size_t size, before = suite->n;
    int from = -1, status = 0;
    char file[4096];

    snprintf(file, sizeof(file), "%s/CTestTestfile.cmake", folder);
    if (access(file, R_OK) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%s is not a build folder of CTest: there is no CTestTestfile.cmake. "
                          "Give the folder that cmake -B made.",
                          folder);
    pid_t pid = start(folder, &from);

    if (pid < 0)
        return pl_err_set(err, PL_ERR_TARGET, "ctest cannot be started: %s. Install CMake.",
                          strerror(errno));
    char *text = read_all(from, &size);

    close(from);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    int rc = status != 0 ? pl_err_set(err, PL_ERR_USER,
                                      "ctest --test-dir %s failed. Look at what it says.", folder)
                         : pl_suite_ctest_text(suite, text, size, err);

    free(text);
    if (rc == 0 && suite->n == before)
        rc =
            pl_err_set(err, PL_ERR_USER, "CTest knows no test in %s. Give another folder.", folder);
    return rc;
}
