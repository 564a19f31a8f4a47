/* SPDX-License-Identifier: MIT */
/*
 * sem_*: the value is the first word of the program's sem_t, as in glibc.
 *
 * Named semaphores belong to the execution, not to the machine: what one
 * execution leaves behind must not be there in the next.  In a program that makes processes they
 * are libc's, in files that those open as well.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdarg.h>

#define DESTROYED 0xdeadc04du
#define LIBC_SHARED 128u

static uint32_t *value_of(sem_t *s)
{
    return (uint32_t *)s;
}

/* A free thread waits for a child in the kernel, where the child can wake it. */
static bool is_of_libc(sem_t *s)
{
    return pl_free && value_of(s)[2] == LIBC_SHARED;
}

/* One more: a child may wait for it, which libc counts in the second word. */
static void add_one(sem_t *s)
{
    uint32_t *v = value_of(s);

    __atomic_add_fetch(v, 1, __ATOMIC_SEQ_CST);
    if (pl_stage->process.forked && v[2] == LIBC_SHARED && v[1] != 0)
        pl_sys(SYS_futex, v, FUTEX_WAKE, 1);
}

/* One less, unless a child was faster. */
static bool take_one(sem_t *s)
{
    uint32_t *v = value_of(s), now = __atomic_load_n(v, __ATOMIC_SEQ_CST);

    while (now > 0) {
        if (__atomic_compare_exchange_n(v, &now, now - 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    }
    return false;
}

static bool usable(sem_t *s, uint64_t pc)
{
    if (value_of(s)[2] == LIBC_SHARED && pl_stage->process.forked)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
    pl_freed_object((uint64_t)s, sizeof(*s), pc);
    if (*value_of(s) != DESTROYED)
        return true;
    pl_report_misuse(pc, s, PL_OBJECT_SEM, 0, "a semaphore is used after it was destroyed");
    errno = EINVAL;
    return false;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

PL_INTERPOSE(int, sem_init, (sem_t * s, int shared, unsigned value))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_on())
        return PL_FALLBACK(sem_init)(s, shared, value);
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    if (pl_begin(&t, &pc))
        pl_access_init(s, sizeof(*s), pc);
    *s = (sem_t){0};
    *value_of(s) = value;
    ((uint32_t *)s)[2] = shared != 0 ? LIBC_SHARED : 0; /* as libc notes it, for children */
    return 0;
}

PL_INTERPOSE(int, sem_destroy, (sem_t * s))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_destroy, s);
    pl_sched_point(PL_OP_OBJECT_DESTROY, s, 0, PL_OBJECT_SEM, pc);
    if (!usable(s, pc))
        return -1;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *w = pl_thread_by_id(i);

        if (w != t && w->state == PL_THREAD_ALIVE && w->announced && w->op.addr == (uint64_t)s &&
            (w->op.kind == PL_OP_SEM_WAIT || w->op.kind == PL_OP_SEM_TIMEDWAIT))
            pl_report_misuse(pc, s, PL_OBJECT_SEM, w->op.pc,
                             "a semaphore is destroyed while a thread waits on it");
    }
    *value_of(s) = DESTROYED;
    return 0;
}

/* What names there are depends on the order of all who create, close and unlink.  Who opens what is
 * there has to know, and changes nothing for others who do. */
static void use_names(const uint64_t *entry)
{
    pl_access_state(pl_stage->objects.semaphores, entry[6], entry);
}

static void look_up_names(const uint64_t *entry)
{
    pl_access_look(pl_stage->objects.semaphores, entry[6], entry);
}

static bool is_for_others(void)
{
    return pl_stage->modules.forks || pl_stage->modules.starts || pl_stage->process.forked ||
           pl_stage->process.company;
}

static struct pl_semaphore *find_named(const char *name)
{
    for (unsigned i = 0; i < PL_SEMAPHORES; i++) {
        struct pl_semaphore *n = &pl_stage->objects.semaphores[i];

        if (n->sem != NULL && !n->unlinked && pl_text_equal(n->name, name))
            return n;
    }
    return NULL;
}

static void release_named(struct pl_semaphore *n)
{
    if (n->opened > 0 || !n->unlinked)
        return;
    PL_ASSERT(n->sem != NULL);
    pl_heap_free(n->sem, 0);
    n->sem = NULL;
}

static sem_t *make_named(const char *name, unsigned value, uint64_t pc)
{
    struct pl_semaphore *n = pl_stage->objects.semaphores;

    while (n < pl_stage->objects.semaphores + PL_SEMAPHORES && n->sem != NULL)
        n++;
    if (n == pl_stage->objects.semaphores + PL_SEMAPHORES ||
        pl_text_length(name) >= sizeof(n->name)) {
        errno = ENAMETOOLONG;
        return SEM_FAILED;
    }
    sem_t *s = pl_heap_allocate(sizeof(*s), 16, pc);

    *s = (sem_t){0};
    PL_ASSERT(value <= SEM_VALUE_MAX);
    *value_of(s) = value;
    *n = (struct pl_semaphore){.sem = s, .opened = 1};
    pl_text_copy(n->name, sizeof(n->name), name);
    return s;
}

/* The name as it is now: others may change it before it is looked up. */
struct name {
    char text[sizeof(((struct pl_semaphore *)0)->name)];
};

static const char *read_name(struct name *n, const char *name, const uint64_t *entry)
{
    uint64_t length = name != NULL ? pl_text_length(name) : 0;

    pl_access_argument(name, length + 1, false, entry);
    if (!pl_on() || name == NULL || length >= sizeof(n->text))
        return name; /* one that is too long names nothing here */
    pl_text_copy(n->text, sizeof(n->text), name);
    return n->text;
}

/* Mode and value come in registers, whether they are there or not. */
PL_INTERPOSE(sem_t *, sem_open, (const char *name, int flags, mode_t mode, unsigned value))
{
    const uint64_t *entry = pl_entry();
    struct name own;

    name = read_name(&own, name, entry);
    if (!(flags & O_CREAT))
        value = mode = 0;
    if (!pl_on())
        return PL_FALLBACK(sem_open)(name, flags, mode, value);
    if (flags & O_CREAT)
        use_names(entry);
    else
        look_up_names(entry);
    struct pl_semaphore *n = find_named(name);

    if (n == NULL && is_for_others())
        return PL_FALLBACK(sem_open)(name, flags, mode, value);
    if (n != NULL && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
        errno = EEXIST;
        return SEM_FAILED;
    }
    if (n != NULL) {
        n->opened++;
        return n->sem;
    }
    if (!(flags & O_CREAT) || value > SEM_VALUE_MAX) {
        errno = flags & O_CREAT ? EINVAL : ENOENT;
        return SEM_FAILED;
    }
    return make_named(name, value, entry[6]);
}

PL_INTERPOSE(int, sem_close, (sem_t * s))
{
    const uint64_t *entry = pl_entry();

    if (!pl_on())
        return PL_FALLBACK(sem_close)(s);
    use_names(entry);
    for (unsigned i = 0; i < PL_SEMAPHORES; i++) {
        struct pl_semaphore *n = &pl_stage->objects.semaphores[i];

        if (n->sem == s && n->opened > 0) {
            n->opened--;
            release_named(n);
            return 0;
        }
    }
    return is_for_others() ? PL_FALLBACK(sem_close)(s) : fail(EINVAL);
}

PL_INTERPOSE(int, sem_unlink, (const char *name))
{
    const uint64_t *entry = pl_entry();
    struct name own;

    name = read_name(&own, name, entry);
    if (!pl_on())
        return PL_FALLBACK(sem_unlink)(name);
    use_names(entry);
    struct pl_semaphore *n = find_named(name);

    if (n == NULL)
        return is_for_others() ? PL_FALLBACK(sem_unlink)(name) : fail(ENOENT);
    n->unlinked = true;
    release_named(n);
    return 0;
}

static int wait_on(sem_t *s, enum pl_op_kind kind, uint64_t deadline, struct pl_thread *t,
                   uint64_t pc)
{
    if (!usable(s, pc))
        return -1;
    t->cancel_point = true;
    t->signals.interruption =
        deadline == PL_NEVER ? PL_INTERRUPTION_RESTART : PL_INTERRUPTION_ALWAYS;
    enum pl_way way = pl_sched_timed_point(kind, s, deadline, 0, pc);

    t->cancel_point = false;
    t->signals.interruption = PL_INTERRUPTION_NONE;
    if (way == PL_WAY_SIGNAL)
        return fail(EINTR);
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    if (way == PL_WAY_TIMEOUT)
        return fail(ETIMEDOUT);
    if (!take_one(s))
        return wait_on(s, kind, deadline, t, pc);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)s, PL_OBJECT_SEM);
    pl_spin_progress(t);
    return 0;
}

PL_INTERPOSE(int, sem_wait, (sem_t * s))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_of_libc(s), s, sem_wait, s);
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_wait, s);
    return wait_on(s, PL_OP_SEM_WAIT, PL_NEVER, t, pc);
}

static int timed(sem_t *s, clockid_t clock, const struct timespec *until, struct pl_thread *t,
                 uint64_t pc)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return fail(EINVAL);
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return fail(EINVAL);
    return wait_on(s, PL_OP_SEM_TIMEDWAIT, pl_clock_of(clock, until), t, pc);
}

PL_INTERPOSE(int, sem_timedwait, (sem_t * s, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(is_of_libc(s), s, sem_timedwait, s, until);
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_timedwait, s, PL_CLOCK_REAL_UNTIL(CLOCK_REALTIME, until));
    return timed(s, CLOCK_REALTIME, until, t, pc);
}

PL_INTERPOSE(int, sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(is_of_libc(s), s, sem_clockwait, s, clock, until);
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_clockwait, s, clock, PL_CLOCK_REAL_UNTIL(clock, until));
    return timed(s, clock, until, t, pc);
}

PL_INTERPOSE(int, sem_trywait, (sem_t * s))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_of_libc(s), s, sem_trywait, s);
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_trywait, s);
    pl_sched_point(PL_OP_SEM_TRYWAIT, s, 0, 0, pc);
    if (!usable(s, pc))
        return -1;
    bool got = take_one(s);

    pl_class_note(t, got);
    if (!got)
        return fail(EAGAIN);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)s, PL_OBJECT_SEM);
    pl_spin_progress(t);
    return 0;
}

PL_INTERPOSE(int, sem_post, (sem_t * s))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_of_libc(s), s, sem_post, s);
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_post, s);
    pl_sched_point(PL_OP_SEM_POST, s, 0, 0, pc);
    if (!usable(s, pc))
        return -1;
    if (*value_of(s) >= SEM_VALUE_MAX)
        return fail(EOVERFLOW);
    add_one(s);
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)s, PL_OBJECT_SEM);
    return 0;
}

PL_INTERPOSE(int, sem_getvalue, (sem_t * s, int *out))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(out, sizeof(*out), true, pl_entry());
    if (!PL_BEGIN_ON(s))
        return PL_OUTSIDE(sem_getvalue, s, out);
    pl_sched_point(PL_OP_SEM_GETVALUE, s, 0, 0, pc);
    if (!usable(s, pc))
        return -1;
    *out = (int)*value_of(s);
    return 0;
}

/* ---- what the core asks ---- */

static uint32_t value_at(const struct pl_thread *t)
{
    return *(const uint32_t *)t->op.addr;
}

static bool is_available(const struct pl_thread *t)
{
    return value_at(t) != 0;
}

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    op->aux = value_at(t);
    return PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_try(struct pl_thread *t, struct pl_operation *op)
{
    op->aux = value_at(t);
    return op->way == PL_WAY_NORMAL && is_available(t) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

static bool is_empty_natively(const struct pl_thread *t)
{
    return *(const volatile uint32_t *)t->op.addr == 0;
}

PL_DESCRIBE(SEM_WAIT) = {
    .enabled = is_available, .effect = effect_of_wait, .native_blocked = is_empty_natively};
PL_DESCRIBE(SEM_TIMEDWAIT) = {
    .enabled = is_available, .effect = effect_of_try, .native_blocked = is_empty_natively};
PL_DESCRIBE(SEM_TRYWAIT) = {.effect = effect_of_try};
