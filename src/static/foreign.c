/* SPDX-License-Identifier: MIT */
/*
 * See foreign.h.  Only position-independent programs are read: there every address in code is
 * relative to where it stands, and what is read-only has no pointers.  An object can name what is
 * global in others; so what it refers to is a symbol that is global, or was before the program
 * was linked.
 */
#include "static/foreign.h"

#include "base/err.h"
#include "model/gate.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 0x28 /* in the memory of a thread: what guards its stack */ };

struct section {
    GElf_Shdr head;
    const char *name;
    const unsigned char *bytes;
};

struct reading {
    struct pl_foreign *f;
    struct section *sections;
    size_t n;
    ZydisDecoder decoder;
    struct pl_foreign_code *in; /* that is being read */
    bool lost;                  /* there is something that is not understood */
};

void pl_foreign_add(struct pl_foreign *f, const GElf_Sym *symbol, const char *name, bool known)
{
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 256;
        f->code = pl_err_must(realloc(f->code, f->room * sizeof(*f->code)));
    }
    f->code[f->n++] = (struct pl_foreign_code){.start = symbol->st_value,
                                               .end = symbol->st_value + symbol->st_size,
                                               .name = name,
                                               .known = known};
}

static void read_sections(struct reading *r)
{
    size_t names = 0, count = 0;

    elf_getshdrstrndx(r->f->elf, &names);
    elf_getshdrnum(r->f->elf, &count);
    r->sections = pl_err_must(calloc(count + 1, sizeof(*r->sections)));
    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->f->elf, s)) != NULL;) {
        struct section *to = &r->sections[r->n];

        if (gelf_getshdr(s, &to->head) == NULL || (to->head.sh_flags & SHF_ALLOC) == 0 ||
            (to->head.sh_flags & SHF_TLS) != 0)
            continue;
        Elf_Data *data = to->head.sh_type != SHT_NOBITS ? elf_getdata(s, NULL) : NULL;

        to->name = elf_strptr(r->f->elf, names, to->head.sh_name);
        to->bytes = data ? data->d_buf : NULL;
        r->n += to->name != NULL;
    }
}

static const struct section *section_at(const struct reading *r, uint64_t address)
{
    for (size_t i = 0; i < r->n; i++) {
        if (address >= r->sections[i].head.sh_addr &&
            address < r->sections[i].head.sh_addr + r->sections[i].head.sh_size)
            return &r->sections[i];
    }
    return NULL;
}

/* ---- references ---- */

static bool was_global(const GElf_Sym *symbol)
{
    unsigned bind = GELF_ST_BIND(symbol->st_info);

    return bind == STB_GLOBAL || bind == STB_WEAK ||
           GELF_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN;
}

static void add_name(struct pl_foreign *f, const char *name)
{
    for (size_t i = 0; i < f->n_names; i++) {
        if (strcmp(f->names[i], name) == 0)
            return;
    }
    f->names = pl_err_must(realloc(f->names, (f->n_names + 1) * sizeof(*f->names)));
    f->names[f->n_names++] = pl_err_must(strdup(name));
}

/* The address is in what another object has: all names that it can have there. */
static void name_all(struct reading *r, uint64_t address)
{
    GElf_Shdr head;
    bool any = false;

    for (Elf_Scn *s = NULL; (s = elf_nextscn(r->f->elf, s)) != NULL;) {
        Elf_Data *data =
            gelf_getshdr(s, &head) && head.sh_type == SHT_SYMTAB ? elf_getdata(s, NULL) : NULL;
        GElf_Sym symbol;

        for (int i = 0; data && gelf_getsym(data, i, &symbol) != NULL; i++) {
            const char *name = elf_strptr(r->f->elf, head.sh_link, symbol.st_name);
            uint64_t size = symbol.st_size > 0 ? symbol.st_size : 1;

            if (name == NULL || *name == '\0' || symbol.st_shndx == SHN_UNDEF ||
                symbol.st_shndx >= SHN_LORESERVE || !was_global(&symbol) ||
                address < symbol.st_value || address >= symbol.st_value + size)
                continue;
            add_name(r->f, name);
            any = true;
        }
    }
    r->lost |= !any;
}

static const struct pl_foreign_code *code_at(const struct reading *r, uint64_t address)
{
    for (size_t i = 0; i < r->f->n; i++) {
        if (address >= r->f->code[i].start && address < r->f->code[i].end)
            return &r->f->code[i];
    }
    return NULL;
}

/* Code refers to an address. */
static void refer(struct reading *r, uint64_t address)
{
    const struct section *s = section_at(r, address);

    if (s == NULL) {
        r->lost = true;
    } else if ((s->head.sh_flags & SHF_EXECINSTR) != 0) {
        const struct pl_foreign_code *c = code_at(r, address);

        if (c != NULL && c->start == r->in->start)
            return;
        r->in->closed = false;
        if (strncmp(s->name, ".plt", 4) == 0 || strcmp(s->name, PL_GATE_SECTION) == 0)
            return; /* a library's, or a hook */
        if (c == NULL)
            r->lost = true;
        else if (c->known)
            name_all(r, address);
    } else if ((s->head.sh_flags & SHF_WRITE) != 0) {
        r->in->closed = false;
        name_all(r, address);
    }
}

/* ---- code ---- */

static void read_instruction(struct reading *r, uint64_t at, const ZydisDecodedInstruction *i,
                             const ZydisDecodedOperand *operands)
{
    if (i->meta.category == ZYDIS_CATEGORY_CALL || i->meta.category == ZYDIS_CATEGORY_SYSCALL ||
        i->meta.category == ZYDIS_CATEGORY_INTERRUPT)
        r->in->closed = false;
    for (unsigned k = 0; k < i->operand_count; k++) {
        const ZydisDecodedOperand *o = &operands[k];
        uint64_t address;
        bool memory = o->type == ZYDIS_OPERAND_TYPE_MEMORY;

        if (memory &&
            (o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)) {
            r->lost |= o->mem.base != ZYDIS_REGISTER_NONE || o->mem.index != ZYDIS_REGISTER_NONE ||
                       o->mem.disp.value != CANARY;
        } else if ((memory && o->mem.base == ZYDIS_REGISTER_RIP) ||
                   (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative)) {
            if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(i, o, at, &address)))
                refer(r, address);
            else
                r->lost = true;
        }
    }
}

static void read_code(struct reading *r, struct pl_foreign_code *c)
{
    const struct section *s = section_at(r, c->start);
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction i;

    r->in = c;
    c->closed = true;
    if (s == NULL || s->bytes == NULL || c->end > s->head.sh_addr + s->head.sh_size) {
        r->lost = true;
        return;
    }
    for (uint64_t at = c->start; at < c->end && !r->lost; at += i.length) {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&r->decoder, s->bytes + (at - s->head.sh_addr),
                                                 c->end - at, &i, operands))) {
            r->lost = true;
            return;
        }
        read_instruction(r, at, &i, operands);
    }
}

/* Whether there is nothing but what fills up a line. */
static bool is_padding(const struct reading *r, uint64_t from, uint64_t to)
{
    const struct section *s = section_at(r, from);
    ZydisDecodedInstruction i;

    if (s == NULL || s->bytes == NULL)
        return false;
    for (uint64_t at = from; at < to; at += i.length) {
        const unsigned char *bytes = s->bytes + (at - s->head.sh_addr);

        i.length = 1;
        if (*bytes == 0 || *bytes == 0xcc)
            continue;
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&r->decoder, NULL, bytes, to - at, &i)) ||
            (i.meta.category != ZYDIS_CATEGORY_NOP && i.meta.category != ZYDIS_CATEGORY_WIDENOP))
            return false;
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct pl_foreign_code *x = a, *y = b;

    if (x->start != y->start)
        return x->start > y->start ? 1 : -1;
    return (int)y->known - (int)x->known;
}

/* From one function to the next, names of the same one together. */
static void settle(struct reading *r)
{
    struct pl_foreign *f = r->f;

    qsort(f->code, f->n, sizeof(*f->code), by_start);
    for (size_t i = 0, k; i < f->n; i = k) {
        const struct section *s = section_at(r, f->code[i].start);
        uint64_t from = s ? s->head.sh_addr : 0, to = s ? from + s->head.sh_size : 0, next = to;
        uint64_t end = f->code[i].end;

        for (k = i + 1; k < f->n && f->code[k].start == f->code[i].start; k++)
            end = f->code[k].end > end ? f->code[k].end : end;
        if (k < f->n && f->code[k].start < to)
            next = f->code[k].start;
        if (end == f->code[i].start) /* it has no size */
            end = next;
        r->lost |= s == NULL || (end < next && !is_padding(r, end, next));
        if (i == 0 || f->code[i - 1].start < from) /* what is before the first one */
            r->lost |= !is_padding(r, from, f->code[i].start);
        for (size_t j = i; j < k; j++) {
            f->code[j].end = end;
            f->code[j].known = f->code[i].known; /* which is sorted first */
        }
    }
}

bool pl_foreign_read(struct pl_foreign *f)
{
    struct reading r = {.f = f};
    GElf_Ehdr head;

    if (gelf_getehdr(f->elf, &head) == NULL || head.e_type != ET_DYN || f->n == 0)
        return false;
    ZydisDecoderInit(&r.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    read_sections(&r);
    settle(&r);
    for (size_t i = 0; i < f->n && !r.lost; i++) {
        if (!f->code[i].known)
            read_code(&r, &f->code[i]);
    }
    free(r.sections);
    return !r.lost;
}
