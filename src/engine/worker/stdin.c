/* SPDX-License-Identifier: MIT */
/*
 * See stdin.h.  A pipe that somebody holds open but never writes to, as many
 * build services have for standard input, must not hang the tool: one that is
 * silent from the start counts as empty, and the caller says so.
 */
#include "engine/worker/stdin.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SILENT_MS = 1000 };

static int make_memory(struct pl_stdin *input, struct pl_err *err)
{
    input->fd = memfd_create("plait-stdin", MFD_CLOEXEC);
    if (input->fd < 0)
        return pl_err_set(err, PL_ERR_TARGET, "no memory file could be made: %s. Free some memory.",
                          strerror(errno));
    return 0;
}

int pl_stdin_from(struct pl_stdin *input, const void *bytes, size_t size, struct pl_err *err)
{
    size_t done = 0;

    PL_ASSERT(bytes != NULL || size == 0);
    *input = (struct pl_stdin){.fd = -1, .offset = 0};
    if (make_memory(input, err) != 0)
        return -1;
    while (done < size) {
        ssize_t n = write(input->fd, (const char *)bytes + done, size - done);

        if (n <= 0)
            return pl_err_set(err, PL_ERR_SYSTEM, "memory ran out: %s. Free some.",
                              strerror(errno));
        done += (size_t)n;
    }
    return 0;
}

static int copy_pipe(struct pl_stdin *input, struct pl_err *err)
{
    static char buffer[1 << 16];
    struct pollfd p = {STDIN_FILENO, POLLIN, 0};

    if (make_memory(input, err) != 0)
        return -1;
    int fd = input->fd;

    if (poll(&p, 1, SILENT_MS) == 0) {
        input->silent = true;
        return 0;
    }
    for (;;) {
        ssize_t n = read(STDIN_FILENO, buffer, sizeof(buffer));

        if (n == 0)
            return 0;
        if (n > 0 && write(fd, buffer, (size_t)n) == n)
            continue;
        int e = errno;

        close(fd);
        input->fd = -1;
        return pl_err_set(err, PL_ERR_TARGET,
                          "standard input could not be copied: %s. Give the program a file.",
                          strerror(e));
    }
}

static int open_null(struct pl_stdin *input, struct pl_err *err)
{
    input->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input->fd < 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "/dev/null cannot be opened: %s. plait needs it.",
                          strerror(errno));
    return 0;
}

int pl_stdin_open(struct pl_stdin *input, struct pl_err *err)
{
    struct stat st;

    *input = (struct pl_stdin){.fd = -1, .offset = 0};
    if (fstat(STDIN_FILENO, &st) != 0 || isatty(STDIN_FILENO))
        return open_null(input, err);
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
        return copy_pipe(input, err);
    input->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (input->fd < 0)
        return open_null(input, err);
    input->offset = S_ISREG(st.st_mode) ? lseek(input->fd, 0, SEEK_CUR) : -1;
    return 0;
}

int pl_stdin_fresh(const struct pl_stdin *input)
{
    char path[40];

    PL_ASSERT(input->fd >= 0);
    if (input->offset < 0)
        return fcntl(input->fd, F_DUPFD_CLOEXEC, 3);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", input->fd);
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) /* may no longer be opened; then the position is shared */
        fd = fcntl(input->fd, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0)
        lseek(fd, input->offset, SEEK_SET);
    return fd;
}

void pl_stdin_close(struct pl_stdin *input)
{
    if (input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}
