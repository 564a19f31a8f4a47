/* SPDX-License-Identifier: MIT */
/* See calls_refused.h. */
#include "runtime/system/calls_refused.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/arguments.h"

#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* ---- directions ---- */

static bool is_for(long flags, bool in)
{
    return flags >= 0 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != (in ? O_WRONLY : O_RDONLY);
}

bool pl_refused_lock(const struct pl_syscall *c)
{
    const struct flock *lock = (const struct flock *)c->a[2];

    return lock->l_type != F_UNLCK &&
           !is_for(pl_sys(SYS_fcntl, c->a[0], F_GETFL), lock->l_type == F_RDLCK);
}

/* ---- what is no file ---- */

/* Least bytes that are read from, or written to, what has no kind of file; 0: it has no such call.
 */
struct nameless {
    char name[24];
    uint8_t read, written;
};

static const struct nameless nameless[] = {
    {"anon_inode:[eventfd]", 8, 8},
    {"anon_inode:[timerfd]", 8, 0},
    {"anon_inode:[signalfd]", sizeof(struct signalfd_siginfo), 0},
    {"anon_inode:inotify", 1, 0},
    {"anon_inode:[fanotify]", 1, 1},
    {"anon_inode:[userfaultfd]", 1, 0},
    {"anon_inode:[eventpoll]", 0, 0},
    {"anon_inode:[pidfd]", 0, 0},
    {"anon_inode:[io_uring]", 0, 0},
};

static uint64_t least(int fd, bool in)
{
    char link[PL_ABOUT_NAMELESS];
    enum pl_counter stands_for = pl_files_stands_for(fd);

    if (stands_for == PL_COUNTER_SIGNALS)
        return in ? sizeof(struct signalfd_siginfo) : 0;
    if (stands_for == PL_COUNTER_TIMER)
        return in ? sizeof(uint64_t) : 0;
    pl_about_link(fd, link, sizeof(link));
    for (unsigned i = 0; i < sizeof(nameless) / sizeof(*nameless); i++) {
        if (pl_text_starts(link, nameless[i].name))
            return in ? nameless[i].read : nameless[i].written;
    }
    return 1;
}

/* ---- sockets ---- */

/* Who listens is connected to nobody; from who does not, nobody can accept. */
static bool listens(const struct pl_syscall *c)
{
    int yes = 0, size = sizeof(yes);

    pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_ACCEPTCONN, &yes, &size);
    return yes != 0;
}

/* ---- as rows name them ---- */

/* By which flags the descriptor was opened is known to suit. */
typedef bool refusal(const struct pl_syscall *c, bool in, const struct stat *st);

/* So many bytes; UINT64_MAX: that is not for the call itself to say. */
static bool refuses(const struct pl_syscall *c, bool in, const struct stat *st, uint64_t size)
{
    bool is_socket = S_ISSOCK(st->st_mode);

    if (size == 0 && (in || !is_socket)) /* an empty message is one */
        return true;
    if (is_socket)
        return listens(c);
    if ((st->st_mode & S_IFMT) != 0)
        return false;
    uint64_t n = least((int)c->a[0], in);

    return n == 0 || size < n;
}

static bool of_any_size(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return refuses(c, in, st, UINT64_MAX);
}

/* More than a counter can count is no number for one. */
static bool of_buffer(const struct pl_syscall *c, bool in, const struct stat *st)
{
    bool is_counter = !in && (st->st_mode & S_IFMT) == 0 && c->a[2] >= sizeof(uint64_t);

    return refuses(c, in, st, c->a[2]) ||
           (is_counter && c->a[1] != 0 && *(const uint64_t *)c->a[1] == UINT64_MAX);
}

static bool of_pieces(const struct pl_syscall *c, bool in, const struct stat *st)
{
    const struct iovec *v = (const struct iovec *)c->a[1];

    if (v == NULL || c->a[2] > IOV_MAX)
        return true;
    return refuses(c, in, st, pl_calls_bytes(v, c->a[2]));
}

/* At a position of its own: only files have one. */
static bool of_placed_pieces(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return c->a[3] != UINT64_MAX || of_pieces(c, in, st);
}

static bool of_message(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return !S_ISSOCK(st->st_mode) || listens(c);
}

static bool of_connection(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return !S_ISSOCK(st->st_mode) || !listens(c);
}

static bool of_queue(const struct pl_syscall *c, bool in, const struct stat *st)
{
    enum { PRIORITIES = 32768 };
    struct mq_attr queue = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_mq_getsetattr, c->a[0], NULL, &queue) != 0)
        return true;
    return in ? c->a[2] < (uint64_t)queue.mq_msgsize
              : c->a[2] > (uint64_t)queue.mq_msgsize || (unsigned)c->a[3] >= PRIORITIES;
}

/* The other one of the two, and the addresses of their positions; a pipe has none. */
struct move {
    int from, to;
    uint64_t from_at, to_at;
};

static bool get_pipe(int fd, struct stat *st)
{
    return pl_sys(SYS_fstat, fd, st) == 0 && S_ISFIFO(st->st_mode);
}

/* Between two files, one of which is a pipe. */
static bool refuses_move(const struct move *m, uint64_t size, bool both)
{
    struct stat from = {0}, to = {0}; /* so that the kernel may write there */
    bool from_pipe = get_pipe(m->from, &from), to_pipe = get_pipe(m->to, &to);
    bool same = from_pipe && to_pipe && from.st_dev == to.st_dev && from.st_ino == to.st_ino;

    return size == 0 || (both ? !from_pipe || !to_pipe : !from_pipe && !to_pipe) || same ||
           (from_pipe && m->from_at != 0) || (to_pipe && m->to_at != 0) ||
           !is_for(pl_sys(SYS_fcntl, m->to, F_GETFL), false);
}

static bool of_splice(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return refuses_move(&(struct move){(int)c->a[0], (int)c->a[2], c->a[1], c->a[3]}, c->a[4],
                        false);
}

static bool of_tee(const struct pl_syscall *c, bool in, const struct stat *st)
{
    return refuses_move(&(struct move){(int)c->a[0], (int)c->a[1], 0, 0}, c->a[2], true);
}

bool pl_refused_transfer(const struct pl_syscall *c, bool in, long flags, const struct stat *st)
{
    static const struct {
        refusal *refuses;
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define REFUSED(function) .refuses = function,
#include "runtime/ground/calls.def"
    };
    refusal *of_row = rules[pl_arguments_row(c->number)].refuses;

    return !is_for(flags, in) || (of_row != NULL ? of_row(c, in, st) : of_any_size(c, in, st));
}
