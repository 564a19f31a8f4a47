/* SPDX-License-Identifier: MIT */
/*
 * Attributes of threads and of objects, and what is set for all of them: each function with one
 * that depends on it, in both orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=41
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=41
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

static union {
    pthread_attr_t attr;
    pthread_mutexattr_t mutexattr;
    pthread_condattr_t condattr;
    pthread_rwlockattr_t rwlockattr;
    pthread_barrierattr_t barrierattr;
    char bytes[64];
} shared;

/* Whether another thread finds the object as it was made, or marked. */
static long as_made(void)
{
    return memcmp(shared.bytes, (char[8]){0}, 8) == 0;
}

static long mark(void)
{
    ((volatile char *)shared.bytes)[0] = 1;
    return 0;
}

/* ---- pthread_attr_t ---- */

static void have_attr(void)
{
    memset(&shared, 0, sizeof(shared));
    pthread_attr_init(&shared.attr);
}

static long get_attr_guardsize(void)
{
    size_t now = 0;

    MUST(pthread_attr_getguardsize(&shared.attr, &now) == 0);
    return now == 8192;
}

static long get_attr_inheritsched(void)
{
    int now = 0;

    MUST(pthread_attr_getinheritsched(&shared.attr, &now) == 0);
    return now == PTHREAD_EXPLICIT_SCHED;
}

static long get_attr_schedpolicy(void)
{
    int now = 0;

    MUST(pthread_attr_getschedpolicy(&shared.attr, &now) == 0);
    return now == SCHED_RR;
}

ORDER(pthread_attr_getguardsize, have_attr(), return get_attr_guardsize(),
      return pthread_attr_setguardsize(&shared.attr, 8192))
ORDER(pthread_attr_setguardsize, have_attr(), return pthread_attr_setguardsize(&shared.attr, 8192),
      return get_attr_guardsize())
ORDER(pthread_attr_getinheritsched, have_attr(), return get_attr_inheritsched(),
      return pthread_attr_setinheritsched(&shared.attr, PTHREAD_EXPLICIT_SCHED))
ORDER(pthread_attr_setinheritsched, have_attr(),
      return pthread_attr_setinheritsched(&shared.attr, PTHREAD_EXPLICIT_SCHED),
      return get_attr_inheritsched())
ORDER(pthread_attr_getschedpolicy, have_attr(), return get_attr_schedpolicy(),
      return pthread_attr_setschedpolicy(&shared.attr, SCHED_RR))
ORDER(pthread_attr_setschedpolicy, have_attr(),
      return pthread_attr_setschedpolicy(&shared.attr, SCHED_RR), return get_attr_schedpolicy())

/* ---- pthread_mutexattr_t ---- */

static void have_mutexattr(void)
{
    memset(&shared, 0, sizeof(shared));
    pthread_mutexattr_init(&shared.mutexattr);
}

static long get_mutexattr_protocol(void)
{
    int now = 0;

    MUST(pthread_mutexattr_getprotocol(&shared.mutexattr, &now) == 0);
    return now == PTHREAD_PRIO_INHERIT;
}

static long get_mutexattr_prioceiling(void)
{
    int now = 0;

    MUST(pthread_mutexattr_getprioceiling(&shared.mutexattr, &now) == 0);
    return now == 7;
}

static long get_mutexattr_pshared(void)
{
    int now = 0;

    MUST(pthread_mutexattr_getpshared(&shared.mutexattr, &now) == 0);
    return now == PTHREAD_PROCESS_SHARED;
}

static long get_mutexattr_robust(void)
{
    int now = 0;

    MUST(pthread_mutexattr_getrobust(&shared.mutexattr, &now) == 0);
    return now == PTHREAD_MUTEX_ROBUST;
}

ORDER(pthread_mutexattr_init, memset(&shared, 0, sizeof(shared)),
      pthread_mutexattr_init(&shared.mutexattr);
      return as_made(), return mark())
ORDER(pthread_mutexattr_getprotocol, have_mutexattr(), return get_mutexattr_protocol(),
      return pthread_mutexattr_setprotocol(&shared.mutexattr, PTHREAD_PRIO_INHERIT))
ORDER(pthread_mutexattr_setprotocol, have_mutexattr(),
      return pthread_mutexattr_setprotocol(&shared.mutexattr, PTHREAD_PRIO_INHERIT),
      return get_mutexattr_protocol())
ORDER(pthread_mutexattr_getprioceiling, have_mutexattr(), return get_mutexattr_prioceiling(),
      return pthread_mutexattr_setprioceiling(&shared.mutexattr, 7))
ORDER(pthread_mutexattr_setprioceiling, have_mutexattr(),
      return pthread_mutexattr_setprioceiling(&shared.mutexattr, 7),
      return get_mutexattr_prioceiling())
ORDER(pthread_mutexattr_getpshared, have_mutexattr(), return get_mutexattr_pshared(),
      return pthread_mutexattr_setpshared(&shared.mutexattr, PTHREAD_PROCESS_SHARED))
ORDER(pthread_mutexattr_setpshared, have_mutexattr(),
      return pthread_mutexattr_setpshared(&shared.mutexattr, PTHREAD_PROCESS_SHARED),
      return get_mutexattr_pshared())
ORDER(pthread_mutexattr_getrobust, have_mutexattr(), return get_mutexattr_robust(),
      return pthread_mutexattr_setrobust(&shared.mutexattr, PTHREAD_MUTEX_ROBUST))
ORDER(pthread_mutexattr_setrobust, have_mutexattr(),
      return pthread_mutexattr_setrobust(&shared.mutexattr, PTHREAD_MUTEX_ROBUST),
      return get_mutexattr_robust())

/* ---- pthread_condattr_t ---- */

static void have_condattr(void)
{
    memset(&shared, 0, sizeof(shared));
    pthread_condattr_init(&shared.condattr);
}

static long get_condattr_clock(void)
{
    clockid_t now = 0;

    MUST(pthread_condattr_getclock(&shared.condattr, &now) == 0);
    return now == CLOCK_MONOTONIC;
}

static long get_condattr_pshared(void)
{
    int now = 0;

    MUST(pthread_condattr_getpshared(&shared.condattr, &now) == 0);
    return now == PTHREAD_PROCESS_SHARED;
}

ORDER(pthread_condattr_init, memset(&shared, 0, sizeof(shared)),
      pthread_condattr_init(&shared.condattr);
      return as_made(), return mark())
ORDER(pthread_condattr_getclock, have_condattr(), return get_condattr_clock(),
      return pthread_condattr_setclock(&shared.condattr, CLOCK_MONOTONIC))
ORDER(pthread_condattr_setclock, have_condattr(),
      return pthread_condattr_setclock(&shared.condattr, CLOCK_MONOTONIC),
      return get_condattr_clock())
ORDER(pthread_condattr_getpshared, have_condattr(), return get_condattr_pshared(),
      return pthread_condattr_setpshared(&shared.condattr, PTHREAD_PROCESS_SHARED))
ORDER(pthread_condattr_setpshared, have_condattr(),
      return pthread_condattr_setpshared(&shared.condattr, PTHREAD_PROCESS_SHARED),
      return get_condattr_pshared())

/* ---- pthread_rwlockattr_t ---- */

static void have_rwlockattr(void)
{
    memset(&shared, 0, sizeof(shared));
    pthread_rwlockattr_init(&shared.rwlockattr);
}

static long get_rwlockattr_kind_np(void)
{
    int now = 0;

    MUST(pthread_rwlockattr_getkind_np(&shared.rwlockattr, &now) == 0);
    return now == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static long get_rwlockattr_pshared(void)
{
    int now = 0;

    MUST(pthread_rwlockattr_getpshared(&shared.rwlockattr, &now) == 0);
    return now == PTHREAD_PROCESS_SHARED;
}

ORDER(pthread_rwlockattr_init, memset(&shared, 0, sizeof(shared)),
      pthread_rwlockattr_init(&shared.rwlockattr);
      return as_made(), return mark())
ORDER(pthread_rwlockattr_getkind_np, have_rwlockattr(), return get_rwlockattr_kind_np(),
      return pthread_rwlockattr_setkind_np(&shared.rwlockattr,
                                           PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
ORDER(pthread_rwlockattr_setkind_np, have_rwlockattr(),
      return pthread_rwlockattr_setkind_np(&shared.rwlockattr,
                                           PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP),
      return get_rwlockattr_kind_np())
ORDER(pthread_rwlockattr_getpshared, have_rwlockattr(), return get_rwlockattr_pshared(),
      return pthread_rwlockattr_setpshared(&shared.rwlockattr, PTHREAD_PROCESS_SHARED))
ORDER(pthread_rwlockattr_setpshared, have_rwlockattr(),
      return pthread_rwlockattr_setpshared(&shared.rwlockattr, PTHREAD_PROCESS_SHARED),
      return get_rwlockattr_pshared())

/* ---- pthread_barrierattr_t ---- */

static void have_barrierattr(void)
{
    memset(&shared, 0, sizeof(shared));
    pthread_barrierattr_init(&shared.barrierattr);
}

static long get_barrierattr_pshared(void)
{
    int now = 0;

    MUST(pthread_barrierattr_getpshared(&shared.barrierattr, &now) == 0);
    return now == PTHREAD_PROCESS_SHARED;
}

ORDER(pthread_barrierattr_init, memset(&shared, 0, sizeof(shared)),
      pthread_barrierattr_init(&shared.barrierattr);
      return as_made(), return mark())
ORDER(pthread_barrierattr_getpshared, have_barrierattr(), return get_barrierattr_pshared(),
      return pthread_barrierattr_setpshared(&shared.barrierattr, PTHREAD_PROCESS_SHARED))
ORDER(pthread_barrierattr_setpshared, have_barrierattr(),
      return pthread_barrierattr_setpshared(&shared.barrierattr, PTHREAD_PROCESS_SHARED),
      return get_barrierattr_pshared())

/* ---- what takes more than a number ---- */

static char stack[1 << 16] __attribute__((aligned(4096)));

static long set_priority(void)
{
    struct sched_param p = {.sched_priority = 3};

    pthread_attr_setschedpolicy(&shared.attr, SCHED_RR);
    return pthread_attr_setschedparam(&shared.attr, &p);
}

static long get_priority(void)
{
    struct sched_param p = {0};

    pthread_attr_getschedparam(&shared.attr, &p);
    return p.sched_priority;
}

static long set_stack(void)
{
    return pthread_attr_setstack(&shared.attr, stack, sizeof(stack));
}

static long get_stack(void)
{
    void *at = NULL;
    size_t size = 0;

    pthread_attr_getstack(&shared.attr, &at, &size);
    return at == stack;
}

static long set_processors(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(3, &one);
    return pthread_attr_setaffinity_np(&shared.attr, sizeof(one), &one);
}

static long get_processors(void)
{
    cpu_set_t now;

    pthread_attr_getaffinity_np(&shared.attr, sizeof(now), &now);
    return CPU_COUNT(&now) == 1;
}

static long set_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return pthread_attr_setsigmask_np(&shared.attr, &set);
}

static long get_signals(void)
{
    sigset_t now;

    sigemptyset(&now);
    pthread_attr_getsigmask_np(&shared.attr, &now);
    return sigismember(&now, SIGUSR1);
}

ORDER(pthread_attr_getschedparam, have_attr(), return get_priority(), return set_priority())
ORDER(pthread_attr_setschedparam, have_attr(), return set_priority(), return get_priority())
ORDER(pthread_attr_getstack, have_attr(), return get_stack(), return set_stack())
ORDER(pthread_attr_setstack, have_attr(), return set_stack(), return get_stack())
ORDER(pthread_attr_getaffinity_np, have_attr(), return get_processors(), return set_processors())
ORDER(pthread_attr_setaffinity_np, have_attr(), return set_processors(), return get_processors())
ORDER(pthread_attr_getsigmask_np, have_attr(), return get_signals(), return set_signals())
ORDER(pthread_attr_setsigmask_np, have_attr(), return set_signals(), return get_signals())

/* ---- what is the whole process's ---- */

static long other_numbers(void)
{
    return setlocale(LC_NUMERIC, "C.UTF-8") != NULL;
}

static long is_c(void)
{
    return strcmp(setlocale(LC_NUMERIC, NULL), "C") == 0;
}

static void back_to_c(void)
{
    setlocale(LC_ALL, "C");
}

static long make_default(void)
{
    pthread_attr_t attr;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 1 << 20);
    return pthread_setattr_default_np(&attr);
}

static void restore_default(void)
{
    pthread_attr_t attr;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 8 << 20);
    pthread_setattr_default_np(&attr);
}

static long is_default(void)
{
    pthread_attr_t attr;
    size_t size = 0;

    pthread_getattr_default_np(&attr);
    pthread_attr_getstacksize(&attr, &size);
    return size == 1 << 20;
}

ORDER(setlocale, after = back_to_c, return other_numbers(), return is_c())
ORDER(pthread_setattr_default_np, after = restore_default, return make_default(),
      return is_default())
ORDER(pthread_getattr_default_np, after = restore_default, return is_default(),
      return make_default())
ORDER(pthread_setconcurrency, pthread_setconcurrency(0), return pthread_setconcurrency(3),
      return pthread_getconcurrency())
ORDER(pthread_getconcurrency, pthread_setconcurrency(0), return pthread_getconcurrency(),
      return pthread_setconcurrency(3))

ORDERS(&order_pthread_attr_getguardsize, &order_pthread_attr_setguardsize,
       &order_pthread_attr_getinheritsched, &order_pthread_attr_setinheritsched,
       &order_pthread_attr_getschedpolicy, &order_pthread_attr_setschedpolicy,
       &order_pthread_mutexattr_init, &order_pthread_mutexattr_getprotocol,
       &order_pthread_mutexattr_setprotocol, &order_pthread_mutexattr_getprioceiling,
       &order_pthread_mutexattr_setprioceiling, &order_pthread_mutexattr_getpshared,
       &order_pthread_mutexattr_setpshared, &order_pthread_mutexattr_getrobust,
       &order_pthread_mutexattr_setrobust, &order_pthread_condattr_init,
       &order_pthread_condattr_getclock, &order_pthread_condattr_setclock,
       &order_pthread_condattr_getpshared, &order_pthread_condattr_setpshared,
       &order_pthread_rwlockattr_init, &order_pthread_rwlockattr_getkind_np,
       &order_pthread_rwlockattr_setkind_np, &order_pthread_rwlockattr_getpshared,
       &order_pthread_rwlockattr_setpshared, &order_pthread_barrierattr_init,
       &order_pthread_barrierattr_getpshared, &order_pthread_barrierattr_setpshared,
       &order_pthread_attr_getschedparam, &order_pthread_attr_setschedparam,
       &order_pthread_attr_getstack, &order_pthread_attr_setstack,
       &order_pthread_attr_getaffinity_np, &order_pthread_attr_setaffinity_np,
       &order_pthread_attr_getsigmask_np, &order_pthread_attr_setsigmask_np, &order_setlocale,
       &order_pthread_setattr_default_np, &order_pthread_getattr_default_np,
       &order_pthread_setconcurrency, &order_pthread_getconcurrency)
