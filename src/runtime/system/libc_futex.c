/* SPDX-License-Identifier: MIT */
/*
 * The futex system call: how libstdc++ waits for atomics and futures, and how hand-made locks
 * wait.
 *
 * To begin to wait is to read the word, as an operation of its own: a store to it is ordered
 * against that.  To wake touches no memory: those who wait at an address are an object for
 * themselves, and the memory may have been freed or be used for something else.
 */
#include "runtime/system/libc_futex.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/freed.h"
#include "runtime/restart/own.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t deadline_of(int operation, const struct timespec *timeout)
{
    int command = operation & FUTEX_CMD_MASK;
    clockid_t clock = operation & FUTEX_CLOCK_REALTIME || command == FUTEX_LOCK_PI
                          ? CLOCK_REALTIME
                          : CLOCK_MONOTONIC;

    if (timeout == NULL)
        return PL_NEVER;
    if (command == FUTEX_WAIT) /* relative */
        return pl_clock_now() + pl_clock_ns(timeout);
    return pl_clock_of(clock, timeout);
}

/* Whether another process may use the word, too. */
static bool is_outside(int operation)
{
    return (operation & FUTEX_PRIVATE_FLAG) == 0 &&
           (pl_stage->process.forked || pl_stage->process.company);
}

/* ---- the word ---- */

/* The kernel is about to look at the word, or to change it: whoever stores there must be seen. */
static void use_word(enum pl_op_kind kind, uint32_t *word, uint32_t wanted, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool write = pl_operation_effect(kind) == PL_EFFECT_WRITE;

    if (pl_stage->n_unjoined > 1)
        pl_shadow_shared((uint64_t)word, sizeof(*word), write, t);
    pl_sched_point(kind, word, sizeof(*word), wanted, pc);
    if (pl_heap_contains((uint64_t)word))
        pl_freed_check((uint64_t)word, sizeof(*word), write, pc);
}

/* Threads may come from one futex to another: from now on all who wait are one object. */
static void let_queues_meet(void)
{
    if (pl_board->queues_meet)
        return;
    pl_board->queues_meet = true;
    pl_board->shared_grew = true;
}

/* Of operations on those who wait: whether each futex is for itself, as pl_depend_object() asks. */
static uint32_t apart(void)
{
    return !pl_board->queues_meet;
}

/* ---- waiting and waking ---- */

/* Of several futexes that a thread waits at: the number of this one plus 1, or 0. */
static uint32_t place_among(const struct pl_thread *t, const uint32_t *word)
{
    for (uint32_t i = 0; t->several != NULL && i < t->n_several; i++) {
        if (pl_alias(t->several[i].uaddr) == (uint64_t)word)
            return i + 1;
    }
    return 0;
}

static bool is_waited_for(uint64_t word)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || t->woken)
            continue;
        if (t->op.kind == PL_OP_FUTEX_WAIT && t->wait == word)
            return true;
        if (t->woken_early == 0 && place_among(t, (const uint32_t *)word) != 0)
            return true; /* it is there already, and looks at others still */
    }
    return false;
}

/*
 * Who waits for one of several waits at this one, if it is among them; or has not gone to sleep yet
 * and will not: the number of those.
 */
static long call_several(const uint32_t *word, long most)
{
    long n = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        uint32_t place = t->state == PL_THREAD_ALIVE ? place_among(t, word) : 0;

        if (place == 0 || t->woken || t->woken_early != 0)
            continue;
        if (t->op.kind == PL_OP_FUTEX_WAIT && t->announced)
            t->wait = (uint64_t)word;
        else if (n < most) {
            t->woken_early = place;
            n++;
        }
    }
    return n;
}

static enum pl_way sleep_at(uint32_t *word, uint64_t deadline, uint32_t bits, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    t->wait = (uint64_t)word;
    t->woken = false;
    enum pl_way way = pl_sched_sized_point(PL_OP_FUTEX_WAIT, word, apart(), deadline, bits, pc);

    if (t->several != NULL)
        t->woken_early = place_among(t, (const uint32_t *)t->wait);
    t->wait = 0;
    t->woken = false;
    return way;
}

static long futex_wait(uint32_t *word, int operation, uint32_t value,
                       const struct timespec *timeout, uint32_t bits, uint64_t pc)
{
    /* First, as in the kernel: what it looks like is a time from now on (core/spin.h). */
    uint64_t deadline = deadline_of(operation, timeout);

    use_word(PL_OP_FUTEX_LOOK, word, value, pc);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return -EAGAIN;
    pl_thread_self()->signals.interruption =
        timeout == NULL ? PL_INTERRUPTION_RESTART : PL_INTERRUPTION_ALWAYS;
    pl_thread_self()->word_shared =
        (operation & FUTEX_PRIVATE_FLAG) == 0; /* with children to come */
    pl_thread_self()->word = value;
    pl_thread_self()->io.waits = 0;
    enum pl_way way = sleep_at(word, deadline, bits, pc);

    pl_thread_self()->word_shared = false;
    pl_thread_self()->signals.interruption = PL_INTERRUPTION_NONE;
    if (way == PL_WAY_SIGNAL)
        return -EINTR;
    return way == PL_WAY_TIMEOUT ? -ETIMEDOUT : 0;
}

/* Look at each of them, which queues the thread there as in the kernel, then wait for one. */
static long wait_several(struct pl_thread *t, const struct futex_waitv *list, uint32_t n,
                         uint64_t deadline, uint64_t pc)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *word = (uint32_t *)pl_alias(list[i].uaddr);

        use_word(PL_OP_FUTEX_LOOK, word, (uint32_t)list[i].val, pc);
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)list[i].val)
            return t->woken_early != 0 ? (long)t->woken_early - 1 : -EAGAIN;
        t->n_several = i + 1;
    }
    if (t->woken_early != 0)
        return (long)t->woken_early - 1;
    t->signals.interruption = PL_INTERRUPTION_ALWAYS;
    enum pl_way way =
        sleep_at((uint32_t *)pl_alias(list[0].uaddr), deadline, FUTEX_BITSET_MATCH_ANY, pc);

    t->signals.interruption = PL_INTERRUPTION_NONE;
    return way == PL_WAY_SIGNAL    ? -EINTR
           : way == PL_WAY_TIMEOUT ? -ETIMEDOUT
                                   : (long)t->woken_early - 1;
}

long pl_futex_wait_several(const uint64_t a[6], uint64_t pc)
{
    const struct futex_waitv *list = (const struct futex_waitv *)a[0];
    const struct timespec *timeout = (const struct timespec *)a[3];
    struct pl_thread *t = pl_thread_self();

    if (a[1] == 0 || a[1] > FUTEX_WAITV_MAX || a[2] != 0 || !pl_clock_is_time(timeout) ||
        (timeout != NULL && a[4] != CLOCK_REALTIME && a[4] != CLOCK_MONOTONIC))
        return -EINVAL;
    for (uint64_t i = 0; i < a[1]; i++) {
        if ((list[i].flags & ~(uint32_t)FUTEX_PRIVATE_FLAG) != FUTEX_32 ||
            list[i].__reserved != 0 || list[i].uaddr % sizeof(uint32_t) != 0)
            return -EINVAL;
    }
    if (a[1] > 1)
        let_queues_meet();
    t->several = list;
    t->n_several = t->woken_early = 0;
    long result =
        wait_several(t, list, (uint32_t)a[1],
                     timeout != NULL ? pl_clock_of((clockid_t)a[4], timeout) : PL_NEVER, pc);

    t->several = NULL;
    return result;
}

/* In an operation that has been chosen: the waiter that is woken after that, or PL_TID_NONE. */
static pl_tid wake_one(const uint32_t *word, uint32_t wanted, uint32_t bits, pl_tid after)
{
    pl_enter();
    pl_tid waiter = pl_sched_pick_waiter(PL_OP_FUTEX_WAIT, (uint64_t)word, bits, wanted, after);

    if (waiter != PL_TID_NONE) {
        PL_ASSERT(pl_thread_by_id(waiter)->wait == (uint64_t)word);
        pl_sched_wake(pl_thread_by_id(waiter));
        pl_class_note(pl_thread_self(), pl_thread_by_id(waiter)->name);
    }
    pl_leave();
    return waiter;
}

static long wake(const uint32_t *word, uint32_t most, uint32_t bits)
{
    long n = call_several(word, (long)most);
    pl_tid waiter = PL_TID_NONE;

    while (n < (long)most &&
           (waiter = wake_one(word, most - (uint32_t)n, bits, waiter)) != PL_TID_NONE)
        n++;
    return n;
}

static long futex_wake(uint32_t *word, int operation, uint32_t most, uint32_t bits, uint64_t pc)
{
    pl_sched_point(PL_OP_FUTEX_WAKE, word, apart(), 0, pc);
    long n = wake(word, most, bits);

    if (n < (long)most && is_outside(operation))
        pl_sys(SYS_futex, word, FUTEX_WAKE_BITSET, most - (uint32_t)n, 0, 0, bits);
    return n;
}

enum pl_way pl_futex_await(uint32_t *word, uint32_t value, uint64_t deadline, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    use_word(PL_OP_FUTEX_LOOK, word, value, pc);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return PL_WAY_NORMAL;
    t->cancel_point = true;
    t->signals.interruption = PL_INTERRUPTION_ALWAYS;
    enum pl_way way = sleep_at(word, deadline, FUTEX_BITSET_MATCH_ANY, pc);

    t->signals.interruption = PL_INTERRUPTION_NONE;
    t->cancel_point = false;
    return way;
}

void pl_futex_update(uint32_t *word, uint32_t value, uint64_t pc)
{
    use_word(PL_OP_FUTEX_UPDATE, word, 0, pc);
    *word = value;
    wake(word, INT32_MAX, FUTEX_BITSET_MATCH_ANY);
    pl_spin_touch((uint64_t)word, sizeof(*word), pl_stage->current);
    pl_spin_progress(pl_thread_self());
}

bool pl_futex_is_used(const uint32_t *word)
{
    return pl_shadow_known((uint64_t)word) || is_waited_for((uint64_t)word);
}

/* Wake some of those who wait at the first word, and let others wait at the second one. */
static long requeue(uint32_t *word, uint32_t most, uint32_t *word2, uint32_t most2)
{
    long n = wake(word, most, FUTEX_BITSET_MATCH_ANY);

    for (uint32_t i = 0; i < most2; i++) {
        pl_tid w = pl_sched_any_waiter(PL_OP_FUTEX_WAIT, (uint64_t)word, FUTEX_BITSET_MATCH_ANY);

        if (w == PL_TID_NONE)
            break;
        PL_ASSERT(!pl_thread_by_id(w)->woken);
        pl_thread_by_id(w)->wait = (uint64_t)word2;
        n++;
    }
    return n;
}

static long futex_requeue(const uint64_t a[6], bool compares, uint64_t pc)
{
    uint32_t *word = (uint32_t *)a[0];

    let_queues_meet();
    if (compares)
        use_word(PL_OP_FUTEX_REQUEUE, word, (uint32_t)a[5], pc);
    else
        pl_sched_point(PL_OP_FUTEX_WAKE, word, apart(), 0, pc);
    if (compares && __atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[5])
        return -EAGAIN;
    return requeue(word, (uint32_t)a[2], (uint32_t *)pl_alias(a[4]), (uint32_t)a[3]);
}

/* ---- FUTEX_WAKE_OP ---- */

static int32_t updated(unsigned how, int32_t old, int32_t by)
{
    if (how & FUTEX_OP_OPARG_SHIFT)
        by = (int32_t)(1u << (by & 31));
    switch (how & 7) {
    case FUTEX_OP_SET:
        return by;
    case FUTEX_OP_ADD:
        return (int32_t)((uint32_t)old + (uint32_t)by);
    case FUTEX_OP_OR:
        return old | by;
    case FUTEX_OP_ANDN:
        return old & ~by;
    default:
        return old ^ by;
    }
}

static bool holds(unsigned comparison, int32_t old, int32_t with)
{
    switch (comparison) {
    case FUTEX_OP_CMP_EQ:
        return old == with;
    case FUTEX_OP_CMP_NE:
        return old != with;
    case FUTEX_OP_CMP_LT:
        return old < with;
    case FUTEX_OP_CMP_LE:
        return old <= with;
    case FUTEX_OP_CMP_GT:
        return old > with;
    default:
        return old >= with;
    }
}

/* Update the second word, wake at the first, and at the second if its old value says so. */
static long futex_wake_op(const uint64_t a[6], uint64_t pc)
{
    uint32_t *word = (uint32_t *)pl_alias(a[0]), *word2 = (uint32_t *)pl_alias(a[4]),
             code = (uint32_t)a[5];
    unsigned how = code >> 28, comparison = code >> 24 & 15;

    let_queues_meet();
    use_word(PL_OP_FUTEX_UPDATE, word2, 0, pc);
    int32_t old = (int32_t)*word2;

    *word2 = (uint32_t)updated(how, old, (int32_t)(code << 8) >> 20);
    long n = wake(word, (uint32_t)a[2], FUTEX_BITSET_MATCH_ANY);

    if (holds(comparison, old, (int32_t)(code << 20) >> 20))
        n += wake(word2, (uint32_t)a[3], FUTEX_BITSET_MATCH_ANY);
    return n;
}

/* ---- locks with an owner ---- */

static uint32_t number_of(pl_tid id)
{
    return (uint32_t)pl_own_thread(pl_thread_by_id(id));
}

/* FUTEX_LOCK_PI and FUTEX_TRYLOCK_PI: the word has the owner's number, which is handed over. */
static long lock_pi(uint32_t *word, int operation, const struct timespec *timeout, uint64_t pc)
{
    bool tries = (operation & FUTEX_CMD_MASK) == FUTEX_TRYLOCK_PI;
    uint32_t self = number_of(pl_thread_self()->id);

    if (!tries && !pl_clock_is_time(timeout))
        return -EINVAL;
    uint64_t deadline = tries ? PL_NEVER : deadline_of(operation, timeout);

    use_word(PL_OP_FUTEX_UPDATE, word, 0, pc);
    uint32_t owner = *word & FUTEX_TID_MASK;

    if (owner == self)
        return -EDEADLK;
    const struct pl_thread *holder = pl_own_find((int32_t)owner);

    if (owner != 0 && (holder == NULL || holder->state != PL_THREAD_ALIVE))
        return -ESRCH;
    if (owner == 0) {
        *word = self | (*word & (FUTEX_WAITERS | FUTEX_OWNER_DIED));
        return 0;
    }
    if (tries)
        return -EAGAIN;
    *word |= FUTEX_WAITERS;
    enum pl_way way = sleep_at(word, deadline, FUTEX_BITSET_MATCH_ANY, pc);

    return way == PL_WAY_TIMEOUT ? -ETIMEDOUT : 0;
}

static long unlock_pi(uint32_t *word, uint64_t pc)
{
    use_word(PL_OP_FUTEX_UPDATE, word, 0, pc);
    if ((*word & FUTEX_TID_MASK) != number_of(pl_thread_self()->id))
        return -EPERM;
    pl_tid next = wake_one(word, 1, FUTEX_BITSET_MATCH_ANY, PL_TID_NONE);

    /* Perhaps nobody else waits: then the new owner comes here once more for nothing. */
    *word = next == PL_TID_NONE ? 0 : number_of(next) | FUTEX_WAITERS;
    return 0;
}

/* ---- by its number ---- */

/*
 * Why the kernel does not accept the call, or 0.  It is asked about words that nobody else knows,
 * of which the first is not what somebody waits with, so that it neither waits nor wakes.  What it
 * says of locks depends on who owns them.
 */
static long refused(const uint64_t a[6])
{
    enum { MISALIGNED = 3, PAGE = 4096 };
    uint32_t first[2] = {0}, second[2] = {0};
    uint64_t at = a[0] < PAGE ? a[0] : (uint64_t)first + (a[0] & MISALIGNED);
    uint64_t other = a[4] < PAGE ? a[4] : (uint64_t)second + (a[4] & MISALIGNED);
    uint64_t value = a[2], last = a[5];

    switch ((int)a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
        return 0;
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_UNLOCK_PI:
        return (a[0] & MISALIGNED) != 0 ? -EINVAL : 0;
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        value = 1;
        break;
    case FUTEX_CMP_REQUEUE:
        last = 0;
        break;
    default:
        break;
    }
    long rc = pl_sys(SYS_futex, at, (int)a[1], value, a[3], other, last);

    return rc > 0 || rc == -EAGAIN ? 0 : rc;
}

long pl_futex_call(const uint64_t a[6], uint64_t pc)
{
    uint32_t *word = (uint32_t *)pl_alias(a[0]);
    uint32_t value = (uint32_t)a[2], value3 = (uint32_t)a[5];
    const struct timespec *timeout = (const struct timespec *)a[3];
    int operation = (int)a[1];

    long why = refused(a);

    if (why != 0)
        return why;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(word, operation, value, timeout, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, operation, value, timeout, value3, pc);
    case FUTEX_WAKE:
        return futex_wake(word, operation, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
        return futex_wake(word, operation, value, value3, pc);
    case FUTEX_CMP_REQUEUE:
    case FUTEX_REQUEUE:
        return futex_requeue(a, (operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE, pc);
    case FUTEX_WAKE_OP:
        return futex_wake_op(a, pc);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_TRYLOCK_PI:
        return lock_pi(word, operation, timeout, pc);
    case FUTEX_UNLOCK_PI:
        return unlock_pi(word, pc);
    default:
        pl_board->bypassed++;
        return -ENOSYS;
    }
}

/* ---- what the core asks ---- */

/*
 * It begins to wait if the word has the value that it wants, in aux.  Who does so at several words,
 * and is at some already, leaves them otherwise.
 */
static enum pl_effect effect_of_look(struct pl_thread *t, struct pl_operation *op)
{
    bool waits = *(const volatile uint32_t *)op->addr == op->aux;
    bool leaves = t->several != NULL && t->n_several > 0;

    op->other_effect = waits ? PL_EFFECT_ADD : leaves ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    return PL_EFFECT_READ;
}

static enum pl_effect effect_of_update(struct pl_thread *t, struct pl_operation *op)
{
    op->other_effect = PL_EFFECT_WRITE;
    return PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_requeue(struct pl_thread *t, struct pl_operation *op)
{
    bool moves = *(const volatile uint32_t *)op->addr == op->aux;

    op->other_effect = moves ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    return PL_EFFECT_READ;
}

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

/* Where nobody waits, waking changes nothing. */
static enum pl_effect effect_of_wake(struct pl_thread *t, struct pl_operation *op)
{
    return is_waited_for(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

/* What wakes threads of another process is not seen; what it has done before is. */
static bool is_woken(const struct pl_thread *t)
{
    return pl_descriptor_woken(t) ||
           (t->word_shared && (pl_stage->process.forked || pl_stage->process.company) &&
            *(const volatile uint32_t *)t->wait != t->word);
}

PL_DESCRIBE(FUTEX_LOOK) = {.effect = effect_of_look};
PL_DESCRIBE(FUTEX_UPDATE) = {.effect = effect_of_update};
PL_DESCRIBE(FUTEX_REQUEUE) = {.effect = effect_of_requeue};
PL_DESCRIBE(FUTEX_WAIT) = {.enabled = is_woken, .effect = effect_of_wait};
PL_DESCRIBE(FUTEX_WAKE) = {.effect = effect_of_wake};
