/* SPDX-License-Identifier: MIT */
/*
 * Every system call of the program, seen before it is made: the gate to the world.
 *
 * The kernel's syscall user dispatch turns each system call that does not come
 * from this library into SIGSYS.  A table (syscalls.def) says what is to be done
 * with it: made as it is; made after noting how to undo it; or let go, together
 * with the hope to roll back.  Programs that make no system call between their
 * threads pay nothing.
 *
 * Where threads are scheduled, a call that uses what they share is an operation: the handler lets
 * the thread go on in pl_ports.process->call (system/calls.c), on its own stack, where it comes to
 * a point and others may run.  That, and interposed functions, make calls with pl_watch_make().
 *
 * Where a runner is made by fork for each execution, it is watched for what
 * even that shares: pipes, sockets and the like from before the root.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/trampoline.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

enum { USER_DISPATCH = 2 }; /* si_code of a SIGSYS that is ours */

struct call {
    ucontext_t *context;
    uint64_t a[6];
    long result;
    struct pl_kernel_action action; /* in place of one of the program's */
};

enum verdict {
    MAKE,   /* the call, as it is */
    DONE,   /* it has been made; the result is known */
    LET_GO, /* the runner is spoiled: the call is looked at once more as that of any process */
};

enum class {
    FREE,
    USES,
    OPENS,
    CHECKED,
    ALONE,
    NEVER_UNDONE,
    LASTS,
};

/* See syscalls.def. */
enum forked { MADE, READS, WRITES, ASKED };

struct rule {
    uint16_t number;
    uint8_t class, forked;
    int8_t out;
    int32_t size;
    enum verdict (*check)(struct call *c);
    const char *text;
};

/* Use the descriptor that is the first argument; see undo.c for what was open at the root. */
static enum verdict use(struct call *c, bool write)
{
    const char *why = NULL;
    enum pl_restart needed = pl_undo_use((int)c->a[0], write, &why);

    if (needed <= (pl_rollback_on() ? PL_RESTART_ROLLBACK : PL_RESTART_FORK) ||
        (!pl_rollback_on() && (pl_board->restart >= needed || pl_board->restart_wish >= needed)))
        return MAKE; /* or it has been said already */
    pl_rollback_spoil(needed, "%s", why);
    return LET_GO;
}

static bool is_open(uint64_t fd)
{
    return pl_sys(SYS_fcntl, fd, F_GETFD) >= 0;
}

static bool is_ours(uint64_t fd)
{
    return fd < PL_VAULT_FDS && pl_vault->undo.opened[fd];
}

static void touch_vector(const struct iovec *v, uint64_t n)
{
    for (uint64_t i = 0; i < n && i < 1024; i++)
        pl_rollback_touch(v[i].iov_base, v[i].iov_len);
}

static enum verdict check_readv(struct call *c)
{
    touch_vector((const struct iovec *)c->a[1], c->a[2]);
    return use(c, false);
}

static enum verdict check_recvmsg(struct call *c)
{
    struct msghdr *m = (struct msghdr *)c->a[1];

    pl_rollback_touch(m, sizeof(*m));
    pl_rollback_touch(m->msg_name, m->msg_namelen);
    pl_rollback_touch(m->msg_control, m->msg_controllen);
    touch_vector(m->msg_iov, m->msg_iovlen);
    return use(c, false);
}

static enum verdict check_poll(struct call *c)
{
    pl_rollback_touch((void *)c->a[0], c->a[1] * sizeof(struct pollfd));
    return MAKE;
}

static enum verdict check_epoll_wait(struct call *c)
{
    pl_rollback_touch((void *)c->a[1], c->a[2] * sizeof(struct epoll_event));
    return use(c, false);
}

static enum verdict check_epoll_pwait(struct call *c)
{
    return check_epoll_wait(c);
}

static enum verdict make_accept(struct call *c, uint64_t flags)
{
    enum verdict verdict = use(c, false);

    if (verdict != MAKE)
        return verdict;
    pl_rollback_touch((void *)c->a[1], 128);
    pl_rollback_touch((void *)c->a[2], sizeof(socklen_t));
    c->result = pl_sys(SYS_accept4, c->a[0], c->a[1], c->a[2], flags);
    pl_undo_opened(c->result);
    return DONE;
}

static enum verdict check_accept(struct call *c)
{
    return make_accept(c, 0);
}

static enum verdict check_accept4(struct call *c)
{
    return make_accept(c, c->a[3]);
}

/* A name in the file system stays; ports and abstract names go with their socket. */
static enum verdict check_bind(struct call *c)
{
    const struct sockaddr *name = (const struct sockaddr *)c->a[1];

    if (name->sa_family != AF_UNIX || c->a[2] <= 2 || name->sa_data[0] == '\0' ||
        (pl_journal_on() && pl_journal_name(AT_FDCWD, name->sa_data, true)))
        return use(c, true);
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(PL_RESTART_EXEC, "it makes files (bind)");
    return rolling ? LET_GO : use(c, true);
}

static enum verdict check_pwrite64(struct call *c)
{
    return use(c, true);
}

static enum verdict check_ftruncate(struct call *c)
{
    return use(c, true);
}

/* A device, or a pipe with a name: what is written there is no content of a file. */
static bool is_special(const char *path)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_stat, path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

/* ---- files that last ---- */

/* What the system shows of itself is no file that could be put back. */
static bool is_of_system(const char *path)
{
    return path != NULL && (pl_text_starts(path, "/proc/") || pl_text_starts(path, "/sys/"));
}

/* By a descriptor, whatever it is. */
static bool note_content(uint64_t fd)
{
    return pl_journal_content((int)fd, pl_undo_is_before((int)fd));
}

static bool note_rename(const struct call *c, bool at, uint64_t flags)
{
    enum { NOREPLACE = 1, EXCHANGE = 2 };

    if ((flags & ~(uint64_t)(NOREPLACE | EXCHANGE)) != 0)
        return false;
    return pl_journal_rename(at ? (int)c->a[0] : AT_FDCWD, (const char *)c->a[at],
                             at ? (int)c->a[2] : AT_FDCWD, (const char *)c->a[at ? 3 : 1],
                             (flags & EXCHANGE) != 0);
}

/* Whether what a call of PL_LASTS does can be taken back: then it is noted; `made`: it is done. */
static bool note_lasting(const struct call *c, long number, bool *made)
{
    const char *first = (const char *)c->a[0], *second = (const char *)c->a[1];
    int folder = (int)c->a[0];

    if (!pl_journal_on())
        return false;
    switch (number) {
    case SYS_mkdir:
    case SYS_mknod:
        return pl_journal_name(AT_FDCWD, first, true);
    case SYS_mkdirat:
    case SYS_mknodat:
        return pl_journal_name(folder, second, true);
    case SYS_symlink:
        return pl_journal_name(AT_FDCWD, second, true);
    case SYS_symlinkat:
        return pl_journal_name((int)c->a[1], (const char *)c->a[2], true);
    case SYS_link:
        return pl_journal_name(AT_FDCWD, second, false);
    case SYS_linkat:
        return pl_journal_name((int)c->a[2], (const char *)c->a[3], false);
    case SYS_unlink:
    case SYS_rmdir:
        return pl_journal_removal(AT_FDCWD, first, made);
    case SYS_unlinkat:
        return pl_journal_removal(folder, second, made);
    case SYS_rename:
        return note_rename(c, false, 0);
    case SYS_renameat:
        return note_rename(c, true, 0);
    case SYS_renameat2:
        return note_rename(c, true, c->a[4]);
    case SYS_chmod:
    case SYS_chown:
    case SYS_utime:
    case SYS_utimes:
        return !is_of_system(first) && pl_journal_about_at(AT_FDCWD, first, true);
    case SYS_lchown:
        return pl_journal_about_at(AT_FDCWD, first, false);
    case SYS_fchmod:
    case SYS_fchown:
        return pl_journal_about(folder);
    case SYS_fchmodat:
        return pl_journal_about_at(folder, second, true);
    case SYS_fchownat:
        return pl_journal_about_at(folder, second, (c->a[4] & AT_SYMLINK_NOFOLLOW) == 0);
    case SYS_utimensat:
    case SYS_futimesat:
        return second == NULL ? pl_journal_about(folder)
                              : pl_journal_about_at(folder, second,
                                                    number == SYS_futimesat ||
                                                        (c->a[3] & AT_SYMLINK_NOFOLLOW) == 0);
    case SYS_truncate:
        return pl_journal_content_at(AT_FDCWD, first);
    case SYS_fallocate:
        return note_content(c->a[0]);
    case SYS_copy_file_range:
        return note_content(c->a[2]);
    default:
        return false;
    }
}

/* Whether what opening a file for writing does can be taken back. */
static bool note_opening(int folder, const char *path, uint64_t flags)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (!pl_journal_on() || is_of_system(path))
        return false;
    if (pl_sys(SYS_newfstatat, folder, path, &st, 0) == 0)
        return (flags & O_TRUNC) == 0 || pl_journal_content_at(folder, path);
    if ((flags & O_CREAT) == 0)
        return true; /* it will fail */
    /* A link that leads nowhere: what it names would be made, somewhere else. */
    if (pl_sys(SYS_newfstatat, folder, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return false;
    return pl_journal_name(folder, path, true);
}

static enum verdict check_opening(int folder, const char *path, uint64_t flags)
{
    if ((flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC)) == 0)
        return MAKE;
    if ((flags & O_TMPFILE) == O_TMPFILE || is_special(path) || note_opening(folder, path, flags))
        return MAKE;
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(is_of_system(path) ? PL_RESTART_FORK : PL_RESTART_EXEC,
                      "it writes files that cannot be put back (open of %s)", path);
    return rolling ? LET_GO : MAKE; /* said once */
}

/* Open a file, writing or not. */
static enum verdict make_open(struct call *c, long number, int folder, const char *path,
                              uint64_t flags)
{
    enum verdict verdict = check_opening(folder, path, flags);

    if (verdict != MAKE)
        return verdict;
    c->result = pl_sys(number, c->a[0], c->a[1], c->a[2], c->a[3]);
    pl_undo_opened(c->result);
    return DONE;
}

static enum verdict check_open(struct call *c)
{
    return make_open(c, SYS_open, AT_FDCWD, (const char *)c->a[0], c->a[1]);
}

static enum verdict check_openat(struct call *c)
{
    return make_open(c, SYS_openat, (int)c->a[0], (const char *)c->a[1], c->a[2]);
}

static enum verdict check_creat(struct call *c)
{
    return make_open(c, SYS_creat, AT_FDCWD, (const char *)c->a[0], O_CREAT | O_TRUNC);
}

static enum verdict check_chdir(struct call *c)
{
    if (pl_undo_move())
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its directory (chdir)");
    return LET_GO;
}

static enum verdict check_fchdir(struct call *c)
{
    return check_chdir(c);
}

static enum verdict check_umask(struct call *c)
{
    c->result = pl_sys(SYS_umask, c->a[0]);
    pl_undo_mask((int)c->result);
    return DONE;
}

static enum verdict check_close(struct call *c)
{
    if (is_ours(c->a[0])) {
        pl_vault->undo.opened[c->a[0]] = false;
        return MAKE;
    }
    if (!is_open(c->a[0]) || pl_undo_close((int)c->a[0]))
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK,
                      "it closes descriptors that were open before its first thread");
    return LET_GO;
}

static enum verdict make_dup(struct call *c, uint64_t flags)
{
    if (!is_ours(c->a[1]) && is_open(c->a[1]) && c->a[0] != c->a[1] &&
        !pl_undo_close((int)c->a[1])) {
        pl_rollback_spoil(PL_RESTART_FORK,
                          "it replaces descriptors that were open before its first thread (dup2)");
        return LET_GO;
    }
    c->result = pl_sys(SYS_dup3, c->a[0], c->a[1], flags);
    pl_undo_opened(c->result);
    return DONE;
}

static enum verdict check_dup2(struct call *c)
{
    return c->a[0] == c->a[1] ? MAKE : make_dup(c, 0);
}

static enum verdict check_dup3(struct call *c)
{
    return make_dup(c, c->a[2]);
}

/* pipe(fds), pipe2(fds, flags), socketpair(..., fds) */
static enum verdict make_pair(struct call *c, long number, int *fds)
{
    pl_rollback_touch(fds, 2 * sizeof(int));
    c->result = pl_sys(number, c->a[0], c->a[1], c->a[2], c->a[3]);
    if (c->result == 0) {
        pl_undo_opened(fds[0]);
        pl_undo_opened(fds[1]);
    }
    return DONE;
}

static enum verdict check_pipe(struct call *c)
{
    return make_pair(c, SYS_pipe, (int *)c->a[0]);
}

static enum verdict check_pipe2(struct call *c)
{
    return make_pair(c, SYS_pipe2, (int *)c->a[0]);
}

static enum verdict check_socketpair(struct call *c)
{
    return make_pair(c, SYS_socketpair, (int *)c->a[3]);
}

/*
 * What was opened since takes its locks with it.  Those of other open files are given back, unless
 * the program had some already.
 */
static enum verdict lock_file(struct call *c)
{
    if (!pl_undo_is_before((int)c->a[0]) || !is_open(c->a[0]))
        return MAKE;
    if (!pl_stage->restart.flocked && pl_journal_on() && pl_journal_lock((int)c->a[0]))
        return MAKE;
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(PL_RESTART_EXEC, "it locks files that it has opened before its first thread");
    return rolling ? LET_GO : MAKE;
}

static enum verdict check_flock(struct call *c)
{
    return lock_file(c);
}

static enum verdict check_fcntl(struct call *c)
{
    switch (c->a[1]) {
    case F_GETFD:
    case F_GETFL:
        return MAKE;
    case F_GETLK:
    case F_OFD_GETLK:
        pl_rollback_touch((void *)c->a[2], sizeof(struct flock));
        return MAKE;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        return lock_file(c);
    default:
        break;
    }
    if (!pl_rollback_on())
        return MAKE;
    switch (c->a[1]) {
    case F_SETFL:
    case F_SETFD:
        if (is_ours(c->a[0]) || !is_open(c->a[0]) ||
            pl_undo_flags((int)c->a[0], c->a[1] == F_SETFL))
            return MAKE;
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        c->result = pl_sys(SYS_fcntl, c->a[0], c->a[1], c->a[2]);
        pl_undo_opened(c->result);
        return DONE;
    default:
        break;
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it changes or locks open files (fcntl)");
    return LET_GO;
}

static enum verdict check_ioctl(struct call *c)
{
    static const struct {
        uint32_t request, size;
    } known[] = {{TCGETS, 60}, {TIOCGWINSZ, 8}, {FIONREAD, 4}};

    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].request == (uint32_t)c->a[1]) {
            pl_rollback_touch((void *)c->a[2], known[i].size);
            return MAKE;
        }
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it uses ioctl request 0x%lx", c->a[1]);
    return LET_GO;
}

/* Inside a mapping that this execution has made. */
static struct pl_range *mapping_of(uint64_t start, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    PL_ASSERT(u->n_maps <= PL_VAULT_MAPS);
    for (unsigned i = 0; i < u->n_maps; i++) {
        if (start >= u->maps[i].start && start + size <= u->maps[i].start + u->maps[i].size)
            return &u->maps[i];
    }
    return NULL;
}

static uint64_t whole_pages(uint64_t size)
{
    return (size + PL_PAGE - 1) & ~(uint64_t)(PL_PAGE - 1);
}

static enum verdict note_mapping(struct call *c, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    if ((uint64_t)c->result >= (uint64_t)-4095)
        return DONE;
    PL_ASSERT(u->n_maps < PL_VAULT_MAPS && (uint64_t)c->result % PL_PAGE == 0);
    u->maps[u->n_maps++] = (struct pl_range){(uint64_t)c->result, whole_pages(size)};
    return DONE;
}

static bool is_writable(uint64_t fd)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static enum verdict check_mmap(struct call *c)
{
    uint64_t flags = c->a[3];
    bool file = (flags & MAP_ANONYMOUS) == 0;
    bool inside = (flags & MAP_FIXED) != 0 && mapping_of(c->a[0], whole_pages(c->a[1])) != NULL;

    if (file && (flags & MAP_SHARED) != 0 && is_writable(c->a[4]) &&
        !(pl_journal_on() && note_content(c->a[4])))
        pl_rollback_spoil(PL_RESTART_EXEC, "it writes to files through memory (mmap)");
    if (!pl_rollback_on())
        return MAKE;
    if ((flags & MAP_FIXED) != 0 && !inside)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory over what was there (MAP_FIXED)");
    else if (pl_vault->undo.n_maps == PL_VAULT_MAPS)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory more than %d times", (int)PL_VAULT_MAPS);
    if (!pl_rollback_on())
        return LET_GO;
    c->result = pl_sys(SYS_mmap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
    return inside ? DONE : note_mapping(c, c->a[1]);
}

static enum verdict check_munmap(struct call *c)
{
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL) {
        pl_rollback_spoil(PL_RESTART_FORK,
                          "it gives back memory from before its first thread (munmap)");
        return LET_GO;
    }
    if (m->start == c->a[0] && m->size == whole_pages(c->a[1]))
        *m = pl_vault->undo.maps[--pl_vault->undo.n_maps];
    return MAKE;
}

static enum verdict check_mremap(struct call *c)
{
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL || pl_vault->undo.n_maps == PL_VAULT_MAPS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it moves memory from before its first thread (mremap)");
        return LET_GO;
    }
    c->result = pl_sys(SYS_mremap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4]);
    return note_mapping(c, c->a[2]);
}

static enum verdict check_mprotect(struct call *c)
{
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes the protection of memory (mprotect)");
    return LET_GO;
}

static enum verdict check_madvise(struct call *c)
{
    switch (c->a[2]) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
        return MAKE;
    default:
        break;
    }
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it gives the contents of memory up (madvise)");
    return LET_GO;
}

static enum verdict check_brk(struct call *c)
{
    if (c->a[0] == 0)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it moves the end of its data (brk)");
    return LET_GO;
}

static enum verdict check_prlimit64(struct call *c)
{
    if (c->a[2] == 0)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its limits (prlimit64)");
    return LET_GO;
}

/*
 * While a handler runs that blocks everything, a system call could not be shown, and the kernel
 * would kill the program for it.
 */
static bool leave_open(struct pl_kernel_action *action)
{
    uint64_t mask = action->mask;

    action->mask &= ~pl_mask_open();
    return action->mask != mask;
}

/* The program's handlers from before. */
static void open_handlers(void)
{
    struct pl_kernel_action action;

    for (int signo = 1; signo <= 64; signo++) {
        if (pl_sys(SYS_rt_sigaction, signo, NULL, &action, 8) == 0 && leave_open(&action))
            pl_sys(SYS_rt_sigaction, signo, &action, NULL, 8);
    }
}

static enum verdict check_rt_sigaction(struct call *c)
{
    struct pl_undo *u = &pl_vault->undo;
    uint64_t signo = c->a[0];

    if (c->a[1] == 0 || signo < 1 || signo > 64)
        return MAKE;
    c->action = *(const struct pl_kernel_action *)c->a[1];
    leave_open(&c->action);
    c->a[1] = (uint64_t)&c->action;
    if (!pl_rollback_on()) {
        if (signo == SIGSYS || signo == SIGSEGV)
            pl_rollback_release(); /* from now on the program's own handler would be asked */
        return MAKE;
    }
    if (signo == SIGSEGV || signo == SIGSYS || signo == (uint64_t)SIGRTMAX) {
        pl_rollback_spoil(PL_RESTART_FORK, "it handles signal %lu itself", signo);
        return LET_GO;
    }
    if ((u->actions >> (signo - 1) & 1) == 0) {
        pl_sys(SYS_rt_sigaction, signo, NULL, &u->old[signo], 8);
        u->actions |= UINT64_C(1) << (signo - 1);
    }
    return MAKE;
}

/* The mask belongs to the context that the handler returns to. */
static enum verdict check_rt_sigprocmask(struct call *c)
{
    uint64_t *mask = (uint64_t *)&c->context->uc_sigmask, before = *mask;
    const uint64_t *set = (const uint64_t *)c->a[1];

    c->result = 0;
    if (set != NULL) {
        uint64_t bits = *set & ~pl_mask_open();

        if (c->a[0] == SIG_BLOCK)
            *mask |= bits;
        else if (c->a[0] == SIG_UNBLOCK)
            *mask &= ~bits;
        else if (c->a[0] == SIG_SETMASK)
            *mask = bits;
        else
            c->result = -EINVAL;
        pl_vault->undo.mask = true;
    }
    if (c->a[2] != 0 && c->result == 0)
        *(uint64_t *)c->a[2] = before;
    return DONE;
}

/* The end of one of the program's handlers: the same call, from here, where it is let through. */
static enum verdict check_rt_sigreturn(struct call *c)
{
    c->context->uc_mcontext.gregs[REG_RIP] = (greg_t)pl_watch_sigreturn;
    c->result = SYS_rt_sigreturn;
    return DONE;
}

static enum verdict check_exit_group(struct call *c)
{
    pl_rollback_end((int)(c->a[0] & 0xff) << 8);
    return MAKE;
}

static const struct rule rules[] = {
#define PL_FREE(name, out, size) {SYS_##name, FREE, MADE, out, size, NULL, NULL},
#define PL_USES(name, write, out, size) \
    {SYS_##name, USES, write ? WRITES : READS, out, size, NULL, NULL},
#define PL_OPENS(name) {SYS_##name, OPENS, MADE, 0, 0, NULL, NULL},
#define PL_CHECKED(name, out, size, forked) \
    {SYS_##name, CHECKED, forked, out, size, check_##name, NULL},
#define PL_ALONE(name, text) {SYS_##name, ALONE, MADE, 0, 0, NULL, text},
#define PL_NEVER_UNDONE(name, forked, text) {SYS_##name, NEVER_UNDONE, forked, 0, 0, NULL, text},
#define PL_LASTS(name, text) {SYS_##name, LASTS, MADE, 0, 0, NULL, text},
#include "runtime/restart/syscalls.def"
#undef PL_FREE
#undef PL_USES
#undef PL_OPENS
#undef PL_CHECKED
#undef PL_ALONE
#undef PL_NEVER_UNDONE
#undef PL_LASTS
};

/* Each call has one rule, with what its class needs. */
static bool are_complete(void)
{
    const unsigned n = sizeof(rules) / sizeof(rules[0]);

    for (unsigned i = 0; i < n; i++) {
        const struct rule *r = &rules[i];

        if ((r->class == CHECKED || r->forked == ASKED) != (r->check != NULL) ||
            (r->class == ALONE || r->class == NEVER_UNDONE || r->class == LASTS) !=
                (r->text != NULL))
            return false;
        for (unsigned k = i + 1; k < n; k++) {
            if (rules[k].number == r->number)
                return false;
        }
    }
    return true;
}

static const struct rule *rule_of(long number)
{
    for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].number == number)
            return &rules[i];
    }
    return NULL;
}

/* The runner rolls back: the call must be undone later, or spoils it. */
static enum verdict decide(struct call *c, const struct rule *r, long number)
{
    bool made = false;

    c->result = 0;
    if (r == NULL) {
        pl_rollback_spoil(PL_RESTART_FORK, "it makes system call %ld", number);
        return LET_GO;
    }
    PL_ASSERT(r->out >= 0 && r->out < 6 && r->size >= -6);
    if (r->size != 0)
        pl_rollback_touch((void *)c->a[r->out],
                          r->size > 0 ? (uint64_t)r->size : c->a[-r->size - 1]);
    switch ((enum class)r->class) {
    case FREE:
    case OPENS:
        return MAKE;
    case USES:
        return use(c, r->forked == WRITES);
    case CHECKED:
        PL_ASSERT(r->check != NULL);
        return r->check(c);
    default:
        if (r->number == SYS_sigaltstack && c->a[0] == 0)
            return MAKE;
        if (r->class == LASTS && note_lasting(c, number, &made))
            return made ? DONE : MAKE;
        PL_ASSERT(r->text != NULL);
        pl_rollback_spoil(r->class == LASTS ? PL_RESTART_EXEC : PL_RESTART_FORK, "%s", r->text);
        return LET_GO;
    }
}

/*
 * A call that must be made where it stands, since two processes return from it: for this one
 * instruction system calls are not shown.  The trap flag says when it is over.
 */
static void let_through(struct call *c, long number)
{
    uint64_t flags = number == SYS_clone ? c->a[0] : 0;

    if (number == SYS_clone3)
        flags = *(const uint64_t *)c->a[0];
    pl_vault->selector = 0;
    /* Who runs beside the caller, in its memory, would find what the trap has left. */
    if (c->context == NULL || (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
        return;
    pl_vault->let_through = (uint32_t)pl_sys(SYS_gettid);
    c->context->uc_mcontext.gregs[REG_EFL] |= PL_TRAP_FLAG;
}

/* A child may share memory with the parent, which waits inside the call: it changes nothing. */
bool pl_watch_trap(ucontext_t *u)
{
    uint32_t maker = pl_stage->restart.watched ? pl_vault->let_through : 0;

    if (maker == 0)
        return false;
    u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)PL_TRAP_FLAG;
    if (maker != (uint32_t)pl_sys(SYS_gettid))
        return true;
    pl_vault->let_through = 0;
    pl_vault->selector = 1;
    return true;
}

/* The runner exits in the end: only what a fork would share with the next one matters. */
static enum verdict decide_forked(struct call *c, const struct rule *r, long number)
{
    bool made = false;

    PL_ASSERT(!pl_rollback_on());
    c->result = 0;
    if (r == NULL)
        return MAKE;
    switch ((enum forked)r->forked) {
    case READS:
    case WRITES:
        return use(c, r->forked == WRITES);
    case ASKED:
        PL_ASSERT(r->check != NULL);
        return r->check(c);
    case MADE:
        break;
    }
    if (r->class == LASTS && !note_lasting(c, number, &made))
        pl_rollback_spoil(PL_RESTART_EXEC, "%s", r->text);
    if (made)
        return DONE;
    if (r->class != ALONE)
        return MAKE;
    let_through(c, number);
    return LET_GO;
}

/* Make the call, or find that it has been made; LET_GO: nothing was done. */
static enum verdict perform(struct call *c, long number)
{
    const struct rule *r = rule_of(number);
    char path[PL_OWN_PATH];
    const char *asked = number == SYS_readlink || number == SYS_open       ? (char *)c->a[0]
                        : number == SYS_readlinkat || number == SYS_openat ? (char *)c->a[1]
                                                                           : NULL;

    if (pl_own_call(number, c->a, path, &c->result))
        return DONE;
    uint32_t noted = pl_journal_mark();
    enum verdict verdict = pl_rollback_on() ? decide(c, r, number) : decide_forked(c, r, number);

    if (verdict == LET_GO) {
        pl_journal_forget(noted);
        return verdict;
    }
    if (verdict == MAKE) {
        c->result = pl_sys(number, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
        if (r != NULL && r->class == OPENS)
            pl_undo_opened(c->result);
    }
    if (c->result < 0 && c->result > -4096)
        pl_journal_forget(noted);
    else if (pl_journal_mark() > noted)
        pl_journal_appeared(noted);
    pl_own_made(number, c->a, asked, &c->result);
    if (!pl_free && pl_stage->rooted)
        pl_ports.process->made(number, c->a, c->result);
    return verdict;
}

long pl_watch_make(long number, const uint64_t a[6])
{
    struct call c = {NULL, {a[0], a[1], a[2], a[3], a[4], a[5]}, 0, {0}};

    if (!pl_stage->restart.watched) {
        c.result = pl_sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        if (!pl_free)
            pl_ports.process->made(number, a, c.result);
        return c.result;
    }
    while (perform(&c, number) == LET_GO) {
    }
    return c.result;
}

/* On the stack of the thread that made the call: `r` are its registers. */
static void take_in(uint64_t registers)
{
    struct pl_trampoline_registers *r = (struct pl_trampoline_registers *)registers;
    const uint64_t a[6] = {r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9};
    /* As at the entry of an interposed function, and where its stack begins. */
    const uint64_t entry[8] = {r->r15, r->r14, r->r13, r->r12,
                               r->rbx, r->rbp, r->rip, (uint64_t)(r + 1) + PL_RED_ZONE};

    r->rax = (uint64_t)pl_ports.process->call((long)r->rax, a, entry);
}

static void on_syscall(int signo, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    greg_t *g = u->uc_mcontext.gregs;
    struct call c = {u,
                     {(uint64_t)g[REG_RDI], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDX],
                      (uint64_t)g[REG_R10], (uint64_t)g[REG_R8], (uint64_t)g[REG_R9]},
                     0,
                     {0}};

    if (info->si_code != USER_DISPATCH) {
        pl_ports.process->deadly(signo, info, context);
        return;
    }
    if (pl_ports.process->calls(info->si_syscall)) {
        pl_trampoline_push(u, take_in, (uint64_t)pl_trampoline_registers((uint64_t)g[REG_RSP]));
        return;
    }
    if (perform(&c, info->si_syscall) == LET_GO)
        g[REG_RIP] -= 2; /* back to the instruction, to look again or to let it through */
    else
        g[REG_RAX] = c.result;
}

void pl_watch_handler(int signo, void (*handler)(int, siginfo_t *, void *))
{
    struct pl_kernel_action action = {
        .handler = handler,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
        .restorer = pl_watch_sigreturn,
    };

    pl_sys(SYS_rt_sigaction, signo, &action, NULL, 8);
}

/* From now on every system call is shown.  A sentence when that cannot be. */
const char *pl_watch_begin(void)
{
    struct pl_kernel_action now;

    PL_ASSERT(pl_stage->modules.own_start < pl_stage->modules.own_end);
    PL_CHECK(are_complete());
    pl_sys(SYS_rt_sigaction, SIGSEGV, NULL, &now, 8);
    if (now.handler != pl_ports.process->deadly)
        return "it handles SIGSEGV itself";
    open_handlers();
    pl_watch_handler(SIGSYS, on_syscall);
    if (pl_sys(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, pl_stage->modules.own_start,
               pl_stage->modules.own_end - pl_stage->modules.own_start, &pl_vault->selector) != 0)
        return "this kernel does not show system calls (syscall user dispatch, Linux 5.11)";
    pl_vault->selector = 1;
    return NULL;
}

void pl_watch_end(void)
{
    if (pl_stage->restart.watched)
        pl_vault->selector = 0;
}

/* After a call that had to be let through. */
void pl_watch_again(void)
{
    if (pl_stage->restart.watched)
        pl_vault->selector = 1;
}
