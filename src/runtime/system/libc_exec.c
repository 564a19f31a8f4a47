/* SPDX-License-Identifier: MIT */
/*
 * A child becomes another program, which is on its own.  If that is the program under test once
 * more, then what is tested may well be there: frameworks that give each test a process do so.  Of
 * such a process it is said whether it has created threads, as of a child that stays what it is.
 * For that it loads this library, with a board that it only counts on (start/init.c).
 */
#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/board.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENTRIES = 2,      /* that are added */
    VARIABLES = 4096, /* more of them are left as they are */
};

static bool is_self(const char *path)
{
    struct stat self = {0}, other = {0};

    return pl_sys(SYS_newfstatat, AT_FDCWD, "/proc/self/exe", &self, 0) == 0 &&
           pl_sys(SYS_newfstatat, AT_FDCWD, path, &other, 0) == 0 && self.st_dev == other.st_dev &&
           self.st_ino == other.st_ino;
}

static bool is_child(void)
{
    return !pl_active && pl_ready && pl_stage->process.child && pl_stage->busy == 0;
}

static size_t length(char *const list[])
{
    size_t n = 0;

    while (list != NULL && list[n] != NULL)
        n++;
    return n;
}

/* The board as a descriptor: it may have closed all that it does not know, but its parent has not.
 */
static long board_descriptor(void)
{
    char path[64];

    if (pl_sys(SYS_fcntl, PL_FD_BOARD, F_GETFD) >= 0)
        return PL_FD_BOARD;
    pl_text_format(path, sizeof(path), "/proc/%ld/fd/%d", pl_sys(SYS_getppid), (int)PL_FD_BOARD);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDWR);

    if (fd < 0)
        return -1;
    long high = pl_sys(SYS_fcntl, fd, F_DUPFD, PL_FD_BOARD);

    pl_sys(SYS_close, fd);
    return high;
}

/* As execve(), with what lets the new program count its threads. */
static int become_self(const char *path, char *const argv[], char *const envp[])
{
    size_t n = length(envp), used = ENTRIES;
    char preload[PATH_MAX + 16], board[64], *more[VARIABLES + ENTRIES + 1];
    long fd = board_descriptor();
    Dl_info library;

    if (fd < 0 || dladdr((void *)become_self, &library) == 0 || library.dli_fname == NULL)
        return PL_FALLBACK(execve)(path, argv, envp);
    pl_text_format(preload, sizeof(preload), "LD_PRELOAD=%s", library.dli_fname);
    pl_text_format(board, sizeof(board), PL_BOARD_ENV "=" PL_BOARD_OF_PARENT "%ld", fd);
    more[0] = preload;
    more[1] = board;
    for (size_t i = 0; i < n; i++) {
        if (pl_text_starts(envp[i], "LD_PRELOAD="))
            return PL_FALLBACK(execve)(path, argv, envp); /* the program's own affair */
        more[used++] = envp[i];
    }
    PL_ASSERT(used == n + ENTRIES);
    more[used] = NULL;
    return PL_FALLBACK(execve)(path, argv, more);
}

PL_EXPOSE(int, execve, (const char *path, char *const argv[], char *const envp[]))
{
    if (is_child() && path != NULL && length(envp) < VARIABLES && is_self(path))
        return become_self(path, argv, envp);
    return PL_FALLBACK(execve)(path, argv, envp);
}

PL_EXPOSE(int, execv, (const char *path, char *const argv[]))
{
    return pl_in_execve(path, argv, environ);
}
