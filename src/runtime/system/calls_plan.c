/* SPDX-License-Identifier: MIT */
/* See calls_plan.h. */
#include "runtime/system/calls_plan.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/depend.h"
#include "runtime/ground/arguments.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/told.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

uint64_t pl_plan_only(enum pl_resource r)
{
    return r == R_NAMES ? PL_FILES_NAMES : PL_DEPEND_FILES | UINT64_C(3) << 56 | (uint64_t)r << 3;
}

struct pl_plan pl_plan_uses(uint64_t first, enum pl_effect first_effect, uint64_t second,
                            enum pl_effect second_effect)
{
    if (second == first) {
        first_effect = first_effect > second_effect ? first_effect : second_effect;
        second = 0;
    }
    return (struct pl_plan){.first = first,
                            .second = second,
                            .first_effect = (uint8_t)first_effect,
                            .second_effect =
                                (uint8_t)(second != 0 ? second_effect : PL_EFFECT_NONE),
                            .wait = PL_ASK_NEVER};
}

bool pl_plan_is_open(uint64_t fd)
{
    return pl_sys(SYS_fcntl, fd, F_GETFD) >= 0;
}

/* Whether calls wait there is about to change: whoever begins one looks at it. */
static struct pl_plan sets_mode(int fd)
{
    return pl_plan_uses(pl_files_open(fd), PL_EFFECT_WRITE,
                        pl_kept_is_looked_up(fd) ? pl_plan_only(R_TABLE) : pl_files_content(fd),
                        PL_EFFECT_WRITE);
}

/* Requests that are questions. */
static bool only_asks(uint64_t request)
{
    switch (request) {
    case FIONREAD:
    case TIOCOUTQ:
    case TIOCGWINSZ:
    case TIOCGPGRP:
    case TIOCGSID:
    case TCGETS:
        return true;
    default:
        return false;
    }
}

struct pl_plan pl_plan_ioctl(const struct pl_syscall *c)
{
    if (!pl_plan_is_open(c->a[0]))
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    if (c->a[1] == FIONBIO)
        return sets_mode((int)c->a[0]);
    if (only_asks(c->a[1]))
        return pl_plan_uses(pl_files_open((int)c->a[0]), PL_EFFECT_READ,
                            pl_files_content((int)c->a[0]), PL_EFFECT_READ);
    return pl_plan_uses(pl_files_open((int)c->a[0]), PL_EFFECT_WRITE,
                        c->a[1] == TIOCGPTPEER ? pl_plan_only(R_TABLE) : 0, PL_EFFECT_WRITE);
}

struct pl_plan pl_plan_mq_getsetattr(const struct pl_syscall *c)
{
    enum pl_effect effect = c->a[1] == 0 ? PL_EFFECT_READ : PL_EFFECT_WRITE;

    if (!pl_plan_is_open(c->a[0]))
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    return pl_plan_uses(pl_files_open((int)c->a[0]), effect, pl_files_content((int)c->a[0]),
                        effect);
}

struct pl_plan pl_plan_fcntl(const struct pl_syscall *c)
{
    uint64_t file = pl_files_open((int)c->a[0]), content = pl_files_content((int)c->a[0]);
    struct pl_plan locks = pl_plan_uses(file, PL_EFFECT_READ, content, PL_EFFECT_WRITE);

    if (!pl_plan_is_open(c->a[0])) /* whoever opens something may change that */
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    switch ((int)c->a[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_WRITE, file, PL_EFFECT_READ);
    case F_GETFL:
    case F_GETFD:
        return pl_plan_uses(file, PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    case F_GETLK:
    case F_OFD_GETLK:
        return pl_plan_uses(file, PL_EFFECT_READ, content, PL_EFFECT_READ);
    case F_SETFL:
        return sets_mode((int)c->a[0]);
    case F_SETLKW:
    case F_OFD_SETLKW:
        locks.wait = PL_ASK_LOCK;
        return locks;
    case F_SETLK:
    case F_OFD_SETLK:
        return locks;
    case F_SETLEASE: /* whoever opens the file, by whatever name, may have waited for it */
        return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    default:
        return pl_plan_uses(file, PL_EFFECT_WRITE, content, PL_EFFECT_WRITE);
    }
}

/* What gives a descriptor up also gives up the locks of its file. */
static struct pl_plan gives_up(int fd)
{
    if (pl_files_locks() && pl_files_content(fd) != 0)
        return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_WRITE, pl_files_open(fd), PL_EFFECT_WRITE);
}

struct pl_plan pl_plan_close(const struct pl_syscall *c)
{
    return gives_up((int)c->a[0]);
}

/* Whoever uses the number behind it uses the first file, where there was another or none. */
struct pl_plan pl_plan_dup2(const struct pl_syscall *c)
{
    if (pl_plan_is_open(c->a[1]) && c->a[0] != c->a[1])
        return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_WRITE, pl_files_open((int)c->a[0]),
                        PL_EFFECT_WRITE);
}

/* What is below /proc says which numbers are in use, and what for. */
static bool is_about_process(const char *path)
{
    return path != NULL && pl_text_starts(path, "/proc/");
}

/* One of the paths of a call. */
struct place {
    int folder;
    const char *path;
    int flags; /* of the look */
};

static struct place place_of(const struct pl_syscall *c, unsigned which)
{
    struct place p = {.flags = pl_arguments_lookup(c->number, c->a)};

    p.path = pl_arguments_path(c->number, c->a, which, &p.folder);
    return p;
}

/* Who the process is decides what it may do to whatever there is. */
struct pl_plan pl_plan_set_user(const struct pl_syscall *c)
{
    return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
}

struct pl_plan pl_plan_ask_user(const struct pl_syscall *c)
{
    return pl_plan_uses(pl_plan_only(R_PROCESS), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
}

struct pl_plan pl_plan_readlink(const struct pl_syscall *c)
{
    return pl_plan_uses(is_about_process(place_of(c, 0).path) ? PL_DEPEND_FILES
                                                              : pl_plan_only(R_NAMES),
                        PL_EFFECT_READ, 0, PL_EFFECT_NONE);
}

/* What a path leads to: the names, and the content of what they name. */
static struct pl_plan uses_at(struct place at, enum pl_effect on_names, enum pl_effect on_content)
{
    if (is_about_process(at.path))
        return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    return pl_plan_uses(pl_plan_only(R_NAMES), on_names,
                        pl_files_content_at(at.folder, at.path, at.flags & AT_SYMLINK_NOFOLLOW),
                        on_content);
}

/* The same by a descriptor, where there is no path. */
static struct pl_plan uses_open(uint64_t fd, enum pl_effect on_content)
{
    if (!pl_plan_is_open(fd))
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    return pl_plan_uses(pl_files_open((int)fd), PL_EFFECT_READ, pl_files_content((int)fd),
                        on_content);
}

/* No path at all, or one that means the folder itself. */
static bool is_empty(struct place at)
{
    return at.path == NULL || ((at.flags & AT_EMPTY_PATH) != 0 && *at.path == '\0');
}

struct pl_plan pl_plan_status(const struct pl_syscall *c)
{
    struct place at = place_of(c, 0);

    return is_empty(at) ? uses_open((uint64_t)at.folder, PL_EFFECT_READ)
                        : uses_at(at, PL_EFFECT_READ, PL_EFFECT_READ);
}

/* Who may use a path depends on the modes of what it goes through. */
struct pl_plan pl_plan_chmod(const struct pl_syscall *c)
{
    return uses_at(place_of(c, 0), PL_EFFECT_WRITE, PL_EFFECT_WRITE);
}

struct pl_plan pl_plan_change(const struct pl_syscall *c)
{
    struct place at = place_of(c, 0);

    return is_empty(at) ? uses_open((uint64_t)at.folder, PL_EFFECT_WRITE)
                        : uses_at(at, PL_EFFECT_READ, PL_EFFECT_WRITE);
}

/* A file knows how many names it has. */
struct pl_plan pl_plan_link(const struct pl_syscall *c)
{
    struct place at = place_of(c, 0);

    if (is_empty(at))
        return pl_plan_uses(pl_plan_only(R_NAMES), PL_EFFECT_WRITE, pl_files_content(at.folder),
                            PL_EFFECT_WRITE);
    if ((at.flags & AT_SYMLINK_FOLLOW) != 0)
        at.flags &= ~AT_SYMLINK_NOFOLLOW;
    return uses_at(at, PL_EFFECT_WRITE, PL_EFFECT_WRITE);
}

/* What had the new name loses it. */
struct pl_plan pl_plan_rename(const struct pl_syscall *c)
{
    return uses_at(place_of(c, 1), PL_EFFECT_WRITE, PL_EFFECT_WRITE);
}

/* Out of the end of a pipe that is read, into the other. */
struct pl_plan pl_plan_vmsplice(const struct pl_syscall *c)
{
    struct pl_plan p = pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);

    p.wait = (pl_sys(SYS_fcntl, c->a[0], F_GETFL) & O_ACCMODE) == O_RDONLY ? PL_ASK_IN : PL_ASK_OUT;
    return p;
}

/* Limits of what is no operation on files: memory, threads, signals. */
static bool limits_others(uint64_t which)
{
    return which == RLIMIT_AS || which == RLIMIT_DATA || which == RLIMIT_MEMLOCK ||
           which == RLIMIT_NPROC || which == RLIMIT_SIGPENDING;
}

static struct pl_plan limits(uint64_t which)
{
    struct pl_plan p = pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);

    p.unmodelled = limits_others(which);
    return p;
}

struct pl_plan pl_plan_setrlimit(const struct pl_syscall *c)
{
    return limits(c->a[0]);
}

struct pl_plan pl_plan_prlimit(const struct pl_syscall *c)
{
    if (c->a[2] != 0)
        return limits(c->a[1]);
    return pl_plan_uses(pl_plan_only(R_PROCESS), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
}

void pl_plan_opening(const struct pl_syscall *c, int *folder, const char **path, uint64_t *flags)
{
    *path = pl_arguments_path(c->number, c->a, 0, folder);
    *flags = pl_arguments_flags(c->number, c->a);
}

/* Whether the path leads to a FIFO. */
static bool is_fifo_at(int folder, const char *path)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_files_look_up(folder, path, 0, &st) == 0 && S_ISFIFO(st.st_mode);
}

/*
 * An end of a FIFO that is opened says to those who have the other one that somebody is there, so
 * this changes what goes through it, besides the numbers and by way of names.
 */
struct pl_plan pl_plan_open(const struct pl_syscall *c)
{
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    pl_files_content_at(folder, path, 0); /* by its path, rather than by who opens it */
    struct pl_plan p = pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_WRITE, pl_plan_only(R_NAMES),
                                    (flags & O_CREAT) != 0 ? PL_EFFECT_WRITE : PL_EFFECT_READ);

    if ((flags & O_TRUNC) != 0 || pl_told_at(path) != PL_TOLD_NOTHING || is_fifo_at(folder, path))
        p = pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    p.wait = PL_ASK_LATER;
    return p;
}

/* ---- sockets ---- */

/* A path, or a name in the other space of those. */
static bool is_named(const void *address)
{
    return address != NULL && ((const struct sockaddr *)address)->sa_family == AF_UNIX;
}

/* Whether numbers of descriptors go with it, which are looked up. */
static bool passes_numbers(const struct msghdr *m)
{
    const struct cmsghdr *c = CMSG_FIRSTHDR(m);

    while (c != NULL && (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS))
        c = CMSG_NXTHDR((struct msghdr *)m, (struct cmsghdr *)c);
    return c != NULL;
}

/* Through a socket: to whom a name leads, and which files go along. */
static struct pl_plan sends(const struct pl_syscall *c, bool by_name, bool numbers)
{
    uint64_t file = pl_files_open((int)c->a[0]);

    if (!pl_plan_is_open(c->a[0]))
        return pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    if (by_name && numbers)
        return pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    return pl_plan_uses(file, PL_EFFECT_WRITE,
                        by_name   ? pl_plan_only(R_NAMES)
                        : numbers ? pl_plan_only(R_TABLE)
                                  : 0,
                        PL_EFFECT_READ);
}

static struct pl_plan sends_messages(const struct pl_syscall *c, const struct mmsghdr *m,
                                     uint64_t n)
{
    bool by_name = false, numbers = false;

    for (uint64_t i = 0; i < n && i < IOV_MAX; i++) {
        by_name |= is_named(m[i].msg_hdr.msg_name);
        numbers |= passes_numbers(&m[i].msg_hdr);
    }
    return sends(c, by_name, numbers);
}

static struct pl_plan waits_for_room(struct pl_plan p)
{
    p.wait = PL_ASK_SEND;
    return p;
}

struct pl_plan pl_plan_sendto(const struct pl_syscall *c)
{
    return waits_for_room(sends(c, is_named((const void *)c->a[4]), false));
}

struct pl_plan pl_plan_sendmsg(const struct pl_syscall *c)
{
    const struct msghdr *m = (const struct msghdr *)c->a[1];

    return waits_for_room(sends(c, is_named(m->msg_name), passes_numbers(m)));
}

struct pl_plan pl_plan_sendmmsg(const struct pl_syscall *c)
{
    return waits_for_room(sends_messages(c, (const struct mmsghdr *)c->a[1], c->a[2]));
}

/* Out of a socket: files that come along get numbers, if there is room to say which. */
static struct pl_plan receives(const struct pl_syscall *c, bool numbers)
{
    struct pl_plan p;

    if (!pl_plan_is_open(c->a[0]))
        p = pl_plan_uses(pl_plan_only(R_TABLE), PL_EFFECT_READ, 0, PL_EFFECT_NONE);
    else
        p = pl_plan_uses(pl_files_open((int)c->a[0]), PL_EFFECT_WRITE,
                         numbers ? pl_plan_only(R_TABLE) : 0, PL_EFFECT_WRITE);
    p.wait = PL_ASK_RECEIVE;
    return p;
}

/* Only through those of AF_UNIX. */
static bool may_pass_numbers(uint64_t fd)
{
    struct sockaddr_storage own = {0}; /* so that the kernel may write there */
    int size = sizeof(own);

    return pl_sys(SYS_getsockname, fd, &own, &size) == 0 && own.ss_family == AF_UNIX;
}

static bool has_room_for_numbers(const struct msghdr *m)
{
    return m->msg_control != NULL && m->msg_controllen >= CMSG_LEN(sizeof(int));
}

struct pl_plan pl_plan_recvmsg(const struct pl_syscall *c)
{
    const struct msghdr *m = (const struct msghdr *)c->a[1];

    return receives(c, has_room_for_numbers(m) && may_pass_numbers(c->a[0]));
}

struct pl_plan pl_plan_recvmmsg(const struct pl_syscall *c)
{
    const struct mmsghdr *m = (const struct mmsghdr *)c->a[1];
    bool numbers = false;

    for (uint64_t i = 0; i < c->a[2] && i < IOV_MAX; i++)
        numbers |= has_room_for_numbers(&m[i].msg_hdr);
    return receives(c, numbers && may_pass_numbers(c->a[0]));
}

struct pl_plan pl_plan_connect(const struct pl_syscall *c)
{
    struct pl_plan p = sends(c, is_named((const void *)c->a[1]), false);

    p.wait = PL_ASK_LATER;
    return p;
}

/* Which signals are taken there, or one more descriptor for them. */
struct pl_plan pl_plan_signalfd(const struct pl_syscall *c)
{
    bool there = (int)c->a[0] >= 0;

    return pl_plan_uses(there ? pl_files_open((int)c->a[0]) : pl_plan_only(R_TABLE),
                        PL_EFFECT_WRITE, there ? pl_plan_only(R_TABLE) : 0, PL_EFFECT_READ);
}
