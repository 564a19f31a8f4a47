/* SPDX-License-Identifier: MIT */
/* See unhooked.h. */
#include "engine/machine/unhooked.h"

#include "base/assert.h"
#include "base/err.h"
#include "engine/machine/function.h"
#include "engine/machine/variables.h"
#include "model/gate.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT_MAX = 64 };

struct stretch {
    uint64_t start, end;
};

/* A name of code or of a slot that holds a pointer to it. */
struct name {
    uint64_t addr;
    struct pl_machine_hook hook;
};

struct function {
    uint64_t start, end;
    bool skipped;
};

struct module {
    struct pl_unhooked *to;
    Dwfl_Module *dwfl;
    struct stretch constant[CONSTANT_MAX];
    unsigned n_constant;
    struct name *names; /* sorted */
    size_t n_names, names_room;
    struct name *slots; /* sorted */
    size_t n_slots, slots_room;
    struct function *functions;
    size_t n_functions, functions_room;
    uint64_t *entered; /* by jumps from other functions; sorted */
    size_t n_entered, entered_room;
    bool exits; /* these are looked for */
};

/* ---- hooks by name ---- */

static bool skip(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

/* Functions that do not return, as far as they are in other modules. */
static bool never_returns(const char *name)
{
    static const char *const names[] = {"_Unwind_Resume",
                                        "__cxa_throw",
                                        "__cxa_rethrow",
                                        "__cxa_bad_cast",
                                        "__cxa_bad_typeid",
                                        "abort",
                                        "exit",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "longjmp",
                                        "siglongjmp",
                                        "__longjmp_chk",
                                        "__assert_fail",
                                        "__stack_chk_fail",
                                        "__fortify_fail",
                                        "_ZSt9terminatev",
                                        "pthread_exit",
                                        "thrd_exit",
                                        "__clang_call_terminate",
                                        "__cxa_throw_bad_array_new_length"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return strncmp(name, "_ZSt", 4) == 0 && strstr(name, "__throw_") != NULL;
}

static struct pl_machine_hook hook_named(const char *name)
{
    struct pl_machine_hook hook = {PL_CALL_OTHER, 0, false, false};

    if (never_returns(name))
        return (struct pl_machine_hook){PL_CALL_ENDS, 0, false, false};
    if (!skip(&name, "__tsan_"))
        return hook;
    if (skip(&name, "func_")) {
        hook.call = PL_CALL_NOTE;
        return hook;
    }
    if (skip(&name, "atomic")) { /* clang leaves the load that the hook makes for it where it is */
        hook.size = (uint32_t)strtoul(name, (char **)&name, 10) / 8;
        hook.read = strcmp(name, "_load") == 0;
        hook.call = hook.read ? PL_CALL_ACCESS : PL_CALL_OTHER;
        return hook;
    }
    if (skip(&name, "vptr_update"))
        return (struct pl_machine_hook){PL_CALL_ACCESS, 8, false, true};
    if (skip(&name, "vptr_read"))
        return (struct pl_machine_hook){PL_CALL_ACCESS, 8, true, false};
    skip(&name, "unaligned_");
    skip(&name, "volatile_");
    hook.read = skip(&name, "read");
    if (hook.read)
        skip(&name, "_");
    hook.write = skip(&name, "write");
    if (!hook.read && !hook.write)
        return hook;
    skip(&name, "_");
    hook.call = skip(&name, "range") ? PL_CALL_RANGE : PL_CALL_ACCESS;
    hook.size = (uint32_t)strtoul(name, NULL, 10);
    return hook;
}

/* What compilers put into every program. */
static bool is_furniture(const char *name)
{
    static const char *const whole[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "deregister_tm_clones",
                                        "register_tm_clones",
                                        "frame_dummy",
                                        "__do_global_dtors_aux",
                                        "_dl_relocate_static_pie",
                                        "__libc_csu_init",
                                        "__libc_csu_fini"};
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
        if (strcmp(name, whole[i]) == 0)
            return true;
    }
    return false;
}

/* ---- what the file says ---- */

static int by_addr(const void *a, const void *b)
{
    const struct name *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_start(const void *a, const void *b)
{
    const struct function *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1)
           : x->end > y->end    ? -1
                                : x->end < y->end;
}

static void add_name(struct name **list, size_t *n, size_t *room, uint64_t addr, const char *text)
{
    struct pl_machine_hook hook = hook_named(text);

    if (hook.call == PL_CALL_OTHER)
        return;
    if (*n == *room) {
        *room = *room ? 2 * *room : 64;
        *list = pl_err_must(realloc(*list, *room * sizeof(**list)));
    }
    (*list)[(*n)++] = (struct name){addr, hook};
}

static const struct name *name_at(const struct name *list, size_t n, uint64_t addr)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (list[middle].addr < addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && list[low].addr == addr ? &list[low] : NULL;
}

static void add_function(struct module *m, uint64_t start, uint64_t end, bool skipped)
{
    if (m->n_functions == m->functions_room) {
        m->functions_room = m->functions_room ? 2 * m->functions_room : 256;
        m->functions =
            pl_err_must(realloc(m->functions, m->functions_room * sizeof(*m->functions)));
    }
    m->functions[m->n_functions++] = (struct function){start, end, skipped};
}

static void read_symbols(struct module *m, Dwfl_Module *module)
{
    int n = dwfl_module_getsymtab(module);

    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr start;
        const char *name = dwfl_module_getsym_info(module, i, &sym, &start, NULL, NULL, NULL);
        int type = GELF_ST_TYPE(sym.st_info);

        if (name == NULL)
            continue;
        if (sym.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_NOTYPE))
            continue;
        if (type == STT_FUNC || sym.st_size == 0)
            add_function(m, start, start + sym.st_size, is_furniture(name));
        add_name(&m->names, &m->n_names, &m->names_room, start, name);
    }
}

/* Which pointers the loader fills in with the addresses of hooks. */
static void read_relocations(struct module *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                             uint64_t bias)
{
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *symbols = elf_getscn(elf, sh->sh_link);
    Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr symbols_header;

    if (data == NULL || table == NULL || gelf_getshdr(symbols, &symbols_header) == NULL ||
        sh->sh_entsize == 0)
        return;
    for (int i = 0; i < (int)(sh->sh_size / sh->sh_entsize); i++) {
        GElf_Rela rela;
        GElf_Sym sym;

        if (gelf_getrela(data, i, &rela) == NULL ||
            gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &sym) == NULL)
            continue;
        const char *name = elf_strptr(elf, symbols_header.sh_link, sym.st_name);

        if (name != NULL)
            add_name(&m->slots, &m->n_slots, &m->slots_room, rela.r_offset + bias, name);
    }
}

static void read_constant(struct module *m, Elf *elf, uint64_t bias)
{
    size_t n = 0;
    GElf_Phdr ph;

    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n && m->n_constant < CONSTANT_MAX; i++) {
        if (gelf_getphdr(elf, (int)i, &ph) == NULL)
            break;
        if ((ph.p_type == PT_LOAD && (ph.p_flags & PF_W) == 0) || ph.p_type == PT_GNU_RELRO)
            m->constant[m->n_constant++] =
                (struct stretch){ph.p_vaddr + bias, ph.p_vaddr + ph.p_memsz + bias};
    }
}

/* A stub that goes on through a pointer: the pointer's address, or 0. */
static uint64_t slot_of_stub(const uint8_t *bytes, size_t size, uint64_t pc)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t at = 0; at < size;) {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes + at, size - at, &i, o)))
            return 0;
        at += i.length;
        if (i.mnemonic == ZYDIS_MNEMONIC_JMP && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            o[0].mem.base == ZYDIS_REGISTER_RIP)
            return pc + at + (uint64_t)o[0].mem.disp.value;
        if (i.mnemonic != ZYDIS_MNEMONIC_ENDBR64)
            return 0;
    }
    return 0;
}

/* Stubs for calls of other modules get the names of what they call. */
static void read_stubs(struct module *m, Elf_Scn *section, const GElf_Shdr *sh, uint64_t bias)
{
    enum { STUB = 16 };
    Elf_Data *data = elf_getdata(section, NULL);

    if (data == NULL || data->d_buf == NULL)
        return;
    for (size_t at = 0; at + STUB <= data->d_size; at += STUB) {
        uint64_t pc = sh->sh_addr + bias + at;
        uint64_t slot = slot_of_stub((const uint8_t *)data->d_buf + at, STUB, pc);
        const struct name *name = slot ? name_at(m->slots, m->n_slots, slot) : NULL;

        if (name == NULL)
            continue;
        if (m->n_names == m->names_room) {
            m->names_room = m->names_room ? 2 * m->names_room : 64;
            m->names = pl_err_must(realloc(m->names, m->names_room * sizeof(*m->names)));
        }
        m->names[m->n_names++] = (struct name){pc, name->hook};
    }
}

/* ---- functions ---- */

static bool is_constant(const void *context, uint64_t addr)
{
    const struct module *m = context;

    for (unsigned i = 0; i < m->n_constant; i++) {
        if (addr >= m->constant[i].start && addr < m->constant[i].end)
            return true;
    }
    return false;
}

static struct pl_machine_hook called(const void *context, uint64_t target, uint64_t slot)
{
    const struct module *m = context;
    const struct name *name =
        target != 0 ? name_at(m->names, m->n_names, target) : name_at(m->slots, m->n_slots, slot);

    return name != NULL ? name->hook : (struct pl_machine_hook){PL_CALL_OTHER, 0, false, false};
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static bool is_entered(const void *context, uint64_t pc)
{
    const struct module *m = context;

    return m->n_entered > 0 &&
           bsearch(&pc, m->entered, m->n_entered, sizeof(pc), by_number) != NULL;
}

static void add_entered(void *to, uint64_t target)
{
    struct module *m = to;

    if (m->n_entered == m->entered_room) {
        m->entered_room = m->entered_room ? 2 * m->entered_room : 64;
        m->entered = pl_err_must(realloc(m->entered, m->entered_room * sizeof(*m->entered)));
    }
    m->entered[m->n_entered++] = target;
}

static size_t objects(const void *context, uint64_t start, struct pl_machine_object **list)
{
    const struct module *m = context;

    return pl_variables_find(m->dwfl, start, list);
}

static uint8_t number_of(ZydisRegister r)
{
    return ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_GPR64 ? (uint8_t)ZydisRegisterGetId(r)
                                                            : PL_SITE_NO_REGISTER;
}

static uint8_t atomic_kind(const struct pl_machine_code *c)
{
    if (c->i.mnemonic == ZYDIS_MNEMONIC_XCHG)
        return PL_SITE_EXCHANGES;
    if ((c->i.attributes & ZYDIS_ATTRIB_HAS_LOCK) == 0)
        return PL_SITE_PLAIN;
    return c->i.mnemonic == ZYDIS_MNEMONIC_CMPXCHG ? PL_SITE_COMPARES : PL_SITE_ADDS;
}

/* The register that an exchange stores. */
static uint8_t source_of(const struct pl_machine_code *c)
{
    for (unsigned k = 0; k < c->i.operand_count_visible; k++) {
        if (c->operands[k].type == ZYDIS_OPERAND_TYPE_REGISTER)
            return number_of(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
                                                              c->operands[k].reg.value));
    }
    return PL_SITE_NO_REGISTER;
}

static void found(void *to, const struct pl_machine_code *c, unsigned k, unsigned room)
{
    struct module *m = to;
    struct pl_unhooked *u = m->to;
    const ZydisDecodedOperand *o = &c->operands[k];
    bool string = (c->i.attributes &
                   (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    bool relative = o->mem.base == ZYDIS_REGISTER_RIP;
    struct pl_site_operand operand = {
        .displacement = o->mem.disp.has_displacement ? (uint64_t)o->mem.disp.value : 0,
        .size = o->size / 8 ? o->size / 8 : 1,
        .base = number_of(o->mem.base),
        .index = number_of(o->mem.index),
        .scale = o->mem.scale,
    };

    if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB || c->i.address_width != 64) {
        u->blind_pc = c->pc;
        return;
    }
    if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
        operand.flags |= PL_SITE_READ;
    if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
        operand.flags |= PL_SITE_WRITE;
    if (string)
        operand.flags |= PL_SITE_REPEATS;
    if (relative)
        operand.displacement += c->pc + c->i.length;
    if (u->n == 0 || u->sites[u->n - 1].pc != c->pc) {
        if (u->n == u->room) {
            u->room = u->room ? 2 * u->room : 64;
            u->sites = pl_err_must(realloc(u->sites, u->room * sizeof(*u->sites)));
        }
        u->sites[u->n++] = (struct pl_site){.pc = c->pc,
                                            .length = c->i.length,
                                            .room = (uint8_t)room,
                                            .relative_at = relative ? c->i.raw.disp.offset : 0,
                                            .atomic = atomic_kind(c),
                                            .source = source_of(c)};
    }
    struct pl_site *site = &u->sites[u->n - 1];

    if (site->n < PL_SITE_OPERANDS)
        site->operands[site->n++] = operand;
}

static void read_code(struct module *m, Elf_Scn *section, const GElf_Shdr *sh, uint64_t bias)
{
    Elf_Data *data = elf_getdata(section, NULL);
    uint64_t low = sh->sh_addr + bias, high = low + sh->sh_size, done = low;
    struct pl_machine_world world = {.memory = {is_constant, m},
                                     .called = called,
                                     .entered = is_entered,
                                     .objects = objects,
                                     .found = found,
                                     .to = m};

    if (data == NULL || data->d_buf == NULL)
        return;
    for (size_t i = 0; i < m->n_functions; i++) {
        const struct function *f = &m->functions[i];
        uint64_t end = f->end;

        if (f->start < low || f->start >= high || f->start < done)
            continue;
        if (end == f->start) { /* a label: up to the next one */
            end = high;
            for (size_t k = i + 1; k < m->n_functions && end == high; k++) {
                if (m->functions[k].start > f->start && m->functions[k].start < high)
                    end = m->functions[k].start;
            }
        }
        if (end > high)
            end = high;
        done = end;
        const uint8_t *bytes = (const uint8_t *)data->d_buf + (f->start - low);

        if (m->exits)
            pl_function_exits(f->start, bytes, end - f->start, add_entered, m);
        else if (!f->skipped)
            pl_function_read(&world, f->start, bytes, end - f->start);
    }
}

static void each_section(struct module *m, Elf *elf, uint64_t bias,
                         void (*visit)(struct module *, Elf *, Elf_Scn *, const GElf_Shdr *,
                                       const char *, uint64_t))
{
    size_t names = 0;
    Elf_Scn *section = NULL;

    elf_getshdrstrndx(elf, &names);
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr sh;

        if (gelf_getshdr(section, &sh) == NULL || (sh.sh_flags & SHF_ALLOC) == 0)
            continue;
        const char *name = elf_strptr(elf, names, sh.sh_name);

        visit(m, elf, section, &sh, name ? name : "", bias);
    }
}

static void visit_relocations(struct module *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                              const char *name, uint64_t bias)
{
    if (sh->sh_type == SHT_RELA)
        read_relocations(m, elf, section, sh, bias);
}

static void visit_stubs(struct module *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                        const char *name, uint64_t bias)
{
    if (strncmp(name, ".plt", 4) == 0)
        read_stubs(m, section, sh, bias);
}

static void visit_code(struct module *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                       const char *name, uint64_t bias)
{
    if ((sh->sh_flags & SHF_EXECINSTR) != 0 && sh->sh_type == SHT_PROGBITS &&
        strncmp(name, ".plt", 4) != 0 && strcmp(name, ".init") != 0 && strcmp(name, ".fini") != 0 &&
        strcmp(name, PL_GATE_SECTION) != 0)
        read_code(m, section, sh, bias);
}

/* Where symbols have been stripped, nobody knows which calls are hooks. */
static bool knows_hooks(const struct module *m)
{
    for (size_t i = 0; i < m->n_names; i++) {
        if (m->names[i].hook.call != PL_CALL_ENDS)
            return true;
    }
    return false;
}

static void read_module(struct pl_unhooked *u, Dwfl_Module *module)
{
    struct module m = {.to = u, .dwfl = module};
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);

    if (elf == NULL)
        return;
    read_constant(&m, elf, bias);
    read_symbols(&m, module);
    each_section(&m, elf, bias, visit_relocations);
    if (m.n_slots > 0)
        qsort(m.slots, m.n_slots, sizeof(*m.slots), by_addr);
    each_section(&m, elf, bias, visit_stubs);
    if (m.n_names > 0)
        qsort(m.names, m.n_names, sizeof(*m.names), by_addr);
    if (m.n_functions > 0)
        qsort(m.functions, m.n_functions, sizeof(*m.functions), by_start);
    if (knows_hooks(&m)) {
        m.exits = true;
        each_section(&m, elf, bias, visit_code);
        if (m.n_entered > 0)
            qsort(m.entered, m.n_entered, sizeof(*m.entered), by_number);
        m.exits = false;
        each_section(&m, elf, bias, visit_code);
    }
    free(m.entered);
    free(m.names);
    free(m.slots);
    free(m.functions);
}

/* ---- modules ---- */

struct search {
    struct pl_unhooked *to;
    const struct pl_board *board;
};

static int visit_module(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr start,
                        void *context)
{
    const struct search *s = context;

    for (unsigned i = 0; i < s->board->n_modules && i < PL_BOARD_MODULES; i++) {
        const struct pl_module *m = &s->board->modules[i];

        if (m->instrumented && m->start <= start && start < m->end)
            read_module(s->to, module);
    }
    return DWARF_CB_OK;
}

static int by_pc(const void *a, const void *b)
{
    const struct pl_site *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void pl_unhooked_find(struct pl_unhooked *u, const struct pl_board *board, const char *program)
{
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    struct search s = {u, board};

    if (pl_symbols_session(symbols) != NULL)
        dwfl_getmodules(pl_symbols_session(symbols), visit_module, &s, 0);
    pl_symbols_close(symbols);
    if (u->n > 0)
        qsort(u->sites, u->n, sizeof(*u->sites), by_pc);
    for (size_t i = 1; i < u->n; i++) { /* what is moved has no breakpoint of its own */
        if (u->sites[i].pc < u->sites[i - 1].pc + u->sites[i - 1].room)
            u->sites[i - 1].room = 0;
    }
}

void pl_unhooked_free(struct pl_unhooked *u)
{
    free(u->sites);
    *u = (struct pl_unhooked){0};
}
