/* SPDX-License-Identifier: MIT */
/*
 * A socket that has an address cannot be made anew while the keeper has it, and is not: keeper and
 * runner share it.  All that an execution leaves there is what nobody took: connections that were
 * not accepted, datagrams that were not read.  They are taken out.
 *
 * The program may close it.  Then it is still there, and whoever reached for it would find it; an
 * execution in which somebody does so is not one of the program's.
 */
#include "runtime/restart/sockets.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/about.h"
#include "runtime/ground/config.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int option(int fd, int which)
{
    int value = -1, size = sizeof(value);

    return pl_sys(SYS_getsockopt, fd, SOL_SOCKET, which, &value, &size) == 0 ? value : -1;
}

/* One that has none gets one when it sends, and would have it in the next execution. */
static bool has_address(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
    } name = {0};
    int size = sizeof(name);

    if (pl_sys(SYS_getsockname, fd, &name, &size) != 0)
        return false;
    return name.any.sa_family == AF_UNIX
               ? size > (int)sizeof(name.any.sa_family)
               : (name.any.sa_family == AF_INET && name.in.sin_port != 0) ||
                     (name.any.sa_family == AF_INET6 && name.in6.sin6_port != 0);
}

static bool is_quiet(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return pl_sys(SYS_poll, &p, 1, 0) == 0;
}

bool pl_sockets_describe(struct pl_renewal *r, int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    r->kind = PL_RENEWAL_SOCKET;
    r->type = option(fd, SO_TYPE);
    r->listens = option(fd, SO_ACCEPTCONN) == 1;
    if ((!r->listens && r->type != SOCK_DGRAM) || !has_address(fd) || !is_quiet(fd) ||
        pl_sys(SYS_fstat, fd, &st) != 0)
        return false;
    r->flags[0] = (int)pl_sys(SYS_fcntl, fd, F_GETFL);
    for (int i = fd; (i = pl_about_same(i, PL_FDS_MAX, &st)) >= 0; i++) {
        if (r->n == PL_RENEWAL_FDS)
            return false;
        r->fds[r->n].fd = (int16_t)i;
        r->fds[r->n++].cloexec = pl_sys(SYS_fcntl, i, F_GETFD) == FD_CLOEXEC;
    }
    return true;
}

void pl_sockets_hold(struct pl_renewal *r)
{
    r->spare = (int16_t)pl_fd_aside(r->fds[0].fd);
}

static void drain(const struct pl_renewal *r)
{
    char byte;
    long got;

    if (!r->listens) {
        while ((got = pl_sys(SYS_recvfrom, r->spare, &byte, 1, MSG_DONTWAIT, NULL, NULL)) >= 0 ||
               (got != -EAGAIN && option(r->spare, SO_ERROR) > 0)) {
        }
        return;
    }
    pl_sys(SYS_fcntl, r->spare, F_SETFL, r->flags[0] | O_NONBLOCK);
    while ((got = pl_sys(SYS_accept4, r->spare, NULL, NULL, SOCK_CLOEXEC)) >= 0 ||
           got == -ECONNABORTED || got == -EINTR) {
        if (got >= 0)
            pl_sys(SYS_close, got);
    }
    pl_sys(SYS_fcntl, r->spare, F_SETFL, r->flags[0]);
}

void pl_sockets_empty(struct pl_renewal *r)
{
    if (r->spare < 0)
        return;
    if (!is_quiet(r->spare))
        drain(r);
    if (pl_sys(SYS_fcntl, r->spare, F_GETFL) != r->flags[0])
        pl_sys(SYS_fcntl, r->spare, F_SETFL, r->flags[0]);
    for (unsigned i = 0; r->closed && i < r->n; i++)
        pl_sys(SYS_dup3, r->spare, r->fds[i].fd, r->fds[i].cloexec ? O_CLOEXEC : 0);
    r->closed = false;
}

bool pl_sockets_close(const struct pl_renewal *r, int fd, bool *gone)
{
    struct stat st = {0}; /* so that the kernel may write there */
    int same = -1;

    if (pl_sys(SYS_fstat, fd, &st) == 0) {
        do
            same = pl_about_same(same + 1, PL_VAULT_FDS, &st);
        while (same == fd || same == r->spare);
    }
    bool last = same < 0;

    *gone |= last;
    return !last || is_quiet(fd);
}

bool pl_sockets_reaches(int fd)
{
    struct sockaddr_storage name;
    int size = sizeof(name);
    int type = option(fd, SO_TYPE);

    return type == SOCK_DGRAM || (type >= 0 && pl_sys(SYS_getpeername, fd, &name, &size) != 0);
}
