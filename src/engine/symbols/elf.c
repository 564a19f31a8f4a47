/* SPDX-License-Identifier: MIT */
/*
 * See elf.h.  Everything is copied out of the file through take(), which
 * refuses ranges outside it, so a hostile file can make answers wrong but
 * nothing worse.
 */
#include "engine/symbols/elf.h"

#include "model/pair.h"

#include <elf.h>
#include <string.h>

struct file {
    const unsigned char *bytes;
    size_t size;
};

static bool take(const struct file *f, uint64_t at, void *to, size_t n)
{
    if (at > f->size || n > f->size - at)
        return false;
    memcpy(to, f->bytes + at, n);
    return true;
}

static bool header_at(const struct file *f, const Elf64_Ehdr *eh, unsigned i, Elf64_Phdr *ph)
{
    return eh->e_phentsize == sizeof(*ph) &&
           take(f, eh->e_phoff + (uint64_t)i * sizeof(*ph), ph, sizeof(*ph));
}

/* The place in the file of what is loaded at an address; UINT64_MAX when nothing is. */
static uint64_t offset_of(const struct file *f, const Elf64_Ehdr *eh, uint64_t address)
{
    Elf64_Phdr ph;

    for (unsigned i = 0; i < eh->e_phnum && header_at(f, eh, i, &ph); i++) {
        if (ph.p_type == PT_LOAD && address >= ph.p_vaddr && address - ph.p_vaddr < ph.p_filesz)
            return address - ph.p_vaddr + ph.p_offset;
    }
    return UINT64_MAX;
}

static void read_notes(struct pl_elf *elf, const struct file *f, const Elf64_Phdr *notes)
{
    uint64_t at = notes->p_offset, end = at + notes->p_filesz;
    Elf64_Nhdr nh;
    char name[4];

    while (at < end && take(f, at, &nh, sizeof(nh))) {
        uint64_t name_at = at + sizeof(nh);
        uint64_t body_at = name_at + ((nh.n_namesz + UINT64_C(3)) & ~UINT64_C(3));

        if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == sizeof(name) &&
            take(f, name_at, name, sizeof(name)) && memcmp(name, "GNU", 4) == 0) {
            unsigned n =
                nh.n_descsz < sizeof(elf->build_id) ? nh.n_descsz : (unsigned)sizeof(elf->build_id);

            if (take(f, body_at, elf->build_id, n))
                elf->build_id_size = n;
            return;
        }
        at = body_at + ((nh.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
    }
}

/* Whether it is a program that may lie anywhere, as linkers say of such. */
static bool read_dynamic(struct pl_elf *elf, const struct file *f, const Elf64_Ehdr *eh,
                         const Elf64_Phdr *dynamic)
{
    static const char wanted[] = "libtsan.so.2";
    uint64_t strings = UINT64_MAX;
    bool pie = false;
    Elf64_Dyn d;

    for (uint64_t at = 0; at + sizeof(d) <= dynamic->p_filesz; at += sizeof(d)) {
        if (!take(f, dynamic->p_offset + at, &d, sizeof(d)) || d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_STRTAB)
            strings = offset_of(f, eh, d.d_un.d_ptr);
        pie |= d.d_tag == DT_FLAGS_1 && (d.d_un.d_val & DF_1_PIE) != 0;
    }
    if (strings == UINT64_MAX)
        return pie;
    for (uint64_t at = 0; at + sizeof(d) <= dynamic->p_filesz; at += sizeof(d)) {
        char name[sizeof(wanted)];

        if (!take(f, dynamic->p_offset + at, &d, sizeof(d)) || d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_NEEDED && d.d_un.d_val < f->size &&
            take(f, strings + d.d_un.d_val, name, sizeof(name)) &&
            memcmp(name, wanted, sizeof(wanted)) == 0)
            elf->libtsan = true;
    }
    return pie;
}

static bool section_at(const struct file *f, const Elf64_Ehdr *eh, unsigned i, Elf64_Shdr *sh)
{
    return eh->e_shentsize == sizeof(*sh) && eh->e_shoff <= f->size &&
           take(f, eh->e_shoff + (uint64_t)i * sizeof(*sh), sh, sizeof(*sh));
}

/* Whether there is a section of this name, of `size` letters with the last 0. */
static bool has_section(const struct file *f, const Elf64_Ehdr *eh, const char *name, size_t size)
{
    Elf64_Shdr names, sh;
    char is[32];

    if (size > sizeof(is) || !section_at(f, eh, eh->e_shstrndx, &names) ||
        names.sh_offset > f->size)
        return false;
    for (unsigned i = 0; i < eh->e_shnum && section_at(f, eh, i, &sh); i++) {
        if (take(f, names.sh_offset + sh.sh_name, is, size) && memcmp(is, name, size) == 0)
            return true;
    }
    return false;
}

static enum pl_elf_kind classify(const struct file *f, Elf64_Ehdr *eh)
{
#if defined(__x86_64__)
    const unsigned machine = EM_X86_64;
#elif defined(__aarch64__)
    const unsigned machine = EM_AARCH64;
#else
#error "plait knows x86-64 and aarch64"
#endif
    if (f->size >= 2 && memcmp(f->bytes, "#!", 2) == 0)
        return PL_ELF_SCRIPT;
    if (f->size < EI_NIDENT || memcmp(f->bytes, ELFMAG, SELFMAG) != 0)
        return PL_ELF_OTHER;
    if (f->bytes[EI_CLASS] == ELFCLASS32)
        return PL_ELF_32;
    if (f->bytes[EI_CLASS] != ELFCLASS64 || f->bytes[EI_DATA] != ELFDATA2LSB)
        return PL_ELF_FOREIGN;
    if (!take(f, 0, eh, sizeof(*eh)))
        return PL_ELF_OTHER;
    if (eh->e_machine != machine)
        return PL_ELF_FOREIGN;
    if (eh->e_type != ET_EXEC && eh->e_type != ET_DYN)
        return PL_ELF_OBJECT;
    return PL_ELF_FINE;
}

void pl_elf_read(struct pl_elf *elf, const unsigned char *bytes, size_t size)
{
    struct file f = {bytes, size};
    Elf64_Ehdr eh;
    Elf64_Phdr ph;
    bool interpreter = false, library = false;

    memset(elf, 0, sizeof(*elf));
    elf->kind = classify(&f, &eh);
    if (elf->kind != PL_ELF_FINE)
        return;
    for (unsigned i = 0; i < eh.e_phnum && header_at(&f, &eh, i, &ph); i++) {
        if (ph.p_type == PT_INTERP)
            interpreter = true;
        if (ph.p_type == PT_NOTE && elf->build_id_size == 0 && ph.p_filesz < size)
            read_notes(elf, &f, &ph);
        if (ph.p_type == PT_DYNAMIC && ph.p_filesz < size)
            library = !read_dynamic(elf, &f, &eh, &ph) && eh.e_type == ET_DYN;
    }
    elf->code = has_section(&f, &eh, PL_PAIR_CODE, sizeof(PL_PAIR_CODE));
    if (!interpreter)
        elf->kind = library ? PL_ELF_LIBRARY : PL_ELF_STATIC;
}
