/* SPDX-License-Identifier: MIT */
/*
 * What functions read and write besides their objects: how long to wait, names, sets, and where
 * results go.  Each with a thread that uses that memory, in both orders.
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete orders=26
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=26
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>

static struct timespec until;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_t third;
static void *result;
static int number;

/* ---- how long to wait ---- */

static void is_over(void)
{
    until = (struct timespec){0};
}

static long spoil(void)
{
    until.tv_nsec = -1;
    return 0;
}

static long wait_locked(int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&own);
    int rc = wait(&cond, &own, &until);

    pthread_mutex_unlock(&own);
    return rc;
}

static int clockwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
    return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, t);
}

static void unlock_both(void)
{
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&rwlock);
}

static void locked(void)
{
    is_over();
    MUST(pthread_mutex_lock(&mutex) == 0 && pthread_rwlock_wrlock(&rwlock) == 0);
    after = unlock_both;
}

#define WAITS(function, before, call) ORDER(function, before, return call, return spoil())

WAITS(sem_timedwait, is_over(), said(sem_timedwait(&semaphore, &until)))
WAITS(sem_clockwait, is_over(), said(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until)))
WAITS(pthread_cond_timedwait, is_over(), wait_locked(pthread_cond_timedwait))
WAITS(pthread_cond_clockwait, is_over(), wait_locked(clockwait))
WAITS(pthread_mutex_timedlock, locked(), pthread_mutex_timedlock(&mutex, &until))
WAITS(pthread_mutex_clocklock, locked(), pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until))
WAITS(pthread_rwlock_timedrdlock, locked(), pthread_rwlock_timedrdlock(&rwlock, &until))
WAITS(pthread_rwlock_timedwrlock, locked(), pthread_rwlock_timedwrlock(&rwlock, &until))
WAITS(pthread_rwlock_clockrdlock, locked(),
      pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &until))
WAITS(pthread_rwlock_clockwrlock, locked(),
      pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &until))

/* ---- names, signals, files, atomics ---- */

static char name[16];
static sigset_t awaited;
static stack_t stack;
static struct flock range;
static long expected, target;

static void named(void)
{
    strcpy(name, "/plait-a");
    sem_unlink("/plait-a");
    sem_unlink("/plait-b");
    MUST(sem_close(sem_open(name, O_CREAT, 0600, 1)) == 0);
}

static long rename_it(void)
{
    name[7] = 'b';
    return 0;
}

static void pending(void)
{
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    number = 0;
    MUST(pthread_sigmask(SIG_BLOCK, &awaited, NULL) == 0 && kill(getpid(), SIGUSR1) == 0);
}

static long take_pending(void)
{
    return sigwait(&awaited, &number);
}

static long take_none(void)
{
    static sigset_t none;

    sigemptyset(&none);
    return said(sigtimedwait(&none, NULL, &until));
}

static void other_stack(void)
{
    stack.ss_flags = 77;
}

static void whole_file(void)
{
    range = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

static long ask_for_lock(void)
{
    static int file;

    file = open(".", O_RDONLY);
    range.l_type = F_RDLCK;
    int rc = fcntl(file, F_GETLK, &range);

    close(file);
    return rc;
}

static long exchange(void)
{
    return __atomic_compare_exchange_n(&target, &expected, 7, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static long expect_other(void)
{
    expected = 5;
    return 0;
}

static struct timeval rest;
static timer_t timer;

static long make_timer(void)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};

    return timer_create(CLOCK_MONOTONIC, &none, &timer);
}

ORDER(select, rest.tv_usec = 1000, return select(0, NULL, NULL, NULL, &rest),
      return rest.tv_usec > 999)
ORDER(ppoll, is_over(), return said(ppoll(NULL, 0, &until, NULL)), return spoil())
ORDER(timer_create, timer = (timer_t)&timer, return make_timer(), return timer == (timer_t)&timer)
ORDER(sem_open, named(), return sem_open(name, 0) != SEM_FAILED, return rename_it())
ORDER(sem_unlink, named(), return said(sem_unlink(name)), return rename_it())
ORDER(sigwait, pending(), return take_pending(), return number)
ORDER(sigtimedwait, is_over(), return take_none(), return spoil())
ORDER(sigaltstack, other_stack(), return sigaltstack(NULL, &stack), return stack.ss_flags)
ORDER(getrandom, expected = 0, return getrandom(&expected, 8, 0), return expected != 0)
ORDER(fcntl, whole_file(), return ask_for_lock(), return range.l_type)
ORDER(compare_exchange, expected = target = 0, return exchange(), return expect_other())

/* ---- where results go ---- */

static void *give(void *arg)
{
    return arg;
}

static int give_number(void *arg)
{
    (void)arg;
    return 7;
}

static void have_third(void)
{
    result = NULL;
    MUST(pthread_create(&third, NULL, give, &until) == 0);
}

static void have_numbered(void)
{
    number = 0;
    MUST(thrd_create(&third, give_number, NULL) == thrd_success);
}

static long join_until(clockid_t clock)
{
    struct timespec later;

    clock_gettime(clock, &later);
    later.tv_sec += 100;
    return clock == CLOCK_REALTIME ? pthread_timedjoin_np(third, &result, &later)
                                   : pthread_clockjoin_np(third, &result, clock, &later);
}

static long try_until_joined(void)
{
    while (pthread_tryjoin_np(third, &result) == EBUSY)
        ;
    return 0;
}

static void join_third(void)
{
    thrd_join(third, NULL);
}

static void have_none(void)
{
    third = 0;
    after = join_third;
}

ORDER(pthread_timedjoin_np, have_third(), return join_until(CLOCK_REALTIME), return result != NULL)
ORDER(pthread_clockjoin_np, have_third(), return join_until(CLOCK_MONOTONIC), return result != NULL)
ORDER(pthread_tryjoin_np, have_third(), return try_until_joined(), return result != NULL)
ORDER(thrd_join, have_numbered(), return thrd_join(third, &number), return number)
ORDER(thrd_create, have_none(), return thrd_create(&third, give_number, NULL), return third != 0)

ORDERS(&order_sem_timedwait, &order_sem_clockwait, &order_pthread_cond_timedwait,
       &order_pthread_cond_clockwait, &order_pthread_mutex_timedlock,
       &order_pthread_mutex_clocklock, &order_pthread_rwlock_timedrdlock,
       &order_pthread_rwlock_timedwrlock, &order_pthread_rwlock_clockrdlock,
       &order_pthread_rwlock_clockwrlock, &order_pthread_timedjoin_np, &order_pthread_clockjoin_np,
       &order_pthread_tryjoin_np, &order_thrd_join, &order_thrd_create, &order_sem_open,
       &order_sem_unlink, &order_sigwait, &order_sigtimedwait, &order_sigaltstack, &order_getrandom,
       &order_fcntl, &order_compare_exchange, &order_select, &order_ppoll, &order_timer_create)
