/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of a replay.  A file becomes a memory file with the contents that
 * it had, so that reading, seeking, mapping and asking for its size need no help.
 * A pipe, socket or device becomes one that leads nowhere: what goes through it
 * comes from the inputs, but whoever asks what kind of thing it is, the
 * runtime among them, gets the same answer as before.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/inputs.h"
#include "runtime/ground/config.h"
#include "runtime/ground/ports.h"
#include "runtime/inputs/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* Layout of aux: source, bits of st_mode for the kind, type of a socket, flags. */
enum { MODE_AT = 8, TYPE_AT = 16, MODE_SHIFT = 12, WRITABLE = 1 << 24, NONBLOCK = 1 << 25 };

static bool is_nothing(const struct stat *st)
{
    unsigned n = minor(st->st_rdev);

    return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 && (n == 3 || n == 5 || n == 7);
}

static uint32_t socket_type(int fd)
{
    int type = SOCK_STREAM;
    socklen_t n = sizeof(type);

    pl_sys(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &n);
    return (uint32_t)type & 0xff;
}

uint32_t pl_standin_describe(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */
    uint32_t kind;

    if (pl_sys(SYS_fstat, fd, &st) != 0 || is_nothing(&st))
        return PL_INPUT_REAL;
    kind = (st.st_mode & S_IFMT) >> MODE_SHIFT << MODE_AT;
    if (S_ISREG(st.st_mode))
        return PL_INPUT_CONTENT | kind;
    if (S_ISSOCK(st.st_mode))
        kind |= socket_type(fd) << TYPE_AT;
    else if (!S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode))
        return PL_INPUT_REAL;
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    kind |= (flags & O_ACCMODE) == O_WRONLY ? WRITABLE : 0;
    kind |= (flags & O_NONBLOCK) != 0 ? NONBLOCK : 0;
    return PL_INPUT_STREAM | kind;
}

bool pl_standin_is_stream(uint32_t aux)
{
    return (aux & 0xff) == PL_INPUT_STREAM;
}

static long make_pipe(uint32_t aux)
{
    bool writes = (aux & WRITABLE) != 0;
    int ends[2] = {-1, -1};
    long rc = pl_sys(SYS_pipe2, ends, 0);

    if (rc < 0)
        return rc;
    pl_sys(SYS_close, ends[!writes]);
    return ends[writes];
}

static long make_socket(uint32_t aux)
{
    long type = aux >> TYPE_AT & 0xff;
    long fd = pl_sys(SYS_socket, AF_UNIX, type, 0);

    return fd >= 0 ? fd : pl_sys(SYS_socket, AF_UNIX, SOCK_DGRAM, 0); /* raw ones, say */
}

/* Opened once more, so that it is for reading or writing as the program wants it. */
static long make_file(const struct pl_input_record *r, int flags)
{
    int kept = flags & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    long memory = pl_sys(SYS_memfd_create, "plait-input", MFD_CLOEXEC);
    uint64_t done = 0;
    char path[40];

    while (memory >= 0 && done < r->size) {
        long n = pl_sys(SYS_write, memory, pl_board->inputs.area + r->bytes + done, r->size - done);

        if (n <= 0)
            break;
        done += (uint64_t)n;
    }
    if (memory < 0)
        return memory;
    pl_text_format(path, sizeof(path), "/proc/self/fd/%ld", memory);
    long fd = pl_sys(SYS_open, path, kept);

    pl_sys(SYS_close, memory);
    return fd;
}

static long make(const struct pl_input_record *r, int flags)
{
    switch (r->aux >> MODE_AT << MODE_SHIFT & S_IFMT) {
    case S_IFIFO:
        return make_pipe(r->aux);
    case S_IFSOCK:
        return make_socket(r->aux);
    case S_IFCHR:
        return pl_sys(SYS_open, "/dev/null", O_RDWR);
    default:
        return make_file(r, flags);
    }
}

/* The number that it had, unless something else has it. */
static long place(long fd, int64_t number, int flags)
{
    long cloexec = (flags & O_CLOEXEC) != 0;

    if (fd != number && number >= 0 && number < PL_INPUT_FDS &&
        pl_sys(SYS_fcntl, number, F_GETFD) < 0 &&
        pl_sys(SYS_dup3, fd, number, flags & O_CLOEXEC) >= 0) {
        pl_sys(SYS_close, fd);
        return number;
    }
    pl_sys(SYS_fcntl, fd, F_SETFD, cloexec);
    return fd;
}

int pl_standin_open(const struct pl_input_record *r, int flags)
{
    PL_ASSERT(pl_board->inputs.feeding);
    long fd = make(r, flags);

    if (fd < 0) {
        errno = (int)-fd;
        return -1;
    }
    fd = place(fd, r->result, flags);
    if (pl_standin_is_stream(r->aux) && (r->aux & NONBLOCK) != 0)
        pl_sys(SYS_fcntl, fd, F_SETFL, O_NONBLOCK);
    pl_inputs_set_stream((int)fd, pl_standin_is_stream(r->aux), r->result);
    pl_ports.restart->opened(fd);
    return (int)fd;
}
