/* SPDX-License-Identifier: MIT */
/*
 * syscall(): calls by their numbers.  Those that have an interposer go there, as if it had been
 * called; all others are made through libc, where restart/watch.c sees them like anybody's.
 */
#include "runtime/system/libc_syscall.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/system/calls.h"
#include "runtime/system/file_times.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_futex.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);
char *pl_in_getcwd(char *to, size_t n);
int pl_in_waitid(idtype_t type, id_t id, siginfo_t *info, int flags);

/* What the kernel would write there, if anywhere. */
static void give(void *to, const void *from, uint64_t size, const uint64_t *entry)
{
    pl_access_after(to, size, entry);
    if (to != NULL)
        pl_memory_copy(to, from, size);
}

/* ---- as rows of ground/calls.def name them; false: it is made as it is ---- */

typedef bool by_number(const long a[6], uint64_t pc, long *result);

/* Who waits, and until when, is for one thread at a time to say. */
static bool with_words(long call(const uint64_t a[6], uint64_t pc), const long a[6], uint64_t pc,
                       long *result)
{
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
    *result = call((const uint64_t *)a, pc);
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
    *result = pl_calls_result(*result);
    return true;
}

static bool by_futex(const long a[6], uint64_t pc, long *result)
{
    return with_words(pl_futex_call, a, pc, result);
}

static bool by_futex_waitv(const long a[6], uint64_t pc, long *result)
{
    return with_words(pl_futex_wait_several, a, pc, result);
}

/*
 * Free threads: the kernel would wait for a signal that only the model has, since whoever sends it
 * is interposed.
 */
static sigset_t set_at(long address)
{
    sigset_t set;

    sigemptyset(&set);
    pl_memory_copy(&set, (const void *)address, sizeof(uint64_t));
    return set;
}

/* What the kernel is given, and what it answers: sets are shorter than libc's. */
static bool by_sigprocmask(const long a[6], uint64_t pc, long *result)
{
    const uint64_t *entry = pl_entry();
    sigset_t set, old;

    if (a[3] != sizeof(uint64_t))
        return false;
    pl_access_argument((const void *)a[1], sizeof(uint64_t), false, entry);
    if (a[1] != 0)
        set = set_at(a[1]);
    *result = sigprocmask((int)a[0], a[1] != 0 ? &set : NULL, &old);
    if (*result == 0)
        give((void *)a[2], &old, sizeof(uint64_t), entry);
    return true;
}

static bool by_sigpending(const long a[6], uint64_t pc, long *result)
{
    const uint64_t *entry = pl_entry();
    sigset_t set;

    if (a[1] != sizeof(uint64_t))
        return false;
    *result = sigpending(&set);
    if (*result == 0)
        give((void *)a[0], &set, sizeof(uint64_t), entry);
    return true;
}

static bool by_sigaction(const long a[6], uint64_t pc, long *result)
{
    enum { HAS_RESTORER = 0x04000000 };
    const struct pl_kernel_action *in = (const struct pl_kernel_action *)a[1];
    const uint64_t *entry = pl_entry();
    struct sigaction new, old;

    if (a[3] != sizeof(uint64_t))
        return false;
    pl_access_argument(in, sizeof(*in), false, entry);
    if (in != NULL) {
        new = (struct sigaction){.sa_flags = (int)in->flags & ~HAS_RESTORER};
        new.sa_sigaction = in->handler;
        new.sa_mask = set_at((long)&in->mask);
    }
    *result = sigaction((int)a[0], in != NULL ? &new : NULL, &old);
    const struct pl_kernel_action before = {.handler = old.sa_sigaction,
                                            .flags = (uint64_t)(unsigned)old.sa_flags,
                                            .mask = *(const uint64_t *)&old.sa_mask};

    if (*result == 0)
        give((void *)a[2], &before, sizeof(before), entry);
    return true;
}

static bool by_pause(const long a[6], uint64_t pc, long *result)
{
    if (pl_as_free())
        *result = pause();
    return pl_as_free();
}

static bool by_sigsuspend(const long a[6], uint64_t pc, long *result)
{
    if (pl_as_free()) {
        const sigset_t set = set_at(a[0]);

        *result = sigsuspend(&set);
    }
    return pl_as_free();
}

static bool by_sigtimedwait(const long a[6], uint64_t pc, long *result)
{
    if (pl_as_free()) {
        const sigset_t set = set_at(a[0]);

        *result = a[2] == 0 ? sigwaitinfo(&set, (siginfo_t *)a[1])
                            : sigtimedwait(&set, (siginfo_t *)a[1], (const struct timespec *)a[2]);
    }
    return pl_as_free();
}

static bool by_gettid(const long a[6], uint64_t pc, long *result)
{
    *result = pl_calls_result(gettid());
    return true;
}

static bool by_getpid(const long a[6], uint64_t pc, long *result)
{
    *result = pl_calls_result(getpid());
    return true;
}

static bool by_kill(const long a[6], uint64_t pc, long *result)
{
    *result = kill((pid_t)a[0], (int)a[1]);
    return true;
}

static bool by_tgkill(const long a[6], uint64_t pc, long *result)
{
    *result = tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
    return true;
}

static bool by_tkill(const long a[6], uint64_t pc, long *result)
{
    *result = tgkill(getpid(), (pid_t)a[0], (int)a[1]);
    return true;
}

/* What is made up otherwise is not modelled. */
static bool by_sigqueueinfo(const long a[6], uint64_t pc, long *result)
{
    const siginfo_t *info = (const siginfo_t *)a[2];

    if (info == NULL || info->si_code != SI_QUEUE)
        return false;
    *result = sigqueue((pid_t)a[0], (int)a[1], info->si_value);
    return true;
}

/* The kernel says how long it is, with its end. */
static bool by_getcwd(const long a[6], uint64_t pc, long *result)
{
    char *made = a[0] != 0 ? pl_in_getcwd((char *)a[0], (size_t)a[1]) : NULL;

    *result = made != NULL ? (long)pl_text_length(made) + 1 : -1;
    return a[0] != 0;
}

static bool by_waitid(const long a[6], uint64_t pc, long *result)
{
    if (a[4] == 0) /* nothing about what was used */
        *result = pl_in_waitid((idtype_t)a[0], (id_t)a[1], (siginfo_t *)a[2], (int)a[3]);
    return a[4] == 0;
}

static bool by_getrandom(const long a[6], uint64_t pc, long *result)
{
    *result = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    return true;
}

static bool by_clock_gettime(const long a[6], uint64_t pc, long *result)
{
    *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    return true;
}

static bool by_sched_yield(const long a[6], uint64_t pc, long *result)
{
    *result = sched_yield();
    return true;
}

static bool by_prctl(const long a[6], uint64_t pc, long *result)
{
    *result = prctl((int)a[0], a[1], a[2], a[3], a[4]);
    return true;
}

static bool by_seccomp(const long a[6], uint64_t pc, long *result)
{
    struct pl_filter f;

    if (a[0] != SECCOMP_SET_MODE_FILTER || !pl_filter_open(&f, (const struct sock_fprog *)a[2]))
        return false;
    *result = pl_real.syscall(SYS_seccomp, a[0], a[1], (long)&f.program, a[3], a[4], a[5]);
    pl_filter_close(&f);
    return true;
}

/* Processes and threads that nobody has made a place for. */
static bool bypasses(const long a[6], uint64_t pc, long *result)
{
    pl_board->bypassed++;
    return false;
}

/* ---- as functions of libc do it ---- */

#define PL_CALL(call, operation, undo, ...) __VA_ARGS__
#define FUNCTION(type, name)                                                               \
    type as_##name(long, long, long, long, long, long) __asm__("pl_in_" #name);            \
    static long make_##name(const uint64_t a[6])                                           \
    {                                                                                      \
        return (long)as_##name((long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], \
                               (long)a[5]);                                                \
    }
#include "runtime/ground/calls.def"

static const struct {
    by_number *function;
    long (*same)(const uint64_t a[6]);
} rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define BY_NUMBER(name) .function = name,
#define FUNCTION(type, name) .same = make_##name,
#include "runtime/ground/calls.def"
};

bool pl_syscall_has_function(long number)
{
    return rules[pl_arguments_row(number)].same != NULL;
}

long pl_syscall_call_function(long number, const uint64_t a[6])
{
    if (pl_arguments_has_paths(number, a))
        return rules[pl_arguments_row(number)].same(a);
    /* A function would read them all the same; the kernel does nothing but say so. */
    return pl_calls_result(pl_sys(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/* Whether there is a function that does it as `result` says. */
static bool is_made(long number, const long a[6], uint64_t pc, long *result)
{
    by_number *function = rules[pl_arguments_row(number)].function;

    if (!pl_syscall_has_function(number))
        return function != NULL && function(a, pc, result);
    *result = pl_syscall_call_function(number, (const uint64_t *)a);
    return true;
}

/* The seventh argument is on the stack, behind the place that it is called from. */
PL_INTERPOSE(long, syscall, (long number, long b, long c, long d, long e, long f))
{
    struct pl_call who = PL_CALL_ENTERED;
    const long a[6] = {b, c, d, e, f, (long)who.entry[7]};

    if (!pl_on())
        return pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    struct pl_thread *t = pl_thread_self();
    long result;

    t->call.by_number = true;
    if (!pl_inside())
        t->entry = who.entry;
    /* Not from here: what the program does to the kernel must be seen (watch.c). */
    if (pl_inside() || !is_made(number, a, who.pc, &result))
        result = pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    t->call.by_number = false;
    if (!pl_stage->rooted) /* nobody watches yet */
        pl_file_times_made(number, (const uint64_t *)a, result);
    return result;
}
