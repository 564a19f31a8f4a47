/* SPDX-License-Identifier: MIT */
/*
 * From labels to return addresses: the end of the first call instruction behind a label.
 *
 * Between the two there is nothing but what puts the arguments in place; a label that is followed
 * by another one, by a jump or by a return before any call has lost its call: the code generator
 * has made something else of it.
 */
#include "base/assert.h"
#include "model/gate.h"
#include "static/ir.h"

#include <Zydis/Zydis.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stretch {
    uint64_t start, end;
    uint64_t offset; /* in the file */
    const unsigned char *bytes;
};

struct pl_places {
    int fd;
    Elf *elf;
    struct stretch *code;
    size_t n;
    uint64_t gate, gate_end; /* where hooks are */
    ZydisDecoder decoder;
};

static void add_code(struct pl_places *p, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);

    if (data == NULL || data->d_buf == NULL)
        return;
    p->code = pl_err_must(realloc(p->code, (p->n + 1) * sizeof(*p->code)));
    p->code[p->n++] =
        (struct stretch){head->sh_addr, head->sh_addr + data->d_size, head->sh_offset, data->d_buf};
}

struct pl_places *pl_places_open(const char *path, struct pl_err *err)
{
    struct pl_places *p = pl_err_must(calloc(1, sizeof(*p)));
    GElf_Shdr head;
    size_t names = 0;

    elf_version(EV_CURRENT);
    p->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    p->elf = p->fd >= 0 ? elf_begin(p->fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (p->elf == NULL) {
        pl_err_set(err, PL_ERR_USER, "'%s' cannot be read (%s). Name a program.", path,
                   p->fd < 0 ? strerror(errno) : elf_errmsg(-1));
        pl_places_close(p);
        return NULL;
    }
    ZydisDecoderInit(&p->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    elf_getshdrstrndx(p->elf, &names);
    for (Elf_Scn *s = NULL; (s = elf_nextscn(p->elf, s)) != NULL;) {
        if (gelf_getshdr(s, &head) == NULL || (head.sh_flags & SHF_EXECINSTR) == 0 ||
            head.sh_type != SHT_PROGBITS)
            continue;
        const char *name = elf_strptr(p->elf, names, head.sh_name);

        add_code(p, s, &head);
        if (name != NULL && strcmp(name, PL_GATE_SECTION) == 0) {
            p->gate = head.sh_addr;
            p->gate_end = head.sh_addr + head.sh_size;
        }
    }
    return p;
}

void pl_places_close(struct pl_places *p)
{
    if (p->elf != NULL)
        elf_end(p->elf);
    if (p->fd >= 0)
        close(p->fd);
    free(p->code);
    free(p);
}

static const struct stretch *code_at(const struct pl_places *p, uint64_t pc)
{
    for (size_t k = 0; k < p->n; k++) {
        if (pc >= p->code[k].start && pc < p->code[k].end)
            return &p->code[k];
    }
    return NULL;
}

/* Whether it is a call of a hook, or was one. */
static bool is_of_hook(const struct pl_places *p, const struct stretch *code, uint64_t at,
                       unsigned char first)
{
    const unsigned char *bytes = code->bytes + (at - code->start);
    int32_t distance;

    if (code->end - at < PL_GATE_LENGTH || bytes[0] != first)
        return false;
    memcpy(&distance, bytes + 1, sizeof(distance));
    uint64_t target = at + PL_GATE_LENGTH + (uint64_t)(int64_t)distance;

    return target >= p->gate && target < p->gate_end;
}

uint64_t pl_places_after(const struct pl_places *p, uint64_t label, uint64_t next_label, bool *off)
{
    const struct stretch *code = code_at(p, label);
    ZydisDecodedInstruction i;

    for (uint64_t at = label; code != NULL && at < code->end && at < next_label; at += i.length) {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
                &p->decoder, NULL, code->bytes + (at - code->start), code->end - at, &i)))
            return 0;
        *off = is_of_hook(p, code, at, PL_GATE_OFF);
        if (i.meta.category == ZYDIS_CATEGORY_CALL || *off)
            return at + i.length;
        if (i.meta.category == ZYDIS_CATEGORY_UNCOND_BR || i.meta.category == ZYDIS_CATEGORY_RET)
            return 0;
    }
    return 0;
}

bool pl_places_turn_off(const struct pl_places *p, uint64_t pc, int fd)
{
    static const unsigned char off = PL_GATE_OFF;
    uint64_t at = pc - PL_GATE_LENGTH;
    const struct stretch *code = code_at(p, at);

    PL_ASSERT(pc > PL_GATE_LENGTH);
    return code != NULL && is_of_hook(p, code, at, PL_GATE_CALL) &&
           pwrite(fd, &off, 1, (off_t)(code->offset + (at - code->start))) == 1;
}
