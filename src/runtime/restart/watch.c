/* SPDX-License-Identifier: MIT */
/*
 * Every system call of the program, seen before it is made: the gate to the world.
 *
 * The kernel's syscall user dispatch turns each system call that does not come
 * from this library into SIGSYS.  A table (ground/calls.def) says what is to be done
 * with it: made as it is; made after noting how to undo it; or let go, together
 * with the hope to roll back.  Programs that make no system call between their
 * threads pay nothing.
 *
 * Where threads are scheduled, a call that uses what they share is an operation: the handler lets
 * the thread go on in pl_ports.process->call (system/calls.c), on its own stack, where it comes to
 * a point and others may run.  That, and interposed functions, make calls with pl_watch_make().
 *
 * Where a runner is made by fork for each execution, it is watched for what
 * even that shares: pipes, sockets and the like from before the root.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/trampoline.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/own_calls.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/watched.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

enum { USER_DISPATCH = 2 }; /* si_code of a SIGSYS that is ours */

/* See ground/calls.def. */
enum class {
    NO_RULE,
    MADE_AS_IS,
    USES_FILE,
    OPENS_FILE,
    CHECKS,
    IS_ALONE,
    IS_NEVER_UNDONE,
    HAS_LASTING,
};

enum forked { MADE, READS, WRITES, ASKED };

struct rule {
    uint8_t class, forked;
    int8_t out;
    int32_t size;
    enum pl_verdict (*check)(struct pl_watched *c);
    const char *text;
};

static const struct rule rules[PL_CALL_NUMBERS] = {
#define PL_CALL(name, operation, undo, ...) [SYS_##name] = {undo},
#define FREE(out, size) MADE_AS_IS, MADE, out, size, NULL, NULL
#define USED(forked, out, size) USES_FILE, forked, out, size, NULL, NULL
#define OPENS() OPENS_FILE, MADE, 0, 0, NULL, NULL
#define CHECKED(function, forked, out, size) CHECKS, forked, out, size, pl_##function, NULL
#define ALONE(text) IS_ALONE, MADE, 0, 0, NULL, text
#define NEVER_UNDONE(forked, text) IS_NEVER_UNDONE, forked, 0, 0, NULL, text
#define LASTS(function, text) HAS_LASTING, MADE, 0, 0, NULL, text
#include "runtime/ground/calls.def"
};

/* NULL: there is none. */
static const struct rule *rule_of(long number)
{
    const struct rule *r = &rules[pl_arguments_row(number)];

    return r->class != NO_RULE ? r : NULL;
}

/* Where the kernel will write. */
static void touch_result(const struct pl_watched *c, const struct rule *r)
{
    PL_ASSERT(r->out >= 0 && r->out < 6 && r->size >= -6);
    if (r->size != 0)
        pl_rollback_touch((void *)c->a[r->out],
                          r->size > 0 ? (uint64_t)r->size : c->a[-r->size - 1]);
}

/* Its path is none, of one that would be noted: nothing comes of it. */
static bool is_refused(const struct pl_watched *c, const struct rule *r)
{
    return (r->class == CHECKS || r->class == HAS_LASTING) &&
           !pl_arguments_has_paths(c->number, c->a);
}

/* The runner rolls back: the call must be undone later, or spoils it. */
static enum pl_verdict decide(struct pl_watched *c, const struct rule *r)
{
    bool made = false;

    c->result = 0;
    if (r == NULL) {
        pl_rollback_spoil(PL_RESTART_FORK, "it makes system call %ld", c->number);
        return PL_LET_GO;
    }
    touch_result(c, r);
    if (is_refused(c, r))
        return PL_MAKE;
    switch ((enum class)r->class) {
    case MADE_AS_IS:
    case OPENS_FILE:
        return PL_MAKE;
    case USES_FILE:
        return pl_watched_use(c, r->forked == WRITES);
    case CHECKS:
        PL_ASSERT(r->check != NULL);
        return r->check(c);
    default:
        if (c->number == SYS_sigaltstack && c->a[0] == 0)
            return PL_MAKE;
        if (r->class == HAS_LASTING && pl_watched_lasting(c, &made))
            return made ? PL_DONE : PL_MAKE;
        PL_ASSERT(r->text != NULL);
        pl_rollback_spoil(r->class == HAS_LASTING ? PL_RESTART_EXEC : PL_RESTART_FORK, "%s",
                          r->text);
        return PL_LET_GO;
    }
}

/*
 * A call that must be made where it stands, since two processes return from it: for this one
 * instruction system calls are not shown.  The trap flag says when it is over.
 */
static void let_through(struct pl_watched *c)
{
    uint64_t flags = c->number == SYS_clone ? c->a[0] : 0;

    if (c->number == SYS_clone3)
        flags = *(const uint64_t *)c->a[0];
    /* The next program would have it, too. */
    if (c->number == SYS_execve || c->number == SYS_execveat)
        pl_sys(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
    pl_vault->selector = 0;
    /* Who runs beside the caller, in its memory, would find what the trap has left. */
    if ((flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
        return;
    pl_vault->let_through = (uint32_t)pl_sys(SYS_gettid);
    c->context->uc_mcontext.gregs[REG_EFL] |= PL_TRAP_FLAG;
}

/* A child may share memory with the parent, which waits inside the call: it changes nothing. */
bool pl_watch_trap(ucontext_t *u)
{
    uint32_t maker = pl_stage->restart.watched ? pl_vault->let_through : 0;

    if (maker == 0)
        return false;
    u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)PL_TRAP_FLAG;
    if (maker != (uint32_t)pl_sys(SYS_gettid))
        return true;
    pl_vault->let_through = 0;
    pl_vault->selector = 1;
    return true;
}

/* The runner exits in the end: only what a fork would share with the next one matters. */
static enum pl_verdict decide_forked(struct pl_watched *c, const struct rule *r)
{
    bool made = false;

    PL_ASSERT(!pl_rollback_on());
    c->result = 0;
    if (r == NULL)
        return PL_MAKE;
    touch_result(c, r);
    if (is_refused(c, r))
        return PL_MAKE;
    switch ((enum forked)r->forked) {
    case READS:
    case WRITES:
        if (r->class == CHECKS) /* which says where the kernel writes */
            return r->check(c);
        return pl_watched_use(c, r->forked == WRITES);
    case ASKED:
        PL_ASSERT(r->check != NULL);
        return r->check(c);
    case MADE:
        break;
    }
    if (r->class == HAS_LASTING && !pl_watched_lasting(c, &made))
        pl_rollback_spoil(PL_RESTART_EXEC, "%s", r->text);
    if (made)
        return PL_DONE;
    /* Where it is made for the program there is no instruction of its own that would make it. */
    if (r->class != IS_ALONE || c->context == NULL)
        return PL_MAKE;
    let_through(c);
    return PL_LET_GO;
}

/* A name in a folder that has been removed, but is still open. */
static bool looks_into_removed(long number, const uint64_t a[6])
{
    const char *path;
    int folder;

    for (unsigned i = 0; i < PL_ARGUMENTS_PATHS; i++) {
        path = pl_arguments_path(number, a, i, &folder);
        if (path != NULL && path[0] != '\0' && path[0] != '/' && path[0] != '.' &&
            pl_journal_is_removed(folder))
            return true;
    }
    return false;
}

/* Make the call, or find that it has been made; PL_LET_GO: nothing was done. */
static enum pl_verdict perform(struct pl_watched *c)
{
    long number = c->number;
    const struct rule *r = rule_of(number);
    char paths[PL_ARGUMENTS_PATHS][PL_OWN_PATH];
    int folder;
    const char *asked = pl_arguments_path(number, c->a, 0, &folder);

    if (pl_own_call(number, c->a, paths, &c->result))
        return PL_DONE;
    if (looks_into_removed(number, c->a)) {
        c->result = -ENOENT;
        return PL_DONE;
    }
    uint32_t noted = pl_journal_mark();
    enum pl_verdict verdict = pl_rollback_on() ? decide(c, r) : decide_forked(c, r);

    if (verdict == PL_LET_GO) {
        pl_journal_forget(noted);
        return verdict;
    }
    if (verdict == PL_MAKE) {
        c->result = pl_ports.process->make(number, c->a);
        if (r != NULL && r->class == OPENS_FILE)
            pl_undo_opened(c->result);
    }
    /* Where others ran meanwhile their notes come behind.  To take back what was not done does no
     * harm. */
    if (c->result < 0 && c->result > -4096 && !pl_thread_self()->call.beside)
        pl_journal_forget(noted);
    else if (pl_journal_mark() > noted)
        pl_journal_appeared(noted);
    pl_own_made(number, c->a, asked, &c->result);
    if (!pl_free && pl_stage->rooted)
        pl_ports.process->made(number, c->a, c->result);
    if (c->result == 0)
        pl_journal_told(number, c->a);
    return verdict;
}

long pl_watch_make(long number, const uint64_t a[6])
{
    struct pl_watched c = {.number = number, .a = {a[0], a[1], a[2], a[3], a[4], a[5]}};

    if (!pl_stage->restart.watched) {
        c.result = pl_ports.process->make(number, a);
        if (!pl_free)
            pl_ports.process->made(number, a, c.result);
        return c.result;
    }
    while (perform(&c) == PL_LET_GO) {
    }
    return c.result;
}

/* On the stack of the thread that made the call: `r` are its registers. */
static void take_in(uint64_t registers)
{
    struct pl_trampoline_registers *r = (struct pl_trampoline_registers *)registers;
    const uint64_t a[6] = {r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9};
    /* As at the entry of an interposed function, and where its stack begins. */
    const uint64_t entry[8] = {r->r15, r->r14, r->r13, r->r12,
                               r->rbx, r->rbp, r->rip, (uint64_t)(r + 1) + PL_RED_ZONE};

    r->rax = (uint64_t)pl_ports.process->call((long)r->rax, a, entry);
}

static void on_syscall(int signo, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    greg_t *g = u->uc_mcontext.gregs;
    struct pl_watched c = {
        .context = u,
        .number = info->si_syscall,
        .a = {(uint64_t)g[REG_RDI], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDX],
              (uint64_t)g[REG_R10], (uint64_t)g[REG_R8], (uint64_t)g[REG_R9]},
    };

    if (info->si_code != USER_DISPATCH) {
        pl_ports.process->deadly(signo, info, context);
        return;
    }
    if (pl_ports.process->calls(info->si_syscall, (uint64_t)g[REG_RIP])) {
        pl_trampoline_push(u, take_in, (uint64_t)pl_trampoline_registers((uint64_t)g[REG_RSP]));
        return;
    }
    if (perform(&c) == PL_LET_GO)
        g[REG_RIP] -= 2; /* back to the instruction, to look again or to let it through */
    else
        g[REG_RAX] = c.result;
}

static void handle(int signo, void (*handler)(int, siginfo_t *, void *), uint64_t flags)
{
    struct pl_kernel_action action = {
        .handler = handler,
        .flags = SA_SIGINFO | flags | 0x04000000 /* SA_RESTORER */,
        .restorer = pl_watch_sigreturn,
    };

    pl_sys(SYS_rt_sigaction, signo, &action, NULL, 8);
}

void pl_watch_handler(int signo, void (*handler)(int, siginfo_t *, void *))
{
    handle(signo, handler, SA_ONSTACK | SA_NODEFER);
}

static void ignore(int signo, siginfo_t *info, void *context)
{
}

/* On whatever stack there is: a thread that ends may have no other any more. */
void pl_watch_interruptions(void)
{
    handle(PL_SIGNAL_INTERRUPT, ignore, 0);
}

/* From now on every system call is shown.  A sentence when that cannot be. */
const char *pl_watch_begin(void)
{
    struct pl_kernel_action now;

    PL_ASSERT(pl_stage->modules.own_start < pl_stage->modules.own_end);
    pl_sys(SYS_rt_sigaction, SIGSEGV, NULL, &now, 8);
    if (now.handler != pl_ports.process->deadly)
        return "it handles SIGSEGV itself";
    pl_watch_handler(SIGSYS, on_syscall);
    if (pl_sys(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, pl_stage->modules.own_start,
               pl_stage->modules.own_end - pl_stage->modules.own_start, &pl_vault->selector) != 0)
        return "this kernel does not show system calls (syscall user dispatch, Linux 5.11)";
    pl_vault->selector = 1;
    return NULL;
}

void pl_watch_end(void)
{
    if (pl_stage->restart.watched)
        pl_vault->selector = 0;
}

/* After a call that had to be let through. */
void pl_watch_again(void)
{
    if (pl_stage->restart.watched)
        pl_vault->selector = 1;
}
