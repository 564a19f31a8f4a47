/* SPDX-License-Identifier: MIT */
/* See whole.h. */
#include "cli/whole.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- what clang would do ---- */

void pl_whole_read_job(struct pl_words *job, const char *line)
{
    if (line[0] != ' ' || line[1] != '"')
        return;
    char *word = pl_err_must(malloc(strlen(line) + 1));

    for (const char *at = line + 1; *at == '"';) {
        size_t n = 0;

        for (at++; *at && *at != '"'; at++) {
            if (*at == '\\' && at[1])
                at++;
            word[n++] = *at;
        }
        word[n] = '\0';
        pl_words_add(job, word);
        at += *at == '"';
        at += *at == ' ';
    }
    free(word);
}

static int find(const struct pl_words *job, const char *word)
{
    for (int i = 0; i < job->n; i++) {
        if (strcmp(job->at[i], word) == 0)
            return i;
    }
    return -1;
}

/* What follows an option; NULL if it is not there. */
static const char *value_of(const struct pl_words *job, const char *option)
{
    int i = find(job, option);

    return i >= 0 && i + 1 < job->n ? job->at[i + 1] : NULL;
}

bool pl_whole_is_compile(const struct pl_words *job)
{
    const char *language = value_of(job, "-x");

    return job->n > 2 && strcmp(job->at[1], "-cc1") == 0 && find(job, "-emit-obj") >= 0 &&
           value_of(job, "-o") != NULL && language != NULL && strcmp(language, "ir") != 0 &&
           strncmp(language, "assembler", 9) != 0;
}

const char *pl_whole_linked(const struct pl_words *job)
{
    static const char *const others[] = {"-shared", "--shared",     "-Bshareable",
                                         "-r",      "-relocatable", "--relocatable"};
    const char *slash = job->n > 0 ? strrchr(job->at[0], '/') : NULL;
    const char *name = slash ? slash + 1 : job->n > 0 ? job->at[0] : "";

    if (strstr(name, "ld") == NULL || find(job, "-cc1") >= 0 || find(job, "-cc1as") >= 0)
        return NULL;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (find(job, others[i]) >= 0)
            return NULL;
    }
    return value_of(job, "-o");
}

void pl_whole_first(const struct pl_words *job, const char *bitcode, struct pl_words *out)
{
    for (int i = 0; i < job->n; i++) {
        bool output = i > 0 && strcmp(job->at[i - 1], "-o") == 0;

        if (strcmp(job->at[i], "-emit-obj") == 0)
            pl_words_add(out, "-emit-llvm-bc");
        else
            pl_words_add(out, output ? bitcode : job->at[i]);
    }
}

/* What is about the source, or has been done to the bitcode; with how many words behind it. */
static int words_to_leave_out(const char *word)
{
    static const char *const with_value[] = {"-dependency-file",
                                             "-MT",
                                             "-header-include-file",
                                             "-serialize-diagnostic-file",
                                             "-include",
                                             "-include-pch",
                                             "-x",
                                             NULL};
    static const char *const alone[] = {"-sys-header-deps", "-MP", "-MG", "-MV", "-show-includes",
                                        "--show-includes",  NULL};

    for (int i = 0; with_value[i]; i++) {
        if (strcmp(word, with_value[i]) == 0)
            return 2;
    }
    for (int i = 0; alone[i]; i++) {
        if (strcmp(word, alone[i]) == 0)
            return 1;
    }
    return strncmp(word, "-fsanitize", 10) == 0 ? 1 : 0;
}

void pl_whole_second(const struct pl_words *job, const char *bitcode, struct pl_words *out)
{
    PL_ASSERT(pl_whole_is_compile(job));
    /* The source is the last word. */
    for (int i = 0; i + 1 < job->n;) {
        int n = words_to_leave_out(job->at[i]);

        if (n == 0)
            pl_words_add(out, job->at[i]);
        i += n > 0 ? n : 1;
    }
    pl_words_add(out, "-disable-llvm-passes");
    pl_words_add(out, "-x");
    pl_words_add(out, "ir");
    pl_words_add(out, bitcode);
}

/* ---- processes ---- */

/* Start it with its standard error going to `error`, or where ours goes if that is -1. */
static pid_t start(const struct pl_words *command, int error)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;

    posix_spawn_file_actions_init(&actions);
    if (error >= 0)
        posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
    int rc = posix_spawnp(&pid, command->at[0], &actions, NULL, command->at, environ);

    posix_spawn_file_actions_destroy(&actions);
    errno = rc;
    return rc == 0 ? pid : -1;
}

static int end(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(const struct pl_words *command, struct pl_err *err)
{
    pid_t pid = start(command, -1);

    if (pid < 0)
        return pl_err_set(err, PL_ERR_TARGET, "'%s' could not be started (%s). Install it.",
                          command->at[0], strerror(errno));
    return end(pid);
}

/* ---- the jobs ---- */

struct jobs {
    struct pl_words *list;
    int n;
    char folder[64]; /* for what is made on the way */
};

static void add_job(struct jobs *jobs, const char *line)
{
    struct pl_words job = {0};

    pl_whole_read_job(&job, line);
    if (job.n > 0) {
        jobs->list = pl_err_must(realloc(jobs->list, ((size_t)jobs->n + 1) * sizeof(job)));
        jobs->list[jobs->n++] = job;
    } else if (strstr(line, "warning: ") || strstr(line, "error: ") || strstr(line, "note: ")) {
        fprintf(stderr, "%s\n", line);
    }
}

/* Ask clang; returns what it exits with. */
static int ask(const struct pl_words *command, struct jobs *jobs, struct pl_err *err)
{
    struct pl_words question = {0};
    int ends[2];
    char *line = NULL;
    size_t room = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "There is no pipe to be had (%s). Close some files.",
                          strerror(errno));
    for (int i = 0; i < command->n; i++)
        pl_words_add(&question, command->at[i]);
    pl_words_add(&question, "-###");
    pid_t pid = start(&question, ends[1]);

    pl_words_free(&question);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");

    for (ssize_t n; pid > 0 && from && (n = getline(&line, &room, from)) > 0;) {
        line[line[n - 1] == '\n' ? n - 1 : n] = '\0';
        add_job(jobs, line);
    }
    free(line);
    if (from)
        fclose(from);
    if (pid < 0)
        return pl_err_set(err, PL_ERR_TARGET, "'%s' could not be started (%s). Install it.",
                          command->at[0], strerror(errno));
    return end(pid);
}

/* Objects that only the linker is to see get names of ours: those that clang drew are free again.
 */
static void rename_objects(struct jobs *jobs)
{
    if (jobs->n == 0 || pl_whole_is_compile(&jobs->list[jobs->n - 1]))
        return;
    for (int i = 0; i < jobs->n; i++) {
        const char *old =
            pl_whole_is_compile(&jobs->list[i]) ? value_of(&jobs->list[i], "-o") : NULL;
        char name[PATH_MAX];

        if (old == NULL || find(&jobs->list[jobs->n - 1], old) < 0)
            continue;
        char *kept = pl_err_must(strdup(old));

        snprintf(name, sizeof(name), "%s/%d.o", jobs->folder, i);
        for (int j = i; j < jobs->n; j++) {
            for (int k; (k = find(&jobs->list[j], kept)) >= 0;) {
                free(jobs->list[j].at[k]);
                jobs->list[j].at[k] = pl_err_must(strdup(name));
            }
        }
        free(kept);
    }
}

/* Where it is told to, and nowhere else. */
static void remove_files(const struct jobs *jobs, int i)
{
    static const char *const endings[] = {"bc", "labels.bc", "kept", "o"};
    char name[PATH_MAX];

    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof(name), "%s/%d.%s", jobs->folder, i, endings[k]);
        unlink(name);
    }
}

/* From source to an object with its bitcode. */
static int compile(const struct jobs *jobs, int i, const char *analyser, struct pl_err *err)
{
    struct pl_words first = {0}, second = {0}, between = {0};
    char bitcode[PATH_MAX], labelled[PATH_MAX], kept[PATH_MAX];

    snprintf(bitcode, sizeof(bitcode), "%s/%d.bc", jobs->folder, i);
    snprintf(labelled, sizeof(labelled), "%s/%d.labels.bc", jobs->folder, i);
    snprintf(kept, sizeof(kept), "%s/%d.kept", jobs->folder, i);
    pl_whole_first(&jobs->list[i], bitcode, &first);
    pl_whole_second(&jobs->list[i], labelled, &second);
    const char *const label[] = {analyser, "label", bitcode, labelled, kept, NULL};

    pl_words_add_all(&between, label);
    int rc = run(&first, err);

    if (rc == 0)
        rc = run(&between, err);
    if (rc == 0)
        rc = run(&second, err);
    pl_words_free(&first);
    pl_words_free(&between);
    pl_words_free(&second);
    return rc;
}

/* Turn off hooks that nobody needs.  If the analyser cannot tell, all stay, and that is no error.
 */
static void lighten(const char *program, const char *analyser)
{
    const char *const words[] = {analyser, "lighten", program, NULL};
    struct pl_words command = {0};
    int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);

    pl_words_add_all(&command, words);
    pid_t pid = start(&command, silent);

    if (pid > 0)
        end(pid);
    pl_words_free(&command);
    if (silent >= 0)
        close(silent);
}

int pl_whole_run(const struct pl_words *command, const char *analyser, bool keep,
                 struct pl_err *err)
{
    struct jobs jobs = {.folder = "/tmp/plait-whole-XXXXXX"};

    if (access(analyser, X_OK) != 0)
        return pl_err_set(
            err, PL_ERR_SYSTEM,
            "This plait was built without LLVM and has no --whole. Install llvm-dev and "
            "clang, and build it again.");
    if (mkdtemp(jobs.folder) == NULL)
        return pl_err_set(err, PL_ERR_SYSTEM, "/tmp cannot be written (%s). Make room there.",
                          strerror(errno));
    int rc = ask(command, &jobs, err);

    rename_objects(&jobs);
    for (int i = 0; rc == 0 && i < jobs.n; i++) {
        const char *program = keep ? NULL : pl_whole_linked(&jobs.list[i]);

        rc = pl_whole_is_compile(&jobs.list[i]) ? compile(&jobs, i, analyser, err)
                                                : run(&jobs.list[i], err);
        if (rc == 0 && program != NULL)
            lighten(program, analyser);
    }
    for (int i = 0; i < jobs.n; i++) {
        remove_files(&jobs, i);
        pl_words_free(&jobs.list[i]);
    }
    free(jobs.list);
    rmdir(jobs.folder);
    return rc;
}
