/* SPDX-License-Identifier: MIT */
/*
 * How a program ends, and what it may see of its process: exit(), abort(),
 * failed assertions, process numbers.
 */
#include "runtime/system/libc_process.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "detect/detector.h"
#include "runtime/access/sites.h"
#include "runtime/access/step.h"
#include "runtime/core/company.h"
#include "runtime/core/fresh.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/free/order.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/leaks.h"
#include "runtime/observe/report.h"
#include "runtime/observe/stacks.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/runner.h"
#include "runtime/restart/section.h"
#include "runtime/sync/pth_mutex.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/client.h"
#include "runtime/system/late.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/libc_splice.h"
#include "runtime/system/libc_stdio.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"
#include "runtime/system/tsc.h"
#include "runtime/system/unlisted.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* A failure may come before threads have begun: what they would do is to be seen. */
static void show_new(void)
{
    if (!pl_on() || pl_free || pl_inside() || !pl_stage->rooted || pl_stage->n_fresh == 0 ||
        (pl_stage->context.replaying && !pl_stage->context.following))
        return; /* a replay does what its schedule says */
    /* What has been accessed since the last point is forgotten when others run; they could have
     * come before it. */
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE) || pl_stage->seeking)
        pl_shadow_suspect_unseen();
    pl_fresh_begin();
}

void pl_process_assertion(const char *file, int line, const char *function, const char *text,
                          uint64_t pc)
{
    show_new();
    pl_enter();
    struct pl_finding *f = pl_report_start(PL_FINDING_ASSERTION, pc, "%s", text);
    uint64_t place = pl_hash_add(pl_hash_text(file), (uint64_t)line);

    f->signature = pl_hash_add(place, pl_hash_text(text));
    pl_report_end(f);
}

PL_EXPOSE(void, __assert_fail,
          (const char *text, const char *file, unsigned line, const char *function))
{
    char message[PL_FINDING_TEXT];

    pl_text_format(message, sizeof(message), "assertion `%s' failed", text);
    if (pl_works())
        pl_process_assertion(file, (int)line, function, message, PL_CALLER);
    abort();
}

PL_EXPOSE(void, __assert_perror_fail,
          (int error, const char *file, unsigned line, const char *function))
{
    char message[PL_FINDING_TEXT];

    pl_text_format(message, sizeof(message), "unexpected error %d", error);
    if (pl_works())
        pl_process_assertion(file, (int)line, function, message, PL_CALLER);
    abort();
}

/*
 * The program's handler for SIGABRT comes first, and need not return.  That it aborts from a
 * handler is said at once: it might be this one.
 */
static void ask_handler(void)
{
    sigset_t set;

    if (!pl_on() || pl_inside() || pl_thread_self()->signals.handling != NULL ||
        pl_signal_queue_fate(SIGABRT) != PL_SIGNAL_HANDLED)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGABRT);
}

/* C++'s terminate ends here too. */
PL_EXPOSE(void, abort, (void))
{
    uint64_t pc = PL_CALLER;

    ask_handler();
    show_new();

    if (pl_works()) {
        pl_enter();
        bool terminate = pl_place_in_module(pc, "libstdc++");
        struct pl_finding *f = pl_report_start(
            PL_FINDING_ASSERTION, pc, terminate ? "std::terminate was called" : "abort was called");

        pl_report_end(f);
    }
    struct sigaction action = {.sa_handler = SIG_DFL};

    pl_real.sigaction(SIGABRT, &action, NULL);
    pl_real.raise(SIGABRT);
    pl_sys(SYS_exit_group, 134);
    __builtin_unreachable();
}

/* ---- the end ---- */

#define EXIT_LIST ((const void *)&pl_stage->process.exit_list)
#define QUICK_LIST ((const void *)&pl_stage->process.quick_list)

/* Whoever ends the process, the keeper is to know. */
static void name_culprit(const struct pl_thread *t)
{
    pl_board->finding.pc = t->ending.pc;
    pl_board->finding.tid = t->id;
}

/* The thread begins to end the process, if it has not ended itself. */
static void begin_ending(struct pl_thread *t, int status, uint64_t pc)
{
    t->ending = (struct pl_thread_ending){.pc = pc, .ordinal = t->ordinal, .status = status & 0xff};
    pl_stage->exits = true;
    name_culprit(t);
}

/*
 * Handlers have been called since the thread began to end the process.  Until that is gone, the
 * others go on: the end is an operation of its own.  Where nothing has happened since, the exit
 * was.
 *
 * So it is before each handler of the program, for whether there is another one is only known then:
 * who registers one meanwhile has that called first, also when the handler before has done all that
 * others can see.
 */
static void pass_end(struct pl_thread *t, const void *list)
{
    if (t->ordinal == t->ending.ordinal)
        return;
    t->entry = NULL;
    pl_sched_point(PL_OP_END, list, 0, (uint32_t)t->ending.status, t->ending.pc);
    t->ending.ordinal = t->ordinal;
}

/*
 * A child process that is under control ends, and nothing else does.  That is an event of its
 * thread, which whoever waits for the child comes after.
 */
static void end_child(struct pl_thread *t)
{
    if (pl_stage->process.number == 0)
        return;
    pl_enter();
    pl_stdio_flush();
    t->entry = NULL;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_mutex_abandon_all(pl_thread_by_id(i), t->ending.pc);
    }
    if (pl_free)
        pl_order_halt_others(t);
    pl_sched_note(PL_OP_END, EXIT_LIST, (uint32_t)t->ending.status, t->ending.pc);
    pl_board->company.leaving = pl_stage->process.pid;
    if (pl_free) {
        pl_monitor_end_process();
    } else {
        t->op.ordinal = t->ordinal;
        pl_company_hand_over(t);
    }
    pl_company_quit(PL_COMPANY_ENDED);
    pl_active = false;
    if (pl_free)
        pl_monitor_open();
    pl_sys(SYS_exit_group, t->ending.status);
}

/* The process is gone, as far as the program can tell; returns where it really has to end. */
static void end_process(const struct pl_thread *t)
{
    pl_leaks_look();
    pl_splice_look();
    pl_stage->ended = true;
    name_culprit(t);
    pl_sched_last();
}

int __cxa_atexit(void (*function)(void *), void *arg, void *module);
int __cxa_at_quick_exit(void (*function)(void *), void *module);

/*
 * The last of all that exit() calls: everything else of the program has ended.  Others may still
 * register handlers, which are called then, and afterwards this again; or exit() themselves.
 */
static void at_exit(void *unused)
{
    struct pl_thread *t = pl_active && !pl_native ? pl_thread_self() : NULL;
    uint64_t handlers = pl_stage->process.n_exit_handlers;

    if (!pl_active || pl_stage->ended)
        return;
    if (t == NULL) {
        pl_sched_last();
        return;
    }
    end_child(t);
    if (!pl_free && pl_stage->rooted && pl_stage->n_alive > 1)
        PL_FALLBACK(__cxa_atexit)(at_exit, NULL, NULL);
    if (!pl_free && pl_stage->rooted)
        pass_end(t, EXIT_LIST);
    if (pl_stage->process.n_exit_handlers != handlers && !pl_free)
        return;
    if (pl_ports.client->stays(t, t->ending.status))
        pl_ports.client->stay();
    end_process(t);
    if (!pl_rollback_on())
        return;
    PL_ASSERT(pl_stage->restart.runner);
    pl_stdio_flush();
    pl_runner_end(t->ending.status << 8);
}

/* The same for quick_exit(), which leaves what is in buffers where it is. */
static void at_quick_exit_last(void *unused)
{
    struct pl_thread *t = pl_active && !pl_native ? pl_thread_self() : NULL;
    uint64_t handlers = pl_stage->process.n_exit_handlers;

    if (t == NULL || pl_stage->ended)
        return;
    end_child(t);
    if (!pl_free && pl_stage->rooted && pl_stage->n_alive > 1)
        PL_FALLBACK(__cxa_at_quick_exit)(at_quick_exit_last, NULL);
    if (!pl_free && pl_stage->rooted)
        pass_end(t, QUICK_LIST);
    if (pl_stage->process.n_exit_handlers != handlers && !pl_free)
        return;
    end_process(t);
    if (pl_rollback_on())
        pl_runner_end(t->ending.status << 8);
}

/* Registered before anybody else's, so they are called after them. */
void pl_process_at_exit(void)
{
    if (!pl_active)
        return;
    PL_FALLBACK(__cxa_atexit)(at_exit, NULL, NULL);
    PL_FALLBACK(__cxa_at_quick_exit)(at_quick_exit_last, NULL);
}

/* Called before each handler of the program. */
static void pass_handler(const void *list)
{
    struct pl_thread *t = pl_active && !pl_native ? pl_thread_self() : NULL;

    if (t != NULL && pl_stage->exits && !pl_stage->ended && pl_stage->rooted &&
        pl_stage->n_threads > 1)
        pass_end(t, list);
}

static void before_handler(void *unused)
{
    pass_handler(EXIT_LIST);
}

static void before_quick_handler(void *unused)
{
    pass_handler(QUICK_LIST);
}

/* A handler is registered: in which order is seen when they are called. */
static void add_handler(struct pl_thread *t, const void *list, uint64_t pc)
{
    if (pl_free || pl_stage->n_unjoined > 1) /* nobody else can tell otherwise */
        pl_sched_point(PL_OP_AT_EXIT, list, 0, 0, pc);
    pl_stage->process.n_exit_handlers++;
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)list, PL_OBJECT_NONE);
}

static int handler_added(int rc, void *module)
{
    if (rc == 0 && pl_active)
        PL_FALLBACK(__cxa_atexit)(before_handler, NULL, module);
    return rc;
}

/* atexit() and the destructors of static objects end here, too. */
PL_INTERPOSE(int, __cxa_atexit, (void (*function)(void *), void *arg, void *module))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        add_handler(t, EXIT_LIST, pc);
    return handler_added(PL_FALLBACK(__cxa_atexit)(function, arg, module), module);
}

PL_INTERPOSE(int, on_exit, (void (*function)(int, void *), void *arg))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        add_handler(t, EXIT_LIST, pc);
    return handler_added(PL_FALLBACK(on_exit)(function, arg), NULL);
}

PL_INTERPOSE(int, __cxa_at_quick_exit, (void (*function)(void *), void *module))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        add_handler(t, QUICK_LIST, pc);
    int rc = PL_FALLBACK(__cxa_at_quick_exit)(function, module);

    if (rc == 0 && pl_active)
        PL_FALLBACK(__cxa_at_quick_exit)(before_quick_handler, module);
    return rc;
}

/*
 * Whether exit() would call nothing but the runtime: no handler was registered,
 * and no module has destructors.  Then it need not be called, with all that the
 * loader and libc write to memory meanwhile.
 */
static bool is_plain_exit(void)
{
    return pl_stage->modules.plain && pl_stage->process.n_exit_handlers == 0 &&
           pl_vault->undo.n_maps == 0;
}

void pl_process_exit(int status, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(pl_active);
    pl_ports.restart->root();
    pl_section_leave();
    begin_ending(t, status, pc);
    if (!pl_native)
        pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)EXIT_LIST, PL_OBJECT_NONE);
    pl_thread_run_destructors(t);
    if (pl_rollback_on() && is_plain_exit())
        at_exit(NULL);
    if (pl_free)
        pl_monitor_open(); /* handlers are the program's own code, and the others go on */
    pl_real.exit(status);
    __builtin_unreachable();
}

bool pl_process_exits(void)
{
    return pl_stage->exits && pl_stage->rooted;
}

/* Also from a handler, and by several threads: each calls the handlers that nobody has called. */
PL_INTERPOSE(void, exit, (int status))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc)) {
        pl_real.exit(status);
        __builtin_unreachable();
    }
    if (pl_ports.client->has(t) && !pl_free)
        pl_ports.client->end(status, false, pc);
    pl_sched_point(PL_OP_EXIT, EXIT_LIST, 0, (uint32_t)status, pc);
    pl_process_exit(status, pc);
}

PL_INTERPOSE(void, quick_exit, (int status))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc)) {
        pl_sched_point(PL_OP_EXIT, QUICK_LIST, 0, (uint32_t)status, pc);
        pl_ports.restart->root();
        pl_section_leave();
        begin_ending(t, status, pc);
        pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)QUICK_LIST, PL_OBJECT_NONE);
        if (pl_free)
            pl_monitor_open();
    }
    PL_FALLBACK(quick_exit)(status);
}

void pl_process_exit_now(int status, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    if (pl_works() && t != NULL && !pl_inside()) {
        pl_ports.restart->root();
        pl_section_leave();
        begin_ending(t, status, pc);
        end_child(t);
        pl_sched_last();
        pl_runner_end(t->ending.status << 8);
    }
    pl_sys(SYS_exit_group, status);
    __builtin_unreachable();
}

PL_INTERPOSE(void, _exit, (int status))
{
    struct pl_thread *t;
    uint64_t pc = PL_ENTRY_PC;

    if (pl_begin(&t, &pc)) {
        pl_sched_point(PL_OP_EXIT, NULL, 0, (uint32_t)status, pc);
        if (pl_ports.client->stays(t, status))
            pl_ports.client->stay();
    }
    pl_process_exit_now(status, pc);
}

PL_INTERPOSE(void, _Exit, (int status))
{
    pl_in__exit(status);
}

/* A filter of the program's refuses even these.  libc hands out what the kernel says. */
PL_EXPOSE(pid_t, getpid, (void))
{
    long error = pl_filter_refuses(SYS_getpid);

    if (error != 0)
        return (pid_t)error;
    return pl_works() ? pl_own_tell_process() : (pid_t)pl_sys(SYS_getpid);
}

PL_EXPOSE(pid_t, getppid, (void))
{
    long error = pl_filter_refuses(SYS_getppid);

    if (error != 0)
        return (pid_t)error;
    return pl_works() ? pl_own_parent() : pl_own_shown((pid_t)pl_sys(SYS_getppid));
}

PL_EXPOSE(pid_t, gettid, (void))
{
    long error = pl_filter_refuses(SYS_gettid);

    if (error != 0)
        return (pid_t)error;
    return pl_on() ? pl_own_tell_thread() : (pid_t)pl_sys(SYS_gettid);
}

PL_EXPOSE(int, sched_getcpu, (void))
{
    return pl_on() ? pl_own_processor() : PL_FALLBACK(sched_getcpu)();
}
