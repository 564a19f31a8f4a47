/* SPDX-License-Identifier: MIT */
/*
 * The little that must be known about an ELF file before it is started.  The
 * file may be anything: every offset in it is checked.
 */
#ifndef PL_ENGINE_SYMBOLS_ELF_H
#define PL_ENGINE_SYMBOLS_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_elf_kind {
    PL_ELF_FINE,
    PL_ELF_SCRIPT,  /* starts with #! */
    PL_ELF_OTHER,   /* no ELF file, or a broken one */
    PL_ELF_32,      /* 32-bit */
    PL_ELF_FOREIGN, /* for another machine than this one */
    PL_ELF_OBJECT,  /* not linked, or a core file */
    PL_ELF_STATIC,  /* has no dynamic linker */
    PL_ELF_LIBRARY, /* is loaded by programs */
};

struct pl_elf {
    enum pl_elf_kind kind;
    bool libtsan; /* needs libtsan.so.2 */
    bool code;    /* carries what the analyser reads */
    uint8_t build_id[20];
    unsigned build_id_size;
};

void pl_elf_read(struct pl_elf *elf, const unsigned char *file, size_t size);

#endif /* PL_ENGINE_SYMBOLS_ELF_H */
