/* SPDX-License-Identifier: MIT */
/* See program.h. */
#include "engine/worker/program.h"

#include "base/assert.h"
#include "engine/symbols/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static int find_in_path(char *to, size_t size, const char *name, struct pl_err *err)
{
    const char *folders = getenv("PATH");

    for (const char *p = folders ? folders : "/usr/bin:/bin"; p != NULL;) {
        size_t n = strcspn(p, ":");
        int written = n == 0 ? snprintf(to, size, "./%s", name)
                             : snprintf(to, size, "%.*s/%s", (int)n, p, name);

        if (written > 0 && (size_t)written < size && is_program(to))
            return 0;
        p = p[n] == ':' ? p + n + 1 : NULL;
    }
    if (access(name, F_OK) == 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "there is no program '%s' in PATH. The file here is ./%s.", name, name);
    return pl_err_set(err, PL_ERR_TARGET,
                      "there is no program '%s' in PATH. Give its path, such as ./%s.", name, name);
}

static int check_file(const char *path, const struct stat *st, struct pl_err *err)
{
    if (S_ISDIR(st->st_mode))
        return pl_err_set(err, PL_ERR_TARGET, "%s is a folder. Give the program in it.", path);
    if (!S_ISREG(st->st_mode))
        return pl_err_set(err, PL_ERR_TARGET, "%s is not a regular file. Give a program.", path);
    if (access(path, X_OK) != 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is not executable. If it is a program, chmod +x makes it so.", path);
    if (access(path, R_OK) != 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s cannot be read. plait must look into the program: chmod +r it.",
                          path);
    if ((st->st_mode & (S_ISUID | S_ISGID)) != 0 ||
        getxattr(path, "security.capability", NULL, 0) > 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s runs with another user's rights (set-user-id, set-group-id or "
                          "capabilities), so nothing can be preloaded. Test a copy without them.",
                          path);
    return 0;
}

static int check_kind(const char *path, enum pl_elf_kind kind, struct pl_err *err)
{
    switch (kind) {
    case PL_ELF_FINE:
        return 0;
    case PL_ELF_SCRIPT:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is a script. Give the program that it starts instead.", path);
    case PL_ELF_32:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is a 32-bit program. Compile it for this machine's 64 bits.", path);
    case PL_ELF_FOREIGN:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is a program for another machine. Compile it for this one.", path);
    case PL_ELF_OBJECT:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is not a linked program. Link it with plait cc first.", path);
    case PL_ELF_LIBRARY:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is a shared library. Give a program that uses it.", path);
    case PL_ELF_STATIC:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is statically linked, so nothing can be preloaded. "
                          "Link it without -static.",
                          path);
    default:
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s is not an ELF program. Give a compiled C or C++ program.", path);
    }
}

static int look_into(struct pl_program *program, struct pl_err *err)
{
    struct pl_elf elf;
    struct stat st;
    int fd = open(program->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) != 0) {
        int rc = pl_err_set(err, PL_ERR_TARGET,
                            "%s cannot be opened: %s. plait must look into the program.",
                            program->path, strerror(errno));

        if (fd >= 0)
            close(fd);
        return rc;
    }
    void *bytes =
        st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return check_kind(program->path, PL_ELF_OTHER, err);
    pl_elf_read(&elf, bytes, (size_t)st.st_size);
    munmap(bytes, (size_t)st.st_size);
    PL_ASSERT(elf.build_id_size <= sizeof(program->build_id));
    program->libtsan = elf.libtsan;
    program->code = elf.code;
    program->library = elf.kind == PL_ELF_LIBRARY;
    program->build_id_size = elf.build_id_size;
    memcpy(program->build_id, elf.build_id, sizeof(program->build_id));
    return check_kind(program->path, elf.kind, err);
}

bool pl_program_is_library(const char *path)
{
    struct pl_program program = {0};
    struct pl_err ignored;

    snprintf(program.path, sizeof(program.path), "%s", path);
    return look_into(&program, &ignored) != 0 && program.library;
}

int pl_program_open(struct pl_program *program, const char *name, struct pl_err *err)
{
    struct stat st;

    PL_ASSERT(name != NULL);
    memset(program, 0, sizeof(*program));
    if (name[0] == '\0')
        return pl_err_set(err, PL_ERR_TARGET, "the program's name is empty. Give a program.");
    if (strchr(name, '/') == NULL) {
        if (find_in_path(program->path, sizeof(program->path), name, err) != 0)
            return -1;
    } else if (snprintf(program->path, sizeof(program->path), "%s", name) >=
               (int)sizeof(program->path)) {
        return pl_err_set(err, PL_ERR_TARGET, "the program's path is too long. Move it.");
    }
    if (stat(program->path, &st) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return pl_err_set(err, PL_ERR_TARGET, "there is no file %s. Compile the program first.",
                              program->path);
        return pl_err_set(err, PL_ERR_TARGET, "%s cannot be used: %s. Check the path.",
                          program->path, strerror(errno));
    }
    if (check_file(program->path, &st, err) != 0)
        return -1;
    return look_into(program, err);
}

int pl_program_libdir(char *to, size_t size, struct pl_err *err)
{
    char self[PATH_MAX], joined[PATH_MAX + 64], library[2 * PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (n <= 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "/proc/self/exe cannot be read: %s. plait needs /proc.", strerror(errno));
    self[n] = '\0';
    PL_ASSERT(strrchr(self, '/') != NULL); /* the kernel gives absolute paths */
    *strrchr(self, '/') = '\0';
    snprintf(joined, sizeof(joined), "%s/../lib/plait", self);
    char *real = realpath(joined, NULL);

    snprintf(library, sizeof(library), "%s/libplait.so", real ? real : joined);
    bool there = real != NULL && access(library, R_OK) == 0 && strlen(real) < size;

    if (there)
        snprintf(to, size, "%s", real);
    free(real);
    if (!there)
        return pl_err_set(err, PL_ERR_SYSTEM, "%s is missing. Install plait again.", library);
    if (strpbrk(to, " :;") != NULL)
        return pl_err_set(err, PL_ERR_TARGET,
                          "the path %s holds a space, colon or semicolon, which the dynamic "
                          "linker's preload list cannot. Install plait elsewhere.",
                          to);
    return 0;
}

void pl_program_hex(const uint8_t *id, unsigned n, char *to)
{
    for (unsigned i = 0; i < n; i++)
        sprintf(to + 2 * (size_t)i, "%02x", id[i]);
    to[2 * (size_t)n] = '\0';
}
