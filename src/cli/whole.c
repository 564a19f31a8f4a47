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
    /* Two calls must not become one behind their labels. */
    static const char *const own[] = {
        "-disable-llvm-passes", "-mllvm", "-enable-tail-merge=false", "-x", "ir", NULL};

    pl_words_add_all(out, own);
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

enum { FOLDER = 512 }; /* characters of its name */

/* A new folder for what is made on the way, where compilers have theirs. */
static bool make_folder(char to[FOLDER])
{
    const char *place = getenv("TMPDIR");
    int n = snprintf(to, FOLDER, "%s/plait-whole-XXXXXX", place && place[0] ? place : "/tmp");

    if (n >= FOLDER)
        errno = ENAMETOOLONG;
    return n < FOLDER && mkdtemp(to) != NULL;
}

struct jobs {
    struct pl_words *list;
    int n;
    char folder[FOLDER]; /* for what is made on the way */
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
    struct jobs jobs = {0};

    if (access(analyser, X_OK) != 0)
        return pl_err_set(
            err, PL_ERR_SYSTEM,
            "This plait was built without LLVM and has no --whole. Install llvm-dev and "
            "clang, and build it again.");
    if (!make_folder(jobs.folder))
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "%s cannot be made (%s). Make room there, or set TMPDIR to a folder that "
                          "can be written.",
                          jobs.folder, strerror(errno));
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

/* ---- gcc ---- */

static bool is_source(const char *word)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", NULL};
    const char *dot = strrchr(word, '.');

    for (int i = 0; dot && word[0] != '-' && endings[i]; i++) {
        if (strcmp(dot, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Whether clang is to have the word of gcc's command, and the next one with it: what says which
 * source it is.  All else is about code. */
static int words_to_take(const char *word)
{
    static const char *const with_value[] = {"-I",        "-D",         "-U",       "-isystem",
                                             "-iquote",   "-idirafter", "-include", "-imacros",
                                             "-isysroot", NULL};
    static const char *const beginnings[] = {
        "-I", "-D", "-U", "-std=", "-m", "-iquote", "-isystem", NULL};
    static const char *const alone[] = {"-pthread",
                                        "-ansi",
                                        "-funsigned-char",
                                        "-fsigned-char",
                                        "-fshort-enums",
                                        "-fno-exceptions",
                                        "-fno-rtti",
                                        "-fms-extensions",
                                        "-nostdinc",
                                        "-nostdinc++",
                                        "-fno-builtin",
                                        "-ffreestanding",
                                        "-fwrapv",
                                        "-fno-strict-aliasing",
                                        NULL};

    for (int i = 0; with_value[i]; i++) {
        if (strcmp(word, with_value[i]) == 0)
            return 2;
    }
    for (int i = 0; beginnings[i]; i++) {
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return 1;
    }
    for (int i = 0; alone[i]; i++) {
        if (strcmp(word, alone[i]) == 0)
            return 1;
    }
    return 0;
}

void pl_whole_other(const struct pl_words *command, const char *clang, const char *source,
                    const char *bitcode, struct pl_words *out)
{
    const char *const words[] = {
        "-w", "-O0", "-g", "-fsanitize=thread", "-emit-llvm", "-c", source, "-o", bitcode, NULL};

    pl_words_add(out, clang);
    for (int i = 1; i < command->n;) {
        int n = words_to_take(command->at[i]);

        for (int k = i; k < i + n && k < command->n; k++)
            pl_words_add(out, command->at[k]);
        i += n > 0 ? n : 1;
    }
    pl_words_add_all(out, words);
}

/* The bitcode of one source, in the form in which objects carry it; what clang cannot compile is
 * unknown code. */
static bool keep_source(const struct pl_words *command, const char *clang, const char *analyser,
                        const char *source, const char *folder, int i)
{
    struct pl_words other = {0}, keep = {0};
    char bitcode[PATH_MAX], kept[PATH_MAX];
    struct pl_err err = {0};

    snprintf(bitcode, sizeof(bitcode), "%s/%d.bc", folder, i);
    snprintf(kept, sizeof(kept), "%s/%d.kept", folder, i);
    const char *const words[] = {analyser, "keep", bitcode, kept, NULL};

    pl_whole_other(command, clang, source, bitcode, &other);
    pl_words_add_all(&keep, words);
    bool done = run(&other, &err) == 0 && run(&keep, &err) == 0;

    if (!done)
        fprintf(stderr, "plait: clang cannot compile %s: for the analysis it is unknown code.\n",
                source);
    pl_words_free(&other);
    pl_words_free(&keep);
    return done;
}

/* An object that holds nothing but what is kept, for the linker. */
static void add_kept(struct pl_words *command, const char *folder, int i)
{
    char name[PATH_MAX];

    snprintf(name, sizeof(name), "%s/%d.s", folder, i);
    FILE *f = fopen(name, "we");

    if (f == NULL)
        return;
    fprintf(f,
            ".section .debug_plait_code,\"\",@progbits\n.p2align 3\n.incbin \"%s/%d.kept\"\n"
            ".section .note.GNU-stack,\"\",@progbits\n",
            folder, i);
    fclose(f);
    pl_words_add(command, "-x");
    pl_words_add(command, "assembler");
    pl_words_add(command, name);
    pl_words_add(command, "-x");
    pl_words_add(command, "none");
}

/* Put it into the object that gcc has made. */
static int put_kept(const struct pl_words *command, const char *source, const char *folder, int i,
                    struct pl_err *err)
{
    const char *out = value_of(command, "-o"), *slash = strrchr(source, '/');
    const char *dot = strrchr(source, '.');
    const char *from = slash ? slash + 1 : source;
    char object[PATH_MAX], section[PATH_MAX];
    struct pl_words put = {0};

    snprintf(object, sizeof(object), "%.*s.o", (int)(dot - from), from);
    snprintf(section, sizeof(section), ".debug_plait_code=%s/%d.kept", folder, i);
    const char *const words[] = {"objcopy", "--add-section", section, out ? out : object, NULL};

    pl_words_add_all(&put, words);
    int rc = run(&put, err);

    pl_words_free(&put);
    return rc;
}

int pl_whole_gcc(const struct pl_words *command, const char *clang, const char *analyser,
                 bool links, struct pl_err *err)
{
    static const char *const no_objects[] = {"-E", "-S", "-M", "-MM", "-fsyntax-only", NULL};
    static const char *const endings[] = {"bc", "kept", "s"};
    char folder[FOLDER], name[PATH_MAX];
    struct pl_words gcc = {0};
    bool *kept = pl_err_must(calloc((size_t)command->n + 1, sizeof(*kept)));
    bool makes = access(analyser, X_OK) == 0 && make_folder(folder), debugs = false;

    for (int i = 0; no_objects[i]; i++)
        makes &= find(command, no_objects[i]) < 0;
    for (int i = 0; i < command->n; i++) {
        pl_words_add(&gcc, command->at[i]);
        debugs |= strncmp(command->at[i], "-g", 2) == 0;
    }
    /* Without lines nothing could be found again, nor in what two functions or blocks have become.
     */
    static const char *const own[] = {"-fno-ipa-icf",   "-fno-crossjumping", "-fno-tree-tail-merge",
                                      "-fno-tree-sink", "-fno-tree-cselim",  NULL};

    if (!debugs)
        pl_words_add(&gcc, "-g1");
    pl_words_add_all(&gcc, own);
    for (int i = 1; makes && i < command->n; i++) {
        bool source = is_source(command->at[i]) && strcmp(command->at[i - 1], "-o") != 0;

        kept[i] = source && keep_source(command, clang, analyser, command->at[i], folder, i);
        if (kept[i] && links)
            add_kept(&gcc, folder, i);
    }
    int rc = run(&gcc, err);

    for (int i = 1; i < command->n; i++) {
        if (rc == 0 && kept[i] && !links)
            rc = put_kept(command, command->at[i], folder, i, err);
        for (int k = 0; k < 3 && kept[i]; k++) {
            snprintf(name, sizeof(name), "%s/%d.%s", folder, i, endings[k]);
            unlink(name);
        }
    }
    rmdir(folder);
    pl_words_free(&gcc);
    free(kept);
    return rc;
}
