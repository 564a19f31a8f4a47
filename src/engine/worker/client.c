/* SPDX-License-Identifier: MIT */
/* See client.h.  The file may be anything: every offset in it is checked. */
#include "engine/worker/client.h"

#include "base/assert.h"
#include "engine/worker/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_library(const char *name)
{
    size_t n = strlen(name);

    return n > 3 && strcmp(name + n - 3, ".so") == 0;
}

/* A library has no dynamic linker of its own, which a program must have. */
static int resolve(char *to, size_t size, const char *name, struct pl_err *err)
{
    struct pl_program program;

    if (!is_library(name) && pl_program_open(&program, name, err) != 0)
        return -1;
    char *real = realpath(is_library(name) ? name : program.path, NULL);
    bool fits = real != NULL && strlen(real) < size;

    if (fits)
        strcpy(to, real);
    free(real);
    if (fits)
        return 0;
    return pl_err_set(err, PL_ERR_TARGET, "the client %s cannot be used: %s. Check the path.", name,
                      real == NULL ? strerror(errno) : "its path is too long");
}

int pl_client_find(struct pl_settings *settings, char *const *words, struct pl_err *err)
{
    char *at = settings->client, *end = at + sizeof(settings->client);

    if (words == NULL || words[0] == NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "--client is empty. Give the command of a client, such as "
                          "'./client 127.0.0.1 8080'.");
    if (resolve(at, PL_CLIENT_PATH, words[0], err) != 0)
        return -1;
    settings->client_words = 1;
    at += strlen(at) + 1;
    for (unsigned i = 1; words[i] != NULL; i++) {
        size_t n = strlen(words[i]) + 1;

        if (n > (size_t)(end - at))
            return pl_err_set(err, PL_ERR_USER,
                              "--client is too long. Give at most %d letters, or put them into a "
                              "file that the client reads.",
                              PL_CLIENT_TEXT - PL_CLIENT_PATH);
        memcpy(at, words[i], n);
        at += n;
        settings->client_words++;
    }
    PL_ASSERT(at <= end);
    return 0;
}

static int refuse(const char *path, const char *why, struct pl_err *err)
{
    pl_err_set(err, PL_ERR_TARGET, "the client %s %s", path, why);
    return -1;
}

/* Take the mark of a program away; `bytes` are a copy of the file. */
static int unmark(unsigned char *bytes, size_t size, const char *path, struct pl_err *err)
{
    Elf64_Ehdr eh;
    Elf64_Phdr ph;
    Elf64_Dyn d;
    bool dynamic = false, program = false;

    if (size < sizeof(eh))
        return refuse(path, "is not an ELF program. Give a compiled C or C++ program.", err);
    memcpy(&eh, bytes, sizeof(eh));
    if (memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
        eh.e_phentsize != sizeof(ph) || eh.e_phoff > size ||
        (uint64_t)eh.e_phnum * sizeof(ph) > size - eh.e_phoff)
        return refuse(path, "is not an ELF program. Give a compiled C or C++ program.", err);
    if (eh.e_type != ET_DYN)
        return refuse(path,
                      "is not position-independent, so it cannot be loaded beside the server. "
                      "Link it with -pie.",
                      err);
    bool tls = false;

    for (unsigned i = 0; i < eh.e_phnum; i++) {
        memcpy(&ph, bytes + eh.e_phoff + i * sizeof(ph), sizeof(ph));
        tls |= ph.p_type == PT_TLS && ph.p_memsz > 0;
        program |= ph.p_type == PT_INTERP;
        if (ph.p_type != PT_DYNAMIC || ph.p_offset > size || ph.p_filesz > size - ph.p_offset)
            continue;
        dynamic = true;
        for (uint64_t at = 0; at + sizeof(d) <= ph.p_filesz; at += sizeof(d)) {
            memcpy(&d, bytes + ph.p_offset + at, sizeof(d));
            if (d.d_tag != DT_FLAGS_1)
                continue;
            d.d_un.d_val &= ~(uint64_t)DF_1_PIE;
            memcpy(bytes + ph.p_offset + at, &d, sizeof(d));
        }
    }
    if (!dynamic)
        return refuse(path, "is statically linked. Link it without -static.", err);
    if (tls && program)
        return refuse(path,
                      "has thread-local variables, whose places only the first program of a "
                      "process can fix. Build it as a library: plait cc -shared -fPIC -o "
                      "client.so.",
                      err);
    return 0;
}

static int make_copy(const unsigned char *bytes, size_t size, const char *path, struct pl_err *err)
{
    unsigned char *copy = malloc(size);
    int fd = -1;

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, size);
    if (unmark(copy, size, path, err) == 0) {
        fd = memfd_create("client", MFD_CLOEXEC); /* what is called plait- is not rolled back */
        for (size_t done = 0; fd >= 0 && done < size;) {
            ssize_t n = write(fd, copy + done, size - done);

            if (n <= 0) {
                close(fd);
                fd = -1;
            } else {
                done += (size_t)n;
            }
        }
        if (fd < 0)
            pl_err_set(err, PL_ERR_SYSTEM, "there is no memory for a copy of %s: %s.", path,
                       strerror(errno));
    }
    free(copy);
    return fd;
}

int pl_client_copy(const char *path, struct pl_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0 || !S_ISREG(st.st_mode)) {
        if (fd >= 0)
            close(fd);
        return refuse(path, "cannot be read. plait must look into the program: chmod +r it.", err);
    }
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

    close(fd);
    if (bytes == MAP_FAILED)
        return refuse(path, "cannot be read. plait must look into the program: chmod +r it.", err);
    int copy = make_copy(bytes, (size_t)st.st_size, path, err);

    munmap(bytes, (size_t)st.st_size);
    return copy;
}
