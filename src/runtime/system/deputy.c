/* SPDX-License-Identifier: MIT */
/* See deputy.h. */
#include "runtime/system/deputy.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/filter.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/major.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
    ROOM = 64 * 1024, /* a deputy with its stack, which has to take a signal */
};

/* At the beginning of its memory, which only the kernel and the two OS threads use. */
struct pl_deputy {
    struct pl_syscall call;
    long result;
    uint32_t over;           /* a futex */
    uint32_t tid;            /* 0 when the kernel is done with it: another one */
    bool seen;               /* to be over, before */
    bool released;           /* it came to its end by what somebody else did */
    struct pl_deputy *outer; /* of a call that the thread is in, below a handler */
};

/* ---- which calls ---- */

/* Devices of the kernel's memory answer at once, and so do pseudo-terminals. */
static bool is_device(const struct stat *st)
{
    unsigned kind = major(st->st_rdev);

    return S_ISCHR(st->st_mode) && kind != MEM_MAJOR &&
           !(kind >= UNIX98_PTY_MASTER_MAJOR && kind < UNIX98_PTY_SLAVE_MAJOR + 8);
}

/* An opening that waits for a device, or for whoever has a lease on the file. */
static bool opens_waiting(const struct pl_syscall *c)
{
    struct stat st = {0}; /* so that the kernel may write there */
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    if ((flags & (O_NONBLOCK | O_PATH)) != 0 || pl_files_look_up(folder, path, 0, &st) != 0)
        return false;
    return is_device(&st) || (S_ISREG(st.st_mode) && pl_stage->process.leases);
}

static bool lingers(const struct pl_syscall *c)
{
    struct linger l = {0, 0};
    int size = sizeof(l);

    return pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_LINGER, &l, &size) == 0 &&
           l.l_onoff != 0 && l.l_linger != 0;
}

/* What a device is asked to do; of terminals only what waits until all is sent. */
static bool asks_device(const struct pl_syscall *c)
{
    struct stat st = {0}; /* so that the kernel may write there */

    switch (c->a[1]) {
    case TCSBRK:
    case TCSBRKP:
    case TIOCMIWAIT:
        return true;
    default:
        return pl_sys(SYS_fstat, c->a[0], &st) == 0 && is_device(&st) &&
               major(st.st_rdev) != TTY_MAJOR && major(st.st_rdev) != TTYAUX_MAJOR;
    }
}

bool pl_deputy_suits(const struct pl_syscall *c, bool unasked)
{
    static const struct {
        bool (*away)(const struct pl_syscall *c);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define AWAY(function) .away = function,
#include "runtime/ground/calls.def"
    };
    bool (*away)(const struct pl_syscall *c) = rules[pl_arguments_row(c->number)].away;

    if (pl_free || pl_native || pl_stage->n_alive < 2)
        return false;
    return away != NULL ? away(c) : unasked;
}

void pl_deputy_learn(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode) &&
        pl_sys(SYS_fcntl, fd, F_GETLEASE) != F_UNLCK)
        pl_stage->process.leases = true;
}

/* ---- the OS thread ---- */

/* Called by start_thread(), in another OS thread. */
void pl_deputy_run(struct pl_deputy *d) __attribute__((used, noreturn, visibility("hidden")));

void pl_deputy_run(struct pl_deputy *d)
{
    const struct pl_syscall *c = &d->call;

    d->result = pl_filter_ask(c->number, c->a);
    __atomic_store_n(&d->over, 1, __ATOMIC_RELEASE);
    pl_sys(SYS_futex, &d->over, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
    pl_sys(SYS_exit, 0);
    __builtin_unreachable();
}

/* The new thread begins on its own stack, where the address of its deputy is. */
static long start_thread(struct pl_deputy *d)
{
    uint64_t *sp = (uint64_t *)((char *)d + ROOM) - 1;
    register long tid __asm__("r10") = (long)&d->tid;
    register long tls __asm__("r8") = 0;
    long result;

    *sp = (uint64_t)d;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "pop %%rdi\n\t"
                     "call pl_deputy_run\n\t"
                     "1:"
                     : "=a"(result)
                     : "a"(SYS_clone),
                       "D"(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                           CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID),
                       "S"(sp), "d"(&d->tid), "r"(tid), "r"(tls)
                     : "rcx", "r11", "memory");
    return result;
}

/* The only signal that reaches a deputy does nothing but end its call. */
static bool start(struct pl_deputy *d)
{
    const uint64_t all = ~(UINT64_C(1) << (PL_SIGNAL_INTERRUPT - 1));
    uint64_t mask = 0;

    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, 8);
    long tid = start_thread(d);

    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, 8);
    return tid > 0;
}

bool pl_deputy_start(const struct pl_syscall *c)
{
    struct pl_thread *t = pl_thread_self();

    long at = pl_sys(SYS_mmap, 0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at < 0 && at > -4096)
        return false;
    struct pl_deputy *d = (struct pl_deputy *)at;

    d->call = *c;
    d->outer = t->call.deputy;
    if (!start(d)) {
        pl_sys(SYS_munmap, d, ROOM);
        return false;
    }
    t->call.deputy = d;
    pl_stage->process.n_deputies++;
    return true;
}

/* ---- what it does ---- */

static bool is_over(struct pl_deputy *d, long ns)
{
    const struct timespec step = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

    if (ns > 0 && __atomic_load_n(&d->over, __ATOMIC_ACQUIRE) == 0)
        pl_sys(SYS_futex, &d->over, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &step);
    return __atomic_load_n(&d->over, __ATOMIC_ACQUIRE) != 0;
}

bool pl_deputy_is_over(const struct pl_thread *t, int ms)
{
    PL_ASSERT(t->call.deputy != NULL);
    return is_over(t->call.deputy, ms * 1000000L);
}

/*
 * One that sleeps for longer than a look or two waits for somebody; one that cannot be
 * interrupted mostly waits for a disk, and longer.
 */
bool pl_deputy_settle(const struct pl_thread *t)
{
    enum { STEP = 100000, STEPS = 20000, LIGHT = 5, DEEP = 300 };
    struct pl_deputy *d = t->call.deputy;
    unsigned light = 0, deep = 0;

    for (unsigned i = 0; i < STEPS && light < LIGHT && deep < DEEP; i++) {
        if (is_over(d, STEP))
            return true;
        char state = pl_processes_state(__atomic_load_n(&d->tid, __ATOMIC_RELAXED));

        light = state == 'S' ? light + 1 : 0;
        deep = state == 'D' ? deep + 1 : 0;
    }
    return is_over(d, 0);
}

long pl_deputy_end(struct pl_thread *t)
{
    const struct timespec step = {.tv_nsec = 20000};
    struct pl_deputy *d = t->call.deputy;

    PL_ASSERT(d != NULL && is_over(d, 0));
    while (__atomic_load_n(&d->tid, __ATOMIC_ACQUIRE) != 0) /* it still uses its stack */
        pl_sys(SYS_nanosleep, &step, NULL);
    long result = d->result;

    t->call.deputy = d->outer;
    pl_stage->process.n_deputies--;
    pl_sys(SYS_munmap, d, ROOM);
    return result;
}

long pl_deputy_interrupt(struct pl_thread *t)
{
    enum { STEP = 1000000 };
    struct pl_deputy *d = t->call.deputy;
    long process = pl_sys(SYS_getpid);

    while (!is_over(d, STEP))
        pl_sys(SYS_tgkill, process, d->tid, PL_SIGNAL_INTERRUPT);
    return pl_deputy_end(t);
}

/* The deputy of another thread than the one that runs, if it is not known to be done. */
static struct pl_deputy *busy_one(const struct pl_thread *t)
{
    struct pl_deputy *d = t->state == PL_THREAD_ALIVE ? t->call.deputy : NULL;

    return d != NULL && t->id != pl_stage->current && !d->seen ? d : NULL;
}

void pl_deputy_look(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads && pl_stage->process.n_deputies > 0; i++) {
        struct pl_deputy *d = busy_one(pl_thread_by_id(i));

        if (d != NULL)
            d->seen = is_over(d, 0);
    }
}

void pl_deputy_rest(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads && pl_stage->process.n_deputies > 0; i++) {
        struct pl_deputy *d = busy_one(pl_thread_by_id(i));

        if (d != NULL)
            d->seen = d->released = pl_deputy_settle(pl_thread_by_id(i));
    }
}

bool pl_deputy_was_released(const struct pl_thread *t)
{
    const struct pl_deputy *d = t->call.deputy;

    return d->released;
}
