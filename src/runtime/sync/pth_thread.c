/* SPDX-License-Identifier: MIT */
/*
 * pthread_create() to pthread_exit(): the life of a thread.
 *
 * A handle is the thread pointer of the donor, which is what glibc's
 * pthread_self() returns on it.  Donors are used again late, so an old handle
 * nearly always still means the old thread and its misuse can be told.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "detect/detector.h"
#include "model/depend.h"
#include "model/name.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/fiber.h"
#include "runtime/core/fresh.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"
#include "runtime/sync/pth_mutex.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <limits.h>
#include <sys/resource.h>
#include <threads.h>

struct pl_thread *pl_thread_of(pthread_t handle)
{
    for (pl_tid i = pl_stage->n_threads; i > 0; i--) {
        if ((pthread_t)pl_thread_by_id((pl_tid)(i - 1))->tp == handle)
            return pl_thread_by_id((pl_tid)(i - 1));
    }
    return NULL;
}

void pl_thread_exit_matters(void)
{
    if (!pl_board->exit_matters) {
        pl_board->exit_matters = true;
        pl_board->shared_grew = true;
    }
}

enum { PAGE = 4096 };

struct wish {
    uint64_t stack_size, guard_size, mask;
    void *stack;
    bool detached;
};

/* What threads have that ask for nothing. */
static void read_default(struct wish *w, const struct pl_thread *creator)
{
    pthread_attr_t attr;
    size_t stack = 0, guard = PAGE;

    /* To ask costs more than all the rest of making a thread. */
    if (pl_stage->fibers.default_changed && PL_FALLBACK(pthread_getattr_default_np)(&attr) == 0) {
        PL_FALLBACK(pthread_attr_getstacksize)(&attr, &stack);
        pl_real.pthread_attr_getguardsize(&attr, &guard);
        PL_FALLBACK(pthread_attr_destroy)(&attr);
    }
    if (stack == 0 || stack > PL_STACK_SLOT / 2) /* the limit says more than there is room for */
        stack = pl_stage->fibers.default_stack;
    *w = (struct wish){.stack_size = stack, .guard_size = guard, .mask = creator->mask};
}

static int read_attributes(const pthread_attr_t *attr, struct wish *w,
                           const struct pl_thread *creator)
{
    int state = PTHREAD_CREATE_JOINABLE;
    size_t size = 0;
    void *stack = NULL;
    sigset_t mask;

    read_default(w, creator);
    if (attr == NULL)
        return 0;
    if (pl_real.pthread_attr_getsigmask_np(attr, &mask) == 0)
        pl_memory_copy(&w->mask, &mask, sizeof(w->mask));
    pl_real.pthread_attr_getguardsize(attr, &size);
    w->guard_size = size;
    pl_real.pthread_attr_getdetachstate(attr, &state);
    w->detached = state == PTHREAD_CREATE_DETACHED;
    if (pl_real.pthread_attr_getstack(attr, &stack, &size) == 0 && size != 0) {
        w->stack_size = size;
        w->stack =
            (uint64_t)stack + size != 0 && stack != NULL && (uint64_t)stack < UINT64_C(1) << 47
                ? stack
                : NULL;
    }
    return w->stack_size > PL_STACK_SLOT - (1 << 20) ? EAGAIN : 0;
}

struct pl_thread *pl_thread_prepare(struct pl_thread *parent)
{
    if (pl_stage->process.company) /* numbers are those of all processes */
        pl_stage->n_threads = (pl_tid)pl_board->n_threads;
    pl_tid id = pl_stage->n_threads;

    if (id >= PL_THREADS_MAX)
        return NULL;
    struct pl_thread *t = pl_thread_by_id(id);

    PL_ASSERT(t->state == PL_THREAD_UNUSED && parent->id < id);
    /* Everything else is 0: no execution uses an entry twice. */
    t->id = id;
    t->parent = parent->id;
    t->joiner = t->joined_by = PL_TID_NONE;
    t->mask = parent->mask;
    pl_memory_copy(t->title, parent->title, sizeof(t->title));
    pl_ports.inherit(t, parent);
    t->name = pl_name_child(parent->name, parent->n_children + 1u);
    return t;
}

/* What a new thread has from its creator, and others may change; as it was when that one looked. */
struct legacy {
    bool titled, treated;
    char title[sizeof(((struct pl_thread *)0)->title)];
    struct pl_own_thread_state treatment;
};

/* Whether to look is an operation: some thread changes that of another one. */
static bool looks(const void *state, uint64_t pc)
{
    bool known = pl_shadow_known((uint64_t)state) || pl_stage->context.replaying;

    if (pl_free || pl_stage->n_unjoined <= 1 || !known) {
        pl_thread_self()->ordinal++; /* everywhere the same, so that replays find their way */
        return false;
    }
    pl_sched_point(PL_OP_ATOMIC_LOAD, state, sizeof(uint64_t), __ATOMIC_RELAXED, pc);
    return true;
}

void pl_thread_passes_on(const struct pl_thread *t, const void *state)
{
    if (!pl_free && t != pl_thread_self())
        pl_shadow_share((uint64_t)state);
}

static void read_legacy(struct legacy *l, const struct pl_thread *creator, uint64_t pc)
{
    l->titled = looks(creator->title, pc);
    if (l->titled)
        pl_memory_copy(l->title, creator->title, sizeof(l->title));
    l->treated = looks(&creator->treatment, pc);
    if (l->treated)
        l->treatment = pl_stage->process.own.threads[creator->id];
}

static void leave_legacy(const struct legacy *l, struct pl_thread *t)
{
    if (l->titled)
        pl_memory_copy(t->title, l->title, sizeof(t->title));
    if (l->treated)
        pl_stage->process.own.threads[t->id] = l->treatment;
}

/* An error. */
static int new_thread(struct pl_thread **out, struct pl_thread *parent, const struct wish *w,
                      const pthread_attr_t *attr)
{
    struct pl_thread *t = pl_thread_prepare(parent);
    int rc = t == NULL ? EAGAIN : attr != NULL && !pl_free ? pl_ports.ask(t, attr) : 0;

    if (rc == 0 && !pl_fiber_attach(t, w->stack_size, w->stack, w->stack_size))
        rc = EAGAIN;
    if (rc == 0 && attr != NULL && pl_free) /* of an OS thread, which it has now */
        rc = pl_ports.ask(t, attr);
    if (rc != 0)
        return rc;
    t->detached = w->detached;
    t->stack_size = w->stack_size;
    t->guard_size = w->guard_size;
    t->mask = w->mask;
    *out = t;
    return 0;
}

void pl_thread_announce(struct pl_thread *t, uint64_t pc)
{
    t->op = (struct pl_operation){
        .kind = PL_OP_THREAD_START,
        .way = PL_WAY_NORMAL,
        .tid = t->id,
        .pc = pc,
        .ordinal = t->ordinal++,
        .aux = t->id,
        .name = t->name,
        .waker = PL_TID_NONE,
        .deaf = UINT64_MAX, /* signals come before what follows */
    };
    t->announced = true;
}

void pl_thread_enlist(struct pl_thread *t, struct pl_thread *parent, void *(*start)(void *),
                      void *arg)
{
    PL_ASSERT(t->id == pl_stage->n_threads && pl_stage->n_alive < PL_THREADS_MAX);
    t->state = PL_THREAD_ALIVE;
    parent->n_children++;
    pl_stage->n_threads++;
    pl_stage->n_alive++;
    pl_stage->n_unjoined++;
    t->start = start;
    t->arg = arg;
    pl_thread_announce(t, (uint64_t)start + 1);
    t->go = 0;
    pl_board->threads[t->id] = (struct pl_thread_name){.name = t->name,
                                                       .parent = parent->id,
                                                       .nth = parent->n_children,
                                                       .image = pl_stage->modules.image,
                                                       .process = pl_stage->process.number,
                                                       .start = pl_place_told((uint64_t)start)};
    pl_board->n_threads = pl_stage->n_threads;
    uint32_t alive = pl_company_count(1);

    if (alive > pl_board->most_alive)
        pl_board->most_alive = alive;
    if (pl_stage->n_threads > pl_board->max_threads)
        pl_board->max_threads = pl_stage->n_threads;
}

/* The program could create the thread; that plait cannot follow it is not the program's fault. */
__attribute__((noreturn)) static void give_up(void)
{
    pl_stage->context.stuck = true;
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_THREADS);
    pl_board->stopped = true;
    pl_ports.restart->end(PL_OUTCOME_CUT);
}

int pl_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                     uint64_t pc)
{
    struct pl_thread *self = pl_thread_self();
    struct wish w;
    struct legacy legacy;
    int rc = read_attributes(attr, &w, self);

    if (rc != 0)
        return rc;
    pl_ports.restart->root();
    read_legacy(&legacy, self, pc);
    pl_sched_point(PL_OP_THREAD_CREATE, NULL, 0, pl_stage->n_threads, pc);
    if (pl_stage->n_threads == PL_THREADS_MAX)
        give_up();
    struct pl_thread *t = NULL;

    if (w.stack == NULL && !pl_ports.process->room(w.stack_size + w.guard_size, true))
        return EAGAIN;
    rc = new_thread(&t, self, &w, attr);
    if (rc != 0)
        return rc;
    leave_legacy(&legacy, t);
    pl_thread_enlist(t, self, start, arg);
    *out = (pthread_t)t->tp;
    pl_feed_fresh(t->stack_low, t->stack_high - t->stack_low);
    pl_feed_fresh(pl_stage->donors[t->donor].tls_low, pl_stage->donors[t->donor].tls_size);
    pl_feed_thread(PL_SYNC_CREATE, self->id, t->id);
    pl_cover_created(self->id, t->id);
    pl_spin_progress(self);
    if (pl_free)
        pl_fiber_start(t);
    else if (pl_stage->modules.instrumented && !pl_board->settings.starts_chosen)
        pl_fresh_created(t);
    return 0;
}

int pl_thread_create_detached(pthread_t *out, void *(*start)(void *), void *arg, uint64_t pc)
{
    pthread_attr_t attr;

    pl_enter();
    pl_real.pthread_attr_init(&attr);
    pl_real.pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pl_leave();
    return pl_thread_create(out, &attr, start, arg, pc);
}

PL_INTERPOSE(int, pthread_create,
             (pthread_t * out, const pthread_attr_t *attr, void *(*start)(void *), void *arg))
{
    struct pl_thread *t;
    uint64_t pc;

    const uint64_t *entry = pl_entry();

    pl_access_argument(attr, sizeof(*attr), false, entry);
    pl_access_argument(out, sizeof(*out), true, entry);
    pl_thread_in_child();
    if (!pl_begin(&t, &pc))
        return pl_on() ? EAGAIN : pl_real.pthread_create(out, attr, start, arg);
    return pl_thread_create(out, attr, start, arg, pc);
}

/* The thread is over, its frames are gone or about to be. */
/* Whether it matters which thread ends last: that one calls exit handlers. */
static bool last_matters(void)
{
    return pl_shadow_known((uint64_t)&pl_stage->n_alive);
}

static void learn_last(void)
{
    if (pl_free || pl_stage->n_alive > pl_stage->signals.n_timers ||
        pl_stage->n_threads == pl_stage->signals.n_timers + 1 ||
        pl_stage->process.n_exit_handlers == 0)
        return;
    pl_thread_exit_matters();
    pl_shadow_share((uint64_t)&pl_stage->n_alive);
}

__attribute__((noreturn)) static void finish(struct pl_thread *t, void *result)
{
    PL_ASSERT(t->state == PL_THREAD_ALIVE && t == pl_thread_self());
    /* Of the thread's own code: a destructor may be free(), which the runtime calls. */
    const uint64_t pc = t->op.pc;

    t->result = result;
    t->cancel.exiting = true;
    t->cancel.disabled = true;
    pl_thread_run_destructors(t);
    pl_key_run_destructors(t, pc);
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_ENDING);
    pl_mutex_abandon_all(t, pc);
    pl_others_abandon(t);
    if (t->signals.apart) /* as out of a handler by longjmp() */
        pl_unmodelled("that ends its thread in a handler", PL_UNMODELLED_FUNCTION, t->op.pc);
    /* A schedule does not say whether the exit was a point where it was made. */
    if (pl_board->exit_matters || pl_stage->context.following ||
        pl_shadow_known(PL_THREAD_LENDS(t)))
        pl_sched_point(PL_OP_THREAD_EXIT, NULL, 0, t->id, pc);
    else
        pl_sched_note(PL_OP_THREAD_EXIT, NULL, t->id, pc);
    for (unsigned i = 0; i < pl_thread_listed(t); i++) {
        struct pl_held *h = pl_thread_held(t, i);

        if (h->object == PL_OBJECT_MUTEX && pl_mutex_owner(h->addr) == t->id)
            pl_report_misuse(h->pc, (void *)h->addr, PL_OBJECT_MUTEX, 0,
                             "a thread ends while it holds a mutex");
    }
    t->state = t->detached ? PL_THREAD_GONE : PL_THREAD_ENDED;
    pl_freed_thread(t);
    pl_feed_thread(PL_SYNC_EXIT, t->id, PL_TID_NONE);
    PL_ASSERT(pl_stage->n_alive > 0);
    pl_stage->n_alive--;
    learn_last();
    pl_company_count(-1);
    pl_ports.process->ended(t);
    pl_spin_progress(t);
    pl_sched_end_thread();
}

/* The first function of every thread. */
void pl_thread_body(void)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(t->state == PL_THREAD_ALIVE && !t->main);
    pl_fiber_began(t);
    pl_sched_started();
    finish(t, t->start(t->arg));
}

/* See pth_cancel.c for how the frames are unwound; this is where that ends. */
void pl_thread_finish(void *result)
{
    finish(pl_thread_self(), result);
}

static int check_joinable(struct pl_thread *self, struct pl_thread *target, uint64_t pc)
{
    if (target == NULL)
        return ESRCH;
    if (target == self)
        return EDEADLK;
    if (target->detached) {
        pl_report_misuse(pc, NULL, PL_OBJECT_THREAD, target->id, "a detached thread is joined");
        return EINVAL;
    }
    if (target->state == PL_THREAD_GONE) {
        pl_report_misuse(pc, NULL, PL_OBJECT_THREAD, target->id, "a thread is joined twice");
        return ESRCH;
    }
    if (target->joiner != PL_TID_NONE && target->joiner != self->id) {
        pl_report_misuse(pc, NULL, PL_OBJECT_THREAD, target->id,
                         "a thread is joined by two threads at the same time");
        return EINVAL;
    }
    if (self->joiner == target->id)
        return EDEADLK;
    return 0;
}

static int reap(struct pl_thread *target, void **result, const uint64_t *entry)
{
    PL_ASSERT(target->state != PL_THREAD_ALIVE && target->id != pl_stage->current);
    pl_fiber_wait_until_left(target);
    target->joiner = PL_TID_NONE;
    target->joined_by = pl_stage->current;
    target->state = PL_THREAD_GONE;
    pl_feed_thread(PL_SYNC_JOIN, pl_stage->current, target->id);
    pl_cover_joined(pl_stage->current, target->id);
    pl_stage->n_unjoined--;
    pl_access_after(result, sizeof(*result), entry);
    if (result != NULL)
        *result = target->result;
    return 0;
}

static int join(struct pl_thread *self, pthread_t handle, void **result, enum pl_op_kind kind,
                uint64_t deadline, uint64_t pc)
{
    const uint64_t *entry = self->entry;
    struct pl_thread *target = pl_thread_of(handle);
    int rc = check_joinable(self, target, pc);

    if (rc != 0)
        return rc;
    target->joiner = self->id;
    self->cancel_point = true;
    enum pl_way way = pl_sched_timed_point(kind, NULL, deadline, target->id, pc);

    self->cancel_point = false;
    if (way != PL_WAY_NORMAL)
        target->joiner = PL_TID_NONE;
    if (pl_thread_cancel_due(self)) /* whether it has ended decides what comes of that */
        pl_thread_exit_matters();
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    if (way == PL_WAY_TIMEOUT)
        return ETIMEDOUT;
    return reap(target, result, entry);
}

PL_INTERPOSE(int, pthread_join, (pthread_t handle, void **result))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_join, handle, result);
    return join(t, handle, result, PL_OP_THREAD_JOIN, PL_NEVER, pc);
}

PL_INTERPOSE(int, pthread_timedjoin_np,
             (pthread_t handle, void **result, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_timedjoin_np, handle, result,
                          PL_CLOCK_REAL_UNTIL(CLOCK_REALTIME, until));
    pl_thread_exit_matters();
    if (until == NULL)
        return join(t, handle, result, PL_OP_THREAD_JOIN, PL_NEVER, pc);
    return join(t, handle, result, PL_OP_THREAD_TIMEDJOIN, pl_clock_of(CLOCK_REALTIME, until), pc);
}

PL_INTERPOSE(int, pthread_clockjoin_np,
             (pthread_t handle, void **result, clockid_t clock, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_clockjoin_np, handle, result, clock,
                          PL_CLOCK_REAL_UNTIL(clock, until));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    pl_thread_exit_matters();
    return join(t, handle, result, PL_OP_THREAD_TIMEDJOIN, pl_clock_of(clock, until), pc);
}

PL_INTERPOSE(int, pthread_tryjoin_np, (pthread_t handle, void **result))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_tryjoin_np, handle, result);
    const uint64_t *entry = t->entry;

    pl_thread_exit_matters();
    struct pl_thread *target = pl_thread_of(handle);
    int rc = target == t ? EBUSY : check_joinable(t, target, pc);

    if (rc != 0)
        return rc;
    pl_sched_point(PL_OP_THREAD_TRYJOIN, NULL, 0, target->id, pc);
    pl_class_note(t, target->state);
    return target->state == PL_THREAD_ALIVE ? EBUSY : reap(target, result, entry);
}

PL_INTERPOSE(int, pthread_detach, (pthread_t handle))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_detach, handle);
    struct pl_thread *target = pl_thread_of(handle);

    if (target == NULL)
        return ESRCH;
    pl_access_state(&target->detached, pc, t->entry);
    if (target->detached || target->state == PL_THREAD_GONE) {
        pl_report_misuse(pc, NULL, PL_OBJECT_THREAD, target->id,
                         target->detached ? "a thread is detached twice"
                                          : "a thread is detached that has been joined");
        return EINVAL;
    }
    pl_sched_note(PL_OP_THREAD_DETACH, NULL, target->id, pc);
    if (target->joiner != PL_TID_NONE && pl_thread_by_id(target->joiner)->state == PL_THREAD_ALIVE)
        pl_report_misuse(pc, NULL, PL_OBJECT_THREAD, target->id,
                         "a thread is detached while another joins it");
    target->detached = true;
    if (target->state == PL_THREAD_ENDED)
        target->state = PL_THREAD_GONE;
    return 0;
}

/*
 * The main thread's stack is what the limit says.  libc looks for its mapping instead, which is in
 * pieces where pages are watched.
 */
static int main_stack(pthread_attr_t *attr, const struct pl_thread *t)
{
    struct rlimit limit = {0}; /* so that the kernel may write there */
    uint64_t high = (t->stack_high + PAGE) & ~(uint64_t)(PAGE - 1), size = 8 << 20;

    pl_sys(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit);
    if (limit.rlim_cur != RLIM_INFINITY)
        size = limit.rlim_cur & ~(uint64_t)(PAGE - 1);
    return pl_real.pthread_attr_setstack(attr, (void *)(high - size), size);
}

/* The donor's attributes with what the thread really has. */
PL_INTERPOSE(int, pthread_getattr_np, (pthread_t handle, pthread_attr_t *attr))
{
    const uint64_t *entry = pl_entry();

    pl_access_argument(attr, sizeof(*attr), true, entry);
    int rc = pl_real.pthread_getattr_np(handle, attr);
    struct pl_thread *t = pl_on() ? pl_thread_of(handle) : NULL;

    if (rc != 0 || t == NULL || (t->main && pl_free))
        return rc;
    if (t->main)
        return main_stack(attr, t);
    pl_access_look(&t->detached, entry[6], entry);
    pl_real.pthread_attr_setdetachstate(attr, t->detached ? PTHREAD_CREATE_DETACHED
                                                          : PTHREAD_CREATE_JOINABLE);
    pl_real.pthread_attr_setguardsize(attr, t->guard_size);
    /* The size that was asked for; a page or so more is there. */
    return pl_real.pthread_attr_setstack(attr, (void *)(t->stack_high - t->stack_size),
                                         t->stack_size);
}

PL_INTERPOSE(int, sched_yield, (void))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        pl_sched_point(PL_OP_YIELD, NULL, 0, 0, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_yield, (void))
{
    return pl_in_sched_yield();
}

/* ---- what the core asks ---- */

static bool has_ended(const struct pl_thread *t)
{
    return pl_thread_by_id((pl_tid)t->op.aux)->state != PL_THREAD_ALIVE;
}

/* Others may have created some since it was announced. */
static enum pl_effect effect_of_creation(struct pl_thread *t, struct pl_operation *op)
{
    op->aux = pl_stage->n_threads;
    return PL_EFFECT_NONE;
}

/* Where nobody looks, the exit is no point and orders nothing.  After it, signals that are sent to
 * the process go to others; and exits have an order where the last one calls handlers. */
static enum pl_effect effect_of_exit(struct pl_thread *t, struct pl_operation *op)
{
    if ((pl_board->signals_matter || last_matters()) && !op->noted) {
        op->other = PL_SIGNALS_SENT;
        op->other_effect = last_matters() ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
    }
    return op->noted ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

/* libc acts upon a cancellation only where it has to wait: not when the other one has ended. */
static bool has_not_ended(const struct pl_thread *t)
{
    return !has_ended(t);
}

/* Who is cancelled while it waits has seen that the other one has not ended, and who has been
 * cancelled and goes on, that it has. */
static enum pl_effect effect_of_join(struct pl_thread *t, struct pl_operation *op)
{
    if (op->way == PL_WAY_CANCEL || (op->way == PL_WAY_NORMAL && pl_thread_cancel_due(t))) {
        op->other = PL_DEPEND_THREADS + op->aux * UINT64_C(8);
        op->other_effect = PL_EFFECT_READ;
    }
    return PL_EFFECT_NONE;
}

static pl_tid joined(const struct pl_thread *t)
{
    return (pl_tid)t->op.aux;
}

static bool is_alive_natively(const struct pl_thread *t)
{
    return t->op.aux >= pl_stage->n_threads || !has_ended(t);
}

PL_DESCRIBE(THREAD_CREATE) = {.effect = effect_of_creation};
PL_DESCRIBE(THREAD_EXIT) = {.effect = effect_of_exit};
PL_DESCRIBE(THREAD_JOIN) = {.enabled = has_ended,
                            .effect = effect_of_join,
                            .holder = joined,
                            .may_leave = has_not_ended,
                            .native_blocked = is_alive_natively,
                            .native_holder = joined};
PL_DESCRIBE(THREAD_TIMEDJOIN) = {.enabled = has_ended,
                                 .holder = joined,
                                 .may_leave = has_not_ended,
                                 .native_blocked = is_alive_natively,
                                 .native_holder = joined};
