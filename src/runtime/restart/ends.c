/* SPDX-License-Identifier: MIT */
/* See ends.h. */
#include "runtime/restart/ends.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/rollback.h"

#include <fcntl.h>
#include <linux/major.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Whether the process is a copy of one that has the same descriptors and could be started anew. */
static bool is_copy(void)
{
    return pl_stage->restart.runner && pl_board->keeper_pid != pl_board->runner_pid && !pl_free &&
           !pl_stage->restart.testing && pl_stage->process.number == 0 && !pl_stage->process.child;
}

/* A lock, or a lease, that belongs to the open file. */
static bool has_lock(int fd)
{
    char text[1024];
    uint64_t n = pl_about_lines(fd, text, sizeof(text));

    for (uint64_t i = 0; i < n; i++) {
        if ((i == 0 || text[i - 1] == '\n') && pl_text_starts(text + i, "lock:"))
            return true;
    }
    return false;
}

/* An end of a pseudo-terminal, but for those that the program was started with. */
static bool is_terminal(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (fd <= STDERR_FILENO || pl_sys(SYS_fstat, fd, &st) != 0 || !S_ISCHR(st.st_mode))
        return false;
    unsigned kind = major(st.st_rdev);

    return (kind == TTYAUX_MAJOR && minor(st.st_rdev) == 2) ||
           (kind >= UNIX98_PTY_SLAVE_MAJOR &&
            kind < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT);
}

/* A program that is being written: nobody can start it before its file is closed.  Memory that is a
 * file may be started all the same; it has no name. */
static bool is_program(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && pl_sys(SYS_fstat, fd, &st) == 0 &&
           S_ISREG(st.st_mode) && st.st_nlink > 0 &&
           (st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

/* Whether a line is about memory that is that file: by its number, whatever device it is said to
 * be on. */
static void find_mapped(void *arg, uint64_t start, uint64_t end, const char *access)
{
    struct stat *file = arg;
    uint64_t inode = 0;

    for (const char *p = pl_text_word(access, 3); *p >= '0' && *p <= '9'; p++)
        inode = inode * 10 + (uint64_t)(*p - '0');
    if (inode == file->st_ino)
        file->st_nlink = 0;
}

/* Whether it was open at the root, or is mapped. */
static bool is_held(const struct stat *file)
{
    struct stat sought = *file;

    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (pl_stage->root_fds[fd].open && pl_stage->root_fds[fd].inode == file->st_ino &&
            pl_stage->root_fds[fd].device == file->st_dev)
            return true;
    }
    return !pl_maps_walk(pl_vault->text, sizeof(pl_vault->text), find_mapped, &sought) ||
           sought.st_nlink != file->st_nlink;
}

const char *pl_ends_by_removing(const struct stat *file)
{
    return is_copy() && pl_stage->process.files.watching && file->st_nlink > 0 && is_held(file)
               ? "it watches files, and removes one that it has had since before its first thread"
               : NULL;
}

static const char closed_locked[] =
    "it closes a file from before its first thread that is locked, and may lock it again";

const char *pl_ends_by_locking(void)
{
    return pl_stage->process.files.unlocked ? closed_locked : NULL;
}

const char *pl_ends_by_closing(int fd)
{
    struct pl_files *files = &pl_stage->process.files;

    if (!is_copy() || !pl_undo_is_before(fd))
        return NULL;
    if (files->watching)
        return "it watches files, and closes one from before its first thread";
    if ((pl_stage->restart.flocked || files->locked || pl_stage->process.leases) && has_lock(fd)) {
        if (pl_stage->process.leases || pl_stage->process.forked)
            return closed_locked;
        files->unlocked = true;
    }
    if (is_terminal(fd))
        return "it closes a terminal from before its first thread";
    if (is_program(fd))
        return "it closes a program from before its first thread that it has written";
    return NULL;
}
