/* SPDX-License-Identifier: MIT */
/* See own_calls.h. */
#include "runtime/restart/own_calls.h"

#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/carried.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/own.h"
#include "runtime/restart/proc_path.h"
#include "runtime/restart/renew.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/shown.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>

/* ---- numbers in arguments ---- */

/* By itself: 0 where the kernel takes that for the caller, else the process that executes. */
static void translate(uint64_t *number, bool zero)
{
    if ((int32_t)*number > 0 && pl_own_find((int32_t)*number) != NULL)
        *number = zero ? 0 : (uint64_t)pl_sys(SYS_getpid);
}

static void translate_numbers(const struct pl_arguments *c, uint64_t a[6])
{
    for (unsigned i = 0; c->processes >> i != 0; i++) {
        if ((c->processes >> i & 1) != 0)
            translate(&a[i], c->or_self);
    }
}

/* Who gets the signals of a descriptor. */
bool pl_name_owner(uint64_t a[6], long *result)
{
    if (a[1] == F_SETOWN)
        translate(&a[2], false);
    return false;
}

/* ---- paths below /proc ---- */

/* What the path is called for the kernel; NULL when it is the same. */
static const char *real_path(const char *path, char to[PL_OWN_PATH])
{
    struct pl_proc_path p;

    if (!pl_proc_path_read(path, &p) || !p.own)
        return NULL;
    if (p.by_task && p.thread != NULL && p.thread->state == PL_THREAD_ALIVE) {
        int32_t os = p.thread->free.os_tid;

        if (!pl_free && os == 0)
            os = (int32_t)pl_sys(SYS_getpid);
        pl_text_format(to, PL_OWN_PATH, "/proc/self/task/%d%s", (int)os, p.rest);
        return to;
    }
    if (!p.by_number || p.by_task || pl_text_length(p.rest) + 16 > PL_OWN_PATH)
        return NULL;
    pl_text_format(to, PL_OWN_PATH, "/proc/self%s", p.rest);
    return to;
}

static void translate_paths(const struct pl_arguments *c, uint64_t a[6],
                            char paths[PL_ARGUMENTS_PATHS][PL_OWN_PATH])
{
    for (unsigned i = 0; i < PL_ARGUMENTS_PATHS && c->names[i].path != 0; i++) {
        uint64_t *path = &a[c->names[i].path - 1];
        const char *real = real_path((const char *)*path, paths[i]);

        if (real != NULL)
            *path = (uint64_t)real;
    }
}

/* Some files say what the kernel does not know. */
void pl_tell_opened(const struct pl_own_made *m)
{
    if ((pl_arguments_flags(m->number, m->a) & (O_ACCMODE | O_DIRECTORY | O_PATH)) == O_RDONLY)
        pl_shown_opened(m->path, (int)*m->result);
}

void pl_tell_folder(const struct pl_own_made *m)
{
    if (pl_journal_is_removed(AT_FDCWD))
        *m->result = -ENOENT;
}

/* What a descriptor, or the working folder, is called when it has been put aside. */
static const char *told_of_removed(const char *path)
{
    struct pl_proc_path p;
    char link[PL_OWN_PATH];

    if (!pl_proc_path_read(path, &p) || !p.own)
        return NULL;
    const char *file = pl_proc_path_file(&p);

    if (!pl_text_starts(file, "fd/") && !pl_text_equal(file, "cwd"))
        return NULL;
    pl_text_format(link, sizeof(link), "/proc/self/%s", file);
    return pl_journal_link_told(link);
}

/* Behind the path are a buffer and its size. */
void pl_tell_link(const struct pl_own_made *m)
{
    const uint64_t *behind = &m->a[pl_arguments_of(m->number)->names[0].path];
    char text[64];
    const char *told = text;
    int32_t pid = pl_own_process();

    if (pl_text_equal(m->path, "/proc/self"))
        pl_text_format(text, sizeof(text), "%d", (int)pid);
    else if (pl_text_equal(m->path, "/proc/thread-self"))
        pl_text_format(text, sizeof(text), "%d/task/%d", (int)pid,
                       (int)pl_own_thread(pl_thread_self()));
    else if ((told = told_of_removed(m->path)) == NULL)
        return;
    uint64_t n = pl_text_length(told);

    n = n < behind[1] ? n : behind[1];
    pl_memory_copy((void *)behind[0], told, n);
    *m->result = (long)n;
}

/* ---- numbers in messages ---- */

/* With what a message says about its sender: `from` is `to` for the other side. */
static void translate_sender(const struct msghdr *m, int32_t from, int32_t to)
{
    uint64_t at = 0;

    while (m->msg_control != NULL && at + sizeof(struct cmsghdr) <= m->msg_controllen) {
        struct cmsghdr *c = (struct cmsghdr *)((char *)m->msg_control + at);
        struct ucred *sender = (struct ucred *)CMSG_DATA(c);

        if (c->cmsg_len < sizeof(*c))
            return;
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS &&
            c->cmsg_len >= CMSG_LEN(sizeof(*sender)) && sender->pid == from) {
            pl_rollback_touch(sender, sizeof(*sender));
            sender->pid = to;
        }
        at += CMSG_ALIGN(c->cmsg_len);
    }
}

/* The process has the kernel's number while the message is sent. */
static void show_kernel(const uint64_t a[6], bool real)
{
    if (pl_in_child()) /* it may have been made when nobody had asked for a number yet */
        return;
    int32_t kernel = (int32_t)pl_sys(SYS_getpid), shown = pl_own_process();

    if (kernel != shown)
        translate_sender((const struct msghdr *)a[1], real ? shown : kernel, real ? kernel : shown);
}

bool pl_show_sender(uint64_t a[6], long *result)
{
    show_kernel(a, true);
    return false;
}

void pl_hide_sender(const struct pl_own_made *m)
{
    show_kernel(m->a, false);
}

void pl_tell_sender(const struct pl_own_made *m)
{
    int32_t parent = (int32_t)pl_sys(SYS_getppid), shown = pl_own_shown(parent);

    show_kernel(m->a, false);
    if (parent != shown)
        translate_sender((const struct msghdr *)m->a[1], parent, shown);
}

/* ---- what is listed ---- */

/* A folder about this process: "task" has its threads, "fd" and "fdinfo" its descriptors. */
static bool lists(int fd, const char *what)
{
    char path[40], target[40] = {0}, wanted[40];
    long n;

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    n = pl_sys(SYS_readlink, path, target, sizeof(target) - 1);
    pl_text_format(wanted, sizeof(wanted), "/proc/%d/%s", (int)pl_sys(SYS_getpid), what);
    return n > 0 && (pl_text_equal(target, wanted) ||
                     (pl_text_starts(target, wanted) && pl_text_equal(target + n - 4, "info")));
}

/* "." and "..", then threads by number; the position of the open file says how far that has come.
 */
static long list_threads(int fd, uint64_t to, uint64_t size)
{
    long at = pl_sys(SYS_lseek, fd, 0, SEEK_CUR);
    uint64_t used = 0;
    char name[16];

    for (; at >= 0 && at < 2 + (long)pl_stage->n_threads; at++) {
        const struct pl_thread *t = at < 2 ? NULL : pl_thread_by_id((pl_tid)(at - 2));

        if (t != NULL && t->state != PL_THREAD_ALIVE)
            continue;
        if (t == NULL)
            pl_text_copy(name, sizeof(name), at == 0 ? "." : "..");
        else
            pl_text_format(name, sizeof(name), "%d", (int)pl_own_thread(t));
        uint64_t need =
            (offsetof(struct dirent64, d_name) + pl_text_length(name) + 1 + 7) & ~UINT64_C(7);
        struct dirent64 *e = (struct dirent64 *)(to + used);

        if (used + need > size)
            break;
        e->d_ino = (uint64_t)(at + 1);
        e->d_off = at + 1;
        e->d_reclen = (uint16_t)need;
        e->d_type = DT_DIR;
        pl_text_copy(e->d_name, pl_text_length(name) + 1, name);
        used += need;
    }
    if (at < 0)
        return at;
    pl_sys(SYS_lseek, fd, at, SEEK_SET);
    return used == 0 && at < 2 + (long)pl_stage->n_threads ? -EINVAL : (long)used;
}

static int number_of(const char *name)
{
    int number = 0;

    for (const char *s = name; *s >= '0' && *s <= '9'; s++)
        number = number * 10 + (*s - '0');
    return number;
}

bool pl_own_hides(int folder, const char *name)
{
    return pl_fd_is_own(number_of(name)) && lists(folder, "fd");
}

/* Leave out plait's own; the program is to find no descriptor that it has not opened. */
static long list_descriptors(int fd, uint64_t to, uint64_t size)
{
    long n, kept = 0;

    do {
        n = pl_sys(SYS_getdents64, fd, to, size);
        kept = 0;
        for (long at = 0; at < n;) {
            const struct dirent64 *e = (const struct dirent64 *)(to + (uint64_t)at);
            uint16_t length = e->d_reclen;

            if (!pl_fd_is_own(number_of(e->d_name))) {
                pl_memory_move((void *)(to + (uint64_t)kept), e, length);
                kept += length;
            }
            at += length;
        }
    } while (n > 0 && kept == 0);
    return n > 0 ? kept : n;
}

/* Of a folder about the process. */
bool pl_list_own(uint64_t a[6], long *result)
{
    bool threads = lists((int)a[0], "task");

    if (!threads && !lists((int)a[0], "fd"))
        return false;
    pl_rollback_touch((void *)a[1], a[2]);
    *result =
        threads ? list_threads((int)a[0], a[1], a[2]) : list_descriptors((int)a[0], a[1], a[2]);
    return true;
}

/* ---- numbers that the kernel has told ---- */

static void tell(int32_t *pid)
{
    if (!pl_in_child() && *pid == (int32_t)pl_sys(SYS_getpid))
        *pid = pl_own_process();
    else
        *pid = pl_own_shown(*pid); /* its parent has another number for it */
}

static void tell_result(long *result)
{
    int32_t pid = (int32_t)*result;

    tell(&pid);
    *result = pid;
}

void pl_tell_owner(const struct pl_own_made *m)
{
    if (m->a[1] == F_GETLK || m->a[1] == F_OFD_GETLK) /* -1: of no process */
        tell(&((struct flock *)m->a[2])->l_pid);
    else if (m->a[1] == F_GETOWN)
        tell_result(m->result);
    else if (m->a[1] == F_GETOWN_EX)
        tell(&((struct f_owner_ex *)m->a[2])->pid);
}

void pl_tell_peer(const struct pl_own_made *m)
{
    if (m->a[1] == SOL_SOCKET && m->a[2] == SO_PEERCRED)
        tell(&((struct ucred *)m->a[3])->pid);
}

/* Who has used an object of System V last. */
void pl_tell_msgctl(const struct pl_own_made *m)
{
    struct msqid_ds *queue = (struct msqid_ds *)m->a[2];

    if (m->a[1] != IPC_STAT)
        return;
    tell(&queue->msg_lspid);
    tell(&queue->msg_lrpid);
}

/* The keeper has what was attached at the root as well. */
static uint64_t attached_by_keeper(uint64_t segment)
{
    char path[64];

    if (pl_board->keeper_pid == pl_board->runner_pid)
        return 0;
    pl_text_format(path, sizeof(path), "/proc/%d/maps", (int)pl_board->keeper_pid);
    return pl_maps_attached(path, segment);
}

void pl_tell_shmctl(const struct pl_own_made *m)
{
    struct shmid_ds *segment = (struct shmid_ds *)m->a[2];
    uint64_t others;

    if (m->a[1] != IPC_STAT)
        return;
    others = attached_by_keeper(m->a[0]);
    PL_ASSERT(others <= segment->shm_nattch);
    segment->shm_nattch -= others;
    tell(&segment->shm_cpid);
    tell(&segment->shm_lpid);
}

void pl_tell_semctl(const struct pl_own_made *m)
{
    if (m->a[2] == GETPID)
        tell_result(m->result);
}

/* ---- groups of processes ---- */

/*
 * The process is about to lead a group, which has its number: what the kernel tells of that later
 * is not what getpid() has told if this process is a copy.  So the execution is made again in one
 * that has its number.
 */
static void lead(void)
{
    if (pl_free || pl_stage->process.number != 0 || pl_stage->process.child ||
        pl_stage->restart.testing || pl_stage->restart.alone || pl_board->inputs.feeding ||
        pl_board->own_number || !pl_stage->rooted ||
        pl_own_process() == (int32_t)pl_sys(SYS_getpid))
        return;
    pl_board->own_number = true;
    pl_renew_throw_away("it becomes the leader of a group of processes");
}

bool pl_answer_setsid(uint64_t a[6], long *result)
{
    lead();
    return false;
}

/* By now its own number is 0. */
bool pl_answer_setpgid(uint64_t a[6], long *result)
{
    if (a[0] == 0 && (a[1] == 0 || (int32_t)a[1] == pl_own_process()))
        lead();
    return false;
}

/* ---- descriptors of plait's own ---- */

/* A number of plait's own, unless a call that has begun goes on with it. */
static bool is_none(int fd)
{
    const struct pl_files *f = &pl_stage->process.files;

    if (!pl_fd_is_own(fd))
        return false;
    for (unsigned i = 0; i < f->n_kept; i++) {
        if (f->kept[i].held == fd && f->kept[i].tid == pl_thread_self()->id)
            return false;
    }
    return true;
}

/* Whether it is about such a one. */
static bool asks_for_own(const struct pl_arguments *c, const uint64_t a[6])
{
    for (unsigned i = 0; c->descriptors >> i != 0; i++) {
        if ((c->descriptors >> i & 1) != 0 && is_none((int)a[i]))
            return true;
    }
    for (unsigned i = 0; i < PL_ARGUMENTS_PATHS; i++) {
        if (c->names[i].folder != 0 && is_none((int)a[c->names[i].folder - 1]))
            return true;
    }
    return false;
}

/* ---- the calls ---- */

struct rule {
    bool (*answer)(uint64_t a[6], long *result);
    void (*tell)(const struct pl_own_made *m);
    void (*restore)(const struct pl_own_made *m);
};

static const struct rule rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define ANSWERED(function) .answer = pl_##function,
#define TOLD(function) .tell = pl_##function,
#define RESTORED(function) .restore = pl_##function,
#include "runtime/ground/calls.def"
};

bool pl_own_call(long number, uint64_t a[6], char paths[PL_ARGUMENTS_PATHS][PL_OWN_PATH],
                 long *result)
{
    const struct pl_arguments *c = pl_arguments_of(number);
    const struct rule *r = &rules[pl_arguments_row(number)];

    if (asks_for_own(c, a)) {
        *result = -EBADF;
        return true;
    }
    translate_paths(c, a, paths);
    pl_carried_call(number, a);
    translate_numbers(c, a);
    return r->answer != NULL && r->answer(a, result);
}

void pl_own_made(long number, const uint64_t a[6], const char *path, long *result)
{
    const struct pl_own_made m = {number, a, path, result};
    const struct rule *r = &rules[pl_arguments_row(number)];

    if (r->restore != NULL)
        r->restore(&m);
    if (r->tell != NULL && *result >= 0)
        r->tell(&m);
}

long pl_own_passed(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, long result)
{
    const uint64_t all[6] = {a, b, c, d};

    if ((pl_in_child() || pl_free) && result >= 0)
        pl_own_made(number, all, NULL, &result);
    return result;
}
