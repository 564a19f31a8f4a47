/* SPDX-License-Identifier: MIT */
/* See suite_list.h. */
#include "engine/suite/suite_list.h"

#include "base/err.h"
#include "engine/shared/lines.h"
#include "engine/worker/program.h"
#include "result/suite_result.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the tests ---- */

void pl_suite_word(char ***list, const char *word)
{
    size_t n = 0;

    while (*list != NULL && (*list)[n] != NULL)
        n++;
    *list = pl_err_must(realloc(*list, (n + 2) * sizeof(**list)));
    (*list)[n] = pl_err_must(strdup(word));
    (*list)[n + 1] = NULL;
}

static void free_words(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

static bool is_taken(const struct pl_suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->n; i++) {
        if (strcmp(suite->tests[i].name, name) == 0)
            return true;
    }
    return false;
}

struct pl_suite_test *pl_suite_add(struct pl_suite *suite, const char *name)
{
    char *unique = pl_err_must(strdup(name));

    for (unsigned k = 2; is_taken(suite, unique); k++) {
        free(unique);
        if (asprintf(&unique, "%s#%u", name, k) < 0)
            abort();
    }
    if (suite->n == suite->room) {
        suite->room = suite->room ? 2 * suite->room : 16;
        suite->tests = pl_err_must(realloc(suite->tests, suite->room * sizeof(*suite->tests)));
    }
    suite->tests[suite->n] = (struct pl_suite_test){.name = unique};
    return &suite->tests[suite->n++];
}

void pl_suite_settle(struct pl_suite_test *test, enum pl_suite_status status, const char *why)
{
    char *copy = pl_err_must(strdup(why));

    free(test->result.why);
    test->result.why = copy;
    test->result.status = status;
}

static void free_test(struct pl_suite_test *test)
{
    free(test->name);
    free(test->directory);
    free(test->expect_exit);
    free(test->check);
    free(test->report);
    free(test->folder);
    free_words(test->argv);
    free_words(test->environment);
    free_words(test->labels);
    pl_suite_result_clear(&test->result);
}

void pl_suite_remove(struct pl_suite *suite, size_t index)
{
    free_test(&suite->tests[index]);
    suite->n--;
    memmove(&suite->tests[index], &suite->tests[index + 1],
            (suite->n - index) * sizeof(*suite->tests));
}

void pl_suite_free(struct pl_suite *suite)
{
    for (size_t i = 0; i < suite->n; i++)
        free_test(&suite->tests[i]);
    free(suite->of_ctest);
    free(suite->tests);
    *suite = (struct pl_suite){0};
}

/* ---- a line of a list ---- */

struct line {
    const char *at;
    char *word; /* has room for the whole line */
};

static int refuse(char c, struct pl_err *err)
{
    return pl_err_set(err, PL_ERR_USER,
                      "'%c' is for a shell, but plait starts the program itself. Put it in single "
                      "quotes if it is meant as it stands.",
                      c);
}

/* What stands in quotes; line->at is behind the first of them. */
static int take_quoted(struct line *line, char quote, char **out, struct pl_err *err)
{
    for (; *line->at != quote; line->at++) {
        if (*line->at == '\0')
            return pl_err_set(err, PL_ERR_USER, "a %c is not closed. Add the other one.", quote);
        if (quote == '"' && (*line->at == '$' || *line->at == '`'))
            return refuse(*line->at, err);
        if (quote == '"' && *line->at == '\\' && line->at[1] != '\0' &&
            strchr("\"\\$`", line->at[1]) != NULL)
            line->at++;
        *(*out)++ = *line->at;
    }
    line->at++;
    return 0;
}

/* 1: there is a word, 0: there is none, -1: it is none. */
static int take_word(struct line *line, struct pl_err *err)
{
    char *out = line->word;

    while (isspace((unsigned char)*line->at))
        line->at++;
    if (*line->at == '\0' || *line->at == '#')
        return 0;
    while (*line->at != '\0' && !isspace((unsigned char)*line->at)) {
        char c = *line->at++;

        if (c == '\'' || c == '"') {
            if (take_quoted(line, c, &out, err) != 0)
                return -1;
        } else if (c == '\\' && *line->at != '\0') {
            *out++ = *line->at++;
        } else if (strchr("|&;<>()$`*?[~\\", c) != NULL) {
            return refuse(c, err);
        } else {
            *out++ = c;
        }
    }
    *out = '\0';
    return 1;
}

/* Whether VARIABLE= stands there, as a shell takes it. */
static bool is_setting(const char *word)
{
    size_t n = 0;

    while (isalnum((unsigned char)word[n]) || word[n] == '_')
        n++;
    return n > 0 && word[n] == '=' && !isdigit((unsigned char)word[0]);
}

/* The length of a name in front, without its colon; 0 when there is none. */
static size_t name_length(const char *text)
{
    size_t n = strcspn(text, " \t");

    return n > 1 && strchr("'\"", text[0]) == NULL && text[n - 1] == ':' &&
                   isspace((unsigned char)text[n])
               ? n - 1
               : 0;
}

static void add_word(struct pl_suite_test *test, const char *word)
{
    if (test->argv == NULL && strncmp(word, "cd=", 3) == 0) {
        free(test->directory);
        test->directory = pl_err_must(strdup(word + 3));
    } else if (test->argv == NULL && is_setting(word)) {
        pl_suite_word(&test->environment, word);
    } else {
        pl_suite_word(&test->argv, word);
    }
}

int pl_suite_list_line(struct pl_suite *suite, const char *text, struct pl_err *err)
{
    size_t n = name_length(text);
    const char *command = n > 0 ? text + n + 1 + strspn(text + n + 1, " \t") : text;
    char *name = pl_err_must(n > 0 ? strndup(text, n) : strdup(text));
    struct line line = {command, pl_err_must(malloc(strlen(text) + 1))};
    struct pl_suite_test *test = pl_suite_add(suite, name);
    int rc;

    while ((rc = take_word(&line, err)) > 0)
        add_word(test, line.word);
    if (rc == 0 && test->argv == NULL)
        rc =
            pl_err_set(err, PL_ERR_USER, "no program stands there. Write NAME: PROGRAM ARGUMENTS.");
    if (rc != 0)
        pl_suite_remove(suite, suite->n - 1);
    free(line.word);
    free(name);
    return rc;
}

struct list {
    struct pl_suite *suite;
    const char *path;
};

static int add_line(void *context, const char *text, unsigned number, struct pl_err *err)
{
    struct list *list = context;

    return pl_suite_list_line(list->suite, text, err) != 0
               ? pl_err_prefix(err, "%s:%u", list->path, number)
               : 0;
}

int pl_suite_list_file(struct pl_suite *suite, const char *path, struct pl_err *err)
{
    struct list list = {suite, path};
    size_t before = suite->n;

    if (pl_lines_each(path, "the list", add_line, &list, err) != 0)
        return -1;
    if (suite->n == before)
        return pl_err_set(err, PL_ERR_USER, "%s lists no test. Write one command a line into it.",
                          path);
    return 0;
}

/* ---- folders and programs ---- */

static void add_program(struct pl_suite *suite, const char *path)
{
    struct pl_suite_test *test = pl_suite_add(suite, path);
    char *here = NULL;

    /* Without a slash it would be looked for in PATH. */
    if (asprintf(&here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path) < 0)
        abort();
    pl_suite_word(&test->argv, here);
    free(here);
}

static int add_entries(struct pl_suite *suite, const char *path, struct dirent **entries, int n,
                       struct pl_err *err)
{
    size_t before = suite->n, length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    for (int i = 0; i < n; i++) {
        struct stat st;
        char *file = NULL;

        if (asprintf(&file, "%.*s/%s", (int)length, path, entries[i]->d_name) < 0)
            abort();
        if (suite->of_ctest == NULL && strcmp(entries[i]->d_name, "CTestTestfile.cmake") == 0)
            suite->of_ctest = strdup(path);
        bool regular = entries[i]->d_name[0] != '.' && stat(file, &st) == 0 && S_ISREG(st.st_mode);

        if (regular && access(file, X_OK) == 0 && !pl_program_is_library(file))
            add_program(suite, file);
        else if (regular)
            suite->left_out++;
        free(file);
    }
    if (suite->n == before)
        return pl_err_set(err, PL_ERR_USER,
                          "no file in %s is executable. Compile the tests first, or give the "
                          "folder that they are in.",
                          path);
    return 0;
}

int pl_suite_list_folder(struct pl_suite *suite, const char *path, struct pl_err *err)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);

    if (n < 0)
        return pl_err_set(err, PL_ERR_USER, "the folder %s cannot be read: %s. Give another.", path,
                          strerror(errno));
    int rc = add_entries(suite, path, entries, n, err);

    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return rc;
}

static bool is_elf(const char *path)
{
    char magic[4] = "";
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && read(fd, magic, 4) == 4 &&
              memcmp(magic, "\177ELF", 4) == 0;

    if (fd >= 0)
        close(fd);
    return is;
}

int pl_suite_list_any(struct pl_suite *suite, const char *path, struct pl_err *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%s cannot be used: %s. Give a list of commands, a folder of programs or "
                          "a program.",
                          path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return pl_suite_list_folder(suite, path, err);
    if (!is_elf(path))
        return pl_suite_list_file(suite, path, err);
    add_program(suite, path);
    return 0;
}
