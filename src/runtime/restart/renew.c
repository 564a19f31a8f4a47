/* SPDX-License-Identifier: MIT */
/*
 * What was open at the root and leads from the program to itself: pipes, pairs of sockets, event
 * counters, sets of epoll.
 *
 * A runner is a copy of the keeper, which has the same descriptors: an end that the program closes
 * would never be the last one, and what one execution leaves in a pipe the next one would find.  So
 * every runner makes these objects anew, under the same numbers, and again after each execution
 * that has used them.  The keeper's own are only the pattern.
 *
 * Only what has both its ends here and came into being after the program started is made anew; the
 * other end of anything else may be anybody's.
 */
#include "runtime/restart/renew.h"
#include "runtime/restart/ends.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/fifos.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

enum { FIRST = 3, TEXT = 4096 };

static struct pl_renewals *all(void)
{
    return &pl_vault->renewals;
}

/* ---- what there is ---- */

static bool is_ours(int fd)
{
    return !pl_stage->process.files.inherited[fd];
}

/* Which end of a pipe: 1 is the one that is written to, 2 is both. */
static unsigned end_of(int fd)
{
    long mode = pl_sys(SYS_fcntl, fd, F_GETFL) & O_ACCMODE;

    return mode == O_RDWR ? 2 : mode == O_WRONLY;
}

static bool add_end(struct pl_renewal *r, int fd, unsigned end)
{
    if (r->n == PL_RENEWAL_FDS)
        return false;
    r->fds[r->n].fd = (int16_t)fd;
    r->fds[r->n].end = (uint8_t)end;
    r->fds[r->n++].cloexec = pl_sys(SYS_fcntl, fd, F_GETFD) == FD_CLOEXEC;
    r->flags[end] = (int)pl_sys(SYS_fcntl, fd, F_GETFL);
    r->ends |= (uint8_t)(1u << end);
    return true;
}

/* All descriptors from `fd` on that are the same object. */
static bool add_all(struct pl_renewal *r, int fd, const struct stat *st)
{
    for (int i = fd; (i = pl_about_same(i, PL_FDS_MAX, st)) >= 0; i++) {
        if (!is_ours(i) || !add_end(r, i, end_of(i)))
            return false;
    }
    return true;
}

/* Room for what waits at an end. */
static unsigned char *add_bytes(struct pl_renewal *r, unsigned end, uint32_t size)
{
    PL_ASSERT(all()->used + size <= PL_RENEWAL_BYTES);
    r->bytes[end] = all()->used;
    r->size[end] = size;
    all()->used += size;
    return all()->bytes + r->bytes[end];
}

/* What is in a pipe, without taking it out. */
static bool copy_content(struct pl_renewal *r, int fd)
{
    int waiting = 0, copy[2];

    if (pl_sys(SYS_ioctl, fd, FIONREAD, &waiting) != 0)
        return false;
    long size = waiting;

    if (waiting == 0)
        return true;
    if (all()->used + (uint32_t)waiting > PL_RENEWAL_BYTES ||
        pl_sys(SYS_pipe2, copy, O_CLOEXEC) != 0)
        return false;
    long n = pl_sys(SYS_tee, fd, copy[1], size, 2 /* SPLICE_F_NONBLOCK */);

    bool whole =
        n == size && pl_sys(SYS_read, copy[0], add_bytes(r, 0, (uint32_t)waiting), size) == size;

    pl_sys(SYS_close, copy[0]);
    pl_sys(SYS_close, copy[1]);
    return whole;
}

/* A FIFO, which others can open by its name. */
static bool has_name(int fd)
{
    char path[40], target[8] = {0}; /* so that the kernel may write there */

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    return pl_sys(SYS_readlink, path, target, sizeof(target) - 1) < 0 ||
           !pl_text_starts(target, "pipe:[");
}

/* plait_test() goes on in the keeper, where the ends must be what they were. */
static bool describe_fifo(struct pl_renewal *r, int fd, const struct stat *st)
{
    long both = pl_stage->restart.testing || !add_all(r, fd, st) ? -1 : pl_fifos_describe(r);

    if (both < 0)
        return false;
    bool kept = copy_content(r, (int)both);

    pl_sys(SYS_close, both);
    return kept;
}

static bool describe_pipe(struct pl_renewal *r, int fd, const struct stat *st)
{
    bool fifo = has_name(fd);

    r->kind = fifo ? PL_RENEWAL_FIFO : PL_RENEWAL_PIPE;
    r->room = (int)pl_sys(SYS_fcntl, fd, F_GETPIPE_SZ);
    if (fifo) {
        bool made_anew = describe_fifo(r, fd, st);

        all()->fifo_stays |= !made_anew;
        return made_anew;
    }
    if (!add_all(r, fd, st) || r->ends != 3)
        return false;
    for (unsigned i = 0; i < r->n; i++) {
        if (r->fds[i].end == 0)
            return copy_content(r, r->fds[i].fd);
    }
    return false;
}

/* Where struct pl_socket_options keeps each. */
static const struct {
    int option;
    uint32_t at, size;
} options[] = {
    {SO_PASSCRED, offsetof(struct pl_socket_options, passes_credentials), sizeof(int)},
    {SO_RCVBUF, offsetof(struct pl_socket_options, receive_room), sizeof(int)},
    {SO_SNDBUF, offsetof(struct pl_socket_options, send_room), sizeof(int)},
    {SO_RCVLOWAT, offsetof(struct pl_socket_options, least), sizeof(int)},
    {SO_RCVTIMEO, offsetof(struct pl_socket_options, receive_limit), sizeof(struct timeval)},
    {SO_SNDTIMEO, offsetof(struct pl_socket_options, send_limit), sizeof(struct timeval)},
};
enum { N_OPTIONS = sizeof(options) / sizeof(options[0]) };

static void read_options(long fd, struct pl_socket_options *o)
{
    for (unsigned i = 0; i < N_OPTIONS; i++) {
        int size = (int)options[i].size;

        pl_sys(SYS_getsockopt, fd, SOL_SOCKET, options[i].option, (char *)o + options[i].at, &size);
    }
}

static void write_options(long fd, const struct pl_socket_options *o)
{
    struct pl_socket_options now = {0}, wanted = *o; /* so that the kernel may write there */

    read_options(fd, &now);
    wanted.receive_room /= 2; /* the kernel doubles what it is told */
    wanted.send_room /= 2;
    for (unsigned i = 0; i < N_OPTIONS; i++) {
        uint32_t at = options[i].at, size = options[i].size;

        if (pl_memory_compare((char *)&now + at, (const char *)o + at, size) != 0)
            pl_sys(SYS_setsockopt, fd, SOL_SOCKET, options[i].option, (char *)&wanted + at, size);
    }
}

/* It has been shut down, in one direction at least. */
static bool is_shut(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLRDHUP | POLLOUT};

    return pl_sys(SYS_poll, &p, 1, 0) < 0 || (p.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0 ||
           (p.revents & POLLOUT) == 0;
}

/* What waits at an end of a pair of streams: bytes, and nothing that came with them. */
static bool peek_content(struct pl_renewal *r, int fd, unsigned end)
{
    int waiting = 0;

    if (pl_sys(SYS_ioctl, fd, FIONREAD, &waiting) != 0)
        return false;
    if (waiting == 0 || r->size[end] > 0)
        return true;
    if (r->type != SOCK_STREAM || r->options[end].passes_credentials != 0 ||
        all()->used + (uint32_t)waiting > PL_RENEWAL_BYTES)
        return false;
    char control[64];
    struct iovec v = {add_bytes(r, end, (uint32_t)waiting), (uint64_t)waiting};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};

    return pl_sys(SYS_recvmsg, fd, &m, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == waiting &&
           m.msg_controllen == 0;
}

/* A socket whose other end is known from its making. */
static bool describe_pair(struct pl_renewal *r, int fd)
{
    const uint32_t *open = pl_stage->process.files.open;
    int size = sizeof(r->type);

    r->kind = PL_RENEWAL_PAIR;
    if ((open[fd] & PL_FILES_PAIR) == 0 ||
        pl_sys(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &r->type, &size) != 0)
        return false;
    for (int i = fd; i < PL_FDS_MAX; i++) {
        unsigned end = open[i] & 1;

        if ((open[i] & ~UINT32_C(1)) != (open[fd] & ~UINT32_C(1)))
            continue;
        read_options(i, &r->options[end]);
        if (!add_end(r, i, end) || is_shut(i) || !peek_content(r, i, end))
            return false;
    }
    return r->ends == 3;
}

/* A line of /proc/self/fdinfo that begins like this: what follows. */
static const char *find_line(const char *text, const char *start)
{
    for (const char *s = text; *s != '\0'; s++) {
        if ((s == text || s[-1] == '\n') && pl_text_starts(s, start))
            return s + pl_text_length(start);
    }
    return NULL;
}

static uint64_t number_at(const char **s, unsigned base)
{
    uint64_t n = 0;

    while (**s == ' ' || **s == '\t')
        ++*s;
    for (;; ++*s) {
        unsigned digit = **s >= '0' && **s <= '9'   ? (unsigned)(**s - '0')
                         : **s >= 'a' && **s <= 'f' ? (unsigned)(**s - 'a' + 10)
                                                    : base;

        if (digit >= base)
            return n;
        n = n * base + digit;
    }
}

/* All of its lines. */
static bool read_info(int fd, char text[TEXT])
{
    uint64_t n = pl_about_lines(fd, text, TEXT);

    return n > 0 && n < TEXT - 1;
}

static bool describe_event(struct pl_renewal *r, int fd, const char *text)
{
    const char *count = find_line(text, "eventfd-count:");
    const char *semaphore = find_line(text, "eventfd-semaphore:");

    r->kind = PL_RENEWAL_EVENT;
    r->count = number_at(&count, 16);
    r->semaphore = semaphore != NULL && number_at(&semaphore, 10) != 0;
    return add_end(r, fd, 0);
}

static bool is_ready(int fd, unsigned events)
{
    struct pollfd p = {.fd = fd, .events = (short)(events & 0xffff)};

    return pl_sys(SYS_poll, &p, 1, 0) > 0;
}

/*
 * Which edges a set has not told yet it says by telling them; so they are put back.  False: it
 * cannot be known.
 */
static bool ask_untold(struct pl_renewal *r, int fd)
{
    struct epoll_event told[PL_RENEWAL_FDS] = {{0}}; /* so that the kernel may write there */
    long n = pl_sys(SYS_epoll_wait, fd, told, PL_RENEWAL_FDS, 0);

    for (long k = 0; k < n; k++) {
        unsigned same = 0;

        for (unsigned i = 0; i < r->n_watched; i++) {
            struct epoll_event e = {.events = r->watched[i].events};

            if (r->watched[i].data != told[k].data.u64)
                continue;
            same++;
            r->watched[i].told = false;
            e.data.u64 = r->watched[i].data;
            pl_sys(SYS_epoll_ctl, fd, EPOLL_CTL_MOD, r->watched[i].fd, &e);
        }
        if (same != 1)
            return false;
    }
    return n >= 0;
}

/* A set that is made anew would tell edges once more that it has told before the root. */
static bool find_told(struct pl_renewal *r, int fd)
{
    unsigned edges = 0, exclusive = 0;

    for (unsigned i = 0; i < r->n_watched; i++) {
        unsigned events = r->watched[i].events;

        r->watched[i].told = (events & EPOLLET) != 0 && is_ready(r->watched[i].fd, events);
        edges += r->watched[i].told;
        exclusive += (events & EPOLLEXCLUSIVE) != 0; /* and cannot be put back */
    }
    return edges == 0 || !is_ready(fd, POLLIN) || (exclusive == 0 && ask_untold(r, fd));
}

static bool describe_epoll(struct pl_renewal *r, int fd, const char *text)
{
    r->kind = PL_RENEWAL_EPOLL;
    for (const char *s = text; (s = find_line(s, "tfd:")) != NULL;) {
        if (r->n_watched == PL_RENEWAL_FDS)
            return false;
        r->watched[r->n_watched].fd = (int16_t)number_at(&s, 10);
        while (*s == ' ')
            s++;
        s += pl_text_length("events:");
        r->watched[r->n_watched].events = (uint32_t)number_at(&s, 16);
        while (*s == ' ')
            s++;
        s += pl_text_length("data:");
        r->watched[r->n_watched++].data = number_at(&s, 16);
    }
    return find_told(r, fd) && add_end(r, fd, 0);
}

static bool describe(struct pl_renewal *r, int fd)
{
    char text[TEXT];
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) != 0 || !is_ours(fd))
        return false;
    if (S_ISFIFO(st.st_mode))
        return describe_pipe(r, fd, &st);
    if (S_ISSOCK(st.st_mode))
        return (pl_stage->process.files.open[fd] & PL_FILES_PAIR) != 0 ? describe_pair(r, fd)
                                                                       : pl_sockets_describe(r, fd);
    if ((st.st_mode & S_IFMT) != 0 || !read_info(fd, text))
        return false;
    if (find_line(text, "eventfd-count:") != NULL)
        return describe_event(r, fd, text);
    return pl_about_is_set(fd) && describe_epoll(r, fd, text);
}

int pl_renew_of(int fd)
{
    for (unsigned i = 0; i < all()->n; i++) {
        for (unsigned k = 0; k < all()->list[i].n; k++) {
            if (all()->list[i].fds[k].fd == fd)
                return (int)i;
        }
    }
    return -1;
}

void pl_renew_plan(void)
{
    struct pl_renewals *a = all();

    a->n = a->used = 0;
    a->fifo_stays = false;
    for (int fd = FIRST; fd < PL_FDS_MAX && a->n < PL_RENEWALS; fd++) {
        struct pl_renewal r = {0};

        if (pl_renew_of(fd) < 0 && describe(&r, fd))
            a->list[a->n++] = r;
    }
    for (unsigned i = 0; i < a->n; i++) { /* when all sets have said what they watch */
        if (a->list[i].kind == PL_RENEWAL_FIFO)
            pl_fifos_give_up(&a->list[i]);
    }
}

/* ---- made anew ---- */

/* Out of the way of the numbers that it is to have. */
static long aside(long fd)
{
    long moved = pl_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, PL_FDS_MAX);

    if (moved < 0)
        return fd;
    pl_sys(SYS_close, fd);
    return moved;
}

static bool make_ends(const struct pl_renewal *r, long ends[3])
{
    int pair[2] = {-1, -1};
    long one;

    ends[2] = -1;
    switch (r->kind) {
    case PL_RENEWAL_FIFO:
        return pl_fifos_open(r, all()->bytes + r->bytes[0], ends);
    case PL_RENEWAL_PIPE:
        if (pl_sys(SYS_pipe2, pair, O_CLOEXEC) != 0)
            return false;
        break;
    case PL_RENEWAL_PAIR:
        if (pl_sys(SYS_socketpair, AF_UNIX, r->type | SOCK_CLOEXEC, 0, pair) != 0)
            return false;
        break;
    case PL_RENEWAL_EVENT:
        one = pl_sys(SYS_eventfd2, 0, r->semaphore | O_CLOEXEC);
        pair[0] = (int)one;
        if (one >= 0 && r->count > 0)
            pl_sys(SYS_write, one, &r->count, sizeof(r->count));
        break;
    default:
        pair[0] = (int)pl_sys(SYS_epoll_create1, O_CLOEXEC);
        break;
    }
    ends[0] = pair[0] >= 0 ? aside(pair[0]) : -1;
    ends[1] = pair[1] >= 0 ? aside(pair[1]) : -1;
    return ends[0] >= 0;
}

static void renew(const struct pl_renewal *r)
{
    long ends[3];

    if (!make_ends(r, ends))
        return;
    if (r->kind == PL_RENEWAL_PIPE && r->room != (int)pl_sys(SYS_fcntl, ends[0], F_GETPIPE_SZ))
        pl_sys(SYS_fcntl, ends[0], F_SETPIPE_SZ, r->room);
    for (unsigned end = 0; end < 2 && r->kind != PL_RENEWAL_FIFO; end++) {
        if (r->size[end] > 0) /* goes in at the other one */
            pl_sys(SYS_write, ends[1 - end], all()->bytes + r->bytes[end], r->size[end]);
    }
    for (unsigned i = 0; i < r->n; i++) {
        PL_ASSERT(ends[r->fds[i].end] >= 0);
        pl_sys(SYS_dup3, ends[r->fds[i].end], r->fds[i].fd, r->fds[i].cloexec ? O_CLOEXEC : 0);
    }
    for (unsigned end = 0; end < 3; end++) {
        if (ends[end] < 0)
            continue;
        if (r->kind == PL_RENEWAL_PAIR)
            write_options(ends[end], &r->options[end]);
        if ((r->flags[end] & (O_NONBLOCK | O_DIRECT)) != 0)
            pl_sys(SYS_fcntl, ends[end], F_SETFL, r->flags[end]);
        pl_sys(SYS_close, ends[end]);
    }
}

static bool watch_those(const struct pl_renewal *r, bool told)
{
    bool any = false;

    for (unsigned i = 0; i < r->n_watched; i++) {
        struct epoll_event e = {.events = r->watched[i].events};

        if (r->watched[i].told != told)
            continue;
        any = true;
        e.data.u64 = r->watched[i].data;
        pl_sys(SYS_epoll_ctl, r->fds[0].fd, EPOLL_CTL_ADD, r->watched[i].fd, &e);
    }
    return any;
}

static void watch(const struct pl_renewal *r)
{
    struct epoll_event told[PL_RENEWAL_FDS] = {{0}}; /* so that the kernel may write there */

    if (watch_those(r, true))
        pl_sys(SYS_epoll_wait, r->fds[0].fd, told, PL_RENEWAL_FDS, 0);
    watch_those(r, false);
}

/* What a set of epoll watches is another object now, so the set is made anew as well. */
static void touch_sets(void)
{
    struct pl_renewals *a = all();

    for (unsigned i = 0; i < a->n; i++) {
        for (unsigned k = 0; k < a->list[i].n_watched; k++) {
            int of = pl_renew_of(a->list[i].watched[k].fd);

            a->list[i].touched |= of >= 0 && a->list[of].touched;
        }
    }
}

bool pl_renew_any(void)
{
    bool any = false;

    for (unsigned i = 0; i < all()->n; i++)
        any |= all()->list[i].touched;
    return any;
}

void pl_renew_touched(void)
{
    struct pl_renewals *a = all();

    for (unsigned i = 0; i < a->n; i++) {
        if (a->list[i].kind == PL_RENEWAL_SOCKET) /* others have sent something, perhaps */
            pl_sockets_empty(&a->list[i]);
    }
    a->gone = false;
    if (!pl_renew_any())
        return;
    touch_sets();
    for (unsigned i = 0; i < a->n; i++) {
        if (a->list[i].touched && a->list[i].kind != PL_RENEWAL_SOCKET)
            renew(&a->list[i]);
    }
    for (unsigned i = 0; i < a->n; i++) {
        if (a->list[i].touched)
            watch(&a->list[i]);
        a->list[i].touched = false;
    }
}

void pl_renew_all(void)
{
    for (unsigned i = 0; i < all()->n; i++) {
        all()->list[i].touched = true;
        if (all()->list[i].kind == PL_RENEWAL_SOCKET)
            pl_sockets_hold(&all()->list[i]);
    }
    pl_renew_touched();
}

bool pl_renew_touch(int fd)
{
    int i = pl_renew_of(fd);

    if (i >= 0)
        all()->list[i].touched = true;
    return i >= 0;
}

void pl_renew_opened(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (all()->fifo_stays && pl_sys(SYS_fstat, fd, &st) == 0 && S_ISFIFO(st.st_mode))
        pl_renew_throw_away("it opens a FIFO that may have been open before its first thread");
    for (unsigned i = 0; i < all()->n; i++) {
        struct pl_renewal *r = &all()->list[i];

        if (r->kind == PL_RENEWAL_FIFO && !r->touched && pl_fifos_is(r, fd))
            r->touched = true;
    }
}

bool pl_renew_stays(int fd)
{
    int i = pl_renew_of(fd);

    return i >= 0 && all()->list[i].kind == PL_RENEWAL_SOCKET && pl_undo_is_before(fd);
}

void pl_renew_throw_away(const char *why)
{
    pl_rollback_spoil(PL_RESTART_EXEC, "%s", why);
    pl_ports.restart->end(PL_OUTCOME_LOST);
}

/* A descriptor on its way through a socket, say, stands for what the keeper has. */
void pl_renew_mixed(const char *why)
{
    if (all()->n > 0)
        pl_renew_throw_away(why);
}

bool pl_renew_close(int fd)
{
    const char *why = pl_ends_by_closing(fd);

    if (why != NULL)
        pl_renew_throw_away(why);
    struct pl_renewal *r = pl_renew_touch(fd) ? &all()->list[pl_renew_of(fd)] : NULL;

    if (r != NULL && r->kind == PL_RENEWAL_SOCKET && pl_undo_is_before(fd)) {
        if (!pl_sockets_close(r, fd, &all()->gone))
            pl_renew_throw_away(
                "it closes a socket from before its first thread with something in it");
        r->closed = true;
    }
    return r != NULL;
}

void pl_renew_reach(int fd)
{
    if (all()->gone && pl_sockets_reaches(fd))
        pl_renew_throw_away(
            "it may reach for a socket from before its first thread that it has closed");
}
