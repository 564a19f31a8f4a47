/* SPDX-License-Identifier: MIT */
/*
 * `plait cc` and `plait c++`: become the compiler, with the options that let
 * plait see what the program does.  wrapper.c decides about the options; this
 * file finds the compiler and our own files and starts the one with the other.
 */
#include "base/assert.h"
#include "base/err.h"
#include "base/exit.h"
#include "cli/command.h"
#include "cli/whole.h"
#include "cli/words.h"
#include "cli/wrapper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What differs between the two commands. */
struct language {
    const char *command;
    const char *variable;
    const char *defaults[4];
    const char *clang;
};

static const struct language lang_c = {
    "plait cc", "PLAIT_CC", {"gcc", "cc", "clang", NULL}, "clang"};
static const struct language lang_cxx = {
    "plait c++", "PLAIT_CXX", {"g++", "c++", "clang++", NULL}, "clang++"};

/* Our own files, found beside the executable: PREFIX/bin/plait. */
struct places {
    char archive[PATH_MAX];
    char link_dir[PATH_MAX];
    char include_dir[PATH_MAX];
    char analyser[PATH_MAX];
};

/* What is asked of us rather than of the compiler. */
struct own {
    bool show, help, whole, keep;
};

static void print_help(const struct language *lang)
{
    printf("usage: %s ARGUMENTS OF THE COMPILER\n\n"
           "Calls gcc or clang with the options that let plait see and control the\n"
           "program's threads.  Use it wherever a build takes a compiler:\n\n"
           "  CC=plait-cc CXX=plait-c++ ./configure\n"
           "  cmake -DCMAKE_C_COMPILER=plait-cc -DCMAKE_CXX_COMPILER=plait-c++ .\n\n"
           "The program still runs as usual when it is started without plait.  Files\n"
           "built with -fno-sanitize=thread are left as they are.\n\n"
           "  --whole       keep the program's bitcode with it, for `plait pairs`; clang makes it\n"
           "  --keep-hooks  with --whole: leave hooks in also where no other thread can come\n"
           "  --plait-show  print the compiler's command instead of running it\n"
           "  --plait-help  print this\n\n"
           "environment:\n"
           "  PLAIT_WHOLE=1        the same as --whole, for builds\n"
           "  PLAIT_KEEP_HOOKS=1   the same as --keep-hooks\n"
           "  PLAIT_CC, PLAIT_CXX  the compiler, with arguments if need be: \"ccache gcc\"\n"
           "                       (default: gcc and g++)\n",
           lang->command);
}

/* Where the command lies, behind all links; false if that is not to be found out. */
static bool find_file(const char *command, char *out)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];

    if (strchr(command, '/') != NULL)
        return realpath(command, out) != NULL;
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t n = strcspn(path, ":");
        int length =
            snprintf(file, sizeof(file), "%.*s/%s", n ? (int)n : 1, n ? path : ".", command);

        if (length > 0 && (size_t)length < sizeof(file) && access(file, X_OK) == 0)
            return realpath(file, out) != NULL;
        path += n + (path[n] == ':');
    }
    return false;
}

static int find_compiler(const struct language *lang, struct pl_words *out, struct pl_err *err)
{
    const char *chosen = getenv(lang->variable);
    char file[PATH_MAX];

    if (chosen && *chosen)
        pl_words_split(out, chosen);
    for (int i = 0; out->n == 0 && lang->defaults[i]; i++) {
        if (find_file(lang->defaults[i], file))
            pl_words_add(out, lang->defaults[i]);
    }
    if (out->n == 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "There is no C or C++ compiler. Install gcc or clang, or name one in %s.",
                          lang->variable);

    PL_ASSERT(out->n > 0 && out->at[0] != NULL);
    const char *slash = strrchr(out->at[0], '/');
    const char *name = slash ? slash + 1 : out->at[0];
    if (strncmp(name, "plait", 5) == 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%s names plait itself. Set it to the compiler that plait is to call.",
                          lang->variable);
    return 0;
}

static bool is_elf(const char *file)
{
    char magic[4] = "";
    FILE *f = fopen(file, "rb");
    bool elf = f && fread(magic, 1, sizeof(magic), f) == sizeof(magic) &&
               memcmp(magic, "\177ELF", sizeof(magic)) == 0;

    if (f)
        fclose(f);
    return elf;
}

/* The number behind the last occurrence of a word that ends the text or a folder's name; or 0. */
static int number_behind(const char *text, const char *word)
{
    const char *at = NULL;
    int number = 0, length = 0;

    for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
        at = p;
    if (at == NULL || sscanf(at + strlen(word), "%d%n", &number, &length) != 1)
        return 0;
    at += strlen(word) + (size_t)length;
    return *at == '\0' || *at == '/' ? number : 0;
}

/*
 * What a compiler is that is installed as distributions do it, with its version in the name of the
 * file (x86_64-linux-gnu-gcc-12) or of the folder (llvm-14/bin/clang).  To ask takes as long as to
 * compile a small file.  A script may do anything, and is asked.
 */
static bool is_known(const char *command, struct pl_wrapper_setup *setup)
{
    char file[PATH_MAX];

    if (!find_file(command, file) || !is_elf(file))
        return false;
    const char *name = strrchr(file, '/') + 1;
    int gcc = number_behind(name, "gcc-"), gxx = number_behind(name, "g++-");
    int clang = number_behind(name, "clang-"), clangxx = number_behind(name, "clang++-");

    if (strcmp(name, "clang") == 0 || strcmp(name, "clang++") == 0)
        clang = number_behind(file, "/llvm-");
    setup->family = clang || clangxx ? PL_WRAPPER_CLANG : PL_WRAPPER_GCC;
    setup->major = clang ? clang : clangxx ? clangxx : gcc ? gcc : gxx;
    return setup->major > 0;
}

/* Start the compiler with its predefined macros going into a pipe; returns its pid or -1. */
static pid_t start_probe(const struct pl_words *compiler, int *from)
{
    static const char *const probe[] = {"-dM", "-E", "-x", "c", "/dev/null", NULL};
    struct pl_words words = {0};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t pid = -1;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    for (int i = 0; i < compiler->n; i++)
        pl_words_add(&words, compiler->at[i]);
    pl_words_add_all(&words, probe);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    PL_ASSERT(words.n > compiler->n && words.at[words.n] == NULL);
    int rc = posix_spawnp(&pid, words.at[0], &actions, NULL, words.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    pl_words_free(&words);
    close(ends[1]);
    *from = ends[0];
    if (rc == 0)
        return pid;
    close(ends[0]);
    errno = rc;
    return -1;
}

/* Ask the compiler what it is: a name says little, since cc may be either. */
static int identify(const struct pl_words *compiler, struct pl_wrapper_setup *setup,
                    struct pl_err *err)
{
    int from;

    if (is_known(compiler->at[0], setup))
        return 0;
    pid_t pid = start_probe(compiler, &from);
    int gnu = 0;
    int clang = 0;

    if (pid < 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "The compiler '%s' could not be started (%s). "
                          "Install it, or name another in PLAIT_CC or PLAIT_CXX.",
                          compiler->at[0], strerror(errno));
    FILE *macros = fdopen(from, "r");
    char line[4096];
    while (macros && fgets(line, sizeof(line), macros)) {
        sscanf(line, "#define __GNUC__ %d", &gnu);
        sscanf(line, "#define __clang_major__ %d", &clang);
    }
    if (macros)
        fclose(macros);
    waitpid(pid, NULL, 0);
    if (!gnu && !clang)
        return pl_err_set(err, PL_ERR_USER,
                          "'%s' is neither gcc nor clang. "
                          "Name one of them in PLAIT_CC or PLAIT_CXX.",
                          compiler->at[0]);
    PL_ASSERT(gnu >= 0 && clang >= 0);
    setup->family = clang ? PL_WRAPPER_CLANG : PL_WRAPPER_GCC;
    setup->major = clang ? clang : gnu;
    return 0;
}

/* Fill the paths and let setup point to them. */
static int find_places(struct places *at, struct pl_wrapper_setup *setup, struct pl_err *err)
{
    char prefix[PATH_MAX - 64];
    char header[PATH_MAX + 16];
    ssize_t n = readlink("/proc/self/exe", prefix, sizeof(prefix) - 1);

    prefix[n > 0 ? n : 0] = '\0';
    for (int i = 0; i < 2; i++) { /* take off /bin/plait */
        char *slash = strrchr(prefix, '/');
        if (slash)
            *slash = '\0';
    }
    snprintf(at->archive, sizeof(at->archive), "%s/lib/plait/libplait_gate.a", prefix);
    snprintf(at->link_dir, sizeof(at->link_dir), "%s/lib/plait/link", prefix);
    snprintf(at->analyser, sizeof(at->analyser), "%s/lib/plait/plait-static", prefix);
    snprintf(at->include_dir, sizeof(at->include_dir), "%s/include", prefix);
    if (access(at->archive, R_OK) != 0 || access(at->link_dir, R_OK | X_OK) != 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s/lib/plait is not complete. Install plait again, or build all of it.",
                          prefix);
    snprintf(header, sizeof(header), "%s/plait.h", at->include_dir);
    setup->archive = at->archive;
    setup->link_dir = at->link_dir;
    setup->include_dir = access(header, R_OK) == 0 ? at->include_dir : NULL;
    return 0;
}

static bool is_asked_for(const char *variable)
{
    const char *text = getenv(variable);

    return text != NULL && *text && strcmp(text, "0") != 0;
}

/* Take our own options out of argv; the rest is the compiler's. */
static int take_own(int argc, char **argv, struct own *own)
{
    int kept = 0;

    own->whole = is_asked_for("PLAIT_WHOLE");
    own->keep = is_asked_for("PLAIT_KEEP_HOOKS");
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--plait-show") == 0)
            own->show = true;
        else if (strcmp(argv[i], "--plait-help") == 0)
            own->help = true;
        else if (strcmp(argv[i], "--whole") == 0)
            own->whole = true;
        else if (strcmp(argv[i], "--keep-hooks") == 0)
            own->keep = true;
        else
            argv[kept++] = argv[i];
    }
    return kept;
}

/* --whole wants clang, unless the user has named a compiler. */
static int choose_compiler(const struct language *lang, bool whole, struct pl_words *command,
                           struct pl_err *err)
{
    const char *chosen = getenv(lang->variable);
    char file[PATH_MAX];

    if (whole && (chosen == NULL || *chosen == '\0') && find_file(lang->clang, file)) {
        pl_words_add(command, lang->clang);
        return 0;
    }
    return find_compiler(lang, command, err);
}

/* Run it, or become it. */
static int execute(const struct language *lang, const struct pl_wrapper_setup *setup,
                   const struct places *places, struct own own, enum pl_wrapper_mode mode,
                   const struct pl_words *command, struct pl_err *err)
{
    if (own.show) {
        pl_words_print(stdout, command->at);
        return PL_EXIT_CLEAN;
    }
    if (own.whole && mode != PL_WRAPPER_QUERY) {
        if (setup->family == PL_WRAPPER_CLANG)
            return pl_whole_run(command, places->analyser, own.keep, err);
        return pl_whole_gcc(command, lang->clang, places->analyser, mode == PL_WRAPPER_LINK, err);
    }
    execvp(command->at[0], command->at);
    return pl_err_set(err, PL_ERR_TARGET,
                      "The compiler '%s' could not be started (%s). "
                      "Install it, or name another in %s.",
                      command->at[0], strerror(errno), lang->variable);
}

static int run(const struct language *lang, int argc, char **argv)
{
    struct pl_words command = {0};
    struct pl_err err = {0};
    struct places places;
    struct pl_wrapper_setup setup = {0};
    enum pl_wrapper_mode mode;
    struct own own = {0};
    int rc = -1;

    argc = take_own(argc - 1, argv + 1, &own);
    if (own.help) {
        print_help(lang);
        return PL_EXIT_CLEAN;
    }
    if (choose_compiler(lang, own.whole, &command, &err) == 0 &&
        identify(&command, &setup, &err) == 0 && find_places(&places, &setup, &err) == 0 &&
        pl_wrapper_mode(&setup, argc, argv + 1, &mode, &err) == 0 &&
        pl_wrapper_plan(&setup, argc, argv + 1, &command, &err) == 0)
        rc = execute(lang, &setup, &places, own, mode, &command, &err);
    if (rc >= 0)
        return rc;
    fprintf(stderr, "%s: %s\n", lang->command, err.text);
    return pl_err_exit(&err);
}

int pl_cmd_cc(int argc, char **argv)
{
    return run(&lang_c, argc, argv);
}

int pl_cmd_cxx(int argc, char **argv)
{
    return run(&lang_cxx, argc, argv);
}
