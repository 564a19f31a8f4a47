/* SPDX-License-Identifier: MIT */
/*
 * Reading a compiler's command line far enough to know whether it compiles,
 * links, both or neither; then adding what plait needs.  wrapper.h has the
 * contract.
 *
 * Only the options that change the answer are known here.  The one thing that
 * must be known about all others is whether they take the next argument, since
 * that argument is then no input file.
 */
#include "cli/wrapper.h"

#include "base/assert.h"

#include <string.h>

/* What the arguments say, as far as we care. */
struct reading {
    bool query;              /* answers a question and does no work */
    bool stops;              /* -c, -S, -E, … */
    bool partial;            /* -r in any of its spellings */
    bool debug;              /* some -g option decides about debug information */
    bool inputs;             /* something to compile or link */
    bool headers;            /* the inputs so far are headers to precompile */
    bool traps;              /* undefined behaviour traps, so that no library is needed */
    bool header_next;        /* -x says that what follows is a header */
    bool lang_next;          /* -x says what follows is, whatever its name */
    const char *static_link; /* the option that asks for it, or NULL */
    const char *narrow;      /* -m32 or -mx32 */
    char sanitizer[64];      /* one that cannot be combined with plait, or "" */
    char undefined[64];      /* one that wants the library of undefined behaviour, or "" */
};

/* The lists are text with a space before and after each word. */

/* Options whose value is the next argument.  Joined forms need no entry. */
static const char take_next[] =
    " -o -I -L -D -U -F -T -u -z -e -A -B -G -include -imacros -idirafter -iprefix -iwithprefix"
    " -iwithprefixbefore -isystem -isystem-after -isysroot -iquote -imultilib -imultiarch"
    " -iframework -ivfsoverlay -include-pch -MF -MT -MQ -MJ -aux-info --param -wrapper -dumpbase"
    " -dumpbase-ext -dumpdir -Xpreprocessor -Xassembler -Xclang -mllvm -target --target -arch"
    " --sysroot -framework -rpath -Ttext -Tdata -Tbss -working-directory -gcc-toolchain"
    " --serialize-diagnostics -serialize-diagnostics -install_name --output --include"
    " --include-directory --library-directory --define-macro --undefine-macro --entry --prefix"
    " --for-assembler --imacros ";

static const char queries[] =
    " --version --help -help --target-help -dumpversion -dumpfullversion -dumpmachine -dumpspecs"
    " --dumpversion --dumpmachine -cc1 -cc1as ";

static const char stops[] =
    " -c -S -E -M -MM -fsyntax-only --compile --assemble --preprocess --dependencies"
    " --user-dependencies --analyze --precompile -emit-ast --emit-static-lib ";

/* These bring a runtime that wants memory, or the program's start, for itself. */
static const char refused_sanitizers[] =
    " address kernel-address hwaddress kernel-hwaddress pointer-compare pointer-subtract leak"
    " memory kernel-memory dataflow fuzzer fuzzer-no-link safe-stack memtag memtag-heap"
    " memtag-stack scudo type realtime numerical ";

static const char header_endings[] = " h hh H hp hxx hpp HPP h++ tcc ";

static const char partial_links[] = " -r -i -Ur --relocatable -relocatable ";

static const char static_links[] = " -static --static -static-pie -static-libtsan ";

/* Options that begin with -g but do not decide whether there is debug information. */
static const char *const debug_shapes[] = {
    "-gno-",      "-gz",         "-grecord-",  "-gstrict",   "-gcolumn", "-gas-",   "-ginline",
    "-gvariable", "-gstatement", "-gdescribe", "-ginternal", "-gcc-",    "-gsimple"};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Whether the first n characters of word are one of the words in the list. */
static bool is_in(const char *list, const char *word, size_t n)
{
    PL_ASSERT(list[0] == ' ' && word != NULL);
    if (n == 0)
        return false;
    for (const char *at = list; (at = strchr(at, ' ')) != NULL && at[1];) {
        at++;
        if (strncmp(at, word, n) == 0 && at[n] == ' ')
            return true;
    }
    return false;
}

static bool is_word_in(const char *list, const char *word)
{
    return is_in(list, word, strlen(word));
}

static bool starts(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* Remember or forget the sanitizers of one -f[no-]sanitize=LIST. */
static void read_sanitizers(struct reading *to, const char *list, bool on)
{
    while (*list) {
        size_t n = strcspn(list, ",");
        char name[64] = "";

        if (n < sizeof(name)) {
            memcpy(name, list, n);
            name[n] = '\0';
        }
        bool refused = is_in(refused_sanitizers, list, n);
        bool lone = strcmp(name, "thread") == 0 || starts(name, "cfi") ||
                    strcmp(name, "shadow-call-stack") == 0;
        if (!on && (strcmp(name, to->sanitizer) == 0 || strcmp(name, "all") == 0))
            to->sanitizer[0] = '\0';
        if (!on && (strcmp(name, to->undefined) == 0 || strcmp(name, "all") == 0))
            to->undefined[0] = '\0';
        if (on && refused)
            memcpy(to->sanitizer, name, sizeof(name));
        else if (on && !lone)
            memcpy(to->undefined, name, sizeof(name));
        list += n + (list[n] == ',');
    }
}

/* The linker's own options, from -Wl, or -Xlinker. */
static void read_linker_options(struct reading *to, const char *list)
{
    to->inputs = true; /* the driver runs the linker for them alone */
    to->headers = false;
    while (*list) {
        size_t n = strcspn(list, ",");

        to->partial |= is_in(partial_links, list, n);
        list += n + (list[n] == ',');
    }
}

static void read_language(struct reading *to, const char *language)
{
    size_t n = strlen(language);

    to->lang_next = strcmp(language, "none") != 0;
    to->header_next = n > 7 && strcmp(language + n - 7, "-header") == 0;
}

static void read_input(struct reading *to, const char *name)
{
    const char *dot = strrchr(name, '.');
    bool header = to->lang_next ? to->header_next : dot && is_word_in(header_endings, dot + 1);

    to->headers = header && (to->headers || !to->inputs);
    to->inputs = true;
}

static bool decides_debug(const char *word)
{
    if (!starts(word, "-g"))
        return false;
    for (size_t i = 0; i < LENGTH(debug_shapes); i++) {
        if (starts(word, debug_shapes[i]))
            return false;
    }
    return true;
}

/* Options that only set a mark. */
static void read_mark(struct reading *to, const char *word)
{
    if (is_word_in(queries, word) || starts(word, "-print-") || starts(word, "--print-") ||
        starts(word, "--help="))
        to->query = true;
    else if (is_word_in(stops, word))
        to->stops = true;
    else if (strcmp(word, "-r") == 0)
        to->partial = true;
    else if (is_word_in(static_links, word))
        to->static_link = word;
    else if (strcmp(word, "-m32") == 0 || strcmp(word, "-mx32") == 0)
        to->narrow = word;
    else if (strcmp(word, "-m64") == 0)
        to->narrow = NULL;
    else if (starts(word, "-fsanitize="))
        read_sanitizers(to, word + strlen("-fsanitize="), true);
    else if (starts(word, "-fno-sanitize="))
        read_sanitizers(to, word + strlen("-fno-sanitize="), false);
    else if (starts(word, "-fsanitize-trap") ||
             strcmp(word, "-fsanitize-undefined-trap-on-error") == 0)
        to->traps = true;
    else if (decides_debug(word))
        to->debug = true;
}

static void read_arguments(struct reading *to, char **argv, int argc)
{
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : "";

        if (word[0] != '-' || word[1] == '\0') {
            read_input(to, word);
        } else if (strcmp(word, "-x") == 0 || strcmp(word, "--language") == 0) {
            read_language(to, next);
            i++;
        } else if (starts(word, "-x")) {
            read_language(to, word + 2);
        } else if (starts(word, "-Wl,")) {
            read_linker_options(to, word + strlen("-Wl,"));
        } else if (strcmp(word, "-Xlinker") == 0 || strcmp(word, "--for-linker") == 0) {
            read_linker_options(to, next);
            i++;
        } else if (starts(word, "-l")) {
            to->inputs = true;
            to->headers = false;
            i += word[2] == '\0';
        } else if (is_word_in(take_next, word) || starts(word, "-Xarch_")) {
            i++;
        } else {
            read_mark(to, word);
        }
    }
}

static enum pl_wrapper_mode find_mode(const struct reading *said)
{
    if (said->query || !said->inputs)
        return PL_WRAPPER_QUERY;
    if (said->stops || said->headers)
        return PL_WRAPPER_COMPILE;
    return said->partial ? PL_WRAPPER_PARTIAL : PL_WRAPPER_LINK;
}

/* What plait cannot do is refused here rather than by an error further on. */
static int check(const struct pl_wrapper_setup *setup, const struct reading *said,
                 enum pl_wrapper_mode mode, struct pl_err *err)
{
    PL_ASSERT(mode <= PL_WRAPPER_LINK);
    if (mode == PL_WRAPPER_QUERY)
        return 0;
    if (said->sanitizer[0])
        return pl_err_set(err, PL_ERR_USER,
                          "-fsanitize=%s cannot be combined with plait. "
                          "Build a copy of the program without it for plait.",
                          said->sanitizer);
    if (said->undefined[0] && setup->family == PL_WRAPPER_CLANG && !said->traps)
        return pl_err_set(err, PL_ERR_USER,
                          "-fsanitize=%s needs a library that clang cannot link beside plait. "
                          "Add -fsanitize-trap=%s, or build with gcc.",
                          said->undefined, said->undefined);
    if (said->narrow)
        return pl_err_set(err, PL_ERR_USER,
                          "%s makes a program that plait cannot control. "
                          "Build it for 64 bits.",
                          said->narrow);
    if (said->static_link && mode == PL_WRAPPER_LINK) {
        if (strcmp(said->static_link, "-static-libtsan") == 0)
            return pl_err_set(err, PL_ERR_USER,
                              "-static-libtsan asks for a library that plait replaces. "
                              "Leave the option out.");
        return pl_err_set(err, PL_ERR_USER,
                          "%s makes a program that plait cannot enter. "
                          "Link it dynamically; -static-libgcc and -static-libstdc++ may stay.",
                          said->static_link);
    }
    return 0;
}

static int read_all(const struct pl_wrapper_setup *setup, int argc, char **argv,
                    struct reading *said, enum pl_wrapper_mode *mode, struct pl_err *err)
{
    struct pl_words words = {0};

    PL_ASSERT(argc >= 0 && setup != NULL);
    *said = (struct reading){0};
    pl_words_expand(&words, argc, argv);
    read_arguments(said, words.at, words.n);
    *mode = find_mode(said);
    int rc = check(setup, said, *mode, err);
    /* The option's text goes away with the list; nobody needs it after the check. */
    said->static_link = said->narrow = NULL;
    pl_words_free(&words);
    return rc;
}

int pl_wrapper_mode(const struct pl_wrapper_setup *setup, int argc, char **argv,
                    enum pl_wrapper_mode *mode, struct pl_err *err)
{
    struct reading said;

    return read_all(setup, argc, argv, &said, mode, err);
}

static void add_pair(struct pl_words *out, const char *option, const char *value)
{
    if (!value)
        return;
    pl_words_add(out, option);
    pl_words_add(out, value);
}

/* gcc would put short ones in line after the hooks are placed, and nobody would see them. */
static void add_gcc_calls(struct pl_words *out)
{
    static const char *const options[] = {"-fno-builtin-memcpy",  "-fno-builtin-memmove",
                                          "-fno-builtin-memset",  "-fno-builtin-memcmp",
                                          "-fno-builtin-strcpy",  "-fno-builtin-stpcpy",
                                          "-fno-builtin-strcat",  "-fno-builtin-strncpy",
                                          "-fno-builtin-strncat", "-fno-builtin-strcmp",
                                          "-fno-builtin-strncmp", "-fno-builtin-mempcpy",
                                          "-fno-builtin-bzero",   "-fno-builtin-bcmp",
                                          "-fno-builtin-bcopy",   NULL};

    pl_words_add_all(out, options);
}

/*
 * The instrumentation.  Sibling calls may stay: the hook at a function's exit is
 * its last call, so no other can become a jump that hides where it came from.
 */
static void add_gcc_options(const struct pl_wrapper_setup *setup, struct pl_words *out)
{
    /* What a destructor stores is there for those who look at the object too late. */
    static const char *const options[] = {"-fsanitize=thread", "-Wno-tsan", "-fno-lifetime-dse",
                                          NULL};

    pl_words_add_all(out, options);
    add_gcc_calls(out);
    if (setup->major >= 11)
        pl_words_add(out, "--param=tsan-distinguish-volatile=1");
    add_pair(out, "-idirafter", setup->include_dir);
}

/* Ours may be unused in some modes; the user still hears about unused options of their own. */
static void add_clang_options(const struct pl_wrapper_setup *setup, struct pl_words *out)
{
    static const char *const options[] = {"-fsanitize=thread",
                                          "-fno-sanitize-link-runtime",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write=1",
                                          "-mllvm",
                                          "-tsan-distinguish-volatile=1",
                                          NULL};
    bool bracket = setup->major >= 14;

    pl_words_add(out, bracket ? "--start-no-unused-arguments" : "-Qunused-arguments");
    pl_words_add_all(out, options);
    add_pair(out, "-idirafter", setup->include_dir);
    if (bracket)
        pl_words_add(out, "--end-no-unused-arguments");
}

/*
 * gcc links "libtsan" by itself; it finds ours.  The archive is named again for
 * -nostdlib, which makes gcc leave libtsan out, and for clang, which was told
 * not to link it.  The linker takes its members from whichever it meets first.
 */
static void add_gate(const struct pl_wrapper_setup *setup, struct pl_words *out)
{
    pl_words_add(out, "-Wl,-u,__tsan_init");
    add_pair(out, "-Xlinker", setup->archive);
}

int pl_wrapper_plan(const struct pl_wrapper_setup *setup, int argc, char **argv,
                    struct pl_words *out, struct pl_err *err)
{
    struct reading said;
    enum pl_wrapper_mode mode;

    if (read_all(setup, argc, argv, &said, &mode, err) != 0)
        return -1;
    if (mode != PL_WRAPPER_QUERY && setup->family == PL_WRAPPER_GCC)
        add_gcc_options(setup, out);
    if (mode != PL_WRAPPER_QUERY && setup->family == PL_WRAPPER_CLANG)
        add_clang_options(setup, out);
    if (mode != PL_WRAPPER_QUERY && !said.debug)
        pl_words_add(out, "-g");
    if (mode >= PL_WRAPPER_PARTIAL && setup->family == PL_WRAPPER_GCC) {
        add_pair(out, "-B", setup->link_dir);
        add_pair(out, "-L", setup->link_dir);
    }
    for (int i = 0; i < argc; i++)
        pl_words_add(out, argv[i]);
    if (mode == PL_WRAPPER_LINK)
        add_gate(setup, out);
    return 0;
}
