/* SPDX-License-Identifier: MIT */
/* See file.h. */
#include "base/file.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static mode_t users_mask;
static bool mask_is_own;

/* 0, or the error that says why it is not read. */
static int refuse(int fd, long long most)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    if (S_ISREG(st.st_mode))
        return st.st_size > most ? EFBIG : 0;
    bool empty = S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);

    return S_ISFIFO(st.st_mode) || empty || isatty(fd) ? 0 : ENOTSUP;
}

FILE *pl_file_open(const char *path, long long most)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    PL_ASSERT(most > 0);
    if (fd < 0)
        return NULL;
    int error = refuse(fd, most);

    /* Whoever has opened the other end may take his time. */
    if (error == 0 && fcntl(fd, F_SETFL, 0) != 0)
        error = errno;
    FILE *file = error == 0 ? fdopen(fd, "r") : NULL;

    if (file != NULL)
        return file;
    close(fd);
    errno = error != 0 ? error : ENOMEM;
    return NULL;
}

int pl_file_draft(const char *path, char *draft, size_t size)
{
    enum { FIRST = 900000, TRIES = 1000 }; /* numbers below are those of schedules */
    const char *slash = strrchr(path, '/');
    int fd = -1;

    errno = EEXIST;
    for (unsigned i = 0; fd < 0 && errno == EEXIST && i < TRIES; i++) {
        int n = snprintf(draft, size, "%.*s.plait-%ld-%u.tmp", slash ? (int)(slash - path + 1) : 0,
                         path, (long)getpid(), FIRST + i);

        if (n < 0 || (size_t)n >= size) {
            errno = ENAMETOOLONG;
            break;
        }
        fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    return fd;
}

void pl_file_mask_own(void)
{
    users_mask = umask(077);
    umask(users_mask & ~0700U);
    mask_is_own = true;
}

void pl_file_mask_user(void)
{
    if (mask_is_own)
        umask(users_mask);
}
