/* SPDX-License-Identifier: MIT */
/* See calls_refused.h. */
#include "runtime/system/calls_refused.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/system/signalfd.h"
#include "runtime/system/timerfd.h"

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

/* ---- how much ---- */

static bool is_vector(const struct pl_syscall *c)
{
    return c->number == SYS_readv || c->number == SYS_writev || c->number == SYS_preadv2 ||
           c->number == SYS_pwritev2;
}

/* The bytes that it is about; UINT64_MAX: that is not for the call itself to say. */
static uint64_t size_of(const struct pl_syscall *c)
{
    const struct iovec *v = (const struct iovec *)c->a[1];
    uint64_t sum = 0;

    if (c->number == SYS_read || c->number == SYS_write)
        return c->a[2];
    if (!is_vector(c))
        return UINT64_MAX;
    for (uint64_t i = 0; v != NULL && i < c->a[2] && c->a[2] <= IOV_MAX; i++)
        sum += v[i].iov_len;
    return sum;
}

/* At a position of its own: only files have one. */
static bool has_position(const struct pl_syscall *c)
{
    return (c->number == SYS_preadv2 || c->number == SYS_pwritev2) && c->a[3] != UINT64_MAX;
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

/* What stands in for a timer or for signals is a counter (timerfd.h, signalfd.h). */
static uint64_t least(int fd, bool in)
{
    char path[64], text[64] = {0};

    if (pl_signalfd_is(fd))
        return in ? sizeof(struct signalfd_siginfo) : 0;
    if (pl_timerfd_is(fd))
        return in ? sizeof(uint64_t) : 0;
    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (pl_sys(SYS_readlinkat, AT_FDCWD, path, text, sizeof(text) - 1) < 0)
        return 1;
    for (unsigned i = 0; i < sizeof(nameless) / sizeof(*nameless); i++) {
        if (pl_text_starts(text, nameless[i].name))
            return in ? nameless[i].read : nameless[i].written;
    }
    return 1;
}

static bool is_too_large(const struct pl_syscall *c)
{
    return c->number == SYS_write && c->a[2] >= sizeof(uint64_t) && c->a[1] != 0 &&
           *(const uint64_t *)c->a[1] == UINT64_MAX;
}

static bool refuses_nameless(const struct pl_syscall *c, bool in)
{
    uint64_t n = least((int)c->a[0], in);

    return n == 0 || size_of(c) < n || (!in && is_too_large(c));
}

/* ---- sockets ---- */

static bool is_connection(const struct pl_syscall *c)
{
    return c->number == SYS_accept || c->number == SYS_accept4;
}

static bool is_of_sockets(const struct pl_syscall *c)
{
    switch (c->number) {
    case SYS_accept:
    case SYS_accept4:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
        return true;
    default:
        return false;
    }
}

/* Who listens is connected to nobody; from who does not, nobody can accept. */
static bool refuses_socket(const struct pl_syscall *c)
{
    int listens = 0, size = sizeof(listens);

    pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
    return (listens != 0) != is_connection(c);
}

/* ---- queues of messages ---- */

static bool is_of_queue(const struct pl_syscall *c)
{
    return c->number == SYS_mq_timedsend || c->number == SYS_mq_timedreceive;
}

static bool refuses_queue(const struct pl_syscall *c, bool in)
{
    enum { PRIORITIES = 32768 };
    struct mq_attr queue = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_mq_getsetattr, c->a[0], NULL, &queue) != 0)
        return true;
    return in ? c->a[2] < (uint64_t)queue.mq_msgsize
              : c->a[2] > (uint64_t)queue.mq_msgsize || (unsigned)c->a[3] >= PRIORITIES;
}

/* ---- what is moved between two files ---- */

/* The other one of the two, and the addresses of their positions; a pipe has none. */
struct move {
    int from, to;
    uint64_t from_at, to_at;
};

static bool get_pipe(int fd, struct stat *st)
{
    return pl_sys(SYS_fstat, fd, st) == 0 && S_ISFIFO(st->st_mode);
}

static bool refuses_move(const struct pl_syscall *c)
{
    struct stat from = {0}, to = {0}; /* so that the kernel may write there */
    bool tee = c->number == SYS_tee;
    struct move m = {(int)c->a[0], (int)c->a[tee ? 1 : 2], tee ? 0 : c->a[1], tee ? 0 : c->a[3]};
    bool from_pipe = get_pipe(m.from, &from), to_pipe = get_pipe(m.to, &to);
    bool same = from_pipe && to_pipe && from.st_dev == to.st_dev && from.st_ino == to.st_ino;

    return c->a[tee ? 2 : 4] == 0 || (tee ? !from_pipe || !to_pipe : !from_pipe && !to_pipe) ||
           same || (from_pipe && m.from_at != 0) || (to_pipe && m.to_at != 0) ||
           !is_for(pl_sys(SYS_fcntl, m.to, F_GETFL), false);
}

bool pl_refused_transfer(const struct pl_syscall *c, bool in, long flags, const struct stat *st)
{
    bool is_socket = S_ISSOCK(st->st_mode);

    if (!is_for(flags, in) || has_position(c))
        return true;
    if (is_of_queue(c))
        return refuses_queue(c, in);
    if (c->number == SYS_splice || c->number == SYS_tee)
        return refuses_move(c);
    if (is_vector(c) && (c->a[1] == 0 || c->a[2] > IOV_MAX))
        return true;
    if (size_of(c) == 0 && (in || !is_socket)) /* an empty message is one */
        return true;
    if (is_socket || is_of_sockets(c))
        return !is_socket || refuses_socket(c);
    return (st->st_mode & S_IFMT) == 0 && refuses_nameless(c, in);
}
