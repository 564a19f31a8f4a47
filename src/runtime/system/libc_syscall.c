/* SPDX-License-Identifier: MIT */
/*
 * syscall(): calls by their numbers.  Those that have an interposer go there, as if it had been
 * called; all others are made through libc, where restart/watch.c sees them like anybody's.
 */
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls.h"
#include "runtime/system/file_times.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_futex.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

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

static bool by_pause(const long a[6], uint64_t pc, long *result)
{
    if (pl_free)
        *result = pause();
    return pl_free;
}

static bool by_sigsuspend(const long a[6], uint64_t pc, long *result)
{
    if (pl_free) {
        const sigset_t set = set_at(a[0]);

        *result = sigsuspend(&set);
    }
    return pl_free;
}

static bool by_sigtimedwait(const long a[6], uint64_t pc, long *result)
{
    if (pl_free) {
        const sigset_t set = set_at(a[0]);

        *result = a[2] == 0 ? sigwaitinfo(&set, (siginfo_t *)a[1])
                            : sigtimedwait(&set, (siginfo_t *)a[1], (const struct timespec *)a[2]);
    }
    return pl_free;
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

static by_number *function_of(long number)
{
    static const struct {
        by_number *function;
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define BY_NUMBER(name) .function = name,
#include "runtime/ground/calls.def"
    };

    return rules[pl_arguments_row(number)].function;
}

/* The seventh argument is on the stack, behind the place that it is called from. */
PL_INTERPOSE(long, syscall, (long number, long b, long c, long d, long e, long f))
{
    struct pl_call who = PL_CALL_ENTERED;
    const long a[6] = {b, c, d, e, f, (long)who.entry[7]};

    if (pl_on() && !pl_inside()) {
        by_number *function = function_of(number);
        long result;

        pl_thread_self()->entry = who.entry;
        if (function != NULL && function(a, who.pc, &result))
            return result;
    }
    /* Not from here: what the program does to the kernel must be seen (watch.c). */
    if (!pl_on())
        return pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    struct pl_thread *t = pl_thread_self();

    t->call.by_number = true;
    long result = pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);

    t->call.by_number = false;
    if (!pl_stage->rooted) /* nobody watches yet */
        pl_file_times_made(number, (const uint64_t *)a, result);
    return result;
}
