/* SPDX-License-Identifier: MIT */
/*
 * What the program does about signals: sigaction(), signal() and their kin, and the stacks that
 * handlers run on.  All of it is kept on the stage; see signal_handle.h for what the kernel knows.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signal_queue.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

enum { SMALLEST_STACK = 2048 };
#define AUTODISARM ((int)(1u << 31))

/* 32 and 33 are libc's own. */
static bool is_valid(int signo)
{
    return signo >= 1 && signo <= PL_SIGNALS && signo != 32 && signo != 33;
}

static bool is_fixed(int signo)
{
    return signo == SIGKILL || signo == SIGSTOP;
}

static void get(int signo, struct sigaction *out)
{
    const struct pl_action *a = &pl_stage->signals.actions[signo];

    *out = (struct sigaction){.sa_flags = a->flags & ~0x04000000};
    out->sa_sigaction = a->handler;
    *(uint64_t *)&out->sa_mask = a->mask;
}

static int set(int signo, const struct sigaction *in, struct sigaction *before, uint64_t pc)
{
    uint64_t never = pl_signal_bit(SIGKILL) | pl_signal_bit(SIGSTOP);
    struct pl_action a = {.handler = in->sa_sigaction,
                          .mask = *(const uint64_t *)&in->sa_mask & ~never,
                          .flags = in->sa_flags};

    if (is_fixed(signo))
        return fail(EINVAL);
    pl_thread_self()->signals.sets_action = (uint8_t)signo;
    pl_signal_changes(pc);
    pl_thread_self()->signals.sets_action = 0;
    if (pl_stage->signals.actions[signo].handler != a.handler)
        pl_signal_meets(signo, false, pc);
    get(signo, before); /* as it is now: others may have come in between */
    pl_signal_handle_set(signo, &a);
    return 0;
}

static int change(int signo, const struct sigaction *in, struct sigaction *out, uint64_t pc)
{
    struct sigaction before;

    if (!is_valid(signo))
        return fail(EINVAL);
    /* Which of two is told what the other has set, also where nobody sends a signal. */
    (in != NULL ? pl_access_state : pl_access_look)(&pl_stage->signals.actions[signo], pc, NULL);
    if (in == NULL)
        get(signo, &before);
    else if (set(signo, in, &before, pc) != 0)
        return -1;
    if (out != NULL)
        *out = before;
    return 0;
}

/* In a child on its own, which has what was set when it was made. */
static void look_outside(int signo, uint64_t pc)
{
    if (is_valid(signo))
        pl_access_look(&pl_stage->signals.actions[signo], pc, NULL);
}

PL_INTERPOSE(int, sigaction, (int signo, const struct sigaction *in, struct sigaction *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    PL_APART(apart, who);
    if (pl_call_wanted(who)) {
        in = pl_apart(&apart, in, sizeof(*in), PL_APART_IN);
        out = pl_apart(&apart, out, sizeof(*out), PL_APART_OUT);
    }
    bool controlled = pl_begin(&t, &pc);

    if (!controlled && pl_call_wanted(who))
        look_outside(signo, who.pc);
    int rc = controlled ? change(signo, in, out, pc) : pl_signal_handle_in_child(signo, in, out);

    apart.fails = rc != 0;
    return rc;
}

int __sigaction(int signo, const struct sigaction *in, struct sigaction *out);

PL_INTERPOSE(int, __sigaction, (int signo, const struct sigaction *in, struct sigaction *out))
{
    return pl_in_sigaction(signo, in, out);
}

/* The handler before, or SIG_ERR. */
static sighandler_t replace(int signo, sighandler_t handler, int flags, bool controlled,
                            uint64_t pc)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;

    if (!is_valid(signo) || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if ((flags & (int)SA_RESETHAND) == 0) /* as libc does: the signal itself */
        *(uint64_t *)&new.sa_mask = pl_signal_bit(signo);
    int rc =
        controlled ? change(signo, &new, &old, pc) : pl_signal_handle_in_child(signo, &new, &old);

    return rc == 0 ? old.sa_handler : SIG_ERR;
}

PL_INTERPOSE(sighandler_t, signal, (int signo, sighandler_t handler))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc = 0;

    if (!pl_begin(&t, &pc)) {
        if (pl_call_wanted(who))
            look_outside(signo, who.pc);
        return pl_in_child() ? replace(signo, handler, SA_RESTART, false, pc)
                             : PL_FALLBACK(signal)(signo, handler);
    }
    return replace(signo, handler, SA_RESTART, true, pc);
}

sighandler_t bsd_signal(int signo, sighandler_t handler);

PL_INTERPOSE(sighandler_t, bsd_signal, (int signo, sighandler_t handler))
{
    return pl_in_signal(signo, handler);
}

PL_INTERPOSE(sighandler_t, ssignal, (int signo, sighandler_t handler))
{
    return pl_in_signal(signo, handler);
}

sighandler_t __sysv_signal(int signo, sighandler_t handler);

PL_INTERPOSE(sighandler_t, sysv_signal, (int signo, sighandler_t handler))
{
    struct pl_thread *t;
    uint64_t pc = 0;

    bool controlled = pl_begin(&t, &pc);

    if (!controlled && !pl_in_child())
        return PL_FALLBACK(sysv_signal)(signo, handler);
    return replace(signo, handler, (int)(SA_RESETHAND | SA_NODEFER), controlled, pc);
}

PL_INTERPOSE(sighandler_t, __sysv_signal, (int signo, sighandler_t handler))
{
    return pl_in_sysv_signal(signo, handler);
}

PL_INTERPOSE(int, siginterrupt, (int signo, int interrupt))
{
    struct pl_thread *t;
    uint64_t pc;
    struct sigaction a;

    if (!pl_begin(&t, &pc))
        return pl_on() ? 0 : ((int (*)(int, int))pl_real_find("siginterrupt"))(signo, interrupt);
    if (!is_valid(signo))
        return fail(EINVAL);
    get(signo, &a);
    a.sa_flags = interrupt ? a.sa_flags & ~SA_RESTART : a.sa_flags | SA_RESTART;
    struct sigaction before;

    return set(signo, &a, &before, pc);
}

/* Whether the thread runs on its alternate stack now. */
static bool is_on(const stack_t *s)
{
    const char *here = __builtin_frame_address(0), *low = s->ss_sp;

    return s->ss_size > 0 && here >= low && here < low + s->ss_size;
}

PL_INTERPOSE(int, sigaltstack, (const stack_t *new, stack_t *old))
{
    const uint64_t *entry = pl_entry();
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(new, sizeof(*new), false, entry);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigaltstack, new, old);
    if (new != NULL)
        pl_signal_changes(pc); /* a handler comes before it or behind it */
    stack_t *s = &t->signals.alternate;
    stack_t before = *s;

    before.ss_flags = is_on(s) ? SS_ONSTACK : s->ss_size == 0 ? SS_DISABLE : s->ss_flags;
    if (new != NULL) {
        if (is_on(s))
            return fail(EPERM);
        int mode = new->ss_flags & ~(int)AUTODISARM;

        if (mode != 0 && mode != SS_ONSTACK && mode != SS_DISABLE)
            return fail(EINVAL);
        if (mode == SS_DISABLE)
            *s = (stack_t){0};
        else if (new->ss_size < SMALLEST_STACK)
            return fail(ENOMEM);
        else
            *s = *new;
    }
    pl_access_after(old, sizeof(*old), entry);
    if (old != NULL)
        *old = before;
    return 0;
}

/* ---- jumps out of handlers ---- */

/* The stack pointer that a jump goes to: libc has mixed it with the guard of the thread. */
static uint64_t stack_pointer(const struct __jmp_buf_tag *env)
{
    enum { RSP = 6, TURN = 17 };
    uint64_t mixed = (uint64_t)env->__jmpbuf[RSP], guard;

    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (mixed >> TURN | mixed << (64 - TURN)) ^ guard;
}

static bool is_below(uint64_t sp, const stack_t *s)
{
    return s->ss_size > 0 && sp - (uint64_t)s->ss_sp < s->ss_size;
}

/* The handlers that the jump leaves are over, and the mask may change. */
void pl_signal_jumps(const struct __jmp_buf_tag *env)
{
    if (!pl_on() || pl_inside() || (pl_free && pl_free_self == NULL))
        return;

    struct pl_thread *t = pl_thread_self();
    uint64_t sp = stack_pointer(env);
    bool stays = is_below(sp, &t->signals.alternate);

    for (struct pl_handling *h = t->signals.handling; h != NULL; h = h->outer) {
        if (h->on_alternate ? stays : stays || sp <= (uint64_t)h)
            break;
        /* It may have come between any two instructions, and what its thread has done up to then
         * can be told.  Only points are tried. */
        if (h->apart)
            pl_unmodelled("longjmp out of a handler", PL_UNMODELLED_FUNCTION, h->op.pc);
        t->signals.handling = h->outer;
        t->signals.apart = h->outer != NULL ? h->outer->apart : 0;
    }
    if (env->__mask_was_saved) {
        t->mask = *(const uint64_t *)&env->__saved_mask;
        pl_signal_queue_look(t);
        pl_signal_handle_all(t);
    }
}

#define JUMP(name)                                                  \
    PL_EXPOSE(void, name, (struct __jmp_buf_tag env[1], int value)) \
    {                                                               \
        pl_signal_jumps(env);                                       \
        PL_FALLBACK(name)(env, value);                              \
        __builtin_unreachable();                                    \
    }

void __longjmp_chk(struct __jmp_buf_tag env[1], int value) __attribute__((noreturn));

JUMP(siglongjmp)
JUMP(longjmp)
JUMP(_longjmp)
JUMP(__longjmp_chk)
