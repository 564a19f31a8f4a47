/* SPDX-License-Identifier: MIT */
/* See fifos.h. */
#include "runtime/restart/fifos.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/config.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <sys/stat.h>

static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR};

static long open_end(const struct pl_renewal *r, int mode)
{
    char path[40];

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", (int)r->spare);
    return pl_sys(SYS_open, path, mode | O_NONBLOCK | O_CLOEXEC);
}

/* Numbers of one end share an open file: two of them would have flags of their own. */
static bool are_one(const struct pl_renewal *r)
{
    long self = pl_sys(SYS_getpid);

    for (unsigned i = 0; i < r->n; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (r->fds[k].end == r->fds[i].end &&
                pl_sys(SYS_kcmp, self, self, KCMP_FILE, r->fds[k].fd, r->fds[i].fd) != 0)
                return false;
        }
    }
    return true;
}

long pl_fifos_describe(struct pl_renewal *r)
{
    const int others = O_NONBLOCK | O_ACCMODE | O_CLOEXEC | 0100000 /* O_LARGEFILE */;
    char path[40];

    for (unsigned end = 0; end < 3; end++) {
        if ((r->ends >> end & 1) != 0 && (r->flags[end] & ~others) != 0)
            return -1; /* O_PATH, O_ASYNC and the like */
    }
    if (!are_one(r))
        return -1;
    for (unsigned i = 0; i < r->n; i++) {
        struct pollfd p = {.fd = r->fds[i].fd};

        if (r->fds[i].end == 0 && pl_sys(SYS_poll, &p, 1, 0) > 0)
            r->hung_up = (p.revents & POLLHUP) != 0;
    }
    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", (int)r->fds[0].fd);
    long name = pl_sys(SYS_open, path, O_PATH | O_CLOEXEC);

    if (name < 0)
        return -1;
    r->spare = (int16_t)pl_fd_aside(name);
    pl_sys(SYS_close, name);
    return r->spare >= 0 ? open_end(r, O_RDWR) : -1;
}

void pl_fifos_give_up(const struct pl_renewal *r)
{
    for (unsigned i = 0; i < r->n; i++)
        pl_sys(SYS_dup3, r->spare, r->fds[i].fd, r->fds[i].cloexec ? O_CLOEXEC : 0);
}

bool pl_fifos_is(const struct pl_renewal *r, int fd)
{
    struct stat one = {0}, other = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &one) == 0 && pl_sys(SYS_fstat, (int)r->spare, &other) == 0 &&
           one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

/*
 * A reader is told that writers are gone if it has seen one.  So there is one while it is opened
 * where there had been one before, and none where there had not.
 */
bool pl_fifos_open(const struct pl_renewal *r, const unsigned char *content, long ends[3])
{
    pl_fifos_give_up(r); /* what is left in it goes with the last end */
    bool writer = r->hung_up || r->size[0] > 0, reader = (r->ends & 1) == 0;
    long held = writer || reader ? open_end(r, writer ? O_RDWR : O_RDONLY) : -1;

    if (r->size[0] > 0)
        pl_sys(SYS_write, held, content, r->size[0]);
    for (unsigned end = 0; end < 3; end++)
        ends[end] = (r->ends >> end & 1) != 0 ? open_end(r, modes[end]) : -1;
    if (held >= 0)
        pl_sys(SYS_close, held);
    for (unsigned end = 0; end < 3; end++) {
        if ((r->ends >> end & 1) == 0)
            continue;
        if (ends[end] < 0)
            return false;
        pl_sys(SYS_fcntl, ends[end], F_SETFL, r->flags[end]);
    }
    return true;
}
