/* SPDX-License-Identifier: MIT */
/*
 * Children: fork(), and what starts another program.
 *
 * A child has a copy of everything, so that its making depends on all that others do: it is an
 * operation (PL_ROLE_COPIES).  The program's atfork handlers are its own code and run under
 * control, where they wait for locks as usual; only between the last of them and the first one
 * afterwards is the runtime at work.  So what it has to do then is an atfork handler itself,
 * registered before all others: those run in reverse before the fork, and in order after it.  If
 * others have come to points since the operation, there is another one: the copy is made there.
 *
 * A child is on its own: one thread, no control.  Of the board it touches only what says that it
 * has created others.  But where several processes are tested together (settings.company), one that
 * fork() makes stays under control, with this library and the board as it has them.
 */
#include "runtime/system/libc_fork.h"

#include "runtime/sync/forked.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_fifo.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/children.h"
#include "runtime/system/libc_exec.h"
#include "runtime/system/libc_shell.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/processes.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"
#include "runtime/system/signalfd.h"
#include "runtime/system/texts.h"
#include "runtime/system/tsc.h"

#include "base/sys.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/runner.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static bool prepared; /* by the thread that forks; nobody else runs meanwhile */

/* The first thread of the child that the calling thread makes, if that is under control. */
static _Thread_local pl_tid first __attribute__((tls_model("initial-exec"))) = PL_TID_NONE;

/* Where the calling thread has called fork(); 0: it has not. */
static _Thread_local uint64_t forks_at __attribute__((tls_model("initial-exec")));

static void come_to_fork(struct pl_thread *t, uint64_t pc)
{
    pl_sched_point(PL_OP_FORK, NULL, 0, 0, pc);
    pl_class_note(t, pl_board->class_hash);
}

static void prepare(void)
{
    if (!pl_on() || pl_inside())
        return;
    pl_enter();
    if (forks_at != 0 && !pl_free && pl_thread_self()->op.kind != PL_OP_FORK)
        come_to_fork(pl_thread_self(), forks_at);
    pl_heap_lock();
    prepared = true;
}

static bool release(void)
{
    if (!prepared)
        return false;
    prepared = false;
    pl_heap_unlock();
    pl_leave();
    return true;
}

static void go_on(void)
{
    if (release())
        pl_ports.restart->watch_again();
}

/* The child goes on under control, as the thread that was prepared for it. */
static void join_company(void)
{
    struct pl_thread *t = pl_forked_become(pl_thread_self()->id, first);

    pl_company_begin(pl_board->threads[first].process);
    pl_own_became();
    pl_signal_queue_forked(t);
    pl_timer_forked();
    pl_kept_forked();
    pl_fifo_forked();
    pl_free_self = t; /* also where it is not free: who asks for stacks goes by it */
    if (pl_free) {
        pl_free_forked(t);
    } else {
        if (pl_stage->restart.watched) /* the kernel shows system calls of the parent only */
            pl_ports.restart->watch();
        pl_company_await();
    }
    first = PL_TID_NONE;
    pl_sched_started();
}

static void begin_child(void)
{
    bool controlled = prepared && first != PL_TID_NONE;

    if (controlled) { /* the monitor stays with the one that has forked */
        prepared = false;
        pl_heap_unlock();
        pl_stage->busy--;
    } else if (!release()) {
        return;
    }
    /* A child of a child may outlive that, but not the execution; see pl_company_end(). */
    if (pl_stage->process.number == 0)
        pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (controlled) {
        join_company();
        return;
    }
    pl_own_forked(pl_thread_self());
    pl_forked_give_locks();
    pl_key_forked();
    pl_active = false;
    pl_stage->process.child = true;
    pl_kept_forked();
    pl_fifo_forked();
    pl_signalfd_forked(false);
    pl_signal_handle_forked();
}

void pl_fork_init(void)
{
    if (pl_active && !pl_native)
        pl_real.__register_atfork(prepare, go_on, begin_child, NULL);
}

/* The number of the child's first thread; PL_TID_NONE when it will be on its own. */
static pl_tid prepare_company(struct pl_thread *t, uint64_t pc)
{
    bool alone = !pl_stage->process.company;
    pl_tid tid = pl_forked_prepare(t, pc);

    if (tid != PL_TID_NONE && alone && pl_free)
        pl_free_share();
    return tid;
}

/* The child is another program before it is under control: its number there, or 0. */
static uint32_t prepare_program(struct pl_thread *t, uint64_t pc)
{
    pl_tid tid = prepare_company(t, pc);

    if (tid == PL_TID_NONE)
        return 0;
    uint32_t number = pl_board->threads[tid].process;

    pl_company_expect(number);
    pl_exec_hand(number, t, true, false);
    return number;
}

/* Whether the child, of that program or by fork(), is on its own. */
static bool prepare_child(struct pl_thread *t, struct pl_exec_new *new, uint64_t pc)
{
    if (!pl_board->settings.company)
        return true;
    if (new == NULL) {
        first = prepare_company(t, pc);
        return first == PL_TID_NONE;
    }
    if (new->what != PL_FOLLOWED_NOT)
        new->number = prepare_program(t, pc);
    return new->number == 0 || new->what != PL_FOLLOWED_IS;
}

/* The running thread makes a child, as it finds everything now; of that program, or by fork(). */
static void make_child(struct pl_thread *t, struct pl_exec_new *new, uint64_t pc)
{
    const char *file = new != NULL ? new->file : NULL;

    pl_ports.restart->root();
    come_to_fork(t, pc);
    if (prepare_child(t, new, pc)) {
        pl_stage->process.forked = true;
        pl_board->processes++;
        pl_clock_part();
        if (file != NULL) {
            pl_company_stranger(file);
            pl_exec_starts_other();
        }
    }
    pl_runner_share();
    /* What is to be done about signals the child has as well. */
    pl_shadow_shared((uint64_t)pl_stage->signals.actions, sizeof(pl_stage->signals.actions), false,
                     t);
    pl_children_made();
    pl_tsc_end();
    if (pl_free)
        pl_monitor_open(); /* handlers are the program's own code, and the others go on */
}

/* On its own, as a shell on the way to a program under control: its first child takes that way. */
static void pass_number(pid_t pid)
{
    if (pid == 0)
        pl_company_replaced(pl_stage->process.coming, (int32_t)pl_sys(SYS_getpid));
    else if (pid > 0)
        pl_stage->process.coming = 0;
}

PL_INTERPOSE(pid_t, fork, (void))
{
    const uint64_t *entry = pl_entry();
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc)) {
        pl_access_look(&pl_stage->process.library[PL_STATE_FORKS], pc, entry); /* its handlers */
        make_child(t, NULL, pc);
        forks_at = pc;
    }
    pid_t pid = pl_real.fork();

    forks_at = 0;
    if (pid < 0 && first != PL_TID_NONE)
        pl_forked_failed(first);
    if (pid > 0 && first != PL_TID_NONE) /* it may be killed before it has said so itself */
        pl_company_replaced(pl_board->threads[first].process, pid);
    if (pid != 0)
        first = PL_TID_NONE;
    if (pl_ready && !pl_active && pl_stage->process.coming != 0)
        pass_number(pid);
    if (pid > 0 && pl_on())
        pl_processes_rest();
    return pid;
}

/*
 * vfork(): the child is in this memory, on this stack, until it becomes another program or ends;
 * what it stores is the parent's.  So the call is made here, and the child is on its own: of the
 * runtime it finds what is set before the call and set back behind it.  Where threads are free the
 * others go on meanwhile, so that is said in variables of this thread; elsewhere nobody does.
 * Where children are under control, the program that it becomes is, as with posix_spawn().
 */
bool pl_vfork_begin(uint64_t pc) __attribute__((visibility("hidden")));
void pl_vfork_child(void) __attribute__((visibility("hidden")));
long pl_vfork_end(long pid) __attribute__((visibility("hidden")));
void pl_vfork_stub(void) __attribute__((visibility("hidden")));

static _Thread_local struct pl_thread *lender __attribute__((tls_model("initial-exec")));

/* What it was called from is kept in a register: the child uses the stack. */
__asm__(".text\n.type pl_vfork_stub, @function\npl_vfork_stub:\n"
        "\t.cfi_startproc\n"
        "\tsub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n"
        "\tmov 8(%rsp), %rdi\n\tcall pl_vfork_begin\n"
        "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n"
        "\ttest %al, %al\n\tje 2f\n"
        "\tpop %rdi\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_register rip, rdi\n"
        "\tmov $58, %eax\n\tsyscall\n"
        "\tpush %rdi\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rip, 0\n"
        "\tsub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n"
        "\tmov %rax, %rdi\n\ttest %rax, %rax\n\tje 1f\n"
        "\tcall pl_vfork_end\n"
        "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\tret\n"
        "1:\t.cfi_adjust_cfa_offset 8\n\tcall pl_vfork_child\n\txor %eax, %eax\n"
        "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\tret\n"
        "2:\tjmp fork@PLT\n"
        "\t.cfi_endproc\n.size pl_vfork_stub, .-pl_vfork_stub\n" PL_SLOT(vfork, pl_vfork_stub));
_Static_assert(SYS_vfork == 58, "the number above");

bool pl_vfork_begin(uint64_t pc)
{
    if (!pl_on() || pl_inside())
        return !pl_ready || pl_stage->process.coming == 0;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
    struct pl_thread *t = pl_thread_self();
    struct pl_exec_new new = {.what = PL_FOLLOWED_THROUGH};

    t->entry = NULL;
    pl_count_event(pc);
    make_child(t, &new, pc);
    pl_exec_lend(new.number);
    if (pl_free) {
        lender = t;
        pl_free_self = NULL;
        pl_free_borrows = true;
        return true;
    }
    pl_rollback_spoil(PL_RESTART_FORK, "it starts processes");
    pl_stage->process.child = pl_stage->process.borrowing = true;
    pl_active = false;
    return true;
}

static bool is_lent(void)
{
    return pl_ready && (pl_stage->process.borrowing || pl_free_borrows);
}

void pl_vfork_child(void)
{
    if (!is_lent())
        return;
    pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (!pl_free) {
        pl_kept_close();
        pl_fifo_forked();
    }
    pl_signal_handle_forked();
}

long pl_vfork_end(long pid)
{
    if (is_lent()) {
        if (pl_free) {
            pl_free_self = lender;
            pl_free_borrows = false;
        } else {
            pl_active = true;
            pl_stage->process.child = pl_stage->process.borrowing = false;
        }
        pl_exec_lent((int32_t)pid);
        pl_processes_rest();
    }
    if (pid < 0)
        errno = (int)-pid;
    return pid < 0 ? -1 : pid;
}

/* posix_spawn() and posix_spawnp(), under control or not. */
static int spawn(pl_exec_spawner *real, bool by_name, pid_t *pid, const char *path,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                 char *const argv[], char *const envp[])
{
    const uint64_t *entry = pl_entry();
    struct pl_thread *t = NULL;
    uint64_t pc = PL_ENTRY_PC;
    bool controlled = pl_begin(&t, &pc);
    char file[PATH_MAX];

    if (by_name) /* which is looked for */
        pl_exec_environment(pc);
    struct pl_exec_new new = {.file = pl_exec_file(path, by_name, file, sizeof(file))};
    pid_t made = 0;

    pl_exec_announce(path, argv, envp, pc);
    if (controlled && new.file != NULL) {
        if (pl_board->settings.company && pl_exec_can_pass(envp))
            new.what = pl_followed_program(new.file);
        make_child(t, &new, pc);
    }
    int rc = pl_exec_spawn(real, &new, &made, path, actions, attr, argv, envp);

    if (new.number != 0)
        pl_company_expected(new.number, rc == 0 ? made : 0);
    if (rc == 0 && pid != NULL) {
        pl_access_after(pid, sizeof(*pid), entry);
        *pid = made;
    }
    if (pl_on())
        pl_processes_rest();
    return rc;
}

PL_INTERPOSE(int, posix_spawn,
             (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attr, char *const argv[], char *const envp[]))
{
    return spawn(PL_FALLBACK(posix_spawn), false, pid, path, actions, attr, argv, envp);
}

PL_INTERPOSE(int, posix_spawnp,
             (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attr, char *const argv[], char *const envp[]))
{
    return spawn(PL_FALLBACK(posix_spawnp), true, pid, file, actions, attr, argv, envp);
}

PL_INTERPOSE(int, system, (const char *command))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    if (command != NULL && pl_call_wanted(who))
        pl_text_announce(command, PL_TEXT_WHOLE, who);
    if (command != NULL && pl_shell_made()) {
        pl_monitor_open();
        return pl_shell_run(command);
    }
    if (command != NULL)
        pl_exec_announce(NULL, NULL, pl_exec_environment(who.pc), who.pc);
    if (pl_begin(&t, &pc)) { /* without a command libc starts a shell to see whether there is one */
        pl_cancel_check(pc);
        make_child(t, &(struct pl_exec_new){.file = "sh"}, pc);
    }
    return PL_FALLBACK(system)(command);
}

PL_INTERPOSE(FILE *, popen, (const char *command, const char *type))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    /* What is wrong with its arguments libc says. */
    if (command != NULL && type != NULL && (type[0] == 'r' || type[0] == 'w') && pl_shell_made())
        return pl_shell_open(command, type);
    pl_exec_announce(command, NULL, pl_exec_environment(who.pc), who.pc);
    if (pl_begin(&t, &pc))
        make_child(t, &(struct pl_exec_new){.file = "sh"}, pc);
    return PL_FALLBACK(popen)(command, type);
}
