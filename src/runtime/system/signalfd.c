/* SPDX-License-Identifier: MIT */
/* See signalfd.h. */
#include "runtime/system/signalfd.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/libc_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>

static struct pl_signalfd *find(int fd)
{
    uint64_t file = pl_files_open(fd);

    for (unsigned i = 0; i < PL_SIGNALFDS; i++) {
        if (pl_stage->process.signalfds[i].file == file)
            return &pl_stage->process.signalfds[i];
    }
    return NULL;
}

bool pl_signalfd_is(int fd)
{
    return pl_files_stands_for(fd) == PL_COUNTER_SIGNALS;
}

static bool is_pending(uint64_t wanted)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE &&
            pl_signal_is_pending(pl_thread_by_id(i), wanted))
            return true;
    }
    return false;
}

static void set_ready(int fd, bool ready)
{
    pl_files_empty(fd);
    if (ready)
        pl_files_fill(fd, 1);
}

void pl_signalfd_look(void)
{
    for (unsigned i = 0; pl_stage->process.n_signalfds > 0 && i < PL_SIGNALFDS; i++) {
        struct pl_signalfd *s = &pl_stage->process.signalfds[i];

        if (s->file == 0)
            continue;
        s->fd = pl_files_number(s->fd, s->file);
        if (s->fd < 0) {
            s->file = 0; /* closed, and its number may be another's */
            pl_stage->process.n_signalfds--;
            continue;
        }
        s->known = is_pending(s->wanted);
        set_ready(s->fd, s->known);
    }
}

static bool is_ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return pl_sys(SYS_poll, &p, 1, 0) != 0;
}

void pl_signalfd_show(const struct pl_thread *t)
{
    for (unsigned i = 0; pl_stage->process.n_signalfds > 0 && i < PL_SIGNALFDS; i++) {
        const struct pl_signalfd *s = &pl_stage->process.signalfds[i];
        int fd = s->file != 0 ? pl_files_number(s->fd, s->file) : -1;
        bool ready = fd >= 0 && pl_signal_is_pending(t, s->wanted);

        if (fd >= 0 && is_ready(fd) != ready)
            set_ready(fd, ready);
    }
}

bool pl_signalfd_arrived(void)
{
    bool any = false;

    for (unsigned i = 0; pl_stage->process.n_signalfds > 0 && i < PL_SIGNALFDS; i++) {
        const struct pl_signalfd *s = &pl_stage->process.signalfds[i];

        any |= s->file != 0 && !s->known && is_pending(s->wanted);
    }
    if (any)
        pl_signalfd_look();
    return any;
}

static struct pl_signalfd *take_entry(void)
{
    for (unsigned i = 0; i < PL_SIGNALFDS; i++) {
        if (pl_stage->process.signalfds[i].file == 0)
            return &pl_stage->process.signalfds[i];
    }
    return NULL;
}

long pl_signalfd_make(int fd, uint64_t wanted, int flags)
{
    struct pl_signalfd *s;

    if ((flags & ~(SFD_CLOEXEC | SFD_NONBLOCK)) != 0)
        return -EINVAL;
    if (fd != -1) {
        s = find(fd);
        if (s == NULL) /* the kernel knows why not */
            return pl_sys(SYS_signalfd4, fd, &wanted, sizeof(wanted), flags);
    } else {
        const uint64_t a[6] = {0, (uint64_t)flags};

        s = take_entry();
        fd = s != NULL ? (int)pl_watch_make(SYS_eventfd2, a) : -EMFILE;
        if (fd < 0)
            return fd;
        *s = (struct pl_signalfd){.file = pl_files_open(fd), .fd = fd};
        pl_stage->process.n_signalfds++;
    }
    s->wanted = wanted & ~(UINT64_C(1) << (SIGKILL - 1)) & ~(UINT64_C(1) << (SIGSTOP - 1));
    pl_signalfd_look();
    return fd;
}

static struct signalfd_siginfo to_record(const siginfo_t *info)
{
    return (struct signalfd_siginfo){
        .ssi_signo = (uint32_t)info->si_signo,
        .ssi_errno = info->si_errno,
        .ssi_code = info->si_code,
        .ssi_pid = (uint32_t)info->si_pid,
        .ssi_uid = info->si_uid,
        .ssi_int = info->si_value.sival_int,
        .ssi_ptr = (uint64_t)info->si_value.sival_ptr,
        .ssi_tid = info->si_code == SI_TIMER ? (uint32_t)info->si_timerid : 0,
        .ssi_overrun = info->si_code == SI_TIMER ? (uint32_t)info->si_overrun : 0,
    };
}

/* Into the pieces, from the byte `at` of all of them on. */
static void put(const struct iovec *v, uint64_t at, const struct signalfd_siginfo *record)
{
    const char *from = (const char *)record;

    for (uint64_t left = sizeof(*record); left > 0; v++) {
        if (at >= v->iov_len) {
            at -= v->iov_len;
            continue;
        }
        uint64_t n = v->iov_len - at < left ? v->iov_len - at : left;

        pl_memory_copy((char *)v->iov_base + at, from, n);
        from += n;
        left -= n;
        at = 0;
    }
}

long pl_signalfd_read(int fd, const struct iovec *v, uint64_t n)
{
    const struct pl_signalfd *s = find(fd);
    uint64_t size = pl_calls_bytes(v, n), done = 0;
    siginfo_t info;

    PL_ASSERT(s != NULL);
    if (size < sizeof(struct signalfd_siginfo))
        return -EINVAL;
    while (done + sizeof(struct signalfd_siginfo) <= size) {
        pl_memory_fill(&info, 0, sizeof(info));
        if (pl_signal_take(pl_thread_self(), s->wanted, &info) <= 0)
            break;
        const struct signalfd_siginfo record = to_record(&info);

        put(v, done, &record);
        done += sizeof(record);
    }
    pl_signalfd_look();
    return done > 0 ? (long)done : -EAGAIN;
}

/* ---- in a child ---- */

static void replace(const struct pl_signalfd *s, const bool *open, bool controlled)
{
    int flags = (int)pl_sys(SYS_fcntl, s->fd, F_GETFL) & O_NONBLOCK;
    long made = controlled ? pl_sys(SYS_eventfd2, 0, flags)
                           : pl_sys(SYS_signalfd4, -1, &s->wanted, sizeof(s->wanted), flags);

    for (int fd = 0; made >= 0 && fd < PL_FDS_MAX; fd++) {
        if (!open[fd] || pl_files_open(fd) != s->file)
            continue;
        long closes = pl_sys(SYS_fcntl, fd, F_GETFD);

        pl_sys(SYS_dup3, made, fd, closes != 0 ? O_CLOEXEC : 0);
    }
    if (made >= 0)
        pl_sys(SYS_close, made);
}

void pl_signalfd_forked(bool controlled)
{
    struct pl_process_state *p = &pl_stage->process;
    bool open[PL_FDS_MAX];

    if (p->n_signalfds == 0 || pl_as_free())
        return;
    pl_about_open(open, PL_FDS_MAX);
    for (unsigned i = 0; i < PL_SIGNALFDS; i++) {
        struct pl_signalfd *s = &p->signalfds[i];

        s->fd = s->file != 0 ? pl_files_number(s->fd, s->file) : -1;
        if (s->fd >= 0)
            replace(s, open, controlled);
    }
    if (controlled)
        return;
    p->n_signalfds = 0;
    p->reads_signals = true;
}

void pl_signalfd_was_read(int fd, void *records, long n)
{
    struct signalfd_siginfo *r = records;
    char link[PL_ABOUT_NAMELESS];

    if (!pl_in_child() || !pl_stage->process.reads_signals || n <= 0 ||
        !pl_text_equal(pl_about_link(fd, link, sizeof(link)), "anon_inode:[signalfd]"))
        return;
    for (long i = 0; i < n / (long)sizeof(*r); i++) {
        siginfo_t info = {.si_code = r[i].ssi_code};

        info.si_pid = (pid_t)r[i].ssi_pid;
        pl_own_show_sender(&info);
        r[i].ssi_pid = (uint32_t)info.si_pid;
    }
}

/* ---- as a function of libc ---- */

PL_EXPOSE(int, signalfd, (int fd, const sigset_t *set, int flags))
{
    if (pl_in_child())
        pl_stage->process.reads_signals = true;
    if (!pl_on() || pl_inside())
        return pl_real.signalfd(fd, set, flags);
    if (pl_stage->rooted && !pl_as_free())
        pl_calls_stand_in(PL_SYSCALL(SYS_signalfd4, (uint64_t)fd), PL_CALLER);
    return (int)pl_calls_result(pl_signalfd_make(fd, *(const uint64_t *)set, flags));
}
