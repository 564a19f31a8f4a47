/* SPDX-License-Identifier: MIT */
/*
 * Functions of <semaphore.h>, and the commands of futex(): each with one that depends on it, in
 * both orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=20
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=20
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <linux/futex.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t sem;
static char name[32];
static sem_t *named;
static atomic_uint word, other;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_sec++;
    return t;
}

/* ---- semaphores ---- */

static void have(unsigned n)
{
    MUST(sem_init(&sem, 0, n) == 0);
}

static long left(void)
{
    int n = 0;

    sem_getvalue(&sem, &n);
    return n;
}

static void see_sem(void)
{
    seen = left();
}

static void see_fresh(void)
{
    sem_t fresh;

    sem_init(&fresh, 0, 0);
    seen = memcmp(&fresh, &sem, sizeof(int) * 2) == 0;
}

static long got(int result)
{
    return result == 0 ? 0 : -errno;
}

static void no_name(void)
{
    snprintf(name, sizeof(name), "/plait-%d", (int)getppid());
    sem_unlink(name);
}

static void remove_name(void)
{
    sem_unlink(name);
}

static void have_name(void)
{
    no_name();
    named = sem_open(name, O_CREAT, 0600, 1);
    MUST(named != SEM_FAILED);
    after = remove_name;
}

static long open_new(void)
{
    return sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED ? -errno : 0;
}

static long open_old(void)
{
    return sem_open(name, 0) == SEM_FAILED ? -errno : 0;
}

ORDER(sem_wait, have(1), sem_wait(&sem); return 0, return left())
ORDER(sem_trywait, have(1), return got(sem_trywait(&sem)), return got(sem_trywait(&sem)))
ORDER(sem_timedwait, have(0), struct timespec t = soon(CLOCK_REALTIME);
      return got(sem_timedwait(&sem, &t)), return sem_post(&sem))
ORDER(sem_clockwait, have(0), struct timespec t = soon(CLOCK_MONOTONIC);
      return got(sem_clockwait(&sem, CLOCK_MONOTONIC, &t)), return sem_post(&sem))
ORDER(sem_post, have(0), return sem_post(&sem), return got(sem_trywait(&sem)))
ORDER(sem_getvalue, have(0), return left(), return sem_post(&sem))
ORDER(sem_init, have(0); after = see_sem, return sem_init(&sem, 0, 5), return sem_post(&sem))
ORDER(sem_destroy, have(0);
      after = see_fresh, return sem_destroy(&sem), return sem_init(&sem, 0, 0))
ORDER(sem_open, no_name(); after = remove_name, return open_new(), return open_new())
ORDER(sem_unlink, have_name(), return got(sem_unlink(name)), return open_old())

/* ---- futex() ---- */

static long futex(atomic_uint *at, int operation, unsigned value, const void *second,
                  atomic_uint *moved, unsigned last)
{
    return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, second, moved, last);
}

static void clear(void)
{
    word = other = 0;
}

static long wait_a_while(int operation, unsigned bits)
{
    struct timespec t = {.tv_nsec = 1000};

    if (operation == FUTEX_WAIT_BITSET)
        t = soon(CLOCK_MONOTONIC);
    return said(futex(&word, operation, 0, &t, NULL, bits));
}

static long lock(void)
{
    MUST(futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0) == 0);
    long before = other++;

    futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
    return before;
}

static long try_lock(void)
{
    long rc = said(futex(&word, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0));

    if (rc == 0)
        futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
    return rc;
}

ORDER(FUTEX_WAIT, clear(), return wait_a_while(FUTEX_WAIT, 0), word = 1; return 0)
ORDER(FUTEX_WAKE, clear(), return futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0),
      return wait_a_while(FUTEX_WAIT, 0))
ORDER(FUTEX_WAIT_BITSET, clear(), return wait_a_while(FUTEX_WAIT_BITSET, 1), word = 1; return 0)
ORDER(FUTEX_WAKE_BITSET, clear(), return futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 1),
      return wait_a_while(FUTEX_WAIT_BITSET, 1))
ORDER(FUTEX_REQUEUE, clear(), return futex(&word, FUTEX_REQUEUE, 0, (void *)1, &other, 0),
      return wait_a_while(FUTEX_WAIT, 0))
ORDER(FUTEX_CMP_REQUEUE, clear(),
      return said(futex(&word, FUTEX_CMP_REQUEUE, 0, (void *)1, &other, 0)), word = 1;
      return 0)
ORDER(FUTEX_WAKE_OP, clear(),
      return futex(&word, FUTEX_WAKE_OP, 1, (void *)1, &other,
                   FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0)),
      return (long)other)
ORDER(FUTEX_LOCK_PI, clear(), return lock(), return lock())
ORDER(FUTEX_UNLOCK_PI, clear(), return lock(), return try_lock())
ORDER(FUTEX_TRYLOCK_PI, clear(), return try_lock(), return lock())

ORDERS(&order_sem_wait, &order_sem_trywait, &order_sem_timedwait, &order_sem_clockwait,
       &order_sem_post, &order_sem_getvalue, &order_sem_init, &order_sem_destroy, &order_sem_open,
       &order_sem_unlink, &order_FUTEX_WAIT, &order_FUTEX_WAKE, &order_FUTEX_WAIT_BITSET,
       &order_FUTEX_WAKE_BITSET, &order_FUTEX_REQUEUE, &order_FUTEX_CMP_REQUEUE,
       &order_FUTEX_WAKE_OP, &order_FUTEX_LOCK_PI, &order_FUTEX_UNLOCK_PI, &order_FUTEX_TRYLOCK_PI)
