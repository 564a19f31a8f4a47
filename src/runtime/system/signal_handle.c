/* SPDX-License-Identifier: MIT */
/*
 * Handlers of the program: see signal_handle.h.
 *
 * A handler may run at any point of its thread.  Whatever the thread had announced there is kept,
 * and announced again when the handler has returned, unless the call fails with EINTR.  A handler
 * may also be left by siglongjmp(): then its struct pl_handling, which lies on the stack that was
 * left, is dropped when the thread is seen above it.
 */
#include "runtime/system/signal_handle.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "model/depend.h"
#include "runtime/access/access.h"
#include "runtime/access/sites.h"
#include "runtime/core/class.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/vault.h"
#include "runtime/observe/feed.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_parts.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signal_queue.h"

#include <errno.h>
#include <ucontext.h>

enum { RED_ZONE = 128, SET_SIZE = 8, FIRST_REAL_TIME = 32 };

/* ---- running one ---- */

void pl_signal_call_on(void *top, void (*handler)(int, siginfo_t *, void *), int signo,
                       siginfo_t *info, void *context) __attribute__((visibility("hidden")));

/* Call the handler on another stack, from which frames can be unwound. */
__asm__(".text\n.globl pl_signal_call_on\n.hidden pl_signal_call_on\n"
        ".type pl_signal_call_on, @function\npl_signal_call_on:\n"
        "\t.cfi_startproc\n"
        "\tpush %rbp\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbp, 0\n"
        "\tmov %rsp, %rbp\n\t.cfi_def_cfa_register rbp\n"
        "\tmov %rdi, %rsp\n\tand $-16, %rsp\n"
        "\tmov %rsi, %rax\n\tmov %edx, %edi\n\tmov %rcx, %rsi\n\tmov %r8, %rdx\n"
        "\tcall *%rax\n"
        "\tleave\n\t.cfi_def_cfa rsp, 8\n\t.cfi_restore rbp\n\tret\n"
        "\t.cfi_endproc\n.size pl_signal_call_on, .-pl_signal_call_on\n");

/* The alternate stack that the handler is to run on, or NULL. */
static void *alternate_top(const struct pl_thread *t, const struct pl_action *a)
{
    const stack_t *s = &t->signals.alternate;
    const char *here = __builtin_frame_address(0), *low = s->ss_sp;

    if ((a->flags & SA_ONSTACK) == 0 || s->ss_size == 0 || (s->ss_flags & SS_DISABLE) != 0 ||
        (here >= low && here < low + s->ss_size))
        return NULL;
    return (char *)s->ss_sp + s->ss_size;
}

/* What a handler may look at: where its thread was, as far as its registers are known. */
static void fill_context(ucontext_t *u, const struct pl_thread *t)
{
    static const int order[] = {REG_R15, REG_R14, REG_R13, REG_R12, REG_RBX, REG_RBP, REG_RIP};

    pl_memory_fill(u, 0, sizeof(*u));
    *(uint64_t *)&u->uc_sigmask = t->mask;
    u->uc_stack = t->signals.alternate;
    if (t->entry == NULL)
        return;
    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        u->uc_mcontext.gregs[order[i]] = (greg_t)t->entry[i];
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)(t->entry + 7);
}

/* What a thread is in the middle of when a handler comes. */
struct middle {
    bool announced, timed, cancel_point, swapped;
    uint8_t apart, interruption, raises, sets_action, sets_timer;
    bool asks, chooses;
    uint64_t deadline, sleeps_until, waits_for, mask_before;
    const uint64_t *entry;
    struct pl_thread_atomic atomic;
    struct pl_thread_io io;
    struct pl_thread_call call;
    unsigned n_frames;
};

static void save(struct middle *m, const struct pl_thread *t)
{
    *m = (struct middle){
        .announced = t->announced,
        .timed = t->timed,
        .cancel_point = t->cancel_point,
        .swapped = t->signals.swapped,
        .apart = t->signals.apart,
        .interruption = t->signals.interruption,
        .raises = t->signals.raises,
        .sets_action = t->signals.sets_action,
        .sets_timer = t->signals.sets_timer,
        .asks = t->signals.asks,
        .chooses = t->signals.chooses,
        .deadline = t->deadline,
        .sleeps_until = t->sleeps_until,
        .waits_for = t->waits_for,
        .mask_before = t->signals.mask_before,
        .entry = t->entry,
        .atomic = t->atomic,
        .io = t->io,
        .call = t->call,
        .n_frames = t->n_frames,
    };
}

/* What it does now is something of its own. */
static void begin_within(struct pl_thread *t)
{
    t->timed = t->cancel_point = t->signals.swapped = false;
    t->signals.asks = t->signals.chooses = t->call.by_number = false;
    t->signals.interruption = PL_INTERRUPTION_NONE;
    t->signals.raises = t->signals.sets_action = t->signals.sets_timer = 0;
    t->waits_for = 0;
}

static void restore(const struct middle *m, struct pl_thread *t)
{
    t->announced = m->announced;
    t->timed = m->timed;
    t->cancel_point = m->cancel_point;
    t->signals.swapped = m->swapped;
    t->signals.apart = m->apart;
    t->signals.interruption = m->interruption;
    t->signals.raises = m->raises;
    t->signals.sets_action = m->sets_action;
    t->signals.sets_timer = m->sets_timer;
    t->signals.asks = m->asks;
    t->signals.chooses = m->chooses;
    t->deadline = m->deadline;
    t->sleeps_until = m->sleeps_until;
    t->waits_for = m->waits_for;
    t->signals.mask_before = m->mask_before;
    t->entry = m->entry;
    t->atomic = m->atomic;
    t->io = m->io;
    t->call = m->call;
    t->n_frames = m->n_frames;
    t->stack_known = false;
}

/* Handlers that the thread has left by a jump: it is above them. */
static void drop_left(struct pl_thread *t)
{
    const char *here = __builtin_frame_address(0);
    const stack_t *s = &t->signals.alternate;
    const char *low = s->ss_sp;
    bool on_alternate = s->ss_size > 0 && here >= low && here < low + s->ss_size;

    for (struct pl_handling *h = t->signals.handling; h != NULL; h = h->outer) {
        bool left = h->on_alternate ? !on_alternate : !on_alternate && here > (const char *)h;

        if (!left)
            break;
        t->signals.handling = h->outer;
        t->signals.apart = h->outer != NULL ? h->outer->apart : 0;
    }
}

/* Those have the same number that never run at the same time. */
static uint8_t number_apart(struct pl_thread *t, const struct pl_action *a, int signo)
{
    unsigned number = (unsigned)signo;

    if (a->flags & SA_NODEFER) /* it may interrupt itself */
        number ^= (++t->signals.n_apart & 1) * (PL_HANDLERS_APART / 2);
    return (uint8_t)(1 + number % PL_HANDLERS_APART);
}

static void take_and_run_all(struct pl_thread *t, uint64_t until, bool apart);

/*
 * Run the handler of `a`.  `context` is what the kernel found, or NULL; `apart` says that it came
 * of itself, not by something that the thread called.  Others that were sent `until` then, if that
 * is not 0, and that it does not block come before its first instruction: the kernel makes all
 * frames before it returns.  Otherwise they find the handler at its first operation.
 */
static void run(struct pl_thread *t, const struct pl_action *a, siginfo_t *info, void *context,
                bool apart, uint64_t until)
{
    ucontext_t made;
    struct middle middle;
    uint64_t mask = t->mask;
    void *top = alternate_top(t, a);
    struct pl_handling h;

    drop_left(t);
    h = (struct pl_handling){.outer = t->signals.handling,
                             .op = apart ? t->signals.interrupted : t->op,
                             .mask = mask,
                             .on_alternate = top != NULL,
                             .apart = apart ? number_apart(t, a, info->si_signo) : t->signals.apart,
                             .within = apart ? t->signals.since : (struct pl_in_libc){0}};
    save(&middle, t);
    if (context == NULL) {
        fill_context(&made, t);
        context = &made;
    }
    begin_within(t);
    t->mask |= a->mask | (a->flags & SA_NODEFER ? 0 : pl_signal_bit(info->si_signo));
    t->signals.apart = h.apart;
    t->signals.handling = &h;
    t->signals.handled |= pl_signal_bit(info->si_signo);
    pl_signal_queue_look(t);
    if (until != 0)
        take_and_run_all(t, until, apart);
    int before = errno;

    if (top != NULL)
        pl_signal_call_on(top, a->handler, info->si_signo, info, context);
    else
        a->handler(info->si_signo, info, context);
    PL_ASSERT(t == pl_thread_self());
    /* What libc leaves there has no hook: the thread and its handler share it. */
    if (apart && errno != before && !pl_free)
        pl_shadow_share((uint64_t)&errno & ~UINT64_C(7));
    t->signals.handling = h.outer;
    t->op = h.op;
    if (apart)
        t->signals.interrupted = h.op; /* somebody may have woken it */
    restore(&middle, t);
    t->signals.returned = pl_stage->signals.n_sent;
    t->mask = context == &made ? *(uint64_t *)&made.uc_sigmask : mask;
    if (!pl_free && t->mask != pl_stage->signals.kernel_mask)
        pl_mask_set(t->mask);
    pl_signal_queue_look(t);
}

/* A signal has reached t: whoever sent it to the thread, or to the process, did so before. */
static void received(const struct pl_thread *t)
{
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)&t->signals, PL_OBJECT_THREAD);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, PL_SIGNALS_SENT, PL_OBJECT_THREAD);
}

/* Whether the next signal of this number takes its handler away. */
static bool is_reset(int signo)
{
    return pl_signal_queue_fate(signo) == PL_SIGNAL_HANDLED &&
           (pl_stage->signals.actions[signo].flags & (int)SA_RESETHAND) != 0;
}

/*
 * What is done about a signal is looked up when it is taken: who changes that meanwhile does so
 * before or after.  Nothing interrupts that.  Where the handler is for one signal only, taking it
 * changes that, in a step of its own: so what the step is depends on what was seen, and not on
 * when.
 */
static void look_at_action(struct pl_thread *t, int signo, bool apart)
{
    struct pl_handling h = {.outer = t->signals.handling,
                            .op = apart ? t->signals.interrupted : t->op,
                            .mask = t->mask,
                            .apart = t->signals.apart};
    struct middle middle;

    if (pl_free) { /* it is an event all the same */
        t->ordinal += pl_access_wanted(h.op.pc);
        return;
    }
    save(&middle, t);
    begin_within(t);
    t->signals.looks = true;
    t->signals.due = false;
    t->signals.handling = &h;
    pl_access_look(&pl_stage->signals.actions[signo], h.op.pc, NULL);
    if (is_reset(signo)) {
        if (apart) /* it may come before or after its own thread has looked */
            t->signals.apart = (uint8_t)(1 + (unsigned)signo % PL_HANDLERS_APART);
        pl_access_state(&pl_stage->signals.actions[signo], h.op.pc, NULL);
    }
    PL_ASSERT(t == pl_thread_self() && t->signals.handling == &h);
    t->signals.handling = h.outer;
    if (apart)
        t->signals.interrupted = h.op;
    else
        t->op = h.op;
    restore(&middle, t);
    t->signals.looks = false;
    pl_signal_queue_look(t);
}

static void become(int signo, const struct pl_action *a);

/* Take one of these, and run its handler. */
static void take_and_run(struct pl_thread *t, uint64_t wanted, bool apart, uint64_t until)
{
    siginfo_t info;
    int signo = pl_signal_queue_take(t, wanted, &info);
    bool joined = apart && t->signals.joined; /* its handler runs when the thread sends the same */

    PL_ASSERT(signo != 0 && t == pl_thread_self());
    t->signals.joined = false;
    look_at_action(t, signo, apart);
    struct pl_action a = pl_stage->signals.actions[signo];
    enum pl_signal_fate fate = pl_signal_queue_fate(signo);

    received(t);
    pl_signal_queue_look(t);
    pl_spin_touch((uint64_t)&t->signals, 1, t->id);
    pl_spin_touch(PL_SIGNALS_SENT, 1, t->id);
    if (fate == PL_SIGNAL_DEADLY)
        pl_signal_die(signo, t->op.pc);
    if (joined)
        t->signals.joining = info;
    if (fate != PL_SIGNAL_HANDLED || joined)
        return;
    if (a.flags & (int)SA_RESETHAND) { /* the kernel, too, must know: the next one may be deadly */
        struct pl_action reset = a;

        reset.handler = NULL;
        become(signo, &reset); /* what is pending stays so, as opposed to what sigaction() does */
    }
    pl_spin_progress(t);
    run(t, &a, &info, NULL, apart, until);
}

/* What is pending and may come. */
static uint64_t open_now(const struct pl_thread *t)
{
    return pl_signal_queue_pending(t) & ~t->mask & ~t->waits_for;
}

/*
 * All that are pending and may come, before the thread goes on: also those that it sends itself
 * meanwhile.  What others send while a handler runs that blocks it comes when that returns, which
 * is before the thread's next operation, as if it were sent then.
 */
static void take_and_run_all(struct pl_thread *t, uint64_t until, bool apart)
{
    uint64_t wanted;

    while ((wanted = pl_signal_queue_pending_until(t, until) & open_now(t)) != 0)
        take_and_run(t, wanted, apart, until);
}

void pl_signal_handle_all(struct pl_thread *t)
{
    if (t->signals.due)
        take_and_run_all(t, pl_stage->signals.n_sent, false);
}

/* ---- those that come of themselves ---- */

/* The signal that will be taken next. */
static int next_signal(const struct pl_thread *t)
{
    uint64_t open = ~t->mask & ~t->waits_for, mine = t->signals.pending & open;

    if (mine == 0)
        mine = pl_stage->signals.pending & open;
    PL_ASSERT(mine != 0);
    return __builtin_ctzll(mine) + 1;
}

/* Whether the call that the thread is about to make, or in, would fail with EINTR. */
static bool would_fail(const struct pl_thread *t, int signo)
{
    const struct pl_action *a = &pl_stage->signals.actions[signo];

    if (pl_signal_queue_fate(signo) != PL_SIGNAL_HANDLED)
        return false;
    return t->signals.interruption == PL_INTERRUPTION_ALWAYS ||
           (t->signals.interruption == PL_INTERRUPTION_RESTART && (a->flags & SA_RESTART) == 0);
}

/* What is known of the operation that a signal comes before: it becomes that of taking it. */
static void become_taking(struct pl_thread *t, const struct pl_signal *s)
{
    struct pl_operation *op = &t->op;
    const struct pl_descriptor *d = pl_descriptor_of(t);
    bool waits = pl_descriptor_may_wait(op->kind) && !op->private;
    bool locks = pl_depend_waits(op) && !pl_operation_is(op->kind, PL_ROLE_REGAINS) &&
                 pl_operation_object(op->kind) != PL_OBJECT_FILE;

    if (pl_operation_is(op->kind, PL_ROLES(TAKES, OF_FILES))) { /* how many, and what besides */
        op->way = PL_WAY_NORMAL;
        d->effect(t, op);
        op->way = PL_WAY_SIGNAL;
    }
    /* What a lock is waited for is known to a search, and when a thread has ended; of the rest,
     * whether the signal found it. */
    op->leaves =
        pl_signal_queue_leaves(t) && (!waits || locks || pl_depend_joins(op) || s->goes_on);
    if (pl_operation_is(op->kind, PL_ROLE_JOINS))
        op->addr = PL_DEPEND_THREADS + op->aux * UINT64_C(8);
    else
        op->addr = waits ? pl_depend_object(op) : 0;
    op->size = 1;
    if (op->other == 0 || !waits) /* who need not wait has not looked at anything */
        op->other = (uint64_t)&t->signals;
    op->came_before = op->kind;
    op->kind = PL_OP_SIGNAL_TAKE;
    op->private = op->noted = false;
    op->waker = s->sender;
    op->wake = s->sent;
}

/*
 * A child is given time to end before anybody looks, so that it is the same in every execution; who
 * waits for it could have waited all the same.  Not if its end was told by a signal.
 */
static bool awaits_child(const struct pl_thread *t, int signo)
{
    return t->call.now != NULL && t->call.waits && t->call.wait == PL_ASK_CHILD &&
           signo != SIGCHLD && pl_signal_queue_fate(SIGCHLD) != PL_SIGNAL_HANDLED;
}

/*
 * Whether the thread is about to send itself the same signal.  Perhaps this one comes when the
 * thread is in the kernel for that: then there is only one of the two.
 */
static bool is_raised(const struct pl_thread *t, int signo, const struct pl_signal *s)
{
    return !pl_free && signo < FIRST_REAL_TIME && t->signals.raises == signo &&
           t->signals.raises_shared == s->shared && s->sender != t->id;
}

/*
 * Whether a handler has kept it back: then it comes when that returns, and not later.  But a search
 * that tells executions apart by what depends on what takes it for one that is sent afterwards.
 */
static bool was_kept_back(const struct pl_thread *t, const struct pl_signal *s)
{
    if (s->number > t->signals.returned)
        return false;
    if (pl_stage->expiries.classes)
        pl_unmodelled("that sends what a handler kept back", PL_UNMODELLED_FUNCTION, t->op.pc);
    return true;
}

void pl_signal_interrupt(struct pl_thread *t)
{
    const struct pl_signal *s = pl_signal_queue_earliest(t, ~t->mask & ~t->waits_for);
    int signo = next_signal(t);
    bool goes_on = pl_signal_queue_goes_on(t);
    bool inside =
        would_fail(t, signo) &&
        (!goes_on || pl_operation_is(t->op.kind, PL_ROLE_PAUSES) || awaits_child(t, signo));
    bool before = !t->signals.swapped || (t->signals.mask_before & pl_signal_bit(signo)) == 0;

    /* Whether the thread was in its call already, or on its way there, or is sending the same.  Of
     * a free one it is known. */
    unsigned ways = inside && before ? 2 : 1, way = 0;
    const struct pl_signal *same = pl_signal_queue_earliest(t, pl_signal_bit(signo));
    bool raised = is_raised(t, signo, same), together = raised && !was_kept_back(t, same);

    if (ways + together > 1) {
        int known = pl_free ? !t->free.waited : -1;

        way = pl_sched_choose(PL_CHOICE_WAY, ways + together, known, NULL, &t->op);
        inside = inside && way == 0;
    }
    if (ways + raised > 1)
        pl_class_note(t, way);
    t->signals.joined = way == ways;
    t->signals.inside = inside;
    t->signals.interrupted = t->op;
    become_taking(t, s);
}

/*
 * Of a signal and a cancellation that find a thread in a call the kernel makes both frames, and the
 * one of libc's own signal, whose number is higher, on top: the thread ends there, and the handler
 * never runs.  On its way to the call the thread would have run it before; here it does so at the
 * next point, which is one of its end.
 */
void pl_signal_cancelled(struct pl_thread *t)
{
    siginfo_t info;

    PL_ASSERT(t->op.way == PL_WAY_CANCEL && t->signals.due);
    if (pl_signal_queue_goes_on(t) && !pl_operation_is(t->op.kind, PL_ROLE_PAUSES) &&
        !t->cancel.async)
        return;
    int known = pl_free ? !t->free.waited : -1;
    unsigned way = pl_sched_choose(PL_CHOICE_WAY, 2, known, NULL, &t->op);

    pl_class_note(t, way);
    while (way == 0 && t->signals.due) {
        pl_signal_queue_take(t, open_now(t), &info);
        pl_signal_queue_look(t);
    }
}

bool pl_signal_deliver(struct pl_thread *t)
{
    bool inside = t->signals.inside;

    PL_ASSERT(t->op.kind == PL_OP_SIGNAL_TAKE && t->signals.due);
    if (inside)
        pl_parts_leave();
    uint64_t mask = t->mask;
    bool outside = t->signals.swapped && !inside; /* of the call that has a mask of its own */

    if (outside) {
        t->mask = t->signals.mask_before;
        t->signals.swapped = false;
    }
    uint64_t until = inside ? pl_stage->signals.n_sent : 0;

    take_and_run(t, open_now(t), true, until);
    if (outside) {
        t->signals.mask_before = t->mask;
        t->mask = mask;
        t->signals.swapped = true;
        pl_signal_queue_look(t);
    }
    if (inside && !t->signals.swapped) /* before the call returns; else its mask is the old one */
        take_and_run_all(t, until, true);
    t->op = t->signals.interrupted;
    t->op.way = PL_WAY_SIGNAL;
    if (pl_free && !inside && t->op.kind == PL_OP_SLEEP) /* it is still to come */
        pl_free_sleep(t, t->sleeps_by, t->sleeps_until);
    return inside;
}

void pl_signal_thread_ended(struct pl_thread *t)
{
    if (t->signals.pending != 0)
        pl_signal_queue_return(t, ~UINT64_C(0));
}

/* ---- what the program does about signals ---- */

/* Those that the kernel hands to the runtime whatever the program says. */
static bool is_own(int signo)
{
    return (pl_mask_open() & pl_signal_bit(signo)) != 0 || signo == SIGABRT;
}

static void tell_kernel(int signo, const struct pl_kernel_action *action)
{
    struct pl_undo *u = &pl_vault->undo;

    if (pl_rollback_on() && (u->actions >> (signo - 1) & 1) == 0) {
        pl_sys(SYS_rt_sigaction, signo, NULL, &u->old[signo], SET_SIZE);
        u->actions |= pl_signal_bit(signo);
    }
    pl_sys(SYS_rt_sigaction, signo, action, NULL, SET_SIZE);
}

/* From now on, also for the kernel. */
static void become(int signo, const struct pl_action *a)
{
    struct pl_action *known = &pl_stage->signals.actions[signo];
    enum { KEPT = SA_NOCLDSTOP | SA_NOCLDWAIT | SA_RESTART, RESTORER = 0x04000000 };
    struct pl_kernel_action action = {
        .handler = a->handler,
        .flags = (uint64_t)(a->flags & KEPT) | RESTORER,
        .restorer = pl_watch_sigreturn,
    };
    bool handled = pl_signal_is_handler(a), was = pl_signal_is_handler(known);
    bool same = was == handled && ((known->flags ^ a->flags) & KEPT) == 0 &&
                (handled || known->handler == a->handler);

    *known = *a;
    if (is_own(signo) || same)
        return;
    if (handled) {
        action.handler = pl_signal_come;
        action.flags |= SA_SIGINFO | SA_ONSTACK;
    }
    tell_kernel(signo, &action);
}

/* Whether another thread was about to take it. */
static bool takes_away(int signo)
{
    for (pl_tid i = 0; !pl_free && i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t != pl_thread_self() && t->state == PL_THREAD_ALIVE && t->signals.due &&
            (open_now(t) & pl_signal_bit(signo)) != 0)
            return true;
    }
    return false;
}

void pl_signal_handle_set(int signo, const struct pl_action *a)
{
    become(signo, a);
    if (pl_signal_is_handler(a) && (pl_stage->signals.forgotten & pl_signal_bit(signo)) != 0)
        pl_unmodelled("that handles again what was ignored", PL_UNMODELLED_FUNCTION,
                      pl_thread_self()->op.pc);
    if (pl_signal_queue_fate(signo) == PL_SIGNAL_IGNORED) {
        if (takes_away(signo)) /* which has to do with whatever that thread does next */
            pl_unmodelled("that takes a pending signal away", PL_UNMODELLED_FUNCTION,
                          pl_thread_self()->op.pc);
        pl_signal_queue_forget(signo);
    }
    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        pl_signal_queue_look(pl_thread_by_id(i));
}

void pl_signal_handle_init(void)
{
    for (int signo = 1; signo <= PL_SIGNALS; signo++) {
        struct pl_kernel_action now = {0};

        pl_sys(SYS_rt_sigaction, signo, NULL, &now, SET_SIZE);
        pl_stage->signals.actions[signo] =
            (struct pl_action){.handler = now.handler, .mask = now.mask, .flags = (int)now.flags};
    }
}

/* As the program has it. */
static void give_back(int signo)
{
    const struct pl_action *a = &pl_stage->signals.actions[signo];
    struct pl_kernel_action action = {.handler = a->handler,
                                      .flags = (uint32_t)a->flags | 0x04000000,
                                      .restorer = pl_watch_sigreturn,
                                      .mask = a->mask};

    if (pl_signal_is_handler(a) && (a->flags & SA_SIGINFO) != 0)
        action.handler = pl_signal_come;
    if (signo != SIGKILL && signo != SIGSTOP)
        pl_sys(SYS_rt_sigaction, signo, &action, NULL, SET_SIZE);
}

/* A handler that is told who has sent the signal is called by one that knows its parent's name. */
int pl_signal_handle_in_child(int signo, const struct sigaction *in, struct sigaction *out)
{
    struct pl_action *a =
        signo >= 1 && signo <= PL_SIGNALS ? &pl_stage->signals.actions[signo] : NULL;

    if (a == NULL || !pl_in_child() || pl_stage->process.borrowing)
        return pl_real.sigaction(signo, in, out);
    struct sigaction new = in != NULL ? *in : (struct sigaction){0}, old = {0};
    const struct pl_action before = *a;

    if (in != NULL) {
        a->handler = in->sa_sigaction;
        if ((in->sa_flags & SA_SIGINFO) != 0 && pl_signal_is_handler(a))
            new.sa_sigaction = pl_signal_come;
    }
    int rc = pl_real.sigaction(signo, in != NULL ? &new : NULL, &old);

    if (rc != 0)
        *a = before;
    if (old.sa_sigaction == pl_signal_come)
        old.sa_sigaction = before.handler;
    if (rc == 0 && out != NULL)
        *out = old;
    return rc;
}

/* Breakpoints are in the code of a child, too. */
static void trap_in_child(int signo, siginfo_t *info, void *context)
{
    if (info->si_code == SI_KERNEL && pl_sites_trap(context))
        return;
    long pid = pl_sys(SYS_getpid), tid = pl_sys(SYS_gettid);

    give_back(signo);
    pl_sys(SYS_tgkill, pid, tid, signo);
}

void pl_signal_handle_forked(void)
{
    struct pl_kernel_action action = {.handler = trap_in_child,
                                      .flags = SA_SIGINFO | SA_ONSTACK | 0x04000000,
                                      .restorer = pl_watch_sigreturn};

    for (int signo = 1; signo <= PL_SIGNALS; signo++)
        give_back(signo);
    pl_sys(SYS_rt_sigaction, SIGTRAP, &action, NULL, SET_SIZE);
}

/* ---- faults ---- */

/* On the stack of the thread, below what it was doing. */
struct fault {
    ucontext_t context; /* first: pl_watch_sigreturn() finds it at the stack pointer */
    siginfo_t info;
    struct pl_action action;
};

void pl_signal_faulted(struct fault *f) __attribute__((visibility("hidden"), used));
void pl_signal_fault_entry(void) __attribute__((visibility("hidden")));

/* The fault is at the stack pointer; when the handler has returned, the thread goes on there. */
__asm__(".text\n.globl pl_signal_fault_entry\n.hidden pl_signal_fault_entry\n"
        ".type pl_signal_fault_entry, @function\npl_signal_fault_entry:\n"
        "\t.cfi_startproc simple\n\t.cfi_undefined rip\n"
        "\tmov %rsp, %rbx\n\tmov %rsp, %rdi\n"
        "\tcall pl_signal_faulted\n"
        "\tmov %rbx, %rsp\n\tjmp pl_watch_sigreturn\n"
        "\t.cfi_endproc\n.size pl_signal_fault_entry, .-pl_signal_fault_entry\n");

void pl_signal_faulted(struct fault *f)
{
    struct pl_thread *t = pl_thread_self();

    run(t, &f->action, &f->info, &f->context, false, 0);
}

/* Floating-point state as the kernel lays it out: its size is in what software may use. */
static uint64_t extended_size(const struct _libc_fpstate *fp)
{
    enum { MAGIC_AT = 464, MAGIC = 0x46505853 };
    const uint32_t *words = (const uint32_t *)((const char *)fp + MAGIC_AT);

    return words[0] == MAGIC ? words[1] : sizeof(*fp);
}

bool pl_signal_fault(int signo, const siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    struct pl_thread *t = pl_thread_self();
    struct pl_action *a = &pl_stage->signals.actions[signo];

    if (info->si_code <= 0 || pl_inside() || t == NULL ||
        pl_signal_queue_fate(signo) != PL_SIGNAL_HANDLED || (t->mask & pl_signal_bit(signo)) != 0)
        return false;
    uint64_t top = (uint64_t)u->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
    const stack_t *s = &t->signals.alternate;
    bool on_alternate =
        (a->flags & SA_ONSTACK) != 0 && s->ss_size > 0 && top - (uint64_t)s->ss_sp >= s->ss_size;

    if (on_alternate)
        top = (uint64_t)s->ss_sp + s->ss_size;
    uint64_t size = extended_size(u->uc_mcontext.fpregs);
    void *fp = (void *)((top - size) & ~UINT64_C(63));
    struct fault *f = (struct fault *)(((uint64_t)fp - sizeof(*f)) & ~UINT64_C(63));

    if (!on_alternate && (uint64_t)f < t->stack_low)
        return false; /* the stack is full, and it has no other */
    pl_rollback_touch(f, top - (uint64_t)f);
    pl_memory_copy(fp, u->uc_mcontext.fpregs, size);
    *f = (struct fault){.context = *u, .info = *info, .action = *a};
    f->context.uc_mcontext.fpregs = fp;
    f->action.flags &= ~SA_ONSTACK; /* it is there already */
    if (a->flags & (int)SA_RESETHAND)
        a->handler = NULL;
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)f;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)pl_signal_fault_entry;
    return true;
}

static enum pl_effect effect_of_take(struct pl_thread *t, struct pl_operation *op)
{
    op->other_effect = op->other == (uint64_t)&t->signals ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    /* The end of an initialisation is no point, so nothing comes right before it. */
    return op->addr != 0 && !pl_operation_is(op->came_before, PL_ROLE_INITIALISES) ? PL_EFFECT_READ
                                                                                   : PL_EFFECT_NONE;
}

PL_DESCRIBE(SIGNAL_TAKE) = {.effect = effect_of_take};
