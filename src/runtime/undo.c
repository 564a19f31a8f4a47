/* SPDX-License-Identifier: MIT */
/*
 * What an execution did to the kernel's state, undone: descriptors it opened,
 * memory it mapped, positions in files, data left in pipes, handlers and masks
 * of signals, captured output.  Each has a list in the vault; where nothing was
 * done, nothing costs.
 */
#include "runtime/rollback.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

void pl_undo_opened(long fd)
{
    struct pl_undo *u = &pl_vault->undo;

    if (!pl_rollback_on() || fd < 0)
        return;
    if (fd >= PL_VAULT_FDS || u->n_fds == PL_VAULT_FDS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it opens more than %d files", (int)PL_VAULT_FDS);
        return;
    }
    if (!u->listed[fd])
        u->fds[u->n_fds++] = (uint16_t)fd;
    u->listed[fd] = u->opened[fd] = true;
}

static bool is_captured(const struct stat *st)
{
    struct stat own;

    for (int fd = PL_FD_STDOUT; fd <= PL_FD_STDERR; fd++) {
        if (pl_sys(SYS_fstat, fd, &own) == 0 && own.st_ino == st->st_ino &&
            own.st_dev == st->st_dev)
            return true;
    }
    return false;
}

/* Remember the position of a file, or that a pipe was empty. */
static bool remember(int fd, bool pipe)
{
    struct pl_undo *u = &pl_vault->undo;

    if (u->n_files == PL_VAULT_FILES)
        return false;
    u->files[u->n_files].fd = fd;
    u->files[u->n_files].pipe = pipe;
    u->files[u->n_files++].offset = pipe ? 0 : pl_sys(SYS_lseek, fd, 0, SEEK_CUR);
    u->looked_at[fd] = true;
    return true;
}

/*
 * A descriptor is about to be used.  The restart that can undo that; rollback
 * when the list now says how.
 */
enum pl_restart pl_undo_use(int fd, bool write, const char **why)
{
    struct pl_undo *u = &pl_vault->undo;
    struct stat st;
    int waiting = 0;

    *why = "it uses more files from before its first thread than can be remembered";
    if (fd < 0 || fd >= PL_VAULT_FDS)
        return fd < 0 ? PL_RESTART_ROLLBACK : PL_RESTART_FORK;
    if (u->opened[fd] || (u->looked_at[fd] && !write) || pl_sys(SYS_fstat, fd, &st) != 0)
        return PL_RESTART_ROLLBACK;
    switch (st.st_mode & S_IFMT) {
    case S_IFREG:
        if (write && is_captured(&st)) {
            u->output = true;
            return PL_RESTART_ROLLBACK;
        }
        *why = write ? "it writes to a file opened before its first thread" : *why;
        return !write && remember(fd, false) ? PL_RESTART_ROLLBACK : PL_RESTART_FORK;
    case S_IFDIR:
        return remember(fd, false) ? PL_RESTART_ROLLBACK : PL_RESTART_FORK;
    case S_IFCHR:
        return PL_RESTART_ROLLBACK;
    case S_IFIFO:
        if (u->looked_at[fd])
            return PL_RESTART_ROLLBACK;
        pl_sys(SYS_ioctl, fd, FIONREAD, &waiting);
        if (waiting == 0 && !pl_stage->has_children)
            return remember(fd, true) ? PL_RESTART_ROLLBACK : PL_RESTART_FORK;
        break;
    default:
        break;
    }
    *why = "it uses a pipe, socket or event from before its first thread";
    return PL_RESTART_EXEC;
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

static void undo_files(struct pl_undo *u)
{
    while (u->n_files > 0) {
        int fd = u->files[--u->n_files].fd;

        u->looked_at[fd] = false;
        if (u->files[u->n_files].pipe)
            pl_undo_drain(fd);
        else
            pl_sys(SYS_lseek, fd, u->files[u->n_files].offset, SEEK_SET);
    }
    while (u->n_fds > 0) {
        int fd = u->fds[--u->n_fds];

        if (u->opened[fd])
            pl_sys(SYS_close, fd);
        u->opened[fd] = u->listed[fd] = false;
    }
    if (u->output) {
        pl_sys(SYS_ftruncate, PL_FD_STDOUT, pl_board->root_output_size);
        pl_sys(SYS_ftruncate, PL_FD_STDERR, pl_stage->root_error_size);
        u->output = false;
    }
}

void pl_undo_all(void)
{
    struct pl_undo *u = &pl_vault->undo;

    if (u->n_guards > 0)
        undo_guards(u);
    while (u->n_maps > 0) {
        const struct pl_range *m = &u->maps[--u->n_maps];

        pl_sys(SYS_munmap, m->start, m->size);
    }
    if (u->actions != 0 || u->mask || u->signalled)
        undo_signals(u);
    if (u->n_files + u->n_fds > 0 || u->output)
        undo_files(u);
}
