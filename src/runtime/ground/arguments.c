/* SPDX-License-Identifier: MIT */
/* See arguments.h. */
#include "runtime/ground/arguments.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/look.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct pl_arguments calls[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {.name = #call, __VA_ARGS__},
#define FD(n) .descriptors = 1 << (n),
#define FDS(n, m) .descriptors = 1 << (n) | 1 << (m),
#define PATH(n) .names = {{0, (n) + 1}},
#define PATH_AT(folder, n) .names = {{(folder) + 1, (n) + 1}},
#define PATHS(n, m) .names = {{0, (n) + 1}, {0, (m) + 1}},
#define PATHS_AT(folder, n, other, m) .names = {{(folder) + 1, (n) + 1}, {(other) + 1, (m) + 1}},
#define NOFOLLOW() .nofollow = true,
#define PIECES() .pieces = true,
#define PLACE(n) .place = (n) + 1,
#define FLAGS(n) .flags = (n) + 1,
#define IMPLIES(given) .implied = (given),
#define NOWAIT(n, flag) .nowait = (n) + 1, .nowait_flag = (flag),
#define AT_ONCE(flags) .at_once = (flags),
#define LIMIT(n) .limit = (n) + 1,
#define MOMENT(n) .moment = (n) + 1,
#define INTERRUPTED() .interrupted = true,
#define STAT(n) .status = (n) + 1,
#define STATX(n) .extended = (n) + 1,
#define THREAD(n) .processes = 1 << (n), .or_self = true,
#define PROCESS(n) .processes = 1 << (n),
#define PROCESSES(n, m) .processes = 1 << (n) | 1 << (m),
#include "runtime/ground/calls.def"
};

const struct pl_arguments *pl_arguments_of(long number)
{
    return &calls[pl_arguments_row(number)];
}

uint64_t pl_arguments_flags(long number, const uint64_t a[6])
{
    const struct pl_arguments *c = pl_arguments_of(number);

    return c->implied | (c->flags != 0 ? a[c->flags - 1] : 0);
}

int pl_arguments_lookup(long number, const uint64_t a[6])
{
    return (int)pl_arguments_flags(number, a) |
           (pl_arguments_of(number)->nofollow ? AT_SYMLINK_NOFOLLOW : 0);
}

static const char *path_of(long number, const uint64_t a[6], unsigned which, int *folder)
{
    PL_ASSERT(which < PL_ARGUMENTS_PATHS);
    unsigned at = pl_arguments_of(number)->names[which].folder;
    unsigned path = pl_arguments_of(number)->names[which].path;

    *folder = at != 0 ? (int)a[at - 1] : AT_FDCWD;
    return path != 0 ? (const char *)a[path - 1] : NULL;
}

const char *pl_arguments_path(long number, const uint64_t a[6], unsigned which, int *folder)
{
    const char *path = path_of(number, a, which, folder);

    return path != NULL && pl_look_has_text(path) ? path : NULL;
}

bool pl_arguments_has_paths(long number, const uint64_t a[6])
{
    bool all = true;
    int folder;

    for (unsigned i = 0; i < PL_ARGUMENTS_PATHS; i++) {
        const char *path = path_of(number, a, i, &folder);

        if (pl_arguments_of(number)->names[i].path != 0 && (path != NULL || folder == AT_FDCWD))
            all &= pl_sys(SYS_access, path, F_OK) != -EFAULT;
    }
    return all;
}
