/* SPDX-License-Identifier: MIT */
/* See followed.h. */
#include "runtime/system/followed.h"

#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/restart/own.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define SHELL "/bin/sh"

/* What the gate asks the loader for (gate/gate.c): every module that plait cc links has the word.
 */
static const char word[] = "plait_runtime_gate";

struct file {
    const unsigned char *bytes;
    uint64_t size;
};

static bool has_word(const unsigned char *at, uint64_t n)
{
    for (uint64_t i = 0; i + sizeof(word) <= n; i++) {
        if (at[i] == (unsigned char)word[0] && pl_memory_compare(at + i, word, sizeof(word)) == 0)
            return true;
    }
    return false;
}

static bool has_headers(const struct file *f)
{
    const Elf64_Ehdr *e = (const void *)f->bytes;

    return f->size >= sizeof(*e) && pl_memory_compare(e->e_ident, ELFMAG, SELFMAG) == 0 &&
           e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_X86_64 &&
           e->e_phentsize == sizeof(Elf64_Phdr) && e->e_phoff <= f->size &&
           e->e_phnum <= (f->size - e->e_phoff) / sizeof(Elf64_Phdr);
}

/* A program for the loader, which preloads; and whether plait cc has built it. */
static bool look(const struct file *f, bool *built)
{
    const Elf64_Ehdr *e = (const void *)f->bytes;
    bool loaded = false;

    *built = false;
    if (!has_headers(f))
        return false;
    const Elf64_Phdr *ph = (const void *)(f->bytes + e->e_phoff);

    for (unsigned i = 0; i < e->e_phnum; i++) {
        loaded |= ph[i].p_type == PT_INTERP;
        if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_W) == 0 && ph[i].p_offset <= f->size &&
            ph[i].p_filesz <= f->size - ph[i].p_offset)
            *built = *built || has_word(f->bytes + ph[i].p_offset, ph[i].p_filesz);
    }
    return loaded;
}

static bool is_same(const struct stat *a, const char *path)
{
    struct stat b = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_newfstatat, AT_FDCWD, path, &b, 0) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino;
}

/* A script of that shell: "#!/bin/sh" and nothing that changes its name. */
static bool is_script(const struct file *f)
{
    static const char first[] = "#!" SHELL;
    const uint64_t n = sizeof(first) - 1;

    return f->size > n && pl_memory_compare(f->bytes, first, n) == 0 &&
           (f->bytes[n] == '\n' || f->bytes[n] == ' ');
}

static enum pl_followed judge(const struct file *f, const struct stat *st)
{
    bool built, loaded = look(f, &built);

    if (loaded && built)
        return PL_FOLLOWED_IS;
    return (loaded && is_same(st, SHELL)) || is_script(f) ? PL_FOLLOWED_THROUGH : PL_FOLLOWED_NOT;
}

enum pl_followed pl_followed_program(const char *path)
{
    enum pl_followed what = PL_FOLLOWED_NOT;
    struct stat st = {0};
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

    /* Whoever changes identity is not preloaded, and under a limit of memory there is no room. */
    if (fd >= 0 && !pl_own_limited(true) && pl_sys(SYS_fstat, fd, &st) == 0 &&
        S_ISREG(st.st_mode) && st.st_size > 0 && (st.st_mode & (S_ISUID | S_ISGID)) == 0) {
        long p = pl_sys(SYS_mmap, 0, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

        if (p > 0) {
            what = judge(&(struct file){(const void *)p, (uint64_t)st.st_size}, &st);
            pl_sys(SYS_munmap, p, st.st_size);
        }
    }
    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return what;
}
