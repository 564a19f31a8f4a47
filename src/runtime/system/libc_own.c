/* SPDX-License-Identifier: MIT */
/*
 * How the system is to treat a thread, by its handle: processors and priority.  One thread runs at
 * a time here, so that nothing comes of it but what the program is told when it asks again
 * (restart/own.h); how a thread calls itself by prctl().  And limits of processor time and memory,
 * also before system calls are watched.
 */
#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/slot.h"
#include "runtime/restart/own.h"
#include "runtime/restart/own_calls.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"

#include <errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

/* The call that is meant, about the thread with that handle; an error, not errno. */
static int call(long number, pthread_t handle, uint64_t second, uint64_t third, long *result,
                const uint64_t *entry)
{
    const struct pl_thread *t = pl_thread_of(handle);
    bool looks = number == SYS_sched_getaffinity || number == SYS_sched_getscheduler ||
                 number == SYS_sched_getparam;
    uint64_t a[6] = {0, second, third};
    char paths[PL_ARGUMENTS_PATHS][PL_OWN_PATH];

    *result = -ESRCH;
    if (t == NULL || t->state != PL_THREAD_ALIVE)
        return ESRCH;
    pl_thread_self()->part = pl_entry_count(entry); /* a function may look twice: that is no loop */
    if (looks) {
        pl_access_look(&t->treatment, entry[6], entry);
    } else {
        pl_thread_passes_on(t, &t->treatment);
        pl_access_state(&t->treatment, entry[6], entry);
    }
    pl_thread_self()->part = 0;
    a[0] = (uint64_t)pl_own_thread(t);
    if (!pl_own_call(number, a, paths, result))
        return ESRCH;
    return *result < 0 ? (int)-*result : 0;
}

static bool is_real(void)
{
    return !pl_on() || pl_free;
}

PL_INTERPOSE(int, pthread_setaffinity_np, (pthread_t handle, size_t size, const cpu_set_t *set))
{
    const uint64_t *entry = pl_entry();
    long result;

    pl_access_argument(set, size, false, entry);
    if (is_real())
        return PL_FALLBACK(pthread_setaffinity_np)(handle, size, set);
    return call(SYS_sched_setaffinity, handle, size, (uint64_t)set, &result, entry);
}

PL_INTERPOSE(int, pthread_getaffinity_np, (pthread_t handle, size_t size, cpu_set_t *set))
{
    const uint64_t *entry = pl_entry();
    long result;

    pl_access_argument(set, size, true, entry);
    if (is_real())
        return PL_FALLBACK(pthread_getaffinity_np)(handle, size, set);
    int error = call(SYS_sched_getaffinity, handle, size, (uint64_t)set, &result, entry);

    if (error == 0)
        pl_memory_fill((char *)set + result, 0, size - (size_t)result);
    return error;
}

PL_INTERPOSE(int, pthread_setschedparam,
             (pthread_t handle, int policy, const struct sched_param *param))
{
    const uint64_t *entry = pl_entry();
    long result;

    pl_access_argument(param, sizeof(*param), false, entry);
    if (is_real())
        return PL_FALLBACK(pthread_setschedparam)(handle, policy, param);
    return call(SYS_sched_setscheduler, handle, (uint64_t)policy, (uint64_t)param, &result, entry);
}

PL_INTERPOSE(int, pthread_getschedparam, (pthread_t handle, int *policy, struct sched_param *out))
{
    const uint64_t *entry = pl_entry();
    long result;

    pl_access_argument(policy, sizeof(*policy), true, entry);
    pl_access_argument(out, sizeof(*out), true, entry);
    if (is_real())
        return PL_FALLBACK(pthread_getschedparam)(handle, policy, out);
    int error = call(SYS_sched_getscheduler, handle, 0, 0, &result, entry);

    if (error == 0) {
        *policy = (int)result;
        error = call(SYS_sched_getparam, handle, (uint64_t)out, 0, &result, entry);
    }
    return error;
}

PL_INTERPOSE(int, pthread_setschedprio, (pthread_t handle, int priority))
{
    const struct sched_param param = {.sched_priority = priority};
    const uint64_t *entry = pl_entry();
    long result;

    if (is_real())
        return PL_FALLBACK(pthread_setschedprio)(handle, priority);
    return call(SYS_sched_setparam, handle, (uint64_t)&param, 0, &result, entry);
}

/* ---- limits ---- */

static bool is_kept(int which)
{
    return pl_own_keeps_limit(which) && pl_on() && !pl_inside();
}

/* A limit of memory changes while others ask for some: which of them get it is not explored. */
static long keep(int which, const struct rlimit *new, struct rlimit *old, const uint64_t *entry)
{
    if (new != NULL && which != RLIMIT_CPU && pl_stage->n_alive > 1)
        pl_calls_unmodelled(SYS_prlimit64, entry[6]);
    return pl_own_limit(which, new, old);
}

static int as_libc(long result)
{
    if (result >= 0)
        return 0;
    errno = (int)-result;
    return -1;
}

#define PL_SET_LIMIT(name, type)                                                      \
    PL_INTERPOSE(int, name, (__rlimit_resource_t which, const struct type *in))       \
    {                                                                                 \
        const uint64_t *entry = pl_entry();                                           \
                                                                                      \
        pl_access_argument(in, sizeof(*in), false, entry);                            \
        if (is_kept((int)which))                                                      \
            return as_libc(keep((int)which, (const struct rlimit *)in, NULL, entry)); \
        return PL_FALLBACK(name)(which, in);                                          \
    }

PL_SET_LIMIT(setrlimit, rlimit)
PL_SET_LIMIT(setrlimit64, rlimit64)

#define PL_GET_LIMIT(name, type)                                                \
    PL_INTERPOSE(int, name, (__rlimit_resource_t which, struct type * out))     \
    {                                                                           \
        pl_access_argument(out, sizeof(*out), true, pl_entry());                \
        if (is_kept((int)which))                                                \
            return as_libc(keep((int)which, NULL, (struct rlimit *)out, NULL)); \
        return PL_FALLBACK(name)(which, out);                                   \
    }

PL_GET_LIMIT(getrlimit, rlimit)
PL_GET_LIMIT(getrlimit64, rlimit64)

#define PL_BOTH_LIMITS(name, type)                                                          \
    PL_INTERPOSE(                                                                           \
        int, name,                                                                          \
        (pid_t pid, enum __rlimit_resource which, const struct type *in, struct type *out)) \
    {                                                                                       \
        const uint64_t *entry = pl_entry();                                                 \
                                                                                            \
        pl_access_argument(in, sizeof(*in), false, entry);                                  \
        pl_access_argument(out, sizeof(*out), true, entry);                                 \
        if (is_kept((int)which) && (pid == 0 || pid == pl_own_process()))                   \
            return as_libc(                                                                 \
                keep((int)which, (const struct rlimit *)in, (struct rlimit *)out, entry));  \
        return PL_FALLBACK(name)(pid, which, in, out);                                      \
    }

PL_BOTH_LIMITS(prlimit, rlimit)
PL_BOTH_LIMITS(prlimit64, rlimit64)

/* What prctl() changes, or tells, is the process's. */
static bool is_of_process(int option, bool changes)
{
    switch (option) {
    case PR_SET_DUMPABLE:
    case PR_SET_CHILD_SUBREAPER:
    case PR_SET_THP_DISABLE:
    case PR_SET_PDEATHSIG:
    case PR_SET_MM:
        return changes;
    case PR_GET_DUMPABLE:
    case PR_GET_CHILD_SUBREAPER:
    case PR_GET_THP_DISABLE:
    case PR_GET_PDEATHSIG:
        return !changes;
    default:
        return false;
    }
}

static int set_filter(int option, unsigned long mode, const struct sock_fprog *own, unsigned long c,
                      unsigned long d)
{
    struct pl_filter f;

    if (!pl_filter_open(&f, own))
        return PL_FALLBACK(prctl)(option, mode, (unsigned long)own, c, d);
    int rc = PL_FALLBACK(prctl)(option, mode, (unsigned long)&f.program, c, d);

    pl_filter_close(&f);
    return rc;
}

/* A thread names itself.  What that does is done by the system call (restart/own.c). */
PL_INTERPOSE(int, prctl,
             (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d))
{
    const uint64_t *entry = pl_entry();

    if (pl_on() && !pl_inside() && option == PR_SET_NAME) {
        pl_access_argument((const char *)a, pl_text_length((const char *)a) + 1, false, entry);
        pl_access_state(pl_thread_self()->title, entry[6], entry);
    } else if (pl_on() && !pl_inside() && option == PR_GET_NAME) {
        pl_access_look(pl_thread_self()->title, entry[6], entry);
        pl_access_after((char *)a, sizeof(pl_thread_self()->title), entry);
    } else if (pl_on() && !pl_inside() && is_of_process(option, true)) {
        pl_access_state(&pl_stage->process.own.death_signal, entry[6], entry);
    } else if (pl_on() && !pl_inside() && is_of_process(option, false)) {
        pl_access_look(&pl_stage->process.own.death_signal, entry[6], entry);
        if (option == PR_GET_PDEATHSIG || option == PR_GET_CHILD_SUBREAPER)
            pl_access_after((int *)a, sizeof(int), entry);
    } else if (pl_on() && !pl_inside() && option == PR_SET_SECCOMP && a == SECCOMP_MODE_FILTER) {
        return set_filter(option, a, (const struct sock_fprog *)b, c, d);
    }
    return PL_FALLBACK(prctl)(option, a, b, c, d);
}
