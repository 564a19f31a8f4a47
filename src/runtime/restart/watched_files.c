/* SPDX-License-Identifier: MIT */
/*
 * What the gate decides about descriptors, files and names: whether a call can be made, and what is
 * noted to undo it.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/ends.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/renew.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/shared.h"
#include "runtime/restart/watched.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static enum pl_verdict use(uint64_t fd, bool write)
{
    const char *why = NULL;
    enum pl_restart needed = pl_undo_use((int)fd, write, &why);

    if (needed <= (pl_rollback_on() ? PL_RESTART_ROLLBACK : PL_RESTART_FORK) ||
        (!pl_rollback_on() && (pl_board->restart >= needed || pl_board->restart_wish >= needed)))
        return PL_MAKE; /* or it has been said already */
    pl_rollback_spoil(needed, "%s", why);
    return PL_LET_GO;
}

enum pl_verdict pl_watched_use(struct pl_watched *c, bool write)
{
    return use(c->a[0], write);
}

/* Nobody watches a child: what it may write to counts as written when it is made. */
void pl_watched_inherited(void)
{
    struct stat st = {0}; /* so that the kernel may write there */

    for (uint64_t fd = 0; fd < PL_INPUT_FDS; fd++) {
        long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

        if (flags >= 0 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_RDONLY &&
            pl_sys(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode))
            use(fd, true);
    }
}

/* Out of one and into another, from and to positions that are given or their own. */
static enum pl_verdict use_both(uint64_t from, uint64_t to, uint64_t at, uint64_t to_at)
{
    for (unsigned i = 0; i < 2; i++) {
        uint64_t place = i == 0 ? at : to_at;

        if (place != 0)
            pl_rollback_touch((void *)place, sizeof(off_t));
    }
    enum pl_verdict verdict = use(from, false);

    return verdict == PL_MAKE ? use(to, true) : verdict;
}

enum pl_verdict pl_check_copy(struct pl_watched *c)
{
    return use_both(c->a[0], c->a[2], c->a[1], c->a[3]);
}

enum pl_verdict pl_check_sendfile(struct pl_watched *c)
{
    return use_both(c->a[1], c->a[0], c->a[2], 0);
}

enum pl_verdict pl_check_tee(struct pl_watched *c)
{
    return use_both(c->a[0], c->a[1], 0, 0);
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
    for (uint64_t i = 0; n <= IOV_MAX && i < n; i++) /* the kernel takes no more */
        pl_rollback_touch(v[i].iov_base, v[i].iov_len);
}

enum pl_verdict pl_check_readv(struct pl_watched *c)
{
    touch_vector((const struct iovec *)c->a[1], c->a[2]);
    return pl_watched_use(c, false);
}

enum pl_verdict pl_check_recvmsg(struct pl_watched *c)
{
    struct msghdr *m = (struct msghdr *)c->a[1];

    pl_rollback_touch(m, sizeof(*m));
    pl_rollback_touch(m->msg_name, m->msg_namelen);
    pl_rollback_touch(m->msg_control, m->msg_controllen);
    touch_vector(m->msg_iov, m->msg_iovlen);
    return pl_watched_use(c, false);
}

enum pl_verdict pl_check_poll(struct pl_watched *c)
{
    pl_rollback_touch((void *)c->a[0], c->a[1] * sizeof(struct pollfd));
    return PL_MAKE;
}

enum pl_verdict pl_check_epoll(struct pl_watched *c)
{
    pl_rollback_touch((void *)c->a[1], c->a[2] * sizeof(struct epoll_event));
    return pl_watched_use(c, false);
}

static enum pl_verdict make_accept(struct pl_watched *c, uint64_t flags)
{
    enum pl_verdict verdict = pl_watched_use(c, false);

    if (verdict != PL_MAKE)
        return verdict;
    pl_rollback_touch((void *)c->a[1], 128);
    pl_rollback_touch((void *)c->a[2], sizeof(socklen_t));
    c->result = pl_sys(SYS_accept4, c->a[0], c->a[1], c->a[2], flags);
    pl_undo_opened(c->result);
    return PL_DONE;
}

enum pl_verdict pl_check_accept(struct pl_watched *c)
{
    return make_accept(c, 0);
}

enum pl_verdict pl_check_accept4(struct pl_watched *c)
{
    return make_accept(c, c->a[3]);
}

/* One from before that is not made anew must stay as it is. */
enum pl_verdict pl_check_socket(struct pl_watched *c)
{
    bool rolling = pl_rollback_on();

    if (!pl_renew_stays((int)c->a[0]))
        return pl_watched_use(c, true);
    pl_rollback_spoil(PL_RESTART_EXEC, "it changes a socket opened before its first thread");
    return rolling ? PL_LET_GO : PL_MAKE;
}

/* A name in the file system stays; ports and abstract names go with their socket. */
enum pl_verdict pl_check_bind(struct pl_watched *c)
{
    const struct sockaddr *name = (const struct sockaddr *)c->a[1];

    if (name->sa_family != AF_UNIX || c->a[2] <= 2 || name->sa_data[0] == '\0' ||
        (pl_journal_on() && pl_journal_name(AT_FDCWD, name->sa_data)))
        return pl_check_socket(c);
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(PL_RESTART_EXEC, "it makes files (bind)");
    return rolling ? PL_LET_GO : pl_watched_use(c, true);
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
bool pl_watched_content(uint64_t fd)
{
    return pl_journal_content((int)fd, pl_undo_is_before((int)fd));
}

/* ---- what outlives the process, as rows say it ---- */

static bool note_made(const struct pl_watched *c, bool *made)
{
    int folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);

    return pl_journal_name(folder, path);
}

/*
 * Whether it is a file without a name (O_TMPFILE) that was open at the root: the kernel gives it
 * one once only, so that it cannot have none again.
 */
static bool is_nameless_before(int folder, const char *path, int flags)
{
    struct stat file = {0}, st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_newfstatat, folder, path, &file, flags) != 0 || file.st_nlink != 0)
        return false;
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (pl_undo_is_before(fd) && pl_sys(SYS_fstat, fd, &st) == 0 && st.st_ino == file.st_ino &&
            st.st_dev == file.st_dev)
            return true;
    }
    return false;
}

static bool note_link(const struct pl_watched *c, bool *made)
{
    int folder, to_folder;
    int flags = (int)pl_arguments_flags(c->number, c->a);
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);
    const char *to = pl_arguments_path(c->number, c->a, 1, &to_folder);
    int lookup =
        (flags & AT_EMPTY_PATH) | ((flags & AT_SYMLINK_FOLLOW) != 0 ? 0 : AT_SYMLINK_NOFOLLOW);

    return !is_nameless_before(folder, path, lookup) &&
           pl_journal_link(folder, path, to_folder, to);
}

static bool note_removal(const struct pl_watched *c, bool *made)
{
    int folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);
    bool of_folder = (pl_arguments_flags(c->number, c->a) & AT_REMOVEDIR) != 0;

    return pl_journal_removal(folder, path, of_folder, made);
}

static bool note_rename(const struct pl_watched *c, bool *made)
{
    uint64_t flags = pl_arguments_flags(c->number, c->a);
    int folder, to_folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);
    const char *to = pl_arguments_path(c->number, c->a, 1, &to_folder);

    return (flags & ~(uint64_t)(RENAME_NOREPLACE | RENAME_EXCHANGE)) == 0 &&
           pl_journal_rename(folder, path, to_folder, to, (unsigned)flags);
}

static bool note_about_open(const struct pl_watched *c, bool *made)
{
    return pl_journal_about((int)c->a[0]);
}

static bool note_about(const struct pl_watched *c, bool *made)
{
    bool follow = (pl_arguments_lookup(c->number, c->a) & AT_SYMLINK_NOFOLLOW) == 0;
    int folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);

    if (path == NULL)
        return note_about_open(c, made);
    return !(follow && is_of_system(path)) && pl_journal_about_at(folder, path, follow);
}

static bool note_content(const struct pl_watched *c, bool *made)
{
    int folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);

    return pl_journal_content_at(folder, path);
}

static bool note_content_open(const struct pl_watched *c, bool *made)
{
    return pl_watched_content(c->a[0]);
}

static bool cannot_be_noted(const struct pl_watched *c, bool *made)
{
    return false;
}

bool pl_watched_lasting(const struct pl_watched *c, bool *made)
{
    static const struct {
        bool (*note)(const struct pl_watched *c, bool *made);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {undo},
#define LASTS(function, text) .note = function,
#include "runtime/ground/calls.def"
    };

    bool (*note)(const struct pl_watched *c, bool *made) = rules[pl_arguments_row(c->number)].note;

    PL_ASSERT(note != NULL);
    return pl_journal_on() && note(c, made);
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
    return pl_journal_name(folder, path);
}

static enum pl_verdict check_opening(int folder, const char *path, uint64_t flags)
{
    if ((flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC)) == 0)
        return PL_MAKE;
    if ((flags & O_TMPFILE) == O_TMPFILE || is_special(path) || note_opening(folder, path, flags))
        return PL_MAKE;
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(is_of_system(path) ? PL_RESTART_FORK : PL_RESTART_EXEC,
                      "it writes files that cannot be put back (open of %s)", path);
    return rolling ? PL_LET_GO : PL_MAKE; /* said once */
}

/* Open a file, writing or not. */
enum pl_verdict pl_check_open(struct pl_watched *c)
{
    int folder;
    const char *path = pl_arguments_path(c->number, c->a, 0, &folder);
    uint64_t flags = pl_arguments_flags(c->number, c->a);
    enum pl_verdict verdict = check_opening(folder, path, flags);

    if (verdict != PL_MAKE)
        return verdict;
    c->result = pl_ports.process->make(c->number, c->a);
    pl_undo_opened(c->result);
    return PL_DONE;
}

enum pl_verdict pl_check_folder(struct pl_watched *c)
{
    if (pl_undo_move())
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its directory (chdir)");
    return PL_LET_GO;
}

enum pl_verdict pl_check_umask(struct pl_watched *c)
{
    c->result = pl_sys(SYS_umask, c->a[0]);
    pl_undo_mask((int)c->result);
    return PL_DONE;
}

enum pl_verdict pl_check_close(struct pl_watched *c)
{
    if (!pl_rollback_on()) {
        pl_renew_close((int)c->a[0]);
        return PL_MAKE;
    }
    if (is_ours(c->a[0])) {
        pl_vault->undo.opened[c->a[0]] = false;
        return PL_MAKE;
    }
    if (!is_open(c->a[0]) || pl_undo_close((int)c->a[0]))
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK,
                      "it closes descriptors that were open before its first thread");
    return PL_LET_GO;
}

/* What is done through the new descriptor is done to the same open file. */
static enum pl_verdict shares(uint64_t fd)
{
    return is_ours(fd) || !is_open(fd) ? PL_MAKE : use(fd, false);
}

enum pl_verdict pl_check_dup(struct pl_watched *c)
{
    enum pl_verdict verdict = shares(c->a[0]);

    if (verdict != PL_MAKE)
        return verdict;
    c->result = pl_ports.process->make(SYS_dup, c->a);
    pl_undo_opened(c->result);
    return PL_DONE;
}

static enum pl_verdict make_dup(struct pl_watched *c, uint64_t flags)
{
    if (!pl_rollback_on()) {
        pl_renew_close((int)c->a[1]);
        return PL_MAKE;
    }
    enum pl_verdict verdict = shares(c->a[0]);

    if (verdict != PL_MAKE)
        return verdict;
    if (!is_ours(c->a[1]) && is_open(c->a[1]) && c->a[0] != c->a[1] &&
        !pl_undo_close((int)c->a[1])) {
        pl_rollback_spoil(PL_RESTART_FORK,
                          "it replaces descriptors that were open before its first thread (dup2)");
        return PL_LET_GO;
    }
    c->result = pl_sys(SYS_dup3, c->a[0], c->a[1], flags);
    pl_undo_opened(c->result);
    return PL_DONE;
}

enum pl_verdict pl_check_dup2(struct pl_watched *c)
{
    return c->a[0] == c->a[1] ? PL_MAKE : make_dup(c, 0);
}

enum pl_verdict pl_check_dup3(struct pl_watched *c)
{
    return make_dup(c, c->a[2]);
}

enum pl_verdict pl_check_close_range(struct pl_watched *c)
{
    bool rolling = pl_rollback_on(), closes = (c->a[2] & CLOSE_RANGE_CLOEXEC) == 0;

    if (rolling)
        pl_rollback_spoil(PL_RESTART_FORK, "it closes ranges of descriptors (close_range)");
    for (uint64_t fd = c->a[0]; !rolling && closes && fd <= c->a[1] && fd < PL_VAULT_FDS; fd++)
        pl_renew_close((int)fd);
    return rolling ? PL_LET_GO : PL_MAKE;
}

static enum pl_verdict make_pair(struct pl_watched *c, int *fds)
{
    pl_rollback_touch(fds, 2 * sizeof(int));
    c->result = pl_ports.process->make(c->number, c->a);
    if (c->result == 0) {
        pl_undo_opened(fds[0]);
        pl_undo_opened(fds[1]);
    }
    return PL_DONE;
}

enum pl_verdict pl_check_pipe(struct pl_watched *c)
{
    return make_pair(c, (int *)c->a[0]);
}

enum pl_verdict pl_check_socketpair(struct pl_watched *c)
{
    return make_pair(c, (int *)c->a[3]);
}

static bool is_from_before(const struct pl_watched *c)
{
    return pl_undo_is_before((int)c->a[0]) && is_open(c->a[0]);
}

/*
 * What was opened since takes its locks with it.  Those of other open files are given back, unless
 * the program had some already.
 */
enum pl_verdict pl_check_flock(struct pl_watched *c)
{
    const char *why = pl_ends_by_locking();

    if (why != NULL)
        pl_renew_throw_away(why);
    if (!is_from_before(c))
        return PL_MAKE;
    if (!pl_stage->restart.flocked && pl_journal_on() && pl_journal_lock((int)c->a[0]))
        return PL_MAKE;
    bool rolling = pl_rollback_on();

    pl_rollback_spoil(PL_RESTART_EXEC, "it locks files that it has opened before its first thread");
    return rolling ? PL_LET_GO : PL_MAKE;
}

/* What belongs to the open file, or to the file, and cannot be taken back. */
static enum pl_verdict change_for_good(const struct pl_watched *c)
{
    bool rolling = pl_rollback_on();

    if (!is_from_before(c))
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_EXEC, "it changes files that it has opened before its first "
                                       "thread (fcntl)");
    return rolling ? PL_LET_GO : PL_MAKE;
}

/* What the keeper has mapped as well, so that the kernel may find it in use when the program has
 * given it back. */
static enum pl_verdict seal(const struct pl_watched *c)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_board->keeper_pid != pl_board->runner_pid && pl_sys(SYS_fstat, c->a[0], &st) == 0 &&
        pl_shared_is_file(&st))
        pl_renew_throw_away("it seals a file that was mapped before its first thread");
    return change_for_good(c);
}

/* Whether flags of a descriptor, or of what is open there, come back with the next execution. */
static bool can_change_flags(uint64_t fd, bool of_file)
{
    return is_ours(fd) || !is_open(fd) || pl_undo_flags((int)fd, of_file);
}

enum pl_verdict pl_check_fcntl(struct pl_watched *c)
{
    enum pl_verdict verdict;

    switch (c->a[1]) {
    case F_GETFD:
    case F_GETFL:
    case F_GETOWN:
    case F_GETSIG:
    case F_GETLEASE:
    case F_GETPIPE_SZ:
    case F_GET_SEALS:
        return PL_MAKE;
    case F_SETOWN:
    case F_SETOWN_EX:
    case F_SETSIG:
    case F_SETLEASE:
        return change_for_good(c);
    case F_ADD_SEALS:
        return seal(c);
    case F_GETLK:
    case F_OFD_GETLK:
        if (pl_ends_by_locking() != NULL)
            pl_renew_throw_away(pl_ends_by_locking());
        pl_rollback_touch((void *)c->a[2], sizeof(struct flock));
        return PL_MAKE;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        return pl_check_flock(c);
    default:
        break;
    }
    if (!pl_rollback_on())
        return PL_MAKE;
    switch (c->a[1]) {
    case F_SETFL:
    case F_SETFD:
        if (can_change_flags(c->a[0], c->a[1] == F_SETFL))
            return PL_MAKE;
        break;
    case F_SETPIPE_SZ:
        if (!pl_undo_is_before((int)c->a[0]))
            return PL_MAKE;
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        verdict = shares(c->a[0]);
        if (verdict != PL_MAKE)
            return verdict;
        c->result = pl_ports.process->make(SYS_fcntl, c->a);
        pl_undo_opened(c->result);
        return PL_DONE;
    default:
        break;
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it changes or locks open files (fcntl)");
    return PL_LET_GO;
}

enum pl_verdict pl_check_ioctl(struct pl_watched *c)
{
    /* Those that only tell something. */
    static const struct {
        uint32_t request, size;
    } known[] = {{TCGETS, 60},  {TIOCGWINSZ, 8}, {TIOCGPTN, 4}, {TIOCGPGRP, 4},
                 {TIOCGSID, 4}, {FIONREAD, 4},   {TIOCOUTQ, 4}, {SIOCATMARK, 4}};
    uint32_t request = (uint32_t)c->a[1];

    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].request == request) {
            pl_rollback_touch((void *)c->a[2], known[i].size);
            return PL_MAKE;
        }
    }
    if (request == FIONBIO || request == FIOCLEX || request == FIONCLEX) {
        if (!pl_rollback_on() || can_change_flags(c->a[0], request == FIONBIO))
            return PL_MAKE;
    }
    bool rolling = pl_rollback_on();

    /* What it changes of a terminal or device that was open at the root, others of the same open
     * file find changed. */
    pl_rollback_spoil(is_from_before(c) ? PL_RESTART_EXEC : PL_RESTART_FORK,
                      "it uses ioctl request 0x%lx", c->a[1]);
    return rolling ? PL_LET_GO : PL_MAKE;
}
