/* SPDX-License-Identifier: MIT */
/*
 * See symbols.h.  A thin layer over libdw: a Dwfl session with the modules at
 * the addresses they had in the worker, and a table of answers.
 */
#include "engine/symbols/symbols.h"

#include "base/assert.h"
#include "base/err.h"
#include "base/table.h"
#include "engine/symbols/demangle.h"
#include "engine/symbols/inlined.h"
#include "engine/symbols/scopes.h"
#include "engine/symbols/variable.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum what { WHAT_CODE, WHAT_FUNCTION, WHAT_VARIABLE };
enum { SLOTS_FIRST = 1024 };

struct answer {
    uint64_t address;
    enum what what;
    struct pl_symbols_code code; /* for the others only `function` */
    char *text[2];               /* what the strings above point into */
};

/* A file as it was when it was opened. */
struct identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct pl_symbols {
    unsigned users; /* who have opened them and not closed them */
    Dwfl *dwfl;
    unsigned n_modules;
    struct pl_module *modules; /* of this program */
    struct identity *files;    /* of the modules */
    unsigned n_told;
    struct pl_module *told;               /* of all programs, as the board has them */
    struct pl_symbols *others[PL_IMAGES]; /* those beside the first, when they are asked for */
    char *program;                        /* its path */
    char folder[PATH_MAX];                /* the current one, with a slash at its end */
    struct pl_table table;                /* of answers, by address */
    struct answer **answers;
    uint32_t n_answers;
};

/* Those that were opened last.  A campaign asks for the symbols of the same modules again and
 * again: to read them takes longer than most executions. */
static struct pl_symbols *last;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool pl_symbols_is_system(const char *module)
{
    static const char *const names[] = {"libplait.so",  "libtsan.so",  "libc.so",       "libm.so",
                                        "libstdc++.so", "libgcc_s.so", "libpthread.so", "libc++.so",
                                        "libc++abi.so", "ld-linux",    "linux-vdso"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(module, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* Whether libdwfl is to look for a file with debug information.  Where there is none it loads what
 * asks servers for it, thirty libraries, also when no server is named. */
static bool may_have_debug_file(Dwfl_Module *module, const char *name, const char *link)
{
    const char *servers = getenv("DEBUGINFOD_URLS");
    char path[128] = "/usr/lib/debug/.build-id/";
    size_t n = strlen(path);
    const unsigned char *id;
    GElf_Addr at;
    int size = dwfl_module_build_id(module, &id, &at);

    if ((servers != NULL && servers[0] != '\0') ||
        (link != NULL && !pl_symbols_is_system(base_name(name))))
        return true;
    for (int i = 0; i < size && n + sizeof("ff/.debug") < sizeof(path); i++)
        n += (size_t)snprintf(path + n, sizeof(path) - n, i == 0 ? "%02x/" : "%02x", id[i]);
    snprintf(path + n, sizeof(path) - n, ".debug");
    return size > 1 && access(path, R_OK) == 0;
}

static int find_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                           const char *file, const char *link, GElf_Word sum, char **found)
{
    if (!may_have_debug_file(module, name, link))
        return -1;
    int fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, sum, found);

    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC); /* as in report() */
    return fd;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debug_file,
    .section_address = dwfl_offline_section_address,
};

/* The file of a module, by its place among them; "" when it has none. */
static const char *path_of(const struct pl_symbols *s, unsigned i)
{
    return s->modules[i].path[0] ? s->modules[i].path : i == 0 ? s->program : "";
}

static struct identity identity_of(const char *path)
{
    struct identity identity = {0};
    struct stat st;

    if (path[0] != '\0' && stat(path, &st) == 0)
        identity = (struct identity){st.st_dev, st.st_ino, st.st_size, st.st_mtim};
    return identity;
}

static void report(struct pl_symbols *s)
{
    dwfl_report_begin(s->dwfl);
    for (unsigned i = 0; i < s->n_modules; i++) {
        const char *path = path_of(s, i);

        s->files[i] = identity_of(path);

        /* Opened here, for what the library opens is inherited by programs that are started. */
        int fd = path[0] != '\0' ? open(path, O_RDONLY | O_CLOEXEC) : -1;

        if (fd >= 0 &&
            dwfl_report_elf(s->dwfl, base_name(path), path, fd, s->modules[i].base, true) == NULL)
            close(fd);
    }
    dwfl_report_end(s->dwfl, NULL, NULL);
}

/* What the program of that number has among them, at the addresses that it has there. */
static void take_modules(struct pl_symbols *s, const struct pl_module *all, unsigned n,
                         uint64_t image)
{
    const uint64_t low = (UINT64_C(1) << PL_IMAGE_SHIFT) - 1;

    for (unsigned i = 0; i < n; i++) {
        if (all[i].end == 0 || all[i].base >> PL_IMAGE_SHIFT != image)
            continue;
        struct pl_module *m = &s->modules[s->n_modules++];

        *m = all[i];
        m->base &= low;
        m->start &= low;
        m->end &= low;
    }
}

/* The current folder with a slash at its end; "" when it is not known. */
static void take_folder(char folder[PATH_MAX])
{
    if (getcwd(folder, PATH_MAX - 1) == NULL)
        folder[0] = '\0';
    else if (strcmp(folder, "/") != 0)
        strcat(folder, "/");
}

static struct pl_symbols *open_one(const struct pl_module *all, unsigned n, uint64_t image,
                                   const char *program)
{
    struct pl_symbols *s = calloc(1, sizeof(*s));

    if (s == NULL || (s->modules = calloc(n + 1, sizeof(*s->modules))) == NULL ||
        (s->files = calloc(n + 1, sizeof(*s->files))) == NULL ||
        (s->program = strdup(program)) == NULL)
        abort();
    s->users = 1;
    take_modules(s, all, n, image);
    take_folder(s->folder);
    s->dwfl = dwfl_begin(&callbacks);
    if (s->dwfl != NULL)
        report(s);
    return s;
}

static void close_one(struct pl_symbols *s)
{
    for (unsigned i = 0; i < PL_IMAGES; i++) {
        if (s->others[i] != NULL)
            close_one(s->others[i]);
    }
    free(s->told);
    for (uint32_t i = 0; i < s->n_answers; i++) {
        free(s->answers[i]->text[0]);
        free(s->answers[i]->text[1]);
        free(s->answers[i]);
    }
    free(s->answers);
    free(s->table.memory);
    if (s->dwfl != NULL) {
        pl_scopes_close(s->dwfl);
        dwfl_end(s->dwfl);
    }
    free(s->files);
    free(s->modules);
    free(s->program);
    free(s);
}

/* Whether what was read is what would be read now. */
static bool is_still_right(const struct pl_symbols *s, const char *program)
{
    char folder[PATH_MAX];

    take_folder(folder);
    if (strcmp(s->program, program) != 0 || strcmp(s->folder, folder) != 0)
        return false;
    for (unsigned i = 0; i < s->n_modules; i++) {
        struct identity now = identity_of(path_of(s, i)), then = s->files[i];

        if (now.device != then.device || now.inode != then.inode || now.size != then.size ||
            now.changed.tv_sec != then.changed.tv_sec ||
            now.changed.tv_nsec != then.changed.tv_nsec)
            return false;
    }
    for (unsigned i = 0; i < PL_IMAGES; i++) {
        if (s->others[i] != NULL && !is_still_right(s->others[i], s->others[i]->program))
            return false;
    }
    return true;
}

struct pl_symbols *pl_symbols_open(const struct pl_board *board, const char *program)
{
    unsigned n = board->n_modules < PL_BOARD_MODULES ? board->n_modules : PL_BOARD_MODULES;

    PL_ASSERT(program != NULL);
    if (last != NULL && pl_symbols_fit(last, board) && is_still_right(last, program)) {
        last->users++;
        return last;
    }
    struct pl_symbols *s = open_one(board->modules, n, 0, program);

    s->told = calloc(n + 1, sizeof(*s->told));
    if (s->told == NULL)
        abort();
    memcpy(s->told, board->modules, n * sizeof(*s->told));
    s->n_told = n;
    if (last != NULL && last->users == 0)
        close_one(last);
    last = s;
    return s;
}

/* Those of the program that the address is of, and the address that it has there. */
static struct pl_symbols *part_of(struct pl_symbols *s, uint64_t *address)
{
    uint64_t image = *address >> PL_IMAGE_SHIFT;

    if (image == 0 || image >= PL_IMAGES || s->told == NULL)
        return s;
    *address &= (UINT64_C(1) << PL_IMAGE_SHIFT) - 1;
    if (s->others[image] == NULL)
        s->others[image] =
            open_one(s->told, s->n_told, image, pl_symbols_program(s, (uint16_t)image));
    return s->others[image];
}

const char *pl_symbols_program(const struct pl_symbols *s, uint16_t image)
{
    for (unsigned i = 0; i < s->n_told; i++) {
        if (s->told[i].end != 0 && s->told[i].base >> PL_IMAGE_SHIFT == image)
            return image != 0 || s->told[i].path[0] != '\0' ? s->told[i].path : s->program;
    }
    return "";
}

void pl_symbols_close(struct pl_symbols *s)
{
    if (s == NULL)
        return;
    PL_ASSERT(s->users > 0);
    s->users--;
    if (s->users == 0 && s != last)
        close_one(s);
}

struct Dwfl *pl_symbols_session(const struct pl_symbols *s)
{
    return s->dwfl;
}

bool pl_symbols_fit(const struct pl_symbols *s, const struct pl_board *board)
{
    return s->n_told == board->n_modules &&
           memcmp(s->told, board->modules, s->n_told * sizeof(*s->told)) == 0;
}

struct pl_symbols *pl_symbols_of(struct pl_symbols **kept, const struct pl_board *board,
                                 const char *program)
{
    if (*kept != NULL && !pl_symbols_fit(*kept, board)) {
        pl_symbols_close(*kept);
        *kept = NULL;
    }
    PL_ASSERT(*kept == NULL || pl_symbols_fit(*kept, board));
    if (*kept == NULL)
        *kept = pl_symbols_open(board, program);
    return *kept;
}

/* There are answers for half of the slots: make room for as many again. */
static void grow(struct pl_symbols *s)
{
    uint32_t capacity = s->table.capacity > 0 ? 2 * s->table.capacity : SLOTS_FIRST;
    uint64_t *old = s->table.memory;
    uint64_t *memory = pl_err_must(calloc(PL_TABLE_ROOM(capacity, capacity), sizeof(*memory)));

    if (old == NULL)
        pl_table_start(&s->table, memory, capacity, capacity);
    else
        pl_table_move(&s->table, memory, capacity);
    free(old);
    s->answers = pl_err_must(realloc(s->answers, capacity / 2 * sizeof(struct answer *)));
}

/* The answer's place in the table; *is_new when it has yet to be filled. */
static struct answer *answer_for(struct pl_symbols *s, enum what what, uint64_t address,
                                 bool *is_new)
{
    uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15) >> 32;

    if (s->n_answers == s->table.capacity / 2)
        grow(s);
    *is_new = false;
    PL_TABLE_EACH(i, &s->table, hash)
    {
        if (s->answers[i]->address == address && s->answers[i]->what == what)
            return s->answers[i];
    }
    struct answer *a = pl_err_must(calloc(1, sizeof(*a)));

    *is_new = true;
    a->address = address;
    a->what = what;
    a->code = (struct pl_symbols_code){.function = "", .file = "", .module = "", .object = ""};
    pl_table_add(&s->table, hash, s->n_answers);
    return s->answers[s->n_answers++] = a;
}

static const struct pl_module *module_at(const struct pl_symbols *s, uint64_t address)
{
    for (unsigned i = 0; i < s->n_modules; i++) {
        if (address >= s->modules[i].start && address < s->modules[i].end)
            return &s->modules[i];
    }
    return NULL;
}

/* Take the folder of the compilation away, else the current one. */
static const char *shorten(const struct pl_symbols *s, const char *file, const char *compiled_in)
{
    size_t n = compiled_in ? strlen(compiled_in) : 0;

    while (n > 1 && compiled_in[n - 1] == '/')
        n--;
    if (n > 1 && strncmp(file, compiled_in, n) == 0 && file[n] == '/')
        file += n + 1;
    else if (s->folder[0] != '\0' && strncmp(file, s->folder, strlen(s->folder)) == 0)
        file += strlen(s->folder);
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

/* The name of the innermost function, inlined or not, as a C++ programmer writes it. */
static char *function_from_debug(Dwfl_Module *module, uint64_t address)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = pl_inlined_unit(module, address, &bias), *scopes = NULL;
    int n = unit ? pl_scopes_at(module, unit, address - bias, &scopes) : 0;
    char *name = NULL;

    for (int i = 0; i < n && name == NULL; i++) {
        int tag = dwarf_tag(&scopes[i]);

        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = pl_inlined_name(&scopes[i]);
    }
    free(scopes);
    return name;
}

static char *symbol_at(Dwfl_Module *module, uint64_t address, uint64_t *offset, GElf_Sym *sym)
{
    GElf_Off off = 0;
    const char *name = dwfl_module_addrinfo(module, address, &off, sym, NULL, NULL, NULL);

    *offset = off;
    return name ? pl_demangle_name(name) : NULL;
}

/* The source line; library code inlined into the program counts as its caller. */
static void fill_line(const struct pl_symbols *s, struct answer *a, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = pl_inlined_unit(module, a->address, &bias);
    Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, a->address - bias) : NULL;
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    struct pl_inlined_call call;
    Dwarf_Attribute folder;
    char plain[PATH_MAX];
    int number = 0, column = 0;

    if (line) {
        dwarf_lineno(line, &number);
        dwarf_linecol(line, &column);
    }

    if (file == NULL || number <= 0)
        return;
    if (pl_inlined_system_file(file)) {
        if (pl_inlined_caller(module, a->address, &call)) {
            file = call.file;
            number = (int)call.line;
            column = 0;
            if (call.function != NULL) {
                free(a->text[0]);
                a->code.function = a->text[0] = call.function;
            }
        } else {
            a->code.own = false;
        }
    }
    file = shorten(s, file, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &folder)));
    a->text[1] = strdup(pl_inlined_plain_file(file, plain));
    if (a->text[1] == NULL)
        abort();
    PL_ASSERT(number > 0 && a->what == WHAT_CODE);
    a->code.file = a->text[1];
    a->code.line = (unsigned)number;
    a->code.column = column > 0 ? (unsigned)column : 0;
}

static void fill_code(struct pl_symbols *s, struct answer *a)
{
    const struct pl_module *m = module_at(s, a->address);
    Dwfl_Module *module = s->dwfl ? dwfl_addrmodule(s->dwfl, a->address) : NULL;

    if (m != NULL) {
        a->code.module = base_name(m->path);
        a->code.object = base_name(m == s->modules && m->path[0] == '\0' ? s->program : m->path);
        a->code.own = !pl_symbols_is_system(a->code.module);
        a->code.plait = strncmp(a->code.module, "libplait.so", 11) == 0;
    }
    if (module == NULL)
        return;
    PL_ASSERT(a->text[0] == NULL && a->text[1] == NULL);
    uint64_t offset;
    GElf_Sym sym;
    /* libplait.so and, where it is installed, the C library have much debug information, of which
     * nobody wants to read: it takes longer than a short campaign. */
    bool debug = m == NULL || !pl_symbols_is_system(a->code.module);

    if (debug)
        a->text[0] = function_from_debug(module, a->address);
    if (a->text[0] == NULL)
        a->text[0] = symbol_at(module, a->address, &offset, &sym);
    if (a->text[0] != NULL)
        a->code.function = a->text[0];
    if (strncmp(a->code.function, "__tsan_", 7) == 0 ||
        strcmp(a->code.function, "__clang_call_terminate") == 0)
        a->code.own = false; /* hooks, and what clang makes, are linked into the program */
    if (debug)
        fill_line(s, a, module);
}

const struct pl_symbols_code *pl_symbols_code(struct pl_symbols *s, uint64_t pc)
{
    bool is_new;

    s = part_of(s, &pc);
    struct answer *a = answer_for(s, WHAT_CODE, pc == 0 ? 0 : pc - 1, &is_new);

    if (is_new && pc != 0)
        fill_code(s, a);
    return &a->code;
}

const char *pl_symbols_function(struct pl_symbols *s, uint64_t address)
{
    bool is_new;

    s = part_of(s, &address);
    struct answer *a = answer_for(s, WHAT_FUNCTION, address, &is_new);
    Dwfl_Module *module = is_new && s->dwfl ? dwfl_addrmodule(s->dwfl, address) : NULL;

    if (module != NULL) {
        uint64_t offset;
        GElf_Sym sym;

        a->text[0] = symbol_at(module, address, &offset, &sym);
        if (a->text[0] != NULL)
            a->code.function = a->text[0];
    }
    return a->code.function;
}

const char *pl_symbols_variable(struct pl_symbols *s, uint64_t address)
{
    bool is_new;

    s = part_of(s, &address);
    struct answer *a = answer_for(s, WHAT_VARIABLE, address, &is_new);
    Dwfl_Module *module = is_new && s->dwfl ? dwfl_addrmodule(s->dwfl, address) : NULL;
    uint64_t offset = 0;
    GElf_Sym sym;

    if (module == NULL)
        return a->code.function;
    a->text[1] = symbol_at(module, address, &offset, &sym);
    if (a->text[1] == NULL || (sym.st_size != 0 && offset >= sym.st_size))
        return a->code.function;
    const struct pl_module *m = module_at(s, address);

    /* The system's libraries have much debug information, if any, and types of names that are not
     * entered. */
    if (m == NULL || !pl_symbols_is_system(base_name(m->path)))
        a->text[0] = pl_variable_path(module, address, offset, a->text[1]);
    if (a->text[0] == NULL) {
        int n = offset == 0
                    ? asprintf(&a->text[0], "%s", a->text[1])
                    : asprintf(&a->text[0], "%s+%llu", a->text[1], (unsigned long long)offset);

        if (n < 0)
            abort();
    }
    a->code.function = a->text[0];
    return a->code.function;
}
