/* SPDX-License-Identifier: MIT */
/*
 * The program with the bitcode that it carries: read from its file and those of its libraries, and
 * linked.
 *
 * Numbers of calls are made those of the whole program before modules are linked.  Of an inline
 * function that several objects have, the linker of machine code has kept one copy: the labels of
 * the others are 0.  Theirs are given up here, too, so that the copy that is analysed is the one
 * that runs.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "model/gate.h"
#include "model/module.h"
#include "static/code.h"
#include "static/foreign.h"
#include "static/ir.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object that went into a file. */
struct object {
    struct pl_code_head head;
    const char *code;
    LLVMModuleRef module;
    uint32_t first, n; /* numbers of its calls */
    bool *kept;        /* of its calls: there is a label */
};

struct file {
    char path[PATH_MAX];
    Elf *elf;
    int fd;
    struct object *objects;
    size_t n_objects;
    const struct pl_code_row *rows;
    size_t n_rows;
    bool hooked; /* it has hooks */
};

struct loading {
    struct pl_ir *ir;
    struct file *files;
    size_t n_files;
    uint32_t room;  /* of places */
    char **bodies;  /* functions with bitcode, by name, one for each module that has it */
    bool *taken;    /* of these: a function in the file is it */
    char **globals; /* of them and of variables those that other objects can name */
    size_t n_bodies, n_globals, room_bodies, room_globals;
    bool assembly; /* a module has some of its own */
    struct pl_foreign foreign;
    bool data; /* there are variables without bitcode that begin with something */
};

/* ---- files ---- */

static const void *section_of(Elf *elf, const char *name, size_t *size)
{
    size_t names;
    GElf_Shdr head;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        const char *is = gelf_getshdr(s, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;

        if (is == NULL || strcmp(is, name) != 0)
            continue;
        if ((head.sh_flags & SHF_COMPRESSED) != 0)
            elf_compress(s, 0, 0);
        Elf_Data *data = elf_getdata(s, NULL);

        *size = data ? data->d_size : 0;
        return data ? data->d_buf : NULL;
    }
    return NULL;
}

static void read_objects(struct file *f)
{
    size_t size = 0, rows = 0;
    const char *code = section_of(f->elf, PL_CODE_SECTION, &size);

    f->rows = section_of(f->elf, PL_CODE_ROWS, &rows);
    f->n_rows = f->rows ? rows / sizeof(*f->rows) : 0;
    for (size_t at = 0; code != NULL && at + sizeof(struct pl_code_head) <= size;) {
        struct object o = {0};

        memcpy(&o.head, code + at, sizeof(o.head));
        if (o.head.magic != PL_CODE_MAGIC || o.head.version != PL_CODE_VERSION ||
            o.head.size > size - at - sizeof(o.head)) {
            at += 8; /* what the linker has put between two of them */
            continue;
        }
        at += sizeof(o.head);
        o.code = code + at;
        at += (o.head.size + 7) & ~(size_t)7;
        f->objects = pl_err_must(realloc(f->objects, (f->n_objects + 1) * sizeof(o)));
        f->objects[f->n_objects++] = o;
    }
}

static int open_file(struct loading *l, const char *path, struct pl_err *err)
{
    struct file f = {.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    size_t size;

    elf_version(EV_CURRENT);
    f.elf = f.fd >= 0 ? elf_begin(f.fd, ELF_C_READ_MMAP_PRIVATE, NULL) : NULL;
    if (f.elf == NULL || elf_kind(f.elf) != ELF_K_ELF) {
        if (f.fd >= 0)
            close(f.fd);
        return pl_err_set(err, PL_ERR_USER, "'%s' is no program that can be read. Name another.",
                          path);
    }
    snprintf(f.path, sizeof(f.path), "%s", path);
    read_objects(&f);
    f.hooked = section_of(f.elf, "plait_gate", &size) != NULL;
    l->files = pl_err_must(realloc(l->files, (l->n_files + 1) * sizeof(f)));
    l->files[l->n_files++] = f;
    return 0;
}

/* ---- libraries, where the dynamic linker looks first ---- */

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_loaded(const struct loading *l, const char *name)
{
    for (size_t i = 0; i < l->n_files; i++) {
        if (strcmp(last_name(l->files[i].path), name) == 0)
            return true;
    }
    return false;
}

/* Try the folders of a list with colons; $ORIGIN is the file's own. */
static bool try_folders(struct loading *l, const char *folders, const char *origin,
                        const char *name)
{
    char path[2 * PATH_MAX], folder[PATH_MAX];
    struct pl_err err = {0};

    while (folders && *folders) {
        size_t n = strcspn(folders, ":");

        snprintf(folder, sizeof(folder), "%.*s", (int)n, folders);
        if (strncmp(folder, "$ORIGIN", 7) == 0)
            snprintf(path, sizeof(path), "%.*s%s/%s", (int)(last_name(origin) - origin), origin,
                     folder + 7, name);
        else
            snprintf(path, sizeof(path), "%s/%s", folder, name);
        if (access(path, R_OK) == 0 && open_file(l, path, &err) == 0)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

static Elf_Data *dynamic_of(Elf *elf, size_t *strings)
{
    GElf_Shdr head;

    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        if (gelf_getshdr(s, &head) != NULL && head.sh_type == SHT_DYNAMIC) {
            *strings = head.sh_link;
            return elf_getdata(s, NULL);
        }
    }
    return NULL;
}

static void open_libraries(struct loading *l, size_t of)
{
    size_t strings = 0;
    Elf *elf = l->files[of].elf;
    Elf_Data *data = dynamic_of(elf, &strings);
    const char *folders = NULL;
    char origin[PATH_MAX];
    GElf_Dyn d;

    snprintf(origin, sizeof(origin), "%s", l->files[of].path);
    for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
        if (d.d_tag == DT_RUNPATH || d.d_tag == DT_RPATH)
            folders = elf_strptr(elf, strings, d.d_un.d_val);
    }
    for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
        const char *name = d.d_tag == DT_NEEDED ? elf_strptr(elf, strings, d.d_un.d_val) : NULL;

        if (name != NULL && !is_loaded(l, name) &&
            !try_folders(l, getenv("LD_LIBRARY_PATH"), origin, name))
            try_folders(l, folders, origin, name);
    }
}

/* ---- modules ---- */

typedef void visit_call(LLVMValueRef call, void *context);

static void each_call(LLVMValueRef f, visit_call *visit, void *context)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (pl_ir_is_call(i))
                visit(i, context);
        }
    }
}

static uint32_t read_number(const struct pl_ir *ir, LLVMValueRef call)
{
    LLVMValueRef node = LLVMGetMetadata(call, ir->kind), number = NULL;

    if (node == NULL || LLVMGetMDNodeNumOperands(node) != 1)
        return PL_IR_NONE;
    LLVMGetMDNodeOperands(node, &number);
    return (uint32_t)LLVMConstIntGetZExtValue(number);
}

struct renumbering {
    struct pl_ir *ir;
    struct object *object;
    bool any, kept;
};

static void count_call(LLVMValueRef call, void *context)
{
    struct renumbering *r = context;
    uint32_t n = read_number(r->ir, call);

    if (n != PL_IR_NONE && n >= r->object->n)
        r->object->n = n + 1;
}

static void look_for_label(LLVMValueRef call, void *context)
{
    struct renumbering *r = context;
    uint32_t n = read_number(r->ir, call);

    if (n != PL_IR_NONE) {
        r->any = true;
        r->kept |= r->object->kept[n];
    }
}

static void renumber(LLVMValueRef call, void *context)
{
    struct renumbering *r = context;
    uint32_t n = read_number(r->ir, call);
    LLVMContextRef c = r->ir->context;

    if (n == PL_IR_NONE)
        return;
    LLVMMetadataRef value =
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), r->object->first + n, false));

    LLVMSetMetadata(call, r->ir->kind, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &value, 1)));
}

static bool may_be_dropped(LLVMValueRef f)
{
    switch (LLVMGetLinkage(f)) {
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMWeakAnyLinkage:
    case LLVMWeakODRLinkage:
        return true;
    default:
        return false;
    }
}

static int by_hash(const void *a, const void *b)
{
    const struct pl_code_row *x = *(const struct pl_code_row *const *)a;
    const struct pl_code_row *y = *(const struct pl_code_row *const *)b;

    return (x->hash > y->hash) - (x->hash < y->hash);
}

static void read_module(struct loading *l, struct object *o, struct pl_err *err)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(o->code, o->head.size, "code");

    if (LLVMParseBitcodeInContext2(l->ir->context, buffer, &o->module) != 0) {
        o->module = NULL;
        pl_err_set(err, PL_ERR_USER,
                   "The program carries bitcode of another version of LLVM than plait was built "
                   "with. Build it again with `plait cc --whole`.");
    }
    LLVMDisposeMemoryBuffer(buffer);
}

static void add_name(char ***list, size_t *n, size_t *room, const char *name)
{
    if (*n == *room) {
        *room = *room ? 2 * *room : 256;
        *list = pl_err_must(realloc(*list, *room * sizeof(**list)));
    }
    (*list)[(*n)++] = pl_err_must(strdup(name));
}

static bool is_named(LLVMValueRef g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);

    return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

/* Which functions and variables there are, before those of several modules become one. */
static void note_names(struct loading *l, LLVMModuleRef module)
{
    size_t n;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        add_name(&l->bodies, &l->n_bodies, &l->room_bodies, LLVMGetValueName2(f, &n));
        if (is_named(f))
            add_name(&l->globals, &l->n_globals, &l->room_globals, LLVMGetValueName2(f, &n));
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g) && is_named(g))
            add_name(&l->globals, &l->n_globals, &l->room_globals, LLVMGetValueName2(g, &n));
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) {
        add_name(&l->bodies, &l->n_bodies, &l->room_bodies, LLVMGetValueName2(a, &n));
        if (is_named(a))
            add_name(&l->globals, &l->n_globals, &l->room_globals, LLVMGetValueName2(a, &n));
    }
    LLVMGetModuleInlineAsm(module, &n);
    l->assembly |= n > 0 || LLVMGetFirstGlobalIFunc(module) != NULL;
}

/* Give its calls numbers of the whole program, and give up functions that the linker dropped. */
static void prepare(struct loading *l, struct object *o, const struct pl_code_row *const *rows,
                    size_t n_rows)
{
    struct renumbering r = {.ir = l->ir, .object = o};

    for (LLVMValueRef f = LLVMGetFirstFunction(o->module); f; f = LLVMGetNextFunction(f))
        each_call(f, count_call, &r);
    o->first = l->ir->n_numbers;
    l->ir->n_numbers += o->n;
    o->kept = pl_err_must(calloc(o->n + 1, sizeof(*o->kept)));
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i]->label != 0 && rows[i]->number < o->n)
            o->kept[rows[i]->number] = true;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(o->module); f; f = LLVMGetNextFunction(f)) {
        r.any = r.kept = false;
        each_call(f, look_for_label, &r);
        if (r.any && !r.kept && may_be_dropped(f) && !o->head.by_place) {
            LLVMSetComdat(f, NULL);
            LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
        }
        each_call(f, renumber, &r);
    }
}

static int link_in(struct pl_ir *ir, struct object *o, struct pl_err *err)
{
    if (ir->module == NULL) {
        ir->module = o->module;
        return 0;
    }
    if (LLVMLinkModules2(ir->module, o->module) == 0)
        return 0;
    return pl_err_set(
        err, PL_ERR_TARGET,
        "The bitcode of the program's objects cannot be linked. Build all of them with "
        "the same options.");
}

/* ---- places ---- */

static void add_place(struct loading *l, struct pl_ir_place place)
{
    struct pl_ir *ir = l->ir;

    if (ir->n_places == l->room) {
        l->room = l->room ? 2 * l->room : 1024;
        ir->places = pl_err_must(realloc(ir->places, l->room * sizeof(*ir->places)));
    }
    ir->places[ir->n_places++] = place;
}

/* Of several at one address the one that was written last is that of the call there. */
static int by_label(const void *a, const void *b)
{
    const struct pl_code_row *x = *(const struct pl_code_row *const *)a;
    const struct pl_code_row *y = *(const struct pl_code_row *const *)b;

    if (x->label != y->label)
        return x->label > y->label ? 1 : -1;
    return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b)
{
    const struct pl_ir_place *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static const struct object *object_of(const struct file *f, uint64_t hash)
{
    for (size_t i = 0; i < f->n_objects; i++) {
        if (f->objects[i].head.hash == hash)
            return &f->objects[i];
    }
    return NULL;
}

/*
 * The next label behind one.  The linker gives labels of an inline function that it has dropped the
 * addresses of the one that it kept: several objects may have labels at one address.
 */
static uint64_t next_label(const struct file *f, const struct pl_code_row **rows, size_t i)
{
    size_t k = i + 1;

    while (k < f->n_rows && rows[k]->label == rows[i]->label && rows[k]->hash != rows[i]->hash)
        k++;
    return k < f->n_rows ? rows[k]->label : UINT64_MAX;
}

static int find_places(struct loading *l, uint32_t module, const struct pl_code_row **rows,
                       struct pl_err *err)
{
    struct file *f = &l->files[module];
    struct pl_places *p = pl_places_open(f->path, err);

    if (p == NULL)
        return -1;
    qsort(rows, f->n_rows, sizeof(*rows), by_label);
    const struct object *o = NULL;

    for (size_t i = 0; i < f->n_rows; i++) {
        if (rows[i]->label == 0)
            continue;
        uint64_t next = next_label(f, rows, i);

        if (o == NULL || o->head.hash != rows[i]->hash)
            o = object_of(f, rows[i]->hash);
        bool off = false;
        uint64_t pc = o ? pl_places_after(p, rows[i]->label, next, &off) : 0;

        if (pc != 0)
            add_place(l, (struct pl_ir_place){o->first + rows[i]->number, module, pc, off});
        else
            l->ir->n_lost++;
    }
    pl_places_close(p);
    return 0;
}

static bool is_before_hash(const void *row, const void *key)
{
    return (*(const struct pl_code_row *const *)row)->hash < *(const uint64_t *)key;
}

static int load_file(struct loading *l, uint32_t module, struct pl_err *err)
{
    struct file *f = &l->files[module];
    const struct pl_code_row **rows = pl_err_must(calloc(f->n_rows + 1, sizeof(*rows)));
    int rc = 0;

    for (size_t i = 0; i < f->n_rows; i++)
        rows[i] = &f->rows[i];
    qsort(rows, f->n_rows, sizeof(*rows), by_hash);
    for (size_t i = 0; rc == 0 && i < f->n_objects; i++) {
        struct object *o = &f->objects[i];
        size_t from = pl_ir_first(rows, f->n_rows, sizeof(*rows), &o->head.hash, is_before_hash);
        size_t to = from;

        while (to < f->n_rows && rows[to]->hash == o->head.hash)
            to++;
        read_module(l, o, err);
        if (o->module == NULL) {
            rc = -1;
            break;
        }
        l->ir->build = pl_hash_add(l->ir->build, o->head.hash);
        l->ir->by_place |= o->head.by_place != 0;
        note_names(l, o->module);
        prepare(l, o, rows + from, to - from);
        rc = link_in(l->ir, o, err);
    }
    if (rc == 0)
        rc = find_places(l, module, rows, err);
    free(rows);
    return rc;
}

void pl_ir_adopt(struct pl_ir *ir, LLVMModuleRef module)
{
    *ir = (struct pl_ir){.module = module, .context = LLVMGetModuleContext(module)};
    ir->kind = LLVMGetMDKindIDInContext(ir->context, PL_CODE_METADATA, strlen(PL_CODE_METADATA));
    ir->layout = LLVMGetModuleDataLayout(module);
}

/* ---- code that is linked in without bitcode ---- */

static bool is_code(Elf *elf, size_t section)
{
    size_t names = 0;
    GElf_Shdr head;
    Elf_Scn *s = section < SHN_LORESERVE ? elf_getscn(elf, section) : NULL;

    if (s == NULL || gelf_getshdr(s, &head) == NULL || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    const char *name = elf_strptr(elf, names, head.sh_name);

    return (head.sh_flags & SHF_EXECINSTR) != 0 && name && strcmp(name, PL_GATE_SECTION) != 0 &&
           strcmp(name, ".init") != 0 && strcmp(name, ".fini") != 0 &&
           strncmp(name, ".plt", 4) != 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef void visit_symbol(struct loading *l, Elf *elf, const GElf_Sym *symbol, const char *name);

/* Symbols of a table of this type; false: there is none. */
static bool each_symbol(struct loading *l, Elf *elf, unsigned type, visit_symbol *visit)
{
    GElf_Shdr head;
    bool any = false;

    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        Elf_Data *data =
            gelf_getshdr(s, &head) && head.sh_type == type ? elf_getdata(s, NULL) : NULL;
        GElf_Sym symbol;

        any |= data != NULL;
        for (int i = 0; data && gelf_getsym(data, i, &symbol) != NULL; i++) {
            const char *name = elf_strptr(elf, head.sh_link, symbol.st_name);

            if (name && *name && symbol.st_shndx != SHN_UNDEF)
                visit(l, elf, &symbol, name);
        }
    }
    return any;
}

static bool is_before_text(const void *row, const void *key)
{
    return strcmp(*(char *const *)row, key) < 0;
}

/* Parts and versions that gcc has made of a function are called after it: name.part.0; and it adds
 * a constructor that calls a hook. */
static bool is_of_body(const struct loading *l, const char *name)
{
    static const char constructor[] = "_sub_I_";
    const char *dot = strchr(name, '.');

    if (l->ir->by_place && strncmp(name, constructor, sizeof(constructor) - 1) == 0)
        return true;
    for (size_t i = 0; l->ir->by_place && dot != NULL && i < l->n_bodies; i++) {
        if (strncmp(l->bodies[i], name, (size_t)(dot - name)) == 0 &&
            l->bodies[i][dot - name] == '\0')
            return true;
    }
    return false;
}

/* A function takes its name off the list; one that finds none has no bitcode. */
static void look_for_body(struct loading *l, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    bool local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
    size_t from;

    if ((type != STT_FUNC && type != STT_GNU_IFUNC && (type != STT_NOTYPE || local)) ||
        !is_code(elf, symbol->st_shndx))
        return;
    if (pl_module_is_furniture(name) || pl_model_find(name) != NULL) {
        pl_foreign_add(&l->foreign, symbol, name, true); /* a model says what it does */
        return;
    }
    from = pl_ir_first(l->bodies, l->n_bodies, sizeof(*l->bodies), name, is_before_text);
    while (from < l->n_bodies && l->taken[from] && strcmp(l->bodies[from], name) == 0)
        from++;
    bool known = from < l->n_bodies && strcmp(l->bodies[from], name) == 0;

    if (known)
        l->taken[from] = true;
    else
        known = is_of_body(l, name);
    l->ir->foreign |= !known;
    pl_foreign_add(&l->foreign, symbol, name, known);
}

/* A variable without bitcode may hold the address of anything from the beginning. */
static void look_for_data(struct loading *l, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    static const char personality[] = "DW.ref.";
    Elf_Scn *s = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(elf, symbol->st_shndx) : NULL;
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    GElf_Shdr head;

    if ((type != STT_OBJECT && type != STT_NOTYPE) || symbol->st_size == 0 || s == NULL ||
        gelf_getshdr(s, &head) == NULL || head.sh_type != SHT_PROGBITS ||
        (head.sh_flags & SHF_WRITE) == 0 || strchr(name, '@') != NULL ||
        strcmp(name, PL_GATE_PARTS) == 0 ||
        strncmp(name, personality, sizeof(personality) - 1) == 0)
        return;
    l->data |= LLVMGetNamedGlobal(l->ir->module, name) == NULL &&
               LLVMGetNamedGlobalAlias(l->ir->module, name, strlen(name)) == NULL;
}

static void expose(struct loading *l, const char *name)
{
    struct pl_ir *ir = l->ir;
    LLVMValueRef g = LLVMGetNamedFunction(ir->module, name);

    if (g == NULL)
        g = LLVMGetNamedGlobal(ir->module, name);
    if (g == NULL)
        g = LLVMGetNamedGlobalAlias(ir->module, name, strlen(name));
    if (g == NULL || LLVMIsDeclaration(g) || strcmp(name, "main") == 0)
        return; /* nobody calls main() */
    ir->exposed = pl_err_must(realloc(ir->exposed, (ir->n_exposed + 1) * sizeof(*ir->exposed)));
    ir->exposed[ir->n_exposed++] = g;
}

static void expose_symbol(struct loading *l, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    expose(l, name);
}

static void keep_closed(struct loading *l)
{
    struct pl_ir *ir = l->ir;

    for (size_t i = 0; i < l->foreign.n; i++) {
        const struct pl_foreign_code *c = &l->foreign.code[i];
        LLVMValueRef f = c->closed ? LLVMGetNamedFunction(ir->module, c->name) : NULL;

        if (f == NULL || !LLVMIsDeclaration(f))
            continue;
        ir->closed = pl_err_must(realloc(ir->closed, (ir->n_closed + 1) * sizeof(*ir->closed)));
        ir->closed[ir->n_closed++] = f;
    }
}

/* What code that is not known can get hold of without being handed it. */
static void find_exposed(struct loading *l, bool alone)
{
    Elf *elf = l->files[0].elf;

    l->taken = pl_err_must(calloc(l->n_bodies + 1, sizeof(*l->taken)));
    if (l->n_bodies > 0)
        qsort(l->bodies, l->n_bodies, sizeof(*l->bodies), by_text);
    l->foreign.elf = elf;
    l->data = !each_symbol(l, elf, SHT_SYMTAB, look_for_body) || l->assembly;
    l->ir->foreign |= l->data;
    each_symbol(l, elf, SHT_SYMTAB, look_for_data);
    if (l->ir->foreign && !l->data && pl_foreign_read(&l->foreign)) {
        for (size_t i = 0; i < l->foreign.n_names; i++)
            expose(l, l->foreign.names[i]);
        keep_closed(l);
    } else {
        for (size_t i = 0; l->ir->foreign && i < l->n_globals; i++)
            expose(l, l->globals[i]);
    }
    if (alone)
        each_symbol(l, elf, SHT_DYNSYM, expose_symbol);
}

static void keep_names(struct loading *l)
{
    l->ir->n_modules = (uint32_t)l->n_files;
    l->ir->modules = pl_err_must(calloc(l->n_files + 1, sizeof(*l->ir->modules)));
    l->ir->paths = pl_err_must(calloc(l->n_files + 1, sizeof(*l->ir->paths)));
    for (size_t i = 0; i < l->n_files; i++) {
        l->ir->modules[i] = pl_err_must(strdup(i == 0 ? "" : last_name(l->files[i].path)));
        l->ir->paths[i] = pl_err_must(strdup(l->files[i].path));
    }
}

int pl_ir_load(struct pl_ir *ir, const char *program, bool alone, struct pl_err *err)
{
    struct loading l = {.ir = ir};
    int rc = 0;

    *ir = (struct pl_ir){.context = LLVMContextCreate()};
    ir->kind = LLVMGetMDKindIDInContext(ir->context, PL_CODE_METADATA, strlen(PL_CODE_METADATA));
    if (open_file(&l, program, err) != 0)
        return -1;
    if (l.files[0].n_objects == 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "'%s' carries no bitcode. Build it with `plait cc --whole`, or with "
                          "PLAIT_WHOLE=1, and do not strip it.",
                          program);
    for (size_t i = 0; !alone && i < l.n_files; i++)
        open_libraries(&l, i);
    for (size_t i = 0; rc == 0 && i < l.n_files; i++) {
        ir->partly |= l.files[i].n_objects == 0 && l.files[i].hooked;
        rc = load_file(&l, (uint32_t)i, err);
    }
    if (rc != 0)
        return rc;
    ir->layout = LLVMGetModuleDataLayout(ir->module);
    if (ir->n_places > 0)
        qsort(ir->places, ir->n_places, sizeof(*ir->places), by_number);
    keep_names(&l);
    find_exposed(&l, alone);
    return 0; /* the files stay open: memory goes with the process */
}
