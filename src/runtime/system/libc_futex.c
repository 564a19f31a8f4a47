/* SPDX-License-Identifier: MIT */
/*
 * syscall(SYS_futex, ...): how libstdc++ waits for atomics and futures, and how
 * hand-made locks wait.  Other numbers go to the kernel, those that would leave
 * control are counted.
 */
#include "runtime/system/libc_futex.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t deadline_of(int operation, const struct timespec *timeout)
{
    clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

    if (timeout == NULL)
        return PL_NEVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) /* relative */
        return pl_stage->now + (uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_nsec;
    return pl_clock_of(clock, timeout);
}

static long futex_wait(uint32_t *word, int operation, uint32_t value,
                       const struct timespec *timeout, uint32_t bits, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    if (timeout != NULL && (timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000))
        return -EINVAL;
    pl_sched_point(PL_OP_FUTEX_WAKE, word, 0, 0, pc); /* the check and the beginning of the wait */
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return -EAGAIN;
    t->wait = (uint64_t)word;
    t->woken = false;
    enum pl_way way =
        pl_sched_timed_point(PL_OP_FUTEX_WAIT, word, deadline_of(operation, timeout), bits, pc);

    t->wait = 0;
    t->woken = false;
    return way == PL_WAY_TIMEOUT ? -ETIMEDOUT : 0;
}

static long futex_wake(uint32_t *word, uint32_t most, uint32_t bits, uint64_t pc)
{
    long n = 0;

    pl_sched_point(PL_OP_FUTEX_WAKE, word, 4, 0, pc);
    pl_enter();
    while (n < (long)most) {
        pl_tid waiter = most == INT32_MAX || most >= pl_stage->n_alive
                            ? pl_sched_any_waiter(PL_OP_FUTEX_WAIT, (uint64_t)word, bits)
                            : pl_sched_pick_waiter(PL_OP_FUTEX_WAIT, (uint64_t)word, bits);

        if (waiter == PL_TID_NONE)
            break;
        PL_ASSERT(pl_thread_by_id(waiter)->wait == (uint64_t)word);
        pl_sched_wake(pl_thread_by_id(waiter));
        n++;
    }
    pl_leave();
    return n;
}

long pl_futex_call(const uint64_t a[6], uint64_t pc)
{
    uint32_t *word = (uint32_t *)a[0], *word2 = (uint32_t *)a[4];
    uint32_t value = (uint32_t)a[2], value3 = (uint32_t)a[5];
    const struct timespec *timeout = (const struct timespec *)a[3];
    int operation = (int)a[1];

    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(word, operation, value, timeout, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAIT_BITSET:
        return value3 == 0 ? -EINVAL : futex_wait(word, operation, value, timeout, value3, pc);
    case FUTEX_WAKE:
        return futex_wake(word, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
        return value3 == 0 ? -EINVAL : futex_wake(word, value, value3, pc);
    case FUTEX_CMP_REQUEUE:
    case FUTEX_REQUEUE: {
        if ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE && *word != value3)
            return -EAGAIN;
        long n = futex_wake(word, value, FUTEX_BITSET_MATCH_ANY, pc);
        long most = (long)a[3];

        for (long i = 0; i < most; i++) {
            pl_tid w =
                pl_sched_any_waiter(PL_OP_FUTEX_WAIT, (uint64_t)word, FUTEX_BITSET_MATCH_ANY);

            if (w == PL_TID_NONE)
                break;
            PL_ASSERT(!pl_thread_by_id(w)->woken);
            pl_thread_by_id(w)->wait = (uint64_t)word2;
            n++;
        }
        return n;
    }
    default:
        pl_board->bypassed++;
        return -ENOSYS;
    }
}

static long as_libc(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

long syscall(long number, ...);

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
        pl_thread_self()->entry = NULL;
        switch (number) {
        case SYS_futex:
            return as_libc(pl_futex_call((const uint64_t *)a, PL_CALLER));
        case SYS_gettid:
            return gettid();
        case SYS_getpid:
            return getpid();
        case SYS_getrandom:
            return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        case SYS_clock_gettime:
            return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        case SYS_sched_yield:
            return sched_yield();
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
    return pl_real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

PL_DESCRIBE(FUTEX_WAIT) = {.enabled = pl_descriptor_woken, .effect = effect_of_wait};
