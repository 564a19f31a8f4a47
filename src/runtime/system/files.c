/* SPDX-License-Identifier: MIT */
/*
 * Open files by identity.  Two descriptors of one open file, both ends of a pipe or of a pair of
 * sockets, are one resource; two openings of a file are two, with one content.
 *
 * The kernel does not say which descriptors share an open file, so that is followed: every
 * system call that makes or closes a descriptor passes here.  Identities are the same in every
 * execution that begins alike: the creating operation names what it creates, and what was open at
 * the root has the lowest of its numbers.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/depend.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/about.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/look.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/deputy.h"
#include "runtime/system/pipe_room.h"
#include "runtime/system/told.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/kcmp.h>
#include <linux/major.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* Kinds of resources, within the numbers that are above all addresses. */
#define OPEN_FILE (PL_DEPEND_FILES | UINT64_C(1) << 56)
#define CONTENT (PL_DEPEND_FILES | UINT64_C(2) << 56)

enum { SOCKETS = 1, WATCHES, TERMINALS, TELLS_CALLS, TELLS_MORE, FIRST_AT_ROOT };

static struct pl_files *files(void)
{
    return &pl_stage->process.files;
}

static bool is_known(int fd)
{
    return fd >= 0 && fd < PL_FILES_MAX;
}

/* A name for what the running thread's operation creates. */
static uint32_t fresh(void)
{
    const struct pl_thread *t = pl_thread_self();
    /* In a replay of free threads what they did not announce has no number of its own. */
    bool numbered = pl_stage->rooted && !pl_board->settings.starts_chosen;
    uint32_t made = numbered ? t->op.ordinal : files()->n_made++;

    return ((uint32_t)pl_hash_add(t->name, made) & ~(PL_FILES_PAIR | 1)) | UINT32_C(1) << 31;
}

static bool has_own_inode(const struct stat *st)
{
    return (st->st_mode & S_IFMT) != 0;
}

/* Of a pseudo-terminal: what goes into one end comes out of the other, which nobody can tell. */
static bool is_terminal(const struct stat *st)
{
    unsigned kind = major(st->st_rdev);

    return S_ISCHR(st->st_mode) && ((kind == TTYAUX_MAJOR && minor(st->st_rdev) == 2) ||
                                    (kind >= UNIX98_PTY_SLAVE_MAJOR &&
                                     kind < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT));
}

/* What tells about the process is one resource, whichever file it is; 0: it tells nothing. */
static uint32_t identity_of_told(int fd, const struct stat *st)
{
    enum pl_told told = st->st_dev == files()->told ? pl_told_in(fd) : PL_TOLD_NOTHING;

    return told == PL_TOLD_MORE ? TELLS_MORE : told == PL_TOLD_CALLS ? TELLS_CALLS : 0;
}

static uint32_t identity_at_root(int fd, const struct stat *st)
{
    const struct pl_root_fd *all = pl_stage->root_fds;
    uint32_t told = identity_of_told(fd, st);

    if (told != 0)
        return told;
    if (!has_own_inode(st) && pl_about_watches(fd))
        return WATCHES;
    if (S_ISSOCK(st->st_mode))
        return SOCKETS;
    if (is_terminal(st))
        return TERMINALS;
    for (int lower = 0; lower < fd && lower < PL_FDS_MAX && has_own_inode(st); lower++) {
        if (all[lower].open && all[lower].inode == st->st_ino && all[lower].device == st->st_dev)
            return (uint32_t)(lower + FIRST_AT_ROOT);
    }
    return (uint32_t)(fd + FIRST_AT_ROOT);
}

/* ---- counters that stand for something else ---- */

enum pl_counter pl_files_stands_for(int fd)
{
    const struct pl_process_state *p = &pl_stage->process;
    uint64_t file = pl_files_open(fd);

    if (file == 0)
        return PL_COUNTER_NONE;
    for (unsigned i = 0; i < PL_SIGNALFDS && p->n_signalfds > 0; i++) {
        if (p->signalfds[i].file == file)
            return PL_COUNTER_SIGNALS;
    }
    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        if (p->timerfds[i].file == file)
            return PL_COUNTER_TIMER;
    }
    return PL_COUNTER_NONE;
}

static bool stands_for(int fd, uint64_t file)
{
    return pl_files_open(fd) == file && pl_sys(SYS_fcntl, fd, F_GETFD) >= 0;
}

int pl_files_number(int fd, uint64_t file)
{
    if (stands_for(fd, file))
        return fd;
    for (int other = 0; other < PL_FILES_MAX; other++) {
        if (files()->open[other] != 0 && stands_for(other, file))
            return other;
    }
    return -1;
}

void pl_files_empty(int fd)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);
    uint64_t count = 0; /* so that the kernel may write there */

    pl_sys(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    pl_watch_make(SYS_read, (uint64_t[6]){(uint64_t)fd, (uint64_t)&count, sizeof(count)});
    pl_sys(SYS_fcntl, fd, F_SETFL, flags);
}

void pl_files_fill(int fd, uint64_t count)
{
    pl_watch_make(SYS_write, (uint64_t[6]){(uint64_t)fd, (uint64_t)&count, sizeof(count)});
}

/* ---- who lets whom go on ---- */

static uint8_t ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT};

    pl_sys(SYS_poll, &p, 1, 0);
    return (uint8_t)(((p.revents & (POLLIN | POLLHUP | POLLERR)) != 0) |
                     ((p.revents & (POLLOUT | POLLERR)) != 0) << 1);
}

/* A queue of messages, which looks like a file. */
static bool is_queue(int fd)
{
    return pl_ask_file_system(fd) == 0x19800202;
}

/* It can keep somebody waiting for another thread of the program. */
static bool is_channel(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */
    uint32_t id = is_known(fd) ? files()->open[fd] : 0;

    return pl_sys(SYS_fstat, fd, &st) == 0 &&
           (S_ISFIFO(st.st_mode) || (id & PL_FILES_PAIR) != 0 || (st.st_mode & S_IFMT) == 0 ||
            (S_ISREG(st.st_mode) && is_queue(fd))) &&
           !pl_about_is_set(fd);
}

static void set(long fd, uint32_t id);

static void remove_channel(int fd)
{
    struct pl_files *f = files();

    for (unsigned i = 0; i < f->n_channels; i++) {
        if (f->channels[i].fd == fd + 1)
            f->channels[i] = f->channels[--f->n_channels];
    }
}

static void add_channel(int fd)
{
    struct pl_files *f = files();

    if (fd < 0)
        return;
    remove_channel(fd);
    if (f->n_channels == PL_CHANNELS || !is_channel(fd))
        return;
    f->channels[f->n_channels++] = (struct pl_channel){
        .fd = fd + 1, .by = {PL_TID_NONE, PL_TID_NONE}, .ended = {PL_TID_NONE, PL_TID_NONE}};
}

void pl_files_look(void)
{
    struct pl_files *f = files();

    for (unsigned i = 0; i < f->n_channels; i++)
        f->channels[i].ready = ready(f->channels[i].fd - 1);
}

void pl_files_changed(void)
{
    struct pl_files *f = files();
    const struct pl_thread *t = pl_thread_self();

    for (unsigned i = 0; i < f->n_channels; i++) {
        struct pl_channel *c = &f->channels[i];
        uint8_t now = ready(c->fd - 1);

        for (unsigned way = 0; way < 2; way++) {
            bool before = (c->ready >> way & 1) != 0, after = (now >> way & 1) != 0;

            if (before && !after)
                c->ended[way] = c->ended[way] == PL_TID_NONE || c->ended[way] == t->id
                                    ? t->id
                                    : (pl_tid)PL_THREADS_MAX;
            if (before || !after)
                continue;
            c->by[way] = t->id;
            c->ordinal[way] = t->op.ordinal;
        }
    }
}

void pl_files_kept(int fd, int held)
{
    struct pl_files *f = files();

    if (!is_known(held))
        return;
    set(held, f->open[fd]);
    for (unsigned i = 0; i < f->n_channels; i++) {
        for (unsigned k = 0; k < f->n_channels && f->channels[i].fd == fd + 1; k++) {
            if (f->channels[k].fd != held + 1)
                continue;
            f->channels[k] = f->channels[i];
            f->channels[k].fd = held + 1;
        }
    }
}

void pl_files_tell_waker(int fd, bool writes, struct pl_operation *op)
{
    const struct pl_files *f = files();

    for (unsigned i = 0; i < f->n_channels; i++) {
        const struct pl_channel *c = &f->channels[i];

        /* What another thread took away it could have left: then the order may exist. */
        if (c->fd != fd + 1 || c->by[writes] == PL_TID_NONE || c->by[writes] == op->tid ||
            (c->ended[writes] != PL_TID_NONE && c->ended[writes] != op->tid))
            continue;
        op->waker = c->by[writes];
        op->wake = c->ordinal[writes];
    }
}

/* ---- which there are ---- */

void pl_files_start(void)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_stat, "/proc", &st) == 0)
        files()->told = st.st_dev;
    pl_about_open(files()->inherited, PL_FDS_MAX);
    /* What another process under control has opened is the program's own, see start/join.h. */
    for (int fd = 3; pl_stage->process.coming != 0 && fd < PL_FDS_MAX; fd++)
        files()->inherited[fd] &= pl_inputs_is_stream(fd);
}

bool pl_files_inherited(int fd)
{
    return fd >= 0 && fd < PL_FDS_MAX ? files()->inherited[fd] && pl_stage->root_fds[fd].open
                                      : pl_kept_inherited(fd);
}

void pl_files_root(void)
{
    struct pl_files *f = files();
    struct stat st = {0}; /* so that the kernel may write there */

    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (!pl_stage->root_fds[fd].open || pl_sys(SYS_fstat, fd, &st) != 0)
            f->open[fd] = 0;
        else if (f->open[fd] == WATCHES && !has_own_inode(&st))
            continue;
        else if (!S_ISSOCK(st.st_mode) || (f->open[fd] & PL_FILES_PAIR) == 0)
            f->open[fd] = identity_at_root(fd, &st);
        if (f->open[fd] != 0 && fd > 2)
            add_channel(fd);
        if (f->open[fd] != 0)
            pl_pipe_room_root(fd);
        if (f->open[fd] != 0)
            pl_files_content(fd); /* by its number, rather than by the path of who opens it again */
        if (f->open[fd] != 0)
            pl_deputy_learn(fd);
    }
    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        struct pl_timerfd *t = &pl_stage->process.timerfds[i];

        t->file = t->file != 0 ? pl_files_open(t->fd) : 0;
    }
    for (unsigned i = 0; i < PL_SIGNALFDS; i++) {
        struct pl_signalfd *s = &pl_stage->process.signalfds[i];

        s->file = s->file != 0 ? pl_files_open(s->fd) : 0;
    }
}

uint64_t pl_files_open(int fd)
{
    uint32_t id = is_known(fd) ? files()->open[fd] : 0;

    if ((id & PL_FILES_PAIR) != 0)
        id &= ~UINT32_C(1); /* whichever end */
    return OPEN_FILE | (uint64_t)(id != 0 ? id : (uint32_t)fd + FIRST_AT_ROOT) << 3;
}

bool pl_files_is_reused(int fd)
{
    return is_known(fd) && files()->closer[fd] != 0 && files()->opener[fd] != 0 &&
           files()->opener[fd] != pl_stage->current + 1;
}

bool pl_files_is_pair(int fd)
{
    return is_known(fd) && (files()->open[fd] & PL_FILES_PAIR) != 0;
}

bool pl_files_watches(int fd)
{
    uint32_t id = is_known(fd) ? files()->open[fd] : 0;

    return id == WATCHES || id == TELLS_CALLS || id == TELLS_MORE;
}

bool pl_files_tells_more(int fd)
{
    return is_known(fd) && files()->open[fd] == TELLS_MORE;
}

/* The inode as it was in the first execution. */
static uint64_t first_inode(const struct stat *st)
{
    return pl_journal_first_inode(st->st_dev, st->st_ino);
}

/* Its place in the list, where the next one would go, or PL_CONTENTS_MAX: the list is full. */
static unsigned find_content(const struct stat *st)
{
    const struct pl_files *f = files();
    uint64_t inode = first_inode(st);
    unsigned i = 0;

    while (i < f->n_contents &&
           (f->contents[i].inode != inode || f->contents[i].device != st->st_dev))
        i++;
    return i;
}

/* The content of a file, which gets the name if it has none in this execution. */
static uint64_t content_of(const struct stat *st, uint32_t name)
{
    struct pl_files *f = files();
    unsigned i = find_content(st);

    if (S_ISDIR(st->st_mode))
        return PL_FILES_NAMES;
    if (!S_ISREG(st->st_mode))
        return 0;
    if (i == PL_CONTENTS_MAX)
        return CONTENT; /* more than can be told apart are one */
    if (i == f->n_contents)
        f->contents[f->n_contents++] = (struct pl_content){st->st_dev, first_inode(st), name};
    return CONTENT | (uint64_t)f->contents[i].name << 3;
}

/*
 * A file that was not there is a new content, named by the operation that made it, whether its
 * number is one that has been used before (by a file that is gone) or not: the kernel and other
 * processes decide that.
 */
void pl_files_created(int fd)
{
    struct pl_files *f = files();
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    unsigned i = find_content(&st);

    if (i == PL_CONTENTS_MAX)
        return;
    if (i == f->n_contents)
        f->n_contents++;
    f->contents[i] = (struct pl_content){st.st_dev, first_inode(&st), fresh()};
}

bool pl_files_is_open(uint64_t resource)
{
    return (resource & (PL_DEPEND_FILES | UINT64_C(0xff) << 56)) == OPEN_FILE;
}

bool pl_files_is_content(uint64_t resource)
{
    return (resource & (PL_DEPEND_FILES | UINT64_C(0xff) << 56)) == CONTENT;
}

uint64_t pl_files_content(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) != 0)
        return 0;
    bool at_root = fd >= 0 && fd < PL_FDS_MAX && pl_stage->root_fds[fd].open;

    return content_of(&st, at_root ? identity_at_root(fd, &st) : (uint32_t)fd + FIRST_AT_ROOT);
}

uint64_t pl_files_content_known(uint64_t device, uint64_t file)
{
    const struct stat st = {.st_dev = device, .st_ino = file};
    const struct pl_files *f = files();
    unsigned i = find_content(&st);

    return i < f->n_contents ? CONTENT | (uint64_t)f->contents[i].name << 3 : 0;
}

void pl_files_drawn(const char *path)
{
    struct pl_files *f = files();

    if (pl_active && !pl_stage->rooted && f->n_drawn < PL_DRAWN)
        pl_text_copy(f->drawn[f->n_drawn++], sizeof(f->drawn[0]), path);
}

/* What was drawn counts by its number. */
uint32_t pl_files_name(const char *path)
{
    const struct pl_files *f = files();

    for (unsigned i = 0; i < f->n_drawn; i++) {
        if (pl_text_starts(path, f->drawn[i]))
            return (uint32_t)pl_hash_add(pl_hash_text(path + pl_text_length(f->drawn[i])), i);
    }
    return (uint32_t)pl_hash_text(path);
}

/* Only calls of the program itself change what paths lead to, as far as can be helped. */
static bool is_alone(void)
{
    return !pl_free && !pl_stage->restart.has_children && !pl_stage->process.company &&
           !pl_stage->process.forked;
}

long pl_files_look_up(int folder, const char *path, int flags, struct stat *st)
{
    struct pl_asked *a = &files()->asked;
    bool kept = is_alone() && pl_look_has_text(path) && pl_text_length(path) < PL_ASKED;

    if (kept && a->known && a->folder == folder && a->flags == flags &&
        pl_text_equal(a->path, path)) {
        st->st_mode = a->mode;
        st->st_dev = a->device;
        st->st_ino = a->inode;
        st->st_rdev = a->special;
        return a->result;
    }
    long rc = pl_sys(SYS_newfstatat, folder, path, st, flags);

    if (!kept)
        return rc;
    *a = (struct pl_asked){.known = true,
                           .folder = folder,
                           .flags = flags,
                           .result = (int32_t)rc,
                           .mode = rc == 0 ? st->st_mode : 0,
                           .device = rc == 0 ? st->st_dev : 0,
                           .inode = rc == 0 ? st->st_ino : 0,
                           .special = rc == 0 ? st->st_rdev : 0};
    pl_text_copy(a->path, sizeof(a->path), path);
    return rc;
}

/* Paths say the same in every execution; the numbers of files that it creates may not. */
uint64_t pl_files_content_at(int folder, const char *path, int flags)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_files_look_up(folder, path, flags, &st) == 0
               ? content_of(&st, pl_files_name(path) | UINT32_C(1) << 31)
               : 0;
}

static void set(long fd, uint32_t id)
{
    if (fd < 0 || fd >= PL_FILES_MAX)
        return;
    files()->open[fd] = id;
    files()->opener[fd] = id != 0 && pl_stage->rooted ? (pl_tid)(pl_stage->current + 1) : 0;
    pl_ports.client->opened((int)fd, id == SOCKETS);
    if (id != 0)
        add_channel((int)fd);
    else
        remove_channel((int)fd);
}

/* The ends of a FIFO are opened one by one: its first is the name of all of them. */
static uint32_t identity_of_fifo(const struct stat *st)
{
    struct stat other = {0}; /* so that the kernel may write there */

    for (int fd = 0; fd < PL_FILES_MAX; fd++) {
        if (files()->open[fd] != 0 && pl_sys(SYS_fstat, fd, &other) == 0 &&
            S_ISFIFO(other.st_mode) && other.st_ino == st->st_ino && other.st_dev == st->st_dev)
            return files()->open[fd];
    }
    return fresh();
}

static uint32_t identity_of(int fd, const struct stat *st)
{
    uint32_t told = identity_of_told(fd, st);

    return told != 0               ? told
           : S_ISSOCK(st->st_mode) ? SOCKETS
           : is_terminal(st)       ? TERMINALS
           : S_ISFIFO(st->st_mode) ? identity_of_fifo(st)
                                   : fresh();
}

static void add_opened(long fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (fd < 0)
        return;
    bool known = pl_sys(SYS_fstat, fd, &st) == 0;

    if (known)
        content_of(&st, fresh()); /* of what has no path */
    set(fd, known ? identity_of((int)fd, &st) : fresh());
}

/* What came through a socket is what it was where it came from. */
static void add_received(const struct msghdr *m)
{
    long self = pl_sys(SYS_getpid);

    for (const struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
         c = CMSG_NXTHDR((struct msghdr *)m, (struct cmsghdr *)c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (uint64_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int fd = ((const int *)CMSG_DATA(c))[i], other = 0;

            pl_ports.restart->opened(fd);
            while (other < PL_FILES_MAX &&
                   (files()->open[other] == 0 || other == fd ||
                    pl_sys(SYS_kcmp, self, self, KCMP_FILE, fd, other) != 0))
                other++;
            if (other < PL_FILES_MAX)
                set(fd, files()->open[other]);
            else
                add_opened(fd);
        }
    }
}

bool pl_files_locks(void)
{
    return files()->locked || pl_shadow_known((uint64_t)&files()->locked);
}

static void remove_closed(int fd)
{
    set(fd, 0);
    if (fd >= 0 && fd < PL_FDS_MAX)
        files()->inherited[fd] = false;
}

void pl_files_give(void)
{
    for (int fd = 0; fd < PL_FILES_MAX; fd++) {
        if (files()->open[fd] != 0)
            files()->given[fd] = files()->open[fd];
    }
}

/* Both ends of a pair are one. */
static uint32_t pair_of(uint32_t id)
{
    return (id & PL_FILES_PAIR) != 0 ? id | 1 : id;
}

bool pl_files_with_child(int fd)
{
    uint32_t id = is_known(fd) ? files()->open[fd] : 0;

    if (id == 0 || (fd < PL_FDS_MAX && files()->inherited[fd]))
        return true; /* for all that is known */
    for (int other = 0; other < PL_FILES_MAX; other++) {
        if (files()->given[other] != 0 && pair_of(files()->given[other]) == pair_of(id))
            return true;
    }
    return false;
}

void pl_files_fifo(int folder, const char *path)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (!pl_active || files()->n_fifos == PL_FIFOS ||
        pl_sys(SYS_newfstatat, folder, path, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISFIFO(st.st_mode) || pl_files_is_own_fifo(st.st_dev, st.st_ino))
        return;
    files()->fifos[files()->n_fifos++] = (struct pl_fifo){st.st_dev, st.st_ino};
}

bool pl_files_is_own_fifo(uint64_t device, uint64_t inode)
{
    inode = pl_journal_first_inode(device, inode);
    for (unsigned i = 0; i < files()->n_fifos; i++) {
        if (files()->fifos[i].device == device && files()->fifos[i].inode == inode)
            return true;
    }
    return false;
}

/* ---- what calls have done to numbers ---- */

/* A call that was made. */
struct made {
    long number;
    const uint64_t *a;
    long result;
};

/* What libc reads for itself there is nothing that the program looks at. */
static void opened(const struct made *m)
{
    int folder;

    if (pl_told_to_libc(pl_arguments_path(m->number, m->a, 0, &folder)))
        set(m->result, fresh());
    else
        add_opened(m->result);
}

static void watches(const struct made *m)
{
    set(m->result, WATCHES);
    files()->watching = true;
}

static void received(const struct made *m)
{
    add_received((const struct msghdr *)m->a[1]);
}

static void received_several(const struct made *m)
{
    const struct mmsghdr *all = (const struct mmsghdr *)m->a[1];

    for (long i = 0; i < m->result; i++)
        add_received(&all[i].msg_hdr);
}

static void piped(const struct made *m)
{
    const int *fds = (const int *)m->a[0];
    uint32_t id = fresh();

    set(fds[0], id);
    set(fds[1], id);
}

static void paired(const struct made *m)
{
    const int *fds = (const int *)m->a[3];
    uint32_t id = fresh() | PL_FILES_PAIR;

    set(fds[0], id);
    set(fds[1], id | 1);
}

static void doubled(const struct made *m)
{
    set(m->result, is_known((int)m->a[0]) ? files()->open[m->a[0]] : 0);
}

/* From the beginning on, in later executions: what a close() is does not depend on when it comes.
 */
static void locked(const struct made *m)
{
    files()->locked = true;
    if (pl_stage->rooted && !pl_free)
        pl_shadow_share((uint64_t)&files()->locked);
}

static void controlled(const struct made *m)
{
    switch (m->a[1]) {
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        locked(m);
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        doubled(m);
        break;
    default:
        break;
    }
}

static void asked(const struct made *m)
{
    if (m->a[1] == TIOCGPTPEER)
        add_opened(m->result);
}

static void named(const struct made *m)
{
    int folder;
    const char *path = pl_arguments_path(m->number, m->a, 0, &folder);

    pl_files_fifo(folder, path);
}

static void closed(const struct made *m)
{
    remove_closed((int)m->a[0]);
}

static void closed_range(const struct made *m)
{
    for (uint64_t fd = m->a[0];
         fd <= m->a[1] && fd < PL_FILES_MAX && (m->a[2] & CLOSE_RANGE_CLOEXEC) == 0; fd++)
        remove_closed((int)fd);
}

void pl_files_made(long number, const uint64_t a[6], long result)
{
    static const struct {
        void (*leads)(const struct made *m);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define LEADS(function) .leads = function,
#include "runtime/ground/calls.def"
    };

    void (*leads)(const struct made *m) = rules[pl_arguments_row(number)].leads;

    files()->asked.known = false;
    if (result >= 0 && leads != NULL)
        leads(&(struct made){number, a, result});
}
