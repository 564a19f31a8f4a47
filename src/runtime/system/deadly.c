/* SPDX-License-Identifier: MIT */
/* See deadly.h. */
#include "runtime/system/deadly.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "runtime/access/sites.h"
#include "runtime/access/step.h"
#include "runtime/ground/look.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/observe/report.h"
#include "runtime/observe/stacks.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/late.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/tsc.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { ALT_STACK = 64 << 10, ATOMIC_MAX = 16 };

/* Those that kill by themselves, for which there is a handler. */
static const int handled[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { HANDLED = sizeof(handled) / sizeof(handled[0]) };

/* In which function of the recursion the stack ends is chance: where the thread began is not. */
__attribute__((noreturn)) static void stack_overflow(const struct pl_thread *t, uint64_t pc)
{
    struct pl_finding *f = pl_report_start(PL_FINDING_CRASH, pc, "SIGSEGV: stack overflow");

    f->signal = SIGSEGV;
    f->signature = pl_hash_add(PL_FINDING_CRASH, pl_place_relative((uint64_t)t->start)) | 1;
    pl_report_end(f);
}

/* A look of the runtime's own at what is not there: it goes on without. */
static bool goes_on(int number, ucontext_t *u)
{
    uint64_t after = number == SIGSEGV || number == SIGBUS
                         ? pl_look_after((uint64_t)u->uc_mcontext.gregs[REG_RIP])
                         : 0;

    if (after != 0)
        u->uc_mcontext.gregs[REG_RIP] = (greg_t)after;
    return after != 0;
}

enum { FAULT_WRITE = 2, FAULT_FETCH = 16 }; /* bits of the processor's error code */

/* Within the instruction, or just after it.  What calls a function that is not there is wrong. */
static uint64_t place_of(int number, const ucontext_t *u)
{
    bool fetch = number == SIGSEGV && (u->uc_mcontext.gregs[REG_ERR] & FAULT_FETCH) != 0;
    uint64_t caller = fetch ? pl_look((const void *)u->uc_mcontext.gregs[REG_RSP]) : 0;

    return caller != 0 ? caller - 1 : pl_sites_origin((uint64_t)u->uc_mcontext.gregs[REG_RIP]) + 1;
}

/* Of free threads libc sends the signal itself, where it aborts without asking abort(). */
static uint64_t place_of_abort(const struct pl_thread *t, const ucontext_t *u)
{
    if (!pl_free || t->op.kind == PL_OP_SIGNAL_SEND)
        return t->op.pc;
    return pl_calls_caller((uint64_t)u->uc_mcontext.gregs[REG_RIP],
                           (uint64_t)u->uc_mcontext.gregs[REG_RSP]);
}

void pl_deadly_signal(int number, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    uint64_t sp = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
    struct pl_thread *t = pl_thread_self();
    struct pl_finding *f;

    if (number == SIGTRAP && info->si_code == TRAP_TRACE &&
        (pl_watch_trap(context) || pl_step_trap(context)))
        return;
    if (number == SIGTRAP && info->si_code == SI_KERNEL && pl_sites_trap(context))
        return;
    if (number == SIGSEGV && pl_tsc_trap(context))
        return;
    if (goes_on(number, u))
        return;
    if (pl_active && number == SIGSEGV &&
        (u->uc_mcontext.gregs[REG_ERR] & (FAULT_WRITE | FAULT_FETCH)) == FAULT_WRITE &&
        pl_rollback_fault((uint64_t)info->si_addr))
        return;
    pl_stacks_escape();
    if (!pl_active) {
        pl_real.kill((pid_t)pl_sys(SYS_getpid), SIGKILL);
        return;
    }
    if (pl_signal_fault(number, info, context))
        return;
    /* Whatever is broken: a new process is safer than putting this one back. */
    if (pl_rollback_on())
        pl_rollback_spoil(PL_RESTART_ROLLBACK, "it crashed");
    uint64_t pc = place_of(number, u);

    pl_stage->busy++;
    if ((number == SIGSEGV || number == SIGBUS) && t->atomic.pc != 0 &&
        (uint64_t)info->si_addr - t->atomic.addr < ATOMIC_MAX)
        pc = t->atomic.pc - 1; /* not in the hook that performs it, or in ours */
    if (number == SIGABRT)
        f = pl_report_start(PL_FINDING_ASSERTION, place_of_abort(t, u), "the program aborted");
    else if (number == SIGSEGV && (uint64_t)info->si_addr - (t->stack_low - 65536) < 65536 &&
             sp < t->stack_low + 4096)
        stack_overflow(t, pc);
    else if (number == SIGSEGV || number == SIGBUS)
        f = pl_report_start(PL_FINDING_CRASH, pc, "%s: access to address %p", pl_mask_name(number),
                            info->si_addr);
    else
        f = pl_report_start(PL_FINDING_CRASH, pc, "%s", pl_mask_name(number));
    f->signal = (uint8_t)number;
    pl_report_end(f);
}

/* Ask one of the program's threads instead of the calling one, which has ended or is none. */
static void ask_another(void)
{
    long pid = pl_sys(SYS_getpid);

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->free.os_tid != 0 &&
            pl_sys(SYS_tgkill, pid, t->free.os_tid, SIGRTMAX) == 0)
            return;
    }
}

/* The keeper has lost patience. */
static void on_hang(int number, siginfo_t *info, void *context)
{
    if (pl_active && info->si_code == SI_TIMER) {
        pl_late_tick(context);
        return;
    }
    if (!pl_active || pl_stacks_answer())
        return;
    if (pl_free && pl_free_self == NULL) {
        ask_another();
        return;
    }
    if (pl_stage->restart.runner) {
        if (pl_board->given_up != 0 && pl_board->given_up != pl_board->begun)
            return; /* the one that was meant has ended meanwhile */
        if (pl_rollback_on())
            pl_rollback_spoil(PL_RESTART_ROLLBACK, "it hung");
        pl_stage->busy++;
        if (pl_board->given_up != 0)
            pl_ports.restart->end(PL_OUTCOME_SLOW);
        pl_ports.findings->hang(0);
    }
}

void pl_deadly_init(void)
{
    long stack =
        pl_sys(SYS_mmap, 0, ALT_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t alt = {.ss_sp = (void *)stack, .ss_size = ALT_STACK};

    PL_ASSERT(stack > 0);
    pl_own_init();
    pl_stage->modules.signal_stack = (uint64_t)stack;
    pl_signal_handle_init();
    pl_sys(SYS_sigaltstack, &alt, NULL);
    for (unsigned i = 0; i < HANDLED; i++)
        pl_watch_handler(handled[i], pl_deadly_signal);
    pl_watch_handler(SIGRTMAX, on_hang);
    pl_watch_interruptions();
}
