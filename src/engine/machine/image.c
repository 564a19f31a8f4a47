/* SPDX-License-Identifier: MIT */
/* See image.h. */
#include "engine/machine/image.h"

#include "base/assert.h"
#include "base/err.h"
#include "model/gate.h"
#include "model/module.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

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
    hook.call = PL_CALL_HOOK;
    if (skip(&name, "func_")) {
        hook.call = PL_CALL_NOTE;
        return hook;
    }
    if (skip(&name, "atomic")) { /* clang leaves the load that the hook makes for it where it is */
        hook.size = (uint32_t)strtoul(name, (char **)&name, 10) / 8;
        hook.read = strcmp(name, "_load") == 0;
        hook.call = hook.read ? PL_CALL_ACCESS : PL_CALL_HOOK;
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

/* ---- what the file says ---- */

static int by_addr(const void *a, const void *b)
{
    const struct pl_image_name *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_start(const void *a, const void *b)
{
    const struct pl_image_function *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1)
           : x->end > y->end    ? -1
                                : x->end < y->end;
}

static void add_name(struct pl_image_name **list, size_t *n, size_t *room, uint64_t addr,
                     struct pl_machine_hook hook)
{
    if (hook.call == PL_CALL_OTHER)
        return;
    if (*n == *room) {
        *room = *room ? 2 * *room : 64;
        *list = pl_err_must(realloc(*list, *room * sizeof(**list)));
    }
    (*list)[(*n)++] = (struct pl_image_name){addr, hook};
}

static const struct pl_image_name *name_at(const struct pl_image_name *list, size_t n,
                                           uint64_t addr)
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

static void add_function(struct pl_image *m, uint64_t start, uint64_t end, bool skipped)
{
    if (m->n_functions == m->functions_room) {
        m->functions_room = m->functions_room ? 2 * m->functions_room : 256;
        m->functions =
            pl_err_must(realloc(m->functions, m->functions_room * sizeof(*m->functions)));
    }
    m->functions[m->n_functions++] = (struct pl_image_function){start, end, skipped};
}

static void read_symbols(struct pl_image *m, Dwfl_Module *module)
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
            add_function(m, start, start + sym.st_size, pl_module_is_furniture(name));
        add_name(&m->names, &m->n_names, &m->names_room, start, hook_named(name));
    }
}

/* Which pointers the loader fills in with the addresses of hooks. */
static void read_relocations(struct pl_image *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
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

        if (name == NULL || name[0] == '\0')
            continue;
        struct pl_machine_hook hook = hook_named(name);

        if (hook.call == PL_CALL_OTHER && sym.st_shndx == SHN_UNDEF)
            hook.call = PL_CALL_LIBRARY;
        add_name(&m->slots, &m->n_slots, &m->slots_room, rela.r_offset + bias, hook);
    }
}

static void read_constant(struct pl_image *m, Elf *elf, uint64_t bias)
{
    size_t n = 0;
    GElf_Phdr ph;

    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n && m->n_constant < PL_IMAGE_STRETCHES; i++) {
        if (gelf_getphdr(elf, (int)i, &ph) == NULL)
            break;
        if ((ph.p_type == PT_LOAD && (ph.p_flags & PF_W) == 0) || ph.p_type == PT_GNU_RELRO)
            m->constant[m->n_constant++] =
                (struct pl_image_stretch){ph.p_vaddr + bias, ph.p_vaddr + ph.p_memsz + bias, NULL};
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
static void read_stubs(struct pl_image *m, Elf_Scn *section, const GElf_Shdr *sh, uint64_t bias)
{
    enum { STUB = 16 };
    Elf_Data *data = elf_getdata(section, NULL);

    if (data == NULL || data->d_buf == NULL)
        return;
    for (size_t at = 0; at + STUB <= data->d_size; at += STUB) {
        uint64_t pc = sh->sh_addr + bias + at;
        uint64_t slot = slot_of_stub((const uint8_t *)data->d_buf + at, STUB, pc);
        const struct pl_image_name *name = slot ? name_at(m->slots, m->n_slots, slot) : NULL;

        if (name != NULL)
            add_name(&m->names, &m->n_names, &m->names_room, pc, name->hook);
    }
}

static void read_bytes(struct pl_image_stretch *list, unsigned *n, Elf_Scn *section,
                       const GElf_Shdr *sh, uint64_t bias)
{
    Elf_Data *data = elf_getdata(section, NULL);

    if (data == NULL || data->d_buf == NULL || *n == PL_IMAGE_STRETCHES)
        return;
    list[(*n)++] = (struct pl_image_stretch){sh->sh_addr + bias, sh->sh_addr + bias + data->d_size,
                                             (const uint8_t *)data->d_buf};
}

static void each_section(struct pl_image *m, Elf *elf, uint64_t bias,
                         void (*visit)(struct pl_image *, Elf *, Elf_Scn *, const GElf_Shdr *,
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

static void visit_relocations(struct pl_image *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                              const char *name, uint64_t bias)
{
    if (sh->sh_type == SHT_RELA)
        read_relocations(m, elf, section, sh, bias);
}

static void visit_code(struct pl_image *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *sh,
                       const char *name, uint64_t bias)
{
    if (strncmp(name, ".plt", 4) == 0)
        read_stubs(m, section, sh, bias);
    else if ((sh->sh_flags & SHF_EXECINSTR) != 0 && sh->sh_type == SHT_PROGBITS &&
             strcmp(name, ".init") != 0 && strcmp(name, ".fini") != 0 &&
             strcmp(name, PL_GATE_SECTION) != 0)
        read_bytes(m->code, &m->n_code, section, sh, bias);
    else if ((sh->sh_flags & (SHF_EXECINSTR | SHF_WRITE)) == 0 && sh->sh_type == SHT_PROGBITS)
        read_bytes(m->data, &m->n_data, section, sh, bias);
}

/* Whether the call of a hook that has been turned off may be here. */
static bool is_off(const struct pl_image *m, const struct pl_image_stretch *code, uint64_t pc)
{
    const uint8_t *bytes = code->bytes + (pc - code->start);
    int32_t distance;

    if (bytes[0] != PL_GATE_OFF || code->end - pc < PL_GATE_LENGTH)
        return false;
    memcpy(&distance, bytes + 1, sizeof(distance));
    const struct pl_image_name *name =
        name_at(m->names, m->n_names, pc + PL_GATE_LENGTH + (uint64_t)(int64_t)distance);

    return name != NULL && (name->hook.call == PL_CALL_ACCESS || name->hook.call == PL_CALL_RANGE);
}

static void turn_on(struct pl_image *m, unsigned i)
{
    struct pl_image_stretch *code = &m->code[i];
    size_t size = code->end - code->start;

    for (uint64_t pc = code->start; pc < code->end; pc++) {
        if (!is_off(m, code, pc))
            continue;
        if (m->changed[i] == NULL) {
            m->changed[i] = pl_err_must(malloc(size));
            memcpy(m->changed[i], code->bytes, size);
            code->bytes = m->changed[i];
        }
        m->changed[i][pc - code->start] = PL_GATE_CALL;
    }
}

static bool has_symbols(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr sh;

    while ((section = elf_nextscn(elf, section)) != NULL) {
        if (gelf_getshdr(section, &sh) != NULL && sh.sh_type == SHT_SYMTAB)
            return true;
    }
    return false;
}

bool pl_image_read(struct pl_image *image, struct Dwfl_Module *module)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);

    *image = (struct pl_image){.dwfl = module};
    if (elf == NULL)
        return false;
    image->symbols = has_symbols(elf);
    read_constant(image, elf, bias);
    read_symbols(image, module);
    each_section(image, elf, bias, visit_relocations);
    if (image->n_slots > 0)
        qsort(image->slots, image->n_slots, sizeof(*image->slots), by_addr);
    each_section(image, elf, bias, visit_code);
    if (image->n_names > 0)
        qsort(image->names, image->n_names, sizeof(*image->names), by_addr);
    for (unsigned i = 0; i < image->n_code; i++)
        turn_on(image, i);
    if (image->n_functions > 0)
        qsort(image->functions, image->n_functions, sizeof(*image->functions), by_start);
    return true;
}

void pl_image_free(struct pl_image *image)
{
    for (unsigned i = 0; i < image->n_code; i++)
        free(image->changed[i]);
    free(image->names);
    free(image->slots);
    free(image->functions);
    *image = (struct pl_image){0};
}

/* ---- questions ---- */

bool pl_image_knows_hooks(const struct pl_image *image)
{
    for (size_t i = 0; i < image->n_names; i++) {
        if (image->names[i].hook.call != PL_CALL_ENDS &&
            image->names[i].hook.call != PL_CALL_LIBRARY)
            return true;
    }
    return false;
}

bool pl_image_is_constant(const struct pl_image *image, uint64_t addr)
{
    for (unsigned i = 0; i < image->n_constant; i++) {
        if (addr >= image->constant[i].start && addr < image->constant[i].end)
            return true;
    }
    return false;
}

struct pl_machine_hook pl_image_called(const struct pl_image *image, uint64_t target, uint64_t slot)
{
    const struct pl_image_name *name = target != 0 ? name_at(image->names, image->n_names, target)
                                                   : name_at(image->slots, image->n_slots, slot);

    return name != NULL ? name->hook : (struct pl_machine_hook){PL_CALL_OTHER, 0, false, false};
}

static const uint8_t *bytes_at(const struct pl_image_stretch *list, unsigned n, uint64_t addr,
                               size_t *size)
{
    for (unsigned i = 0; i < n; i++) {
        if (addr >= list[i].start && addr < list[i].end) {
            *size = list[i].end - addr;
            return list[i].bytes + (addr - list[i].start);
        }
    }
    return NULL;
}

const uint8_t *pl_image_code(const struct pl_image *image, uint64_t pc, size_t *size)
{
    return bytes_at(image->code, image->n_code, pc, size);
}

const uint8_t *pl_image_data(const struct pl_image *image, uint64_t addr, size_t *size)
{
    return bytes_at(image->data, image->n_data, addr, size);
}
