/* SPDX-License-Identifier: MIT */
#include "engine/worker/overlay.h"

#include "base/assert.h"
#include "engine/worker/space.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOUNTS = 128, POINT = 256, COVERS = 64 };

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif
#ifndef MOVE_MOUNT_F_EMPTY_PATH
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif

static const char QUEUES[] = "/dev/mqueue";

struct mounted {
    char point[POINT];
    bool files; /* it holds files, rather than what the system shows of itself */
    int tree;   /* a copy of it, to be put into what covers it */
};

static struct mounted mounts[MOUNTS];
static unsigned n_mounts;
static unsigned n_covers;
static bool privileged;

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return written;
}

/* A namespace; who may not have one by itself gets one within a namespace of users. */
static bool enter_namespace(int kind)
{
    unsigned user = (unsigned)geteuid(), group = (unsigned)getegid();
    char map[64];

    privileged = unshare(kind) == 0;
    if (privileged)
        return true;
    if (unshare(CLONE_NEWUSER | kind) != 0)
        return false;
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "%u %u 1", user, user);
    if (!write_text("/proc/self/uid_map", map))
        return false;
    snprintf(map, sizeof(map), "%u %u 1", group, group);
    return write_text("/proc/self/gid_map", map);
}

/* ---- what there is ---- */

static bool holds_files(const char *type)
{
    static const char *const types[] = {"ext2", "ext3", "ext4",     "xfs",     "btrfs", "tmpfs",
                                        "f2fs", "zfs",  "nfs",      "nfs4",    "vfat",  "overlay",
                                        "9p",   "fuse", "ecryptfs", "bcachefs"};

    for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(type, types[i]) == 0)
            return true;
    }
    return false;
}

/* "36 35 98:0 / /point options ... - type source superoptions" */
static void take_mount(char *line)
{
    char *at = line, *point = NULL, *options = NULL, *type = strstr(line, " - ");
    struct mounted *m = &mounts[n_mounts];

    if (type == NULL || n_mounts == MOUNTS)
        return;
    *type = '\0';
    type += 3;
    type[strcspn(type, " ")] = '\0';
    for (unsigned i = 0; i < 6 && at != NULL; i++) {
        char *word = strsep(&at, " ");

        point = i == 4 ? word : point;
        options = i == 5 ? word : options;
    }
    if (options == NULL || strlen(point) >= POINT || strchr(point, '\\') != NULL)
        return;
    /* Of several at one place the last one is seen. */
    for (unsigned i = 0; i < n_mounts; i++) {
        if (strcmp(mounts[i].point, point) == 0)
            m = &mounts[i];
    }
    if (m == &mounts[n_mounts])
        n_mounts++;
    strcpy(m->point, point);
    m->files = holds_files(type) && strncmp(options, "ro", 2) != 0;
    m->tree = -1;
}

static bool read_mounts(void)
{
    static char text[1 << 16];
    int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    size_t have = 0;
    ssize_t n;

    if (fd < 0)
        return false;
    while (have < sizeof(text) - 1 && (n = read(fd, text + have, sizeof(text) - 1 - have)) > 0)
        have += (size_t)n;
    close(fd);
    text[have] = '\0';
    char *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0')
        take_mount(line);
    return n_mounts > 0 && n_mounts < MOUNTS;
}

static bool is_below(const char *point, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(point, folder, n) == 0 && point[n] == '/';
}

/* ---- covers ---- */

/* Whatever an execution before has left there; folders of the kernel's may be closed to all. */
static void remove_tree(int at, const char *name)
{
    if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return;
    fchmodat(at, name, 0700, 0);
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;

    for (const struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove_tree(fd, e->d_name);
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    unlinkat(at, name, AT_REMOVEDIR);
}

/* Says what the changes belong to. */
static bool name_cover(int changes, const char *folder)
{
    char path[64];

    snprintf(path, sizeof(path), "%u/of", n_covers);
    unlinkat(changes, path, 0);
    return symlinkat(folder, changes, path) == 0;
}

/* The folder itself with changes apart; `lower` is open on what it is now. */
static bool cover(const char *folder, int lower, int changes)
{
    char options[256], upper[64], work[64];

    if (n_covers == COVERS)
        return false;
    snprintf(upper, sizeof(upper), "%u", n_covers);
    if ((mkdirat(changes, upper, 0755) != 0 && errno != EEXIST) || !name_cover(changes, folder))
        return false;
    snprintf(upper, sizeof(upper), "%u/u", n_covers);
    snprintf(work, sizeof(work), "%u/w", n_covers);
    remove_tree(changes, upper);
    remove_tree(changes, work);
    struct stat st;

    if (fstat(lower, &st) != 0 || (mkdirat(changes, upper, 0755) != 0 && errno != EEXIST) ||
        (mkdirat(changes, work, 0755) != 0 && errno != EEXIST))
        return false;
    /* As the folder that it covers. */
    fchmodat(changes, upper, st.st_mode & 07777, 0);
    if (privileged && fchownat(changes, upper, st.st_uid, st.st_gid, 0) != 0)
        return false;
    snprintf(options, sizeof(options),
             "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d/%s,"
             "workdir=/proc/self/fd/%d/%s,xino=on%s",
             lower, changes, upper, changes, work, privileged ? "" : ",userxattr");
    if (mount("plait", folder, "overlay", 0, options) != 0)
        return false;
    n_covers++;
    return true;
}

/* Mounted below the folder, and not below another mount there, with which it comes along. */
static bool is_outermost(unsigned i, const char *folder)
{
    if (!is_below(mounts[i].point, folder))
        return false;
    for (unsigned k = 0; k < n_mounts; k++) {
        if (is_below(mounts[k].point, folder) && is_below(mounts[i].point, mounts[k].point))
            return false;
    }
    return true;
}

/* Memory for changes, where the first cover hides it: whoever unmounts waits for all processors. */
static bool make_room(const char *folder, int *changes)
{
    if (*changes < 0 && mount("plait", folder, "tmpfs", 0, "mode=0755") == 0)
        *changes = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return *changes >= 0;
}

/* Cover the folder, and put what was mounted below it into the cover. */
static bool cover_with_all(const char *folder, int *changes)
{
    int lower = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (lower < 0)
        return false;
    for (unsigned i = 0; i < n_mounts; i++) {
        if (is_outermost(i, folder))
            mounts[i].tree = (int)syscall(SYS_open_tree, AT_FDCWD, mounts[i].point,
                                          OPEN_TREE_CLONE | AT_RECURSIVE | O_CLOEXEC);
    }
    bool first = *changes < 0;
    bool covered = make_room(folder, changes) && cover(folder, lower, *changes);

    if (!covered && first && *changes >= 0)
        umount2(folder, MNT_DETACH);
    close(lower);
    for (unsigned i = 0; i < n_mounts; i++) {
        if (mounts[i].tree < 0)
            continue;
        if (covered)
            syscall(SYS_move_mount, mounts[i].tree, "", AT_FDCWD, mounts[i].point,
                    MOVE_MOUNT_F_EMPTY_PATH);
        close(mounts[i].tree);
        mounts[i].tree = -1;
    }
    return covered;
}

/* Whether somebody who works in `cwd` may write below the folder. */
static bool is_wanted(const char *folder, const char *cwd)
{
    const char *places[] = {cwd, getenv("HOME"), getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};

    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (places[i] != NULL && (strcmp(places[i], folder) == 0 || is_below(places[i], folder)))
            return true;
    }
    return false;
}

static bool is_mounted(const char *point)
{
    for (unsigned i = 0; i < n_mounts; i++) {
        if (strcmp(mounts[i].point, point) == 0)
            return true;
    }
    return false;
}

/* Folders at the top that are on the file system of the root. */
static bool cover_top(int *changes, const char *cwd)
{
    DIR *top = opendir("/");
    bool all = top != NULL;

    for (const struct dirent *e; all && (e = readdir(top)) != NULL;) {
        char path[POINT];
        struct stat st;

        snprintf(path, sizeof(path), "/%.200s", e->d_name);
        if (e->d_name[0] != '.' && strcmp(e->d_name, "dev") != 0 && is_wanted(path, cwd) &&
            !is_mounted(path) && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
            all = cover_with_all(path, changes);
    }
    if (top != NULL)
        closedir(top);
    return all;
}

/* What is mounted somewhere else, from the outside in. */
static bool cover_mounts(int *changes, const char *cwd)
{
    bool all = true;

    for (unsigned i = 0; i < n_mounts && all; i++) {
        const char *point = mounts[i].point;

        if (mounts[i].files && strcmp(point, "/") != 0 && is_wanted(point, cwd))
            all = cover_with_all(point, changes);
    }
    return all;
}

/* ---- what is left of it ---- */

static bool is_empty(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    bool empty = true;

    for (const struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        empty &= strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    return empty;
}

/* As it was called, below the folder. */
static bool put_in_place(int changes, const char *upper, const char *folder)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s", folder + 1);
    for (char *s = path; *s != '\0'; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        mkdirat(changes, path, 0755);
        *s = '/';
    }
    return renameat(changes, upper, changes, path) == 0;
}

bool pl_overlay_tidy(const char *changes)
{
    int at = open(changes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool any = false;

    for (unsigned i = 0; at >= 0 && i < COVERS; i++) {
        char number[16], upper[32], of[32], folder[PATH_MAX];

        snprintf(number, sizeof(number), "%u", i);
        snprintf(upper, sizeof(upper), "%u/u", i);
        snprintf(of, sizeof(of), "%u/of", i);
        ssize_t n = readlinkat(at, of, folder, sizeof(folder) - 1);

        if (n <= 0)
            break;
        folder[n] = '\0';
        if (!is_empty(at, upper) && put_in_place(at, upper, folder))
            any = true;
        remove_tree(at, number);
    }
    if (at >= 0)
        close(at);
    return any;
}

bool pl_overlay_enter(const char *changes, int socket)
{
    char cwd[PATH_MAX];

    PL_ASSERT(n_mounts == 0);
    if (getcwd(cwd, sizeof(cwd)) == NULL ||
        (!enter_namespace(CLONE_NEWNS | CLONE_NEWIPC) && !enter_namespace(CLONE_NEWNS)) ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || !read_mounts())
        return false;
    if (is_mounted(QUEUES)) /* as a list of the new ones */
        mount("mqueue", QUEUES, "mqueue", 0, NULL);
    /* Of this namespace: the kernel takes no mount of another one for an overlay. */
    int kept = changes != NULL ? open(changes, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

    if (changes != NULL && kept < 0)
        return false;
    bool covered = cover_top(&kept, cwd) && cover_mounts(&kept, cwd);

    if (covered && kept >= 0 && socket >= 0)
        pl_space_tell(kept, !privileged, socket);
    if (kept >= 0)
        close(kept);
    return covered && chdir(cwd) == 0;
}

bool pl_overlay_objects(void)
{
    return enter_namespace(CLONE_NEWIPC);
}

bool pl_overlay_network(void)
{
    struct ifreq loopback = {.ifr_name = "lo"};

    if (!enter_namespace(CLONE_NEWNET))
        return false;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &loopback) == 0;

    loopback.ifr_flags |= IFF_UP;
    up = up && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;
    if (fd >= 0)
        close(fd);
    /* What a connection leaves behind would keep the next execution from its port. */
    write_text("/proc/sys/net/ipv4/tcp_max_tw_buckets", "0");
    write_text("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
    return up;
}
