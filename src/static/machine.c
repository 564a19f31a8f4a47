/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "static/machine.h"

#include "base/assert.h"
#include "base/err.h"
#include "static/ir.h"

#include <Zydis/Zydis.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct name {
    uint64_t at; /* of a function, or of a slot that holds the address of one */
    const char *text;
};

struct line {
    uint64_t at;
    const char *file; /* NULL: code ends here */
    uint32_t number;
};

/* Code of a function, from here on; of none if the name is NULL. */
struct scope {
    uint64_t from, to;
    const char *name;
};

struct machine {
    Elf *elf;
    Dwarf *dwarf;
    ZydisDecoder decoder;
    struct name *names;
    struct line *lines;
    struct scope *scopes;
    size_t n_names, n_lines, n_scopes, room_names, room_lines, room_scopes;
};

/* ---- names ---- */

static void add_name(struct machine *m, uint64_t at, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    if (m->n_names == m->room_names) {
        m->room_names = m->room_names ? 2 * m->room_names : 1024;
        m->names = pl_err_must(realloc(m->names, m->room_names * sizeof(*m->names)));
    }
    m->names[m->n_names++] = (struct name){at, text};
}

static void add_symbols(struct machine *m, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;

    for (int i = 0; data && gelf_getsym(data, i, &symbol) != NULL; i++) {
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
            add_name(m, symbol.st_value, elf_strptr(m->elf, head->sh_link, symbol.st_name));
    }
}

/* Slots that the dynamic linker puts addresses of functions into. */
static void add_slots(struct machine *m, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *symbols = elf_getscn(m->elf, head->sh_link);
    Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr of;
    GElf_Rela slot;
    GElf_Sym symbol;

    if (table == NULL || gelf_getshdr(symbols, &of) == NULL)
        return;
    for (int i = 0; data && gelf_getrela(data, i, &slot) != NULL; i++) {
        if (gelf_getsym(table, (int)GELF_R_SYM(slot.r_info), &symbol) != NULL)
            add_name(m, slot.r_offset, elf_strptr(m->elf, of.sh_link, symbol.st_name));
    }
}

static int by_address(const void *a, const void *b)
{
    const struct name *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static const char *name_at(const struct machine *m, uint64_t at)
{
    const struct name key = {at, NULL};
    const struct name *found =
        m->n_names > 0 ? bsearch(&key, m->names, m->n_names, sizeof(key), by_address) : NULL;

    return found ? found->text : NULL;
}

static void read_names(struct machine *m)
{
    GElf_Shdr head;

    for (Elf_Scn *s = NULL; (s = elf_nextscn(m->elf, s)) != NULL;) {
        if (gelf_getshdr(s, &head) == NULL)
            continue;
        if (head.sh_type == SHT_SYMTAB)
            add_symbols(m, s, &head);
        else if (head.sh_type == SHT_RELA)
            add_slots(m, s, &head);
    }
    if (m->n_names > 0)
        qsort(m->names, m->n_names, sizeof(*m->names), by_address);
}

/* ---- lines ---- */

static void add_line(struct machine *m, struct line line)
{
    if (m->n_lines == m->room_lines) {
        m->room_lines = m->room_lines ? 2 * m->room_lines : 4096;
        m->lines = pl_err_must(realloc(m->lines, m->room_lines * sizeof(*m->lines)));
    }
    m->lines[m->n_lines++] = line;
}

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->at != y->at)
        return x->at > y->at ? 1 : -1;
    return (x->file != NULL) - (y->file != NULL); /* where one ends another may begin */
}

static void read_lines(struct machine *m, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t n = 0;

    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *l = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        bool end = false;
        int number = 0;

        dwarf_lineaddr(l, &address);
        dwarf_lineendsequence(l, &end);
        dwarf_lineno(l, &number);
        add_line(
            m, (struct line){address, end ? NULL : dwarf_linesrc(l, NULL, NULL), (uint32_t)number});
    }
}

static bool is_not_after(const void *row, const void *key)
{
    return ((const struct line *)row)->at <= *(const uint64_t *)key;
}

/* The last one that begins at the address or before it; NULL: there is none. */
static const struct line *line_at(const struct machine *m, uint64_t at)
{
    size_t from = pl_ir_first(m->lines, m->n_lines, sizeof(*m->lines), &at, is_not_after);

    return from > 0 && m->lines[from - 1].file != NULL ? &m->lines[from - 1] : NULL;
}

/* ---- functions ---- */

static void add_scope(struct machine *m, struct scope s)
{
    if (m->n_scopes == m->room_scopes) {
        m->room_scopes = m->room_scopes ? 2 * m->room_scopes : 1024;
        m->scopes = pl_err_must(realloc(m->scopes, m->room_scopes * sizeof(*m->scopes)));
    }
    m->scopes[m->n_scopes++] = s;
}

/* What the function of an entry, and those within it, have of the code. */
static void read_scope(struct machine *m, Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    Dwarf_Die child;

    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
        Dwarf_Attribute name;
        const char *text = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &name));
        Dwarf_Addr base, from, to;

        for (ptrdiff_t i = 0; (i = dwarf_ranges(die, i, &base, &from, &to)) > 0;)
            add_scope(m, (struct scope){from, to, text});
    }
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        read_scope(m, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* The outer one before those that it has in it. */
static int by_extent(const void *a, const void *b)
{
    const struct scope *x = a, *y = b;

    if (x->from != y->from)
        return x->from > y->from ? 1 : -1;
    return (x->to < y->to) - (x->to > y->to);
}

static bool begins_not_after(const void *row, const void *key)
{
    return ((const struct scope *)row)->from <= *(const uint64_t *)key;
}

/* The innermost one; NULL: not known. */
static const char *function_at(const struct machine *m, uint64_t at)
{
    enum { LOOKED_AT = 256 }; /* that begin before, and may have ended */
    size_t i = pl_ir_first(m->scopes, m->n_scopes, sizeof(*m->scopes), &at, begins_not_after);

    for (size_t n = 0; i > 0 && n < LOOKED_AT; i--, n++) {
        if (at < m->scopes[i - 1].to)
            return m->scopes[i - 1].name;
    }
    return NULL;
}

/* Lines and functions. */
static void read_units(struct machine *m)
{
    Dwarf_Off next = 0;
    size_t size;

    for (Dwarf_Off at = 0; dwarf_nextcu(m->dwarf, at, &next, &size, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die unit;

        if (dwarf_offdie(m->dwarf, at + size, &unit) == NULL)
            continue;
        read_lines(m, &unit);
        read_scope(m, &unit);
    }
    if (m->n_lines > 0)
        qsort(m->lines, m->n_lines, sizeof(*m->lines), by_place);
    if (m->n_scopes > 0)
        qsort(m->scopes, m->n_scopes, sizeof(*m->scopes), by_extent);
}

/* ---- code ---- */

struct code {
    const unsigned char *bytes;
    uint64_t at, end;
};

static bool decode(const struct machine *m, const struct code *c, uint64_t at,
                   ZydisDecodedInstruction *i, ZydisDecodedOperand *operands)
{
    return at >= c->at && at < c->end &&
           ZYAN_SUCCESS(ZydisDecoderDecodeFull(&m->decoder, c->bytes + (at - c->at),
                                               (ZyanUSize)(c->end - at), i, operands));
}

/* The slot that an instruction reads its target from; 0: none. */
static uint64_t slot_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t at)
{
    ZyanU64 address = 0;

    if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.base != ZYDIS_REGISTER_RIP ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(i, o, at, &address)))
        return 0;
    return address;
}

static bool code_of(const struct machine *m, Elf_Scn *section, struct code *c)
{
    GElf_Shdr head;
    Elf_Data *data = NULL;

    if (gelf_getshdr(section, &head) == NULL || (head.sh_flags & SHF_EXECINSTR) == 0 ||
        head.sh_type != SHT_PROGBITS)
        return false;
    data = elf_getdata(section, NULL);
    if (data == NULL || data->d_buf == NULL)
        return false;
    *c = (struct code){data->d_buf, head.sh_addr, head.sh_addr + data->d_size};
    return true;
}

/* What a call goes to: a function, one behind a stub that jumps where a slot says, or a slot. */
static const char *callee(const struct machine *m, const ZydisDecodedInstruction *i,
                          const ZydisDecodedOperand *o, uint64_t at)
{
    enum { STEPS = 3 }; /* a stub may begin with a mark for branches */
    ZyanU64 target = 0;

    if (slot_of(i, o, at) != 0)
        return name_at(m, slot_of(i, o, at));
    if (o->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(i, o, at, &target)))
        return NULL;
    const char *name = name_at(m, target);

    for (Elf_Scn *s = NULL; name == NULL && (s = elf_nextscn(m->elf, s)) != NULL;) {
        ZydisDecodedInstruction j;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct code c;
        uint64_t from = target;

        if (!code_of(m, s, &c))
            continue;
        for (unsigned k = 0; k < STEPS && decode(m, &c, from, &j, operands); k++) {
            if (j.meta.category == ZYDIS_CATEGORY_UNCOND_BR)
                return name_at(m, slot_of(&j, &operands[0], from));
            from += j.length;
        }
    }
    return name;
}

static void read_code(const struct machine *m, const struct code *c,
                      void (*visit)(const struct pl_machine_call *call, void *context),
                      void *context)
{
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

    for (uint64_t at = c->at; at < c->end; at += i.length) {
        i.length = 1;
        if (!decode(m, c, at, &i, operands) || i.meta.category != ZYDIS_CATEGORY_CALL) {
            i.length = i.length > 0 ? i.length : 1;
            continue;
        }
        const struct line *line = line_at(m, at);
        const char *name = line ? callee(m, &i, &operands[0], at) : NULL;

        if (name != NULL)
            visit(&(struct pl_machine_call){.name = name,
                                            .file = line->file,
                                            .line = line->number,
                                            .function = function_at(m, at),
                                            .after = at + i.length},
                  context);
    }
}

void pl_machine_calls(const char *path,
                      void (*visit)(const struct pl_machine_call *call, void *context),
                      void *context)
{
    struct machine m = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct code c;

    elf_version(EV_CURRENT);
    m.elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    m.dwarf = m.elf ? dwarf_begin_elf(m.elf, DWARF_C_READ, NULL) : NULL;
    if (m.dwarf != NULL) {
        ZydisDecoderInit(&m.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        read_names(&m);
        read_units(&m);
        for (Elf_Scn *s = NULL; (s = elf_nextscn(m.elf, s)) != NULL;) {
            if (code_of(&m, s, &c))
                read_code(&m, &c, visit, context);
        }
        dwarf_end(m.dwarf);
    }
    free(m.names);
    free(m.lines);
    free(m.scopes);
    if (m.elf != NULL)
        elf_end(m.elf);
    if (fd >= 0)
        close(fd);
}
