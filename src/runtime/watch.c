/* SPDX-License-Identifier: MIT */
/*
 * Every system call of the program, seen before it is made.
 *
 * The kernel's syscall user dispatch turns each system call that does not come
 * from this library into SIGSYS.  The table below says what is to be done with
 * it: made as it is; made after noting how to undo it; or let go, together with
 * the hope to roll back.  Programs that make no system call between their
 * threads pay nothing.
 */
#include "runtime/rollback.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

enum { USER_DISPATCH = 2 }; /* si_code of a SIGSYS that is ours */

struct call {
    ucontext_t *context;
    uint64_t a[6];
    long result;
};

enum verdict {
    MAKE,   /* the call, as it is */
    DONE,   /* it has been made; the result is known */
    LET_GO, /* the runner is spoiled: the program makes the call itself */
};

struct rule {
    uint16_t number;
    enum verdict (*check)(struct call *c); /* NULL: made as it is */
    int8_t out;                            /* argument that points to where the kernel writes */
    int32_t size;                          /* how much; -n: argument n-1 says it */
    bool opens;                            /* the result is a new descriptor */
};

/* Look at a descriptor that was open at the root before it is used.  See undo.c for the rest. */
static enum verdict use(struct call *c, bool write)
{
    const char *why = NULL;
    enum pl_restart restart = pl_undo_use((int)c->a[0], write, &why);

    if (restart == PL_RESTART_ROLLBACK)
        return MAKE;
    pl_rollback_spoil(restart, "%s", why);
    return LET_GO;
}

static enum verdict check_read(struct call *c)
{
    return use(c, false);
}

static enum verdict check_write(struct call *c)
{
    return use(c, true);
}

static enum verdict check_readv(struct call *c)
{
    const struct iovec *v = (const struct iovec *)c->a[1];

    for (uint64_t i = 0; i < c->a[2] && i < 1024; i++)
        pl_rollback_touch(v[i].iov_base, v[i].iov_len);
    return use(c, false);
}

static enum verdict check_poll(struct call *c)
{
    pl_rollback_touch((void *)c->a[0], c->a[1] * sizeof(struct pollfd));
    return MAKE;
}

static bool is_device(const char *path)
{
    struct stat st;

    return pl_sys(SYS_stat, path, &st) == 0 && S_ISCHR(st.st_mode);
}

static enum verdict check_opening(const char *path, uint64_t flags)
{
    if ((flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC)) == 0)
        return MAKE;
    if (is_device(path))
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it writes files (%s)", path);
    return LET_GO;
}

static enum verdict check_open(struct call *c)
{
    return check_opening((const char *)c->a[0], c->a[1]);
}

static enum verdict check_openat(struct call *c)
{
    return check_opening((const char *)c->a[1], c->a[2]);
}

static bool is_open(uint64_t fd)
{
    return pl_sys(SYS_fcntl, fd, F_GETFD) >= 0;
}

static bool is_ours(uint64_t fd)
{
    return fd < PL_VAULT_FDS && pl_vault->undo.opened[fd];
}

static enum verdict check_close(struct call *c)
{
    if (is_ours(c->a[0])) {
        pl_vault->undo.opened[c->a[0]] = false;
        return MAKE;
    }
    if (!is_open(c->a[0]))
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it closes what was open before its first thread");
    return LET_GO;
}

static enum verdict check_dup2(struct call *c)
{
    if (!is_ours(c->a[1]) && is_open(c->a[1])) {
        pl_rollback_spoil(PL_RESTART_FORK, "it replaces what was open before its first thread");
        return LET_GO;
    }
    c->result = pl_sys(SYS_dup3, c->a[0], c->a[1], c->a[0] == c->a[1] ? 0 : c->a[2]);
    if (c->a[0] == c->a[1])
        c->result = is_open(c->a[0]) ? (long)c->a[0] : -EBADF;
    pl_undo_opened(c->result);
    return DONE;
}

static enum verdict check_dup2_plain(struct call *c)
{
    c->a[2] = 0;
    return check_dup2(c);
}

/* pipe(fds), pipe2(fds, flags), socketpair(..., fds) */
static enum verdict make_pair(struct call *c, long number, int *fds)
{
    pl_rollback_touch(fds, 2 * sizeof(int));
    c->result = pl_sys(number, c->a[0], c->a[1], c->a[2], c->a[3]);
    if (c->result == 0) {
        pl_undo_opened(fds[0]);
        pl_undo_opened(fds[1]);
    }
    return DONE;
}

static enum verdict check_pipe(struct call *c)
{
    return make_pair(c, SYS_pipe, (int *)c->a[0]);
}

static enum verdict check_pipe2(struct call *c)
{
    return make_pair(c, SYS_pipe2, (int *)c->a[0]);
}

static enum verdict check_socketpair(struct call *c)
{
    return make_pair(c, SYS_socketpair, (int *)c->a[3]);
}

static enum verdict check_fcntl(struct call *c)
{
    switch (c->a[1]) {
    case F_GETFD:
    case F_GETFL:
        return MAKE;
    case F_SETFD:
    case F_SETFL:
        if (is_ours(c->a[0]) || !is_open(c->a[0]))
            return MAKE;
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        c->result = pl_sys(SYS_fcntl, c->a[0], c->a[1], c->a[2]);
        pl_undo_opened(c->result);
        return DONE;
    default:
        break;
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it changes or locks an open file (fcntl)");
    return LET_GO;
}

static enum verdict check_ioctl(struct call *c)
{
    static const struct {
        uint32_t request, size;
    } known[] = {{TCGETS, 60}, {TIOCGWINSZ, 8}, {FIONREAD, 4}};

    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].request == (uint32_t)c->a[1]) {
            pl_rollback_touch((void *)c->a[2], known[i].size);
            return MAKE;
        }
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it uses ioctl request 0x%lx", c->a[1]);
    return LET_GO;
}

/* Inside a mapping that this execution has made. */
static struct pl_range *mapping_of(uint64_t start, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    for (unsigned i = 0; i < u->n_maps; i++) {
        if (start >= u->maps[i].start && start + size <= u->maps[i].start + u->maps[i].size)
            return &u->maps[i];
    }
    return NULL;
}

static uint64_t whole_pages(uint64_t size)
{
    return (size + PL_PAGE - 1) & ~(uint64_t)(PL_PAGE - 1);
}

static enum verdict note_mapping(struct call *c, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    if ((uint64_t)c->result >= (uint64_t)-4095)
        return DONE;
    u->maps[u->n_maps++] = (struct pl_range){(uint64_t)c->result, whole_pages(size)};
    return DONE;
}

static enum verdict check_mmap(struct call *c)
{
    uint64_t flags = c->a[3];
    bool file = (flags & MAP_ANONYMOUS) == 0;
    bool inside = (flags & MAP_FIXED) != 0 && mapping_of(c->a[0], whole_pages(c->a[1])) != NULL;

    if (file && (flags & MAP_SHARED) != 0 && (c->a[2] & PROT_WRITE) != 0)
        pl_rollback_spoil(PL_RESTART_FORK, "it writes to files through memory (mmap)");
    else if ((flags & MAP_FIXED) != 0 && !inside)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory over what was there (MAP_FIXED)");
    else if (pl_vault->undo.n_maps == PL_VAULT_MAPS)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory more than %d times", (int)PL_VAULT_MAPS);
    if (pl_vault->spoiled)
        return LET_GO;
    c->result = pl_sys(SYS_mmap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
    return inside ? DONE : note_mapping(c, c->a[1]);
}

static enum verdict check_munmap(struct call *c)
{
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL) {
        pl_rollback_spoil(PL_RESTART_FORK, "it gives back memory from before its first thread");
        return LET_GO;
    }
    if (m->start == c->a[0] && m->size == whole_pages(c->a[1]))
        *m = pl_vault->undo.maps[--pl_vault->undo.n_maps];
    return MAKE;
}

static enum verdict check_mremap(struct call *c)
{
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL || pl_vault->undo.n_maps == PL_VAULT_MAPS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it moves memory from before its first thread");
        return LET_GO;
    }
    c->result = pl_sys(SYS_mremap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4]);
    return note_mapping(c, c->a[2]);
}

static enum verdict check_mprotect(struct call *c)
{
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes the protection of memory (mprotect)");
    return LET_GO;
}

static enum verdict check_madvise(struct call *c)
{
    switch (c->a[2]) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
        return MAKE;
    default:
        break;
    }
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it gives the contents of memory up (madvise)");
    return LET_GO;
}

static enum verdict check_brk(struct call *c)
{
    if (c->a[0] == 0)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it moves the end of its data (brk)");
    return LET_GO;
}

static enum verdict check_prlimit(struct call *c)
{
    if (c->a[2] == 0)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its limits");
    return LET_GO;
}

static enum verdict check_sigaction(struct call *c)
{
    struct pl_undo *u = &pl_vault->undo;
    uint64_t signo = c->a[0];

    if (c->a[1] == 0 || signo < 1 || signo > 64)
        return MAKE;
    if (signo == SIGSEGV || signo == SIGSYS || signo == (uint64_t)SIGRTMAX) {
        pl_rollback_spoil(PL_RESTART_FORK, "it handles signal %lu itself", signo);
        return LET_GO;
    }
    if ((u->actions >> (signo - 1) & 1) == 0) {
        pl_sys(SYS_rt_sigaction, signo, NULL, &u->old[signo], 8);
        u->actions |= UINT64_C(1) << (signo - 1);
    }
    return MAKE;
}

/* The mask belongs to the context that the handler returns to. */
static enum verdict check_sigprocmask(struct call *c)
{
    uint64_t *mask = (uint64_t *)&c->context->uc_sigmask, before = *mask;
    const uint64_t *set = (const uint64_t *)c->a[1];

    c->result = 0;
    if (set != NULL) {
        uint64_t bits = *set & ~pl_signal_open();

        if (c->a[0] == SIG_BLOCK)
            *mask |= bits;
        else if (c->a[0] == SIG_UNBLOCK)
            *mask &= ~bits;
        else if (c->a[0] == SIG_SETMASK)
            *mask = bits;
        else
            c->result = -EINVAL;
        pl_vault->undo.mask = true;
    }
    if (c->a[2] != 0 && c->result == 0)
        *(uint64_t *)c->a[2] = before;
    return DONE;
}

static enum verdict check_sigaltstack(struct call *c)
{
    if (c->a[0] == 0)
        return MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it has a stack of its own for signals");
    return LET_GO;
}

/* The end of one of the program's handlers: the same call, from here, where it is let through. */
static enum verdict check_sigreturn(struct call *c)
{
    c->context->uc_mcontext.gregs[REG_RIP] = (greg_t)pl_watch_sigreturn;
    c->result = SYS_rt_sigreturn;
    return DONE;
}

static enum verdict check_exit(struct call *c)
{
    pl_rollback_end((int)(c->a[0] & 0xff) << 8);
    return LET_GO;
}

/* clang-format off */
static const struct rule rules[] = {
    {SYS_access, NULL, 0, 0, false},          {SYS_faccessat, NULL, 0, 0, false},
    {SYS_faccessat2, NULL, 0, 0, false},      {SYS_getppid, NULL, 0, 0, false},
    {SYS_getpid, NULL, 0, 0, false},          {SYS_gettid, NULL, 0, 0, false},
    {SYS_getuid, NULL, 0, 0, false},          {SYS_geteuid, NULL, 0, 0, false},
    {SYS_getgid, NULL, 0, 0, false},          {SYS_getegid, NULL, 0, 0, false},
    {SYS_getpgrp, NULL, 0, 0, false},         {SYS_sched_yield, NULL, 0, 0, false},
    {SYS_futex, NULL, 0, 0, false},           {SYS_membarrier, NULL, 0, 0, false},
    {SYS_fadvise64, NULL, 0, 0, false},       {SYS_fsync, NULL, 0, 0, false},
    {SYS_getpriority, NULL, 0, 0, false},     {SYS_sched_getscheduler, NULL, 0, 0, false},
    {SYS_stat, NULL, 1, 144, false},          {SYS_fstat, NULL, 1, 144, false},
    {SYS_lstat, NULL, 1, 144, false},         {SYS_newfstatat, NULL, 2, 144, false},
    {SYS_statx, NULL, 4, 256, false},         {SYS_getcwd, NULL, 0, -2, false},
    {SYS_uname, NULL, 0, 390, false},         {SYS_sysinfo, NULL, 0, 112, false},
    {SYS_getrusage, NULL, 1, 144, false},     {SYS_times, NULL, 0, 32, false},
    {SYS_clock_gettime, NULL, 1, 16, false},  {SYS_clock_getres, NULL, 1, 16, false},
    {SYS_gettimeofday, NULL, 0, 16, false},   {SYS_time, NULL, 0, 8, false},
    {SYS_getrlimit, NULL, 1, 16, false},      {SYS_prlimit64, check_prlimit, 3, 16, false},
    {SYS_getrandom, NULL, 0, -2, false},      {SYS_readlink, NULL, 1, -3, false},
    {SYS_readlinkat, NULL, 2, -4, false},     {SYS_sched_getaffinity, NULL, 2, -2, false},
    {SYS_getcpu, NULL, 0, 4, false},          {SYS_poll, check_poll, 0, 0, false},
    {SYS_read, check_read, 1, -3, false},     {SYS_pread64, NULL, 1, -3, false},
    {SYS_readv, check_readv, 0, 0, false},    {SYS_getdents64, check_read, 1, -3, false},
    {SYS_lseek, check_read, 0, 0, false},     {SYS_recvfrom, check_read, 1, -3, false},
    {SYS_write, check_write, 0, 0, false},    {SYS_writev, check_write, 0, 0, false},
    {SYS_sendto, check_write, 0, 0, false},   {SYS_close, check_close, 0, 0, false},
    {SYS_open, check_open, 0, 0, true},       {SYS_openat, check_openat, 0, 0, true},
    {SYS_dup, NULL, 0, 0, true},              {SYS_dup2, check_dup2_plain, 0, 0, false},
    {SYS_dup3, check_dup2, 0, 0, false},      {SYS_pipe, check_pipe, 0, 0, false},
    {SYS_pipe2, check_pipe2, 0, 0, false},    {SYS_socketpair, check_socketpair, 0, 0, false},
    {SYS_eventfd, NULL, 0, 0, true},          {SYS_eventfd2, NULL, 0, 0, true},
    {SYS_memfd_create, NULL, 0, 0, true},     {SYS_fcntl, check_fcntl, 0, 0, false},
    {SYS_ioctl, check_ioctl, 0, 0, false},    {SYS_mmap, check_mmap, 0, 0, false},
    {SYS_munmap, check_munmap, 0, 0, false},  {SYS_mremap, check_mremap, 0, 0, false},
    {SYS_mprotect, check_mprotect, 0, 0, false}, {SYS_madvise, check_madvise, 0, 0, false},
    {SYS_brk, check_brk, 0, 0, false},        {SYS_rt_sigaction, check_sigaction, 2, 32, false},
    {SYS_rt_sigprocmask, check_sigprocmask, 2, 8, false},
    {SYS_rt_sigpending, NULL, 0, 8, false},   {SYS_sigaltstack, check_sigaltstack, 1, 24, false},
    {SYS_rt_sigreturn, check_sigreturn, 0, 0, false},
    {SYS_exit_group, check_exit, 0, 0, false},
};

/* What the most likely of the others mean, for the summary. */
static const struct {
    uint16_t number;
    const char *text;
} others[] = {
    {SYS_clone, "it starts processes"},         {SYS_clone3, "it starts processes"},
    {SYS_fork, "it starts processes"},          {SYS_vfork, "it starts processes"},
    {SYS_execve, "it becomes another program"}, {SYS_wait4, "it waits for processes"},
    {SYS_waitid, "it waits for processes"},     {SYS_chdir, "it changes its directory"},
    {SYS_fchdir, "it changes its directory"},   {SYS_umask, "it changes its umask"},
    {SYS_setrlimit, "it changes its limits"},   {SYS_alarm, "it uses timers"},
    {SYS_setitimer, "it uses timers"},          {SYS_timer_create, "it uses timers"},
    {SYS_timerfd_create, "it uses timers"},     {SYS_setpriority, "it changes its priority"},
    {SYS_unlink, "it removes files"},           {SYS_unlinkat, "it removes files"},
    {SYS_rename, "it renames files"},           {SYS_mkdir, "it makes directories"},
    {SYS_ftruncate, "it writes files"},         {SYS_pwrite64, "it writes files"},
    {SYS_socket, "it opens network connections"}, {SYS_kill, "it sends signals"},
    {SYS_tgkill, "it sends signals"},           {SYS_prctl, "it uses prctl"},
};
/* clang-format on */

static const struct rule *rule_of(long number)
{
    for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].number == number)
            return &rules[i];
    }
    return NULL;
}

static void spoil_other(long number)
{
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (others[i].number == number) {
            pl_rollback_spoil(PL_RESTART_FORK, "%s", others[i].text);
            return;
        }
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it makes system call %ld", number);
}

static void make(struct call *c, const struct rule *r)
{
    const uint64_t *a = c->a;

    c->result = pl_sys(r->number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (r->opens)
        pl_undo_opened(c->result);
}

static void on_syscall(int signo, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    greg_t *g = u->uc_mcontext.gregs;
    struct call c = {u,
                     {(uint64_t)g[REG_RDI], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDX],
                      (uint64_t)g[REG_R10], (uint64_t)g[REG_R8], (uint64_t)g[REG_R9]},
                     0};
    const struct rule *r = rule_of(info->si_syscall);

    if (info->si_code != USER_DISPATCH) {
        pl_process_deadly(signo, info, context);
        return;
    }
    if (r != NULL && r->size != 0)
        pl_rollback_touch((void *)c.a[r->out], r->size > 0 ? (uint64_t)r->size : c.a[-r->size - 1]);
    enum verdict verdict = r == NULL ? LET_GO : r->check != NULL ? r->check(&c) : MAKE;

    if (r == NULL)
        spoil_other(info->si_syscall);
    if (verdict == MAKE)
        make(&c, r);
    if (verdict == LET_GO)
        g[REG_RIP] -= 2; /* back to the instruction: now it is let through */
    else
        g[REG_RAX] = c.result;
}

void pl_watch_handler(int signo, void (*handler)(int, siginfo_t *, void *))
{
    struct pl_kernel_action action = {
        .handler = handler,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
        .restorer = pl_watch_sigreturn,
    };

    pl_sys(SYS_rt_sigaction, signo, &action, NULL, 8);
}

bool pl_watch_begin(void)
{
    struct pl_kernel_action now;

    pl_sys(SYS_rt_sigaction, SIGSEGV, NULL, &now, 8);
    if (now.handler != pl_process_deadly) {
        pl_rollback_spoil(PL_RESTART_FORK, "it handles signal %d itself", SIGSEGV);
        return false;
    }
    pl_watch_handler(SIGSYS, on_syscall);
    pl_vault->selector = 0;
    if (pl_sys(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, pl_stage->own_start,
               pl_stage->own_end - pl_stage->own_start, &pl_vault->selector) != 0) {
        pl_rollback_spoil(PL_RESTART_FORK, "this kernel cannot show system calls (it is older "
                                           "than Linux 5.11, or forbidden)");
        return false;
    }
    pl_vault->selector = 1;
    return true;
}

void pl_watch_end(void)
{
    pl_vault->selector = 0;
}
