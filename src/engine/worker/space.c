/* SPDX-License-Identifier: MIT */
/* See space.h. */
#include "engine/worker/space.h"

#include "base/assert.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const struct pl_space pl_space_none = {
    .changes = -1, .mounts = -1, .mounted = -1, .root = -1, .users = -1};

enum { DESCRIPTORS = 5 };

/* In the order in which they are told. */
static void list(struct pl_space *space, int *fds[DESCRIPTORS])
{
    fds[0] = &space->changes;
    fds[1] = &space->mounts;
    fds[2] = &space->mounted;
    fds[3] = &space->root;
    fds[4] = &space->users;
}

/* The folder that has what was changed in one of those that are covered. */
static bool look_at(int changes, unsigned i, struct stat *st)
{
    char upper[32];

    snprintf(upper, sizeof(upper), "%u/u", i);
    return fstatat(changes, upper, st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The list of queues of messages, if there is one. */
static bool look_at_queues(int root, struct stat *st)
{
    return fstatat(root, "dev/mqueue", st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool fill(struct pl_space *space, int changes, bool users)
{
    struct stat more;

    *space = pl_space_none;
    space->changes = changes;
    while (space->n_covers < PL_SPACE_COVERS &&
           look_at(changes, space->n_covers, &space->covers[space->n_covers]))
        space->n_covers++;
    if (space->n_covers == 0 || look_at(changes, space->n_covers, &more))
        return false;
    space->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    space->mounted = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    space->root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    space->has_queues = look_at_queues(space->root, &space->queues);
    if (users)
        space->users = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    return space->mounts >= 0 && space->mounted >= 0 && space->root >= 0 &&
           (!users || space->users >= 0);
}

void pl_space_tell(int changes, bool users, int socket)
{
    struct pl_space space;
    int *fds[DESCRIPTORS], sent[DESCRIPTORS], n = users ? DESCRIPTORS : DESCRIPTORS - 1;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(sent))];
    } control = {0};
    struct iovec text = {&space, sizeof(space)};
    struct msghdr message = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)n)};

    if (!fill(&space, changes, users))
        return; /* it is not kept, then; all of it goes when the program begins */
    list(&space, fds);
    for (int i = 0; i < n; i++)
        sent[i] = *fds[i];
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)n);
    memcpy(CMSG_DATA(&control.header), sent, sizeof(int) * (size_t)n);
    if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
        return; /* as above */
}

/* The descriptors of a message, in place of the numbers that the sender had for them. */
static bool take(struct pl_space *space, struct msghdr *message)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(message);
    int *fds[DESCRIPTORS], sent[DESCRIPTORS];

    if (c == NULL || c->cmsg_type != SCM_RIGHTS || c->cmsg_len > CMSG_LEN(sizeof(sent)))
        return false;
    size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

    memcpy(sent, CMSG_DATA(c), n * sizeof(int));
    list(space, fds);
    for (size_t i = 0; i < DESCRIPTORS; i++)
        *fds[i] = i < n ? sent[i] : -1;
    return true;
}

bool pl_space_hear(struct pl_space *space, int socket, void *said, size_t size)
{
    struct pl_space told;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * DESCRIPTORS)];
    } control = {0};
    struct iovec text = {&told, sizeof(told)};
    ssize_t n;

    PL_ASSERT(size < sizeof(told));
    for (;;) {
        struct msghdr message = {.msg_iov = &text,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof(control)};

        n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)sizeof(told))
            break;
        pl_space_close(space);
        if (take(&told, &message))
            *space = told;
    }
    if (n == (ssize_t)size)
        memcpy(said, &told, size);
    return n == (ssize_t)size;
}

static bool is_empty(int changes, unsigned i)
{
    char upper[32];

    snprintf(upper, sizeof(upper), "%u/u", i);
    int fd = openat(changes, upper, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    unsigned n = 0;

    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    return folder != NULL && n == 2;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* By its times; and by the rest, since a clock may stand still for some milliseconds. */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_mode == b->st_mode && a->st_uid == b->st_uid && a->st_gid == b->st_gid &&
           a->st_nlink == b->st_nlink && a->st_size == b->st_size &&
           same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

bool pl_space_is_untouched(const struct pl_space *space)
{
    struct pollfd mounts = {.fd = space->mounts, .events = POLLPRI};

    if (space->mounted < 0 || poll(&mounts, 1, 0) < 0 ||
        (mounts.revents & (POLLPRI | POLLERR)) != 0)
        return false;
    struct stat now;

    if (space->has_queues && (!look_at_queues(space->root, &now) || !is_same(&space->queues, &now)))
        return false;
    for (unsigned i = 0; i < space->n_covers; i++) {
        if (!look_at(space->changes, i, &now) || !is_same(&space->covers[i], &now) ||
            !is_empty(space->changes, i))
            return false;
    }
    return true;
}

bool pl_space_enter(const struct pl_space *space)
{
    char cwd[PATH_MAX];

    return getcwd(cwd, sizeof(cwd)) != NULL &&
           (space->users < 0 || setns(space->users, CLONE_NEWUSER) == 0) &&
           setns(space->mounted, CLONE_NEWNS) == 0 && fchdir(space->root) == 0 &&
           chroot(".") == 0 && chdir(cwd) == 0;
}

void pl_space_close(struct pl_space *space)
{
    int *fds[DESCRIPTORS];

    list(space, fds);
    for (unsigned i = 0; i < DESCRIPTORS; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
    }
    *space = pl_space_none;
}
