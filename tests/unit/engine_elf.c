/* SPDX-License-Identifier: MIT */
/* What is read from ELF files, whole, cut short and damaged. */
#include "engine/symbols/elf.h"
#include "unit.h"

#include <elf.h>
#include <stdlib.h>

static unsigned char *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = NULL;

    *size = 0;
    if (f == NULL)
        return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    bytes = malloc(*size);
    if (bytes == NULL || fread(bytes, 1, *size, f) != *size)
        *size = 0;
    fclose(f);
    return bytes;
}

static void this_program_is_fine(const unsigned char *bytes, size_t size)
{
    struct pl_elf elf;

    pl_elf_read(&elf, bytes, size);
    CHECK(elf.kind == PL_ELF_FINE);
    CHECK(!elf.libtsan);
}

static void other_files_are_recognized(unsigned char *bytes, size_t size)
{
    struct pl_elf elf;

    pl_elf_read(&elf, (const unsigned char *)"#!/bin/sh\n", 10);
    CHECK(elf.kind == PL_ELF_SCRIPT);
    pl_elf_read(&elf, (const unsigned char *)"hello", 5);
    CHECK(elf.kind == PL_ELF_OTHER);
    pl_elf_read(&elf, bytes, 0);
    CHECK(elf.kind == PL_ELF_OTHER);
    bytes[EI_CLASS] = ELFCLASS32;
    pl_elf_read(&elf, bytes, size);
    CHECK(elf.kind == PL_ELF_32);
    bytes[EI_CLASS] = ELFCLASS64;
    unsigned char machine = bytes[18];

    bytes[18] = EM_SPARC;
    pl_elf_read(&elf, bytes, size);
    CHECK(elf.kind == PL_ELF_FOREIGN);
    bytes[18] = machine;
    bytes[16] = ET_REL;
    pl_elf_read(&elf, bytes, size);
    CHECK(elf.kind == PL_ELF_OBJECT);
    bytes[16] = ET_DYN;
}

/* Nothing must be read outside the file; copies of the exact size let tools see it. */
static void damaged_files_do_no_harm(const unsigned char *bytes, size_t size)
{
    unsigned seed = 1;
    struct pl_elf elf;

    for (size_t n = 0; n < size && n < 2000; n += 7) {
        unsigned char *copy = malloc(n + 1);

        memcpy(copy, bytes, n);
        pl_elf_read(&elf, copy, n);
        free(copy);
    }
    for (unsigned round = 0; round < 500; round++) {
        unsigned char *copy = malloc(size);

        memcpy(copy, bytes, size);
        for (unsigned i = 0; i < 8; i++) {
            seed = seed * 1103515245 + 12345;
            copy[(seed >> 8) % 1200 % size] = (unsigned char)(seed >> 4);
        }
        pl_elf_read(&elf, copy, size);
        CHECK(elf.build_id_size <= sizeof(elf.build_id));
        free(copy);
    }
}

int main(void)
{
    size_t size;
    unsigned char *bytes = load("/proc/self/exe", &size);

    CHECK(bytes != NULL && size > 1000);
    if (unit_failures == 0) {
        this_program_is_fine(bytes, size);
        damaged_files_do_no_harm(bytes, size);
        other_files_are_recognized(bytes, size);
    }
    free(bytes);
    return unit_result();
}
