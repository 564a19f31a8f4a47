/* SPDX-License-Identifier: MIT */
/* See calls_kept.h. */
#include "runtime/system/calls_kept.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/config.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls_ask.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/ioctl.h>

static struct pl_files *files(void)
{
    return &pl_stage->process.files;
}

static bool is_known(int fd)
{
    return fd >= 0 && fd < PL_FILES_MAX;
}

/* What stands for the number in what is known; two of them are one. */
static uint64_t key(int fd)
{
    return (uint64_t)&files()->open[fd];
}

/* ---- beginnings ---- */

bool pl_kept_was_slow(int fd)
{
    return is_known(fd) && files()->slow[fd];
}

bool pl_kept_begins(int fd)
{
    const struct pl_thread *t = pl_thread_self();

    if (!is_known(fd) || !pl_stage->rooted)
        return false;
    if (pl_free || pl_board->settings.points_all)
        return true; /* what is recorded may have any order */
    pl_tid closer = files()->closer[fd];

    /* It could have begun before. */
    if (closer != 0 && closer != t->id + 1)
        pl_shadow_share(key(fd));
    return pl_shadow_known(key(fd));
}

bool pl_kept_is_looked_up(int fd)
{
    return is_known(fd) && (pl_free || pl_board->settings.points_all || pl_shadow_known(key(fd)));
}

/* ---- what is kept ---- */

bool pl_kept_any(const struct pl_thread *t)
{
    for (unsigned i = 0; i < files()->n_kept; i++) {
        if (files()->kept[i].tid == t->id)
            return true;
    }
    return false;
}

int pl_kept_fd(const struct pl_thread *t, int fd)
{
    for (unsigned i = 0; i < files()->n_kept; i++) {
        if (files()->kept[i].tid == t->id && files()->kept[i].number == fd)
            return files()->kept[i].held;
    }
    return fd;
}

bool pl_kept_inherited(int fd)
{
    for (unsigned i = 0; i < files()->n_kept; i++) {
        if (files()->kept[i].held == fd)
            return files()->kept[i].inherited;
    }
    return false;
}

/* Another number of the open file; -1 where there is none to be had. */
static int keep(const struct pl_thread *t, int fd)
{
    struct pl_files *f = files();

    if (f->n_kept == PL_KEPT)
        return -1;
    long held = pl_fd_aside(fd);

    if (held < 0)
        return -1;
    pl_undo_opened(held);
    pl_files_kept(fd, (int)held);
    f->kept[f->n_kept++] = (struct pl_kept){
        .tid = t->id, .inherited = pl_files_inherited(fd), .number = fd, .held = (int)held};
    return (int)held;
}

static void let_go(int held)
{
    const uint64_t a[6] = {(uint64_t)held};

    pl_fd_close(held);
    if (held < PL_VAULT_FDS && pl_rollback_on())
        pl_vault->undo.opened[held] = false;
    pl_files_made(SYS_close, a, 0);
}

/* The last of a pipe's end may go with it. */
void pl_kept_end(void)
{
    struct pl_thread *t = pl_thread_self();
    struct pl_files *f = files();

    if (f->n_kept == 0 || !pl_kept_any(t))
        return;
    pl_files_look();
    for (unsigned i = f->n_kept; i-- > 0;) {
        if (f->kept[i].tid != t->id)
            continue;
        let_go(f->kept[i].held);
        f->kept[i] = f->kept[--f->n_kept];
    }
    pl_files_changed();
    pl_stage->process.calls_changed++;
}

void pl_kept_close(void)
{
    for (unsigned i = 0; i < files()->n_kept; i++)
        pl_sys(SYS_close, files()->kept[i].held);
}

void pl_kept_forked(void)
{
    pl_kept_close();
    files()->n_kept = 0;
}

/* ---- who is concerned ---- */

/* The call of a thread waits at the number: its argument is the one that it keeps. */
static bool leave_call(struct pl_thread *t, int fd, bool keeps)
{
    struct pl_syscall *c = (struct pl_syscall *)t->call.now;
    unsigned arguments = pl_ask_descriptors(c);
    int held = -1;
    bool uses = false;

    for (unsigned i = 0; i < 6 && t->call.waits; i++) {
        if ((arguments >> i & 1) == 0 || (int)c->a[i] != fd)
            continue;
        uses = true;
        if (held < 0 && keeps)
            held = keep(t, fd);
        if (held >= 0)
            c->a[i] = (uint64_t)held;
    }
    return uses;
}

/* One of several that are waited for; who waits at a set of epoll has it like any other file. */
static bool leave_list(struct pl_thread *t, int fd, bool keeps)
{
    bool uses = false;

    for (uint64_t i = 0; i < t->io.n; i++) {
        if (t->io.fds[i].fd != fd)
            continue;
        int held = !keeps || pl_kept_fd(t, fd) != fd ? -1 : keep(t, fd);

        if (held >= 0 && t->io.holds)
            t->io.fds[i].fd = held;
        uses = true;
    }
    return uses;
}

/* What the number stands for is about to change; `keeps`: not for those who have begun. */
static void change(int fd, bool keeps)
{
    struct pl_files *f = files();
    pl_tid self = pl_thread_self()->id;
    long flags = is_known(fd) ? pl_sys(SYS_fcntl, fd, F_GETFL) : -1;

    if (flags < 0)
        return;
    f->slow[fd] = (flags & O_NONBLOCK) == 0 && pl_ask_may_wait(fd);
    f->closer[fd] = f->closer[fd] == 0 || f->closer[fd] == self + 1 ? (pl_tid)(self + 1)
                                                                    : (pl_tid)(PL_THREADS_MAX + 1);
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (i == self || t->state != PL_THREAD_ALIVE || !t->announced)
            continue;
        bool uses = t->call.now != NULL                           ? leave_call(t, fd, keeps)
                    : t->op.kind == PL_OP_IO && t->io.fds != NULL ? leave_list(t, fd, keeps)
                                                                  : false;

        if (uses && !pl_free)
            pl_shadow_share(key(fd));
    }
    /* Whoever would wait there may have begun before that, also where nobody has come so far. */
    if (!keeps && !pl_free)
        pl_shadow_share(key(fd));
}

/* ---- the calls that do that ---- */

static void one(const struct pl_syscall *c)
{
    change((int)c->a[0], true);
}

static void replaced(const struct pl_syscall *c)
{
    if (c->a[0] != c->a[1])
        change((int)c->a[1], true);
}

static void range(const struct pl_syscall *c)
{
    for (uint64_t fd = c->a[0];
         fd <= c->a[1] && fd < PL_FILES_MAX && (c->a[2] & CLOSE_RANGE_CLOEXEC) == 0; fd++)
        change((int)fd, true);
}

/* Whether a call waits is decided when it begins, too. */
static void set_mode(uint64_t fd, bool waits)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    if (flags >= 0 && ((flags & O_NONBLOCK) == 0) != waits)
        change((int)fd, false);
}

static void mode_by_fcntl(const struct pl_syscall *c)
{
    if (c->a[1] == F_SETFL)
        set_mode(c->a[0], (c->a[2] & O_NONBLOCK) == 0);
}

static void mode_by_ioctl(const struct pl_syscall *c)
{
    if (c->a[1] == FIONBIO && c->a[2] != 0)
        set_mode(c->a[0], *(const int *)c->a[2] == 0);
}

void pl_kept_give_up(const struct pl_syscall *c)
{
    static const struct {
        void (*gives_up)(const struct pl_syscall *c);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define GIVES_UP(function) .gives_up = function,
#include "runtime/ground/calls.def"
    };
    void (*gives_up)(const struct pl_syscall *c) = rules[pl_arguments_row(c->number)].gives_up;

    if (gives_up != NULL && pl_stage->rooted && pl_stage->n_threads > 1)
        gives_up(c);
}
