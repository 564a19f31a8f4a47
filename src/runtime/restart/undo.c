/* SPDX-License-Identifier: MIT */
/*
 * What an execution did to the kernel's state, undone: descriptors it opened,
 * memory it mapped, positions in files, data left in pipes, handlers and masks
 * of signals, limits, captured output.  Each has a list in the vault; where nothing was
 * done, nothing costs.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/config.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/copy.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/renew.h"
#include "runtime/restart/rollback.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

void pl_undo_opened(long fd)
{
    struct pl_undo *u = &pl_vault->undo;

    if (!pl_rollback_on() || fd < 0)
        return;
    if (fd >= PL_VAULT_FDS || u->n_fds == PL_VAULT_FDS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it opens more than %d files", (int)PL_VAULT_FDS);
        return;
    }
    PL_ASSERT(u->listed[fd] || !u->opened[fd]);
    if (!u->listed[fd])
        u->fds[u->n_fds++] = (uint16_t)fd;
    u->listed[fd] = u->opened[fd] = true;
    pl_renew_opened((int)fd);
}

/* A descriptor from before the root is about to be closed; true when it can be put back. */
bool pl_undo_close(int fd)
{
    struct pl_undo *u = &pl_vault->undo;

    if (fd < 0 || fd >= PL_VAULT_FDS)
        return false;
    if (pl_renew_close(fd))
        return true;
    for (unsigned i = 0; i < u->n_closed; i++) {
        if (u->closed[i].fd == fd)
            return true; /* the number stands for something else by now */
    }
    if (u->n_closed == PL_VAULT_CLOSED)
        return false;
    long kept = pl_fd_aside(fd);

    if (kept < 0)
        return false;
    u->closed[u->n_closed].fd = (int16_t)fd;
    u->closed[u->n_closed].kept = (int16_t)kept;
    u->closed[u->n_closed++].cloexec = pl_sys(SYS_fcntl, fd, F_GETFD) == FD_CLOEXEC;
    return true;
}

static void undo_closing(struct pl_undo *u)
{
    while (u->n_closed > 0) {
        u->n_closed--;
        pl_sys(SYS_dup3, u->closed[u->n_closed].kept, u->closed[u->n_closed].fd,
               u->closed[u->n_closed].cloexec ? O_CLOEXEC : 0);
        pl_fd_close(u->closed[u->n_closed].kept);
    }
}

bool pl_undo_is_captured(const struct stat *st)
{
    struct stat own = {0}; /* so that the kernel may write there */

    for (int fd = pl_fd(PL_FD_STDOUT); fd <= pl_fd(PL_FD_STDERR); fd++) {
        if (pl_sys(SYS_fstat, fd, &own) == 0 && own.st_ino == st->st_ino &&
            own.st_dev == st->st_dev)
            return true;
    }
    return false;
}

enum { POSITION, FLAGS, FD_FLAGS, PIPE };

/* Remember a position in a file, its flags, or that a pipe was empty. */
static bool remember(int fd, unsigned what, int64_t value)
{
    struct pl_undo *u = &pl_vault->undo;

    PL_ASSERT(fd >= 0 && fd < PL_VAULT_FDS && u->n_files <= PL_VAULT_FILES);
    if (u->n_files == PL_VAULT_FILES)
        return false;
    u->files[u->n_files].fd = fd;
    u->files[u->n_files].what = (uint8_t)what;
    u->files[u->n_files++].value = value;
    if (what == POSITION || what == PIPE)
        u->looked_at[fd] = true;
    return true;
}

/* Flags of an open file, or of its descriptor, will change; true when they can be put back. */
bool pl_undo_flags(int fd, bool of_file)
{
    long flags = pl_sys(SYS_fcntl, fd, of_file ? F_GETFL : F_GETFD);

    return fd < PL_VAULT_FDS && remember(fd, of_file ? FLAGS : FD_FLAGS, flags);
}

static bool knows_pipe(uint64_t number)
{
    const struct pl_undo *u = &pl_vault->undo;

    for (unsigned i = 0; i < u->n_files; i++) {
        if (u->files[i].what == PIPE && (uint64_t)u->files[i].value == number)
            return true;
    }
    return false;
}

/* A pipe that was empty at the root is emptied again; any other cannot be put back. */
static enum pl_restart use_pipe(int fd, const struct stat *st)
{
    int waiting = 0;

    if (pl_vault->undo.looked_at[fd] || knows_pipe(st->st_ino))
        return PL_RESTART_ROLLBACK;
    pl_sys(SYS_ioctl, fd, FIONREAD, &waiting);
    return waiting == 0 && remember(fd, PIPE, (int64_t)st->st_ino) ? PL_RESTART_ROLLBACK
                                                                   : PL_RESTART_EXEC;
}

/* The descriptor stands for what it stood for at the root. */
bool pl_undo_is_before(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (fd < 0 || fd >= PL_FDS_MAX || !pl_stage->root_fds[fd].open)
        return false;
    if (pl_rollback_on())
        return !pl_vault->undo.opened[fd];
    return pl_sys(SYS_fstat, fd, &st) == 0 && st.st_ino == pl_stage->root_fds[fd].inode &&
           st.st_dev == pl_stage->root_fds[fd].device;
}

/* A file that was opened since is written to. */
static enum pl_restart write_opened(int fd, const struct stat *st, const char **why)
{
    *why = "it changes a file that cannot be put back";
    return !S_ISREG(st->st_mode) || !pl_journal_on() || pl_journal_content(fd, false)
               ? PL_RESTART_ROLLBACK
               : PL_RESTART_EXEC;
}

/*
 * A pseudo-terminal of which the program has the master keeps what was written to it, and what it
 * has echoed.  One that was inherited belongs to whoever has its master.
 */
static bool is_own_terminal(int fd, const struct stat *st)
{
    enum { SLAVES = 136, SLAVES_END = 144, EACH = 1 << 20 };
    int number = -1;

    if (pl_sys(SYS_ioctl, fd, TIOCGPTN, &number) == 0)
        return true;
    if (major(st->st_rdev) < SLAVES || major(st->st_rdev) >= SLAVES_END)
        return false;
    int own = (int)((major(st->st_rdev) - SLAVES) * EACH + minor(st->st_rdev));

    for (int i = 0; i < PL_FDS_MAX; i++) {
        if (pl_stage->root_fds[i].open && pl_sys(SYS_ioctl, i, TIOCGPTN, &number) == 0 &&
            number == own)
            return true;
    }
    return false;
}

/*
 * A descriptor is about to be used.  The fastest restart that can undo that;
 * rollback when the list now says how.
 */
enum pl_restart pl_undo_use(int fd, bool write, const char **why)
{
    struct pl_undo *u = &pl_vault->undo;
    struct stat st = {0}; /* so that the kernel may write there */

    *why = "it uses more files from before its first thread than can be remembered";
    if (fd < 0 || fd >= PL_VAULT_FDS)
        return fd < 0 ? PL_RESTART_ROLLBACK : PL_RESTART_FORK;
    if (write)
        pl_renew_reach(fd);
    if (!pl_rollback_on() && !pl_undo_is_before(fd)) /* opened since; fork gives it back */
        return write && pl_sys(SYS_fstat, fd, &st) == 0 ? write_opened(fd, &st, why)
                                                        : PL_RESTART_ROLLBACK;
    if ((!write && (u->opened[fd] || u->looked_at[fd])) || pl_sys(SYS_fstat, fd, &st) != 0)
        return PL_RESTART_ROLLBACK;
    if (u->opened[fd]) { /* it may be another name for what is captured */
        bool captured = S_ISREG(st.st_mode) && pl_undo_is_captured(&st);

        u->output |= captured;
        return captured ? PL_RESTART_ROLLBACK : write_opened(fd, &st, why);
    }
    if (pl_renew_touch(fd))
        return PL_RESTART_ROLLBACK;
    switch (st.st_mode & S_IFMT) {
    case S_IFREG:
        if (write && pl_undo_is_captured(&st)) {
            u->output = true;
            return PL_RESTART_ROLLBACK;
        }
        if (write && (!pl_journal_on() || !pl_journal_content(fd, true))) {
            *why = "it writes to files opened before its first thread";
            return PL_RESTART_EXEC;
        }
        if (!pl_rollback_on() || u->looked_at[fd])
            return PL_RESTART_ROLLBACK; /* the keeper puts the position back; or it is known */
        if (remember(fd, POSITION, pl_sys(SYS_lseek, fd, 0, SEEK_CUR)))
            return PL_RESTART_ROLLBACK;
        return PL_RESTART_FORK;
    case S_IFDIR:
        return remember(fd, POSITION, pl_sys(SYS_lseek, fd, 0, SEEK_CUR)) ? PL_RESTART_ROLLBACK
                                                                          : PL_RESTART_FORK;
    case S_IFCHR:
        *why = "it uses a pseudo-terminal opened before its first thread";
        return is_own_terminal(fd, &st) ? PL_RESTART_EXEC : PL_RESTART_ROLLBACK;
    case S_IFIFO:
        *why = "it uses a FIFO opened, or a pipe filled, before its first thread";
        return use_pipe(fd, &st);
    default:
        *why = S_ISSOCK(st.st_mode) ? "it uses a socket opened before its first thread"
                                    : "it uses an event or the like opened before its first thread";
        pl_renew_mixed(*why);
        return PL_RESTART_EXEC;
    }
}

/* Whatever end of a pipe fd is: take out what is in it. */
void pl_undo_drain(int fd)
{
    char path[40], waste[4096];
    int waiting = 0;

    if (pl_sys(SYS_ioctl, fd, FIONREAD, &waiting) != 0 || waiting == 0)
        return;
    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    long in = pl_sys(SYS_open, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (in < 0)
        return;
    while (pl_sys(SYS_read, in, waste, sizeof(waste)) > 0) {
    }
    pl_sys(SYS_close, in);
}

/* A thread with a stack of another size than the last one on its donor moved the guard page. */
void pl_undo_guard(uint64_t page, uint64_t grown)
{
    struct pl_undo *u = &pl_vault->undo;

    if (!pl_rollback_on())
        return;
    if (u->n_guards == PL_VAULT_GUARDS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it has more than %d stacks of different sizes",
                          (int)PL_VAULT_GUARDS);
        return;
    }
    PL_ASSERT(u->n_guards < PL_VAULT_GUARDS && page % PL_PAGE == 0 && grown % PL_PAGE == 0);
    u->guards[u->n_guards].page = page;
    u->guards[u->n_guards++].grown = grown;
}

static void undo_guards(struct pl_undo *u)
{
    while (u->n_guards > 0) {
        uint64_t page = u->guards[--u->n_guards].page, grown = u->guards[u->n_guards].grown;

        if (grown > 0) {
            pl_sys(SYS_madvise, page + PL_PAGE, grown, MADV_DONTNEED);
            pl_sys(SYS_mprotect, page + PL_PAGE, grown, PROT_NONE);
        } else {
            pl_sys(SYS_mprotect, page, PL_PAGE,
                   pl_rollback_is_hot(page) ? PROT_READ | PROT_WRITE : PROT_READ);
        }
    }
}

static void undo_signals(struct pl_undo *u)
{
    uint64_t pending = 0;
    struct timespec now = {0, 0};

    for (; u->actions != 0; u->actions &= u->actions - 1) {
        int signo = __builtin_ctzll(u->actions) + 1;

        pl_sys(SYS_rt_sigaction, signo, &u->old[signo], NULL, 8);
    }
    if (u->signalled) {
        pl_sys(SYS_rt_sigpending, &pending, 8);
        while (pending != 0 && pl_sys(SYS_rt_sigtimedwait, &pending, NULL, &now, 8) > 0) {
        }
    }
    if (u->mask || u->signalled)
        pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &pl_vault->root_mask, NULL, 8);
    u->mask = u->signalled = false;
}

static void undo_opening(struct pl_undo *u)
{
    while (u->n_fds > 0) {
        int fd = u->fds[--u->n_fds];

        PL_ASSERT(fd < PL_VAULT_FDS && u->listed[fd]);
        if (u->opened[fd])
            pl_fd_close(fd);
        u->opened[fd] = u->listed[fd] = false;
    }
}

/* The program goes to another folder. */
bool pl_undo_move(void)
{
    struct pl_undo *u = &pl_vault->undo;

    if (u->moved)
        return true;
    long here = pl_sys(SYS_open, ".", O_PATH | O_CLOEXEC, 0);
    long kept = here < 0 ? here : pl_fd_aside(here);

    if (here >= 0)
        pl_sys(SYS_close, here);
    u->folder = (int)kept;
    u->moved = kept >= 0;
    return u->moved;
}

void pl_undo_mask(int before)
{
    struct pl_undo *u = &pl_vault->undo;

    if (!u->masked)
        u->file_mask = before;
    u->masked = true;
}

/* Not those of memory, for the runtime needs some of it itself until they are put back; and no hard
 * one is lowered here (own.c). */
bool pl_undo_limit(unsigned which, const uint64_t now[2])
{
    struct pl_undo *u = &pl_vault->undo;
    uint64_t before[2] = {0}; /* so that the kernel may write there */

    if (which >= sizeof(u->limit) / sizeof(u->limit[0]) || which == RLIMIT_AS ||
        which == RLIMIT_DATA || pl_sys(SYS_prlimit64, 0, which, NULL, before) != 0 ||
        now[1] < before[1])
        return false;
    if ((u->limits >> which & 1) == 0)
        pl_memory_copy(u->limit[which], before, sizeof(before));
    u->limits |= 1u << which;
    return true;
}

static void undo_limits(struct pl_undo *u)
{
    for (unsigned i = 0; u->limits != 0; i++) {
        if ((u->limits >> i & 1) != 0)
            pl_sys(SYS_prlimit64, 0, i, u->limit[i], NULL);
        u->limits &= ~(1u << i);
    }
}

static void undo_place(struct pl_undo *u)
{
    if (u->moved) {
        pl_sys(SYS_fchdir, u->folder);
        pl_fd_close(u->folder);
    }
    if (u->masked)
        pl_sys(SYS_umask, u->file_mask);
    u->moved = u->masked = false;
}

static void undo_files(struct pl_undo *u)
{
    while (u->n_files > 0) {
        int fd = u->files[--u->n_files].fd;

        PL_ASSERT(u->files[u->n_files].what <= PIPE);
        u->looked_at[fd] = false;
        if (u->files[u->n_files].what == PIPE)
            pl_undo_drain(fd);
        else if (u->files[u->n_files].what == FLAGS)
            pl_sys(SYS_fcntl, fd, F_SETFL, u->files[u->n_files].value);
        else if (u->files[u->n_files].what == FD_FLAGS)
            pl_sys(SYS_fcntl, fd, F_SETFD, u->files[u->n_files].value);
        else
            pl_sys(SYS_lseek, fd, u->files[u->n_files].value, SEEK_SET);
    }
    if (u->output) {
        pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDOUT), pl_board->root_output_size);
        pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDERR), pl_stage->restart.error_size);
        u->output = false;
    }
}

bool pl_undo_any(void)
{
    const struct pl_undo *u = &pl_vault->undo;

    return u->n_fds + u->n_maps + u->n_unmapped + u->n_files + u->n_guards + u->n_closed > 0 ||
           u->limits != 0 || u->output || u->mask || u->moved || u->masked || u->signalled ||
           u->actions != 0 || pl_renew_any() || pl_journal_mark() != 0;
}

void pl_undo_all(void)
{
    struct pl_undo *u = &pl_vault->undo;

    if (u->limits != 0)
        undo_limits(u); /* which may stand in the way of all that follows */
    if (u->n_guards > 0)
        undo_guards(u);
    while (u->n_maps > 0) {
        const struct pl_range *m = &u->maps[--u->n_maps];

        pl_sys(SYS_munmap, m->start, m->size);
    }
    if (u->n_unmapped > 0)
        pl_rollback_map_again();
    if (u->actions != 0 || u->mask || u->signalled)
        undo_signals(u);
    undo_opening(u); /* numbers become free, */
    if (u->n_closed > 0)
        undo_closing(u); /* stand for what they did, */
    if (u->n_files > 0 || u->output)
        undo_files(u); /* and that is as it was */
    pl_renew_touched();
    if (u->moved || u->masked)
        undo_place(u);
    pl_journal_undo();
    pl_copy_lock(); /* closing any of the file's descriptors gives its locks back */
    PL_ASSERT((u->n_guards | u->n_maps | u->n_unmapped | u->n_files | u->n_fds | u->n_closed) == 0);
    PL_ASSERT(u->actions == 0);
}
