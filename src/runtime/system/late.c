/* SPDX-License-Identifier: MIT */
/*
 * Late preemption: see late.h.
 *
 * A timer of the carriers' processor time ticks; nothing is done per event or execution.  A tick
 * that finds the count of events as the one before found it adds one, and after some the running
 * thread comes to an operation, by a call that is put between two of its instructions, if another
 * thread could go on.  If all others wait for a time, the clock moves by what this has taken, and
 * whose time has come goes first.  It is left alone in the runtime and in libc and the loader,
 * which may hold a lock that others would wait for.
 */
#include "runtime/system/late.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/expiry.h"
#include "runtime/core/sched.h"
#include "runtime/core/trampoline.h"
#include "runtime/core/ways.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

enum {
    TICK_NS = 10000000, /* of processor time */
    PATIENCE = 3,       /* ticks without an event */
    CALM = 100,         /* the same where every access is an event: it computes, waits for nobody */
    ROOM = 64 << 10,    /* that the call may need of a stack */
};

void pl_late_begin(void)
{
    /* As the kernel has it: the thread is no field of libc's struct. */
    struct {
        union sigval value;
        int signo, notify, tid;
        int rest[11];
    } event = {.signo = SIGRTMAX, .notify = SIGEV_THREAD_ID, .tid = (int)pl_sys(SYS_gettid)};
    struct itimerspec every = {{0, TICK_NS}, {0, TICK_NS}};
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
    int timer;

    _Static_assert(sizeof(event) == sizeof(struct sigevent), "the kernel reads as much");
    if (pl_native || pl_free)
        return;
    if (pl_board->settings.carrier == PL_CARRIER_THREAD)
        clock = CLOCK_PROCESS_CPUTIME_ID;
    if (pl_sys(SYS_timer_create, clock, &event, &timer) == 0)
        pl_sys(SYS_timer_settime, timer, 0, &every, NULL);
}

/* With OS threads the one whose turn it is may be another; then it gets the tick. */
static bool is_another_asked(const struct pl_thread *t)
{
    siginfo_t tick = {.si_signo = SIGRTMAX, .si_code = SI_TIMER};
    int32_t running = t->free.os_tid;
    long process = pl_sys(SYS_getpid);

    if (pl_board->settings.carrier != PL_CARRIER_THREAD || running == pl_sys(SYS_gettid))
        return false;
    if (running != 0)
        pl_sys(SYS_rt_tgsigqueueinfo, process, running, SIGRTMAX, &tick);
    return true;
}

/* Whether anybody is kept from going on. */
static bool is_in_the_way(const struct pl_thread *t)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *other = pl_thread_by_id(i);

        if (other != t && other->state == PL_THREAD_ALIVE && pl_ways_now(other) != PL_WAY_BLOCKED)
            return true;
    }
    return false;
}

/* On the stack of the thread, outside of the handler. */
static void preempt(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    int error = errno;

    if (!is_in_the_way(t))
        return; /* how often it would be asked is a matter of the clock */
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_PREEMPTED);
    pl_board->preemptions++;
    t->entry = NULL;
    if (!pl_stage->context.following)
        pl_board->late.ns -= pl_expiry_beside(t, pl_board->late.ns);
    /* Before its next event, and none itself: a replay may be interrupted elsewhere, or never. */
    pl_sched_piece(PL_OP_PREEMPTION, NULL, 0, pc, t->ordinal);
    errno = error;
}

static bool is_module_of_system(const struct pl_module *m)
{
    static const char *const names[] = {"/libc.so", "/libc-", "/ld-linux", "/libpthread"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pl_text_contains(m->path, names[i]))
            return true;
    }
    return false;
}

/* NULL: the code is the kernel's, or made at run time. */
static const struct pl_module *module_at(uint64_t pc)
{
    for (unsigned i = 0; i < pl_board->n_modules; i++) {
        const struct pl_module *m = &pl_board->modules[i];

        if (pc >= m->start && pc < m->end)
            return m;
    }
    return NULL;
}

/* Code of the program, or of a library that is no part of the system. */
static bool may_stop_in(const struct pl_module *m, uint64_t pc)
{
    return m != NULL && !is_module_of_system(m) &&
           (pc < pl_stage->modules.own_start || pc >= pl_stage->modules.own_end);
}

/* Whether no other thread can end what it does, but by a cancellation at any place; and there is a
 * claim to be kept. */
static bool is_by_itself(const struct pl_thread *t, const struct pl_module *m)
{
    return m->instrumented && pl_stage->modules.planted && pl_board->blind_pc == 0 &&
           !t->cancel.async && !pl_incomplete_has(&pl_board->incomplete, PL_INCOMPLETE_PREEMPTED);
}

static bool may_others_go_on(const struct pl_thread *self)
{
    if (self->fresh)
        return true; /* its creator, which has announced nothing */
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t != self && t->state == PL_THREAD_ALIVE && t->announced &&
            pl_ways_now(t) != PL_WAY_BLOCKED)
            return true;
    }
    return false;
}

static bool is_silent(unsigned patience)
{
    bool same = pl_board->late.events == pl_board->execution_events &&
                pl_board->late.execution == pl_board->execution;

    pl_board->late.events = pl_board->execution_events;
    pl_board->late.execution = pl_board->execution;
    pl_board->late.ticks = same ? pl_board->late.ticks + 1 : 0;
    pl_board->late.ns = same ? pl_board->late.ns + TICK_NS : 0;
    return pl_board->late.ticks >= patience;
}

void pl_late_tick(ucontext_t *u)
{
    uint64_t pc = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
    uint64_t sp = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
    const struct pl_module *m = module_at(pc);
    struct pl_thread *t = pl_thread_self();

    if (pl_native || pl_free || !pl_stage->restart.runner || is_another_asked(t))
        return;
    if (pl_stage->busy != 0 || !may_stop_in(m, pc)) {
        pl_board->late.ticks = 0; /* what the runtime takes is not the program's doing */
        return;
    }
    if (!is_silent(is_by_itself(t, m) ? CALM : PATIENCE))
        return;
    if (pl_stage->n_alive < 2 || t->state != PL_THREAD_ALIVE || t->announced ||
        sp < t->stack_low + ROOM || sp > t->stack_high || !may_others_go_on(t))
        return;
    pl_board->late.ticks = 0;
    pl_trampoline_push(u, preempt, pc);
}
