/* SPDX-License-Identifier: MIT */
/*
 * syscall(): calls by their numbers.  Those that have an interposer go there, as if it had been
 * called; all others are made through libc, where restart/watch.c sees them like anybody's.
 */
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls.h"
#include "runtime/system/libc_futex.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

/*
 * Free threads: the kernel would wait for a signal that only the model has, since whoever sends it
 * is interposed.  False: it is another call.
 */
static bool waits_for_signal(long number, const long a[6], long *result)
{
    sigset_t set;

    if (!pl_free ||
        (number != SYS_rt_sigsuspend && number != SYS_rt_sigtimedwait && number != SYS_pause))
        return false;
    sigemptyset(&set);
    if (number != SYS_pause)
        pl_memory_copy(&set, (const void *)a[0], sizeof(uint64_t));
    if (number == SYS_rt_sigsuspend)
        *result = sigsuspend(&set);
    else if (number == SYS_pause)
        *result = pause();
    else if (a[2] == 0)
        *result = sigwaitinfo(&set, (siginfo_t *)a[1]);
    else
        *result = sigtimedwait(&set, (siginfo_t *)a[1], (const struct timespec *)a[2]);
    return true;
}

/* No entry stub: the seventh argument is on the stack. */
PL_EXPOSE(long, syscall, (long number, ...))
{
    long a[6];
    va_list args;

    va_start(args, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (pl_on() && !pl_inside()) {
        long result;

        pl_thread_self()->entry = NULL;
        if (waits_for_signal(number, a, &result))
            return result;
        switch (number) {
        case SYS_futex: {
            /* Who waits, and until when, is for one thread at a time to say. */
            if (pl_free)
                pl_monitor_enter(PL_MONITOR_CALL);
            result = pl_futex_call((const uint64_t *)a, PL_CALLER);

            if (pl_free)
                pl_monitor_leave(PL_MONITOR_CALL);
            return pl_calls_result(result);
        }
        case SYS_futex_waitv: {
            if (pl_free)
                pl_monitor_enter(PL_MONITOR_CALL);
            result = pl_futex_wait_several((const uint64_t *)a, PL_CALLER);

            if (pl_free)
                pl_monitor_leave(PL_MONITOR_CALL);
            return pl_calls_result(result);
        }
        case SYS_gettid:
            return gettid();
        case SYS_getpid:
            return getpid();
        case SYS_kill:
            return kill((pid_t)a[0], (int)a[1]);
        case SYS_tgkill:
            return tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
        case SYS_tkill:
            return tgkill(getpid(), (pid_t)a[0], (int)a[1]);
        case SYS_getrandom:
            return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        case SYS_clock_gettime:
            return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        case SYS_sched_yield:
            return sched_yield();
        case SYS_prctl:
            return prctl((int)a[0], a[1], a[2], a[3], a[4]);
        case SYS_clone:
        case SYS_clone3:
        case SYS_fork:
        case SYS_vfork:
            pl_board->bypassed++;
            break;
        default:
            break;
        }
    }
    /* Not from here: what the program does to the kernel must be seen (watch.c). */
    if (!pl_on())
        return pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    struct pl_thread *t = pl_thread_self();

    t->call.by_number = true;
    long result = pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);

    t->call.by_number = false;
    return result;
}
