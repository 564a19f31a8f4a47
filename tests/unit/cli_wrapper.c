/* SPDX-License-Identifier: MIT */
/* What the compiler wrapper makes of command lines of every kind. */
#include "unit.h"

#include "cli/words.h"
#include "cli/wrapper.h"

#include <stdlib.h>
#include <unistd.h>

#define GCC_CALLS                                                    \
    "-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset "  \
    "-fno-builtin-memcmp -fno-builtin-strcpy -fno-builtin-stpcpy "   \
    "-fno-builtin-strcat -fno-builtin-strncpy -fno-builtin-strncat " \
    "-fno-builtin-strcmp -fno-builtin-strncmp -fno-builtin-mempcpy " \
    "-fno-builtin-bzero -fno-builtin-bcmp -fno-builtin-bcopy "
#define GCC_FLAGS                                              \
    "-fsanitize=thread -Wno-tsan -fno-lifetime-dse " GCC_CALLS \
    "--param=tsan-distinguish-volatile=1 -idirafter /p/include"
#define CLANG_FLAGS                                                             \
    "--start-no-unused-arguments -fsanitize=thread -fno-sanitize-link-runtime " \
    "-mllvm -tsan-instrument-read-before-write=1 -mllvm "                       \
    "-tsan-distinguish-volatile=1 -idirafter /p/include --end-no-unused-arguments"
#define DECOY "-B /p/link -L /p/link"
#define GATE "-Wl,-u,__tsan_init -Xlinker /p/gate.a"

static const struct pl_wrapper_setup gcc = {PL_WRAPPER_GCC, 12, "/p/gate.a", "/p/link",
                                            "/p/include"};
static const struct pl_wrapper_setup clang = {PL_WRAPPER_CLANG, 14, "/p/gate.a", "/p/link",
                                              "/p/include"};

/* The planned command as one line, or the error's text. */
static const char *plan(const struct pl_wrapper_setup *setup, const char *line)
{
    static char text[4096];
    struct pl_words in = {0};
    struct pl_words out = {0};
    struct pl_err err = {0};
    size_t n = 0;

    text[0] = '\0';
    pl_words_split(&in, line);
    if (pl_wrapper_plan(setup, in.n, in.at, &out, &err) != 0) {
        CHECK(err.class == PL_ERR_USER);
        snprintf(text, sizeof(text), "refused: %s", err.text);
    }
    for (int i = 0; i < out.n; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "", out.at[i]);
    pl_words_free(&in);
    pl_words_free(&out);
    return text;
}

/* The mode of the command, or -1 when it is refused. */
static int mode(const struct pl_wrapper_setup *setup, const char *line)
{
    struct pl_words in = {0};
    struct pl_err err = {0};
    enum pl_wrapper_mode found = PL_WRAPPER_QUERY;

    pl_words_split(&in, line);
    int rc = pl_wrapper_mode(setup, in.n, in.at, &found, &err);
    if (rc != 0) {
        CHECK(err.class == PL_ERR_USER);
        CHECK(strchr(err.text, '.') != NULL && strchr(err.text, '.')[1] == ' ');
        CHECK(err.text[strlen(err.text) - 1] == '.');
    }
    pl_words_free(&in);
    return rc == 0 ? (int)found : -1;
}

static void questions_pass_unchanged(void)
{
    static const char *const lines[] = {
        "--version",          "-dumpversion",    "-dumpmachine", "-print-prog-name=ld",
        "-print-search-dirs", "--help=warnings", "-v",           "-###",
        "-O2 -Wall",          "--version a.c",   "-cc1 a.c",     "--print-resource-dir",
    };

    CHECK_STR(plan(&gcc, ""), "");
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CHECK_STR(plan(&gcc, lines[i]), lines[i]);
        CHECK_STR(plan(&clang, lines[i]), lines[i]);
    }
}

static void compiling_is_instrumented_and_links_nothing(void)
{
    CHECK_STR(plan(&gcc, "-c a.c"), GCC_FLAGS " -g -c a.c");
    CHECK_STR(plan(&clang, "-c a.c"), CLANG_FLAGS " -g -c a.c");
    CHECK_STR(plan(&gcc, "-O2 -S a.c -o -"), GCC_FLAGS " -g -O2 -S a.c -o -");
    CHECK_STR(plan(&gcc, "-v -x c -E -"), GCC_FLAGS " -g -v -x c -E -");

    static const char *const lines[] = {
        "-M a.c",
        "-MM a.c -MT a.o",
        "-fsyntax-only a.c",
        "-c -MMD -MF a.d a.c b.c",
        "-c a.s",
        "-c -x assembler a",
        "x.h",
        "-x c++-header x.inc -o x.gch",
        "-c -o a.o -r a.c",
        "--compile a.c",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        CHECK(mode(&gcc, lines[i]) == PL_WRAPPER_COMPILE);
}

static void linking_takes_the_gate_and_no_libtsan(void)
{
    CHECK_STR(plan(&gcc, "a.o -o a"), GCC_FLAGS " -g " DECOY " a.o -o a " GATE);
    CHECK_STR(plan(&clang, "a.o -o a"), CLANG_FLAGS " -g a.o -o a " GATE);

    static const char *const lines[] = {
        "a.c",          "-shared -o liba.so a.o",
        "a.c b.c -lm",  "-nostdlib a.o",
        "-x c -",       "-x c x.h",
        "x.h a.c",      "a.c x.h",
        "-lfoo",        "-Wl,--version",
        "-Xlinker x.a", "-x c-header x -x none a.o",
        "-MD a.c",      "-nodefaultlibs a.s",
        "-### a.c",     "-l foo",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        CHECK(mode(&gcc, lines[i]) == PL_WRAPPER_LINK);
}

static void partial_links_stay_free_of_the_gate(void)
{
    CHECK_STR(plan(&gcc, "-r a.o -o b.o"), GCC_FLAGS " -g " DECOY " -r a.o -o b.o");
    CHECK(mode(&clang, "-Wl,-x,-r a.o") == PL_WRAPPER_PARTIAL);
    CHECK(mode(&clang, "-Xlinker --relocatable a.o") == PL_WRAPPER_PARTIAL);
    CHECK(mode(&clang, "-Wl,-rpath,x a.o") == PL_WRAPPER_LINK);
}

static void values_of_options_are_no_inputs(void)
{
    CHECK(mode(&gcc, "-o a.c") == PL_WRAPPER_QUERY);
    CHECK(mode(&gcc, "-I inc -D X -include a.h -isystem d -MF f --param x=1") == PL_WRAPPER_QUERY);
    CHECK(mode(&clang, "-mllvm -c -Xclang -E a.c") == PL_WRAPPER_LINK);
    CHECK(mode(&gcc, "-o -static a.o") == PL_WRAPPER_LINK);
    CHECK(mode(&gcc, "-T -c a.o") == PL_WRAPPER_LINK);
}

static void debug_information_is_added_unless_decided(void)
{
    static const char *const decided[] = {
        "-g", "-g0", "-g3", "-ggdb", "-gdwarf-4", "-gsplit-dwarf", "-gline-tables-only"};
    static const char *const open[] = {"-gz", "-gno-column-info", "-grecord-gcc-switches", "-O2",
                                       "-gcolumn-info"};
    char line[128];

    for (size_t i = 0; i < sizeof(decided) / sizeof(decided[0]); i++) {
        snprintf(line, sizeof(line), "%s -c a.c", decided[i]);
        CHECK(strstr(plan(&gcc, line), " -g -") == NULL || strcmp(decided[i], "-g") == 0);
        CHECK(strstr(plan(&gcc, line), " -g -g") == NULL);
    }
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
        snprintf(line, sizeof(line), "%s -c a.c", open[i]);
        CHECK(strstr(plan(&gcc, line), " -g ") != NULL);
    }
}

static void what_cannot_work_is_refused(void)
{
    static const char *const lines[] = {
        "-fsanitize=address a.c",
        "-c -fsanitize=thread,leak a.c",
        "-fsanitize=memory -c a.c",
        "-fsanitize=hwaddress a.o",
        "-static a.o",
        "-static-pie a.c",
        "-static-libtsan a.o",
        "-m32 -c a.c",
        "-mx32 a.c",
        "-fsanitize=undefined,fuzzer a.c",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CHECK(mode(&gcc, lines[i]) == -1);
        CHECK(mode(&clang, lines[i]) == -1);
    }
    CHECK_STR(plan(&gcc, "-m32 -c a.c"),
              "refused: -m32 makes a program that plait cannot control. Build it for 64 bits.");
}

static void what_only_looks_wrong_is_accepted(void)
{
    static const char *const lines[] = {
        "-fsanitize=thread a.c",
        "-fno-sanitize=thread a.c",
        "-static-libgcc a.o",
        "-static-libstdc++ a.o",
        "-c -static a.c",
        "-m32 -m64 a.c",
        "-fsanitize=address -fno-sanitize=address a.c",
        "-fsanitize=leak -fno-sanitize=all a.c",
        "-static --version",
        "-Wl,-Bstatic -lx -Wl,-Bdynamic a.o",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CHECK(mode(&gcc, lines[i]) >= 0);
        CHECK(mode(&clang, lines[i]) >= 0);
    }
}

static void undefined_behaviour_depends_on_the_compiler(void)
{
    CHECK(mode(&gcc, "-fsanitize=undefined a.c") == PL_WRAPPER_LINK);
    CHECK(mode(&clang, "-fsanitize=undefined a.c") == -1);
    CHECK(mode(&clang, "-fsanitize=undefined -fsanitize-trap=undefined a.c") == PL_WRAPPER_LINK);
    CHECK(mode(&clang, "-fsanitize=cfi -flto a.c") == PL_WRAPPER_LINK);
}

static void older_compilers_get_only_what_they_know(void)
{
    struct pl_wrapper_setup old = gcc;

    old.major = 10;
    old.include_dir = NULL;
    CHECK_STR(plan(&old, "-g -c a.c"),
              "-fsanitize=thread -Wno-tsan -fno-lifetime-dse " GCC_CALLS "-g -c a.c");
    old = clang;
    old.major = 13;
    CHECK(strstr(plan(&old, "-c a.c"), "-Qunused-arguments ") != NULL);
    CHECK(strstr(plan(&old, "-c a.c"), "no-unused-arguments") == NULL);
}

static void response_files_are_read_but_not_replaced(void)
{
    char inner[] = "/tmp/plait-unit-XXXXXX";
    char outer[] = "/tmp/plait-unit-XXXXXX";
    char line[128];
    int fd_inner = mkstemp(inner);
    int fd_outer = mkstemp(outer);

    CHECK(fd_inner >= 0 && fd_outer >= 0);
    dprintf(fd_inner, "-c 'a b.c'\n\"-DX=\\\"y\\\"\"\n");
    dprintf(fd_outer, "@%s -O2\n", inner);
    snprintf(line, sizeof(line), "@%s", outer);
    CHECK(mode(&gcc, line) == PL_WRAPPER_COMPILE);
    CHECK(strstr(plan(&gcc, line), line) != NULL);
    CHECK(mode(&gcc, "@/nonexistent/file") == PL_WRAPPER_LINK);

    dprintf(fd_outer, "@%s\n", outer); /* a file that names itself must end */
    CHECK(mode(&gcc, line) == PL_WRAPPER_COMPILE);
    close(fd_inner);
    close(fd_outer);
    unlink(inner);
    unlink(outer);
}

static void words_survive_splitting_and_printing(void)
{
    struct pl_words words = {0};
    char *text = NULL;
    size_t size = 0;

    pl_words_split(&words, "  ccache 'g c\\'c' \"a'b\"c\\ d '' \n-x ");
    CHECK(words.n == 5);
    CHECK_STR(words.at[1], "g c'c");
    CHECK_STR(words.at[2], "a'bc d");
    CHECK_STR(words.at[3], "");
    CHECK(words.at[5] == NULL);

    FILE *to = open_memstream(&text, &size);
    pl_words_print(to, words.at);
    fclose(to);
    CHECK_STR(text, "ccache 'g c'\\''c' 'a'\\''bc d' '' -x\n");
    free(text);
    pl_words_free(&words);
}

int main(void)
{
    questions_pass_unchanged();
    compiling_is_instrumented_and_links_nothing();
    linking_takes_the_gate_and_no_libtsan();
    partial_links_stay_free_of_the_gate();
    values_of_options_are_no_inputs();
    debug_information_is_added_unless_decided();
    what_cannot_work_is_refused();
    what_only_looks_wrong_is_accepted();
    undefined_behaviour_depends_on_the_compiler();
    older_compilers_get_only_what_they_know();
    response_files_are_read_but_not_replaced();
    words_survive_splitting_and_printing();
    return unit_result();
}
