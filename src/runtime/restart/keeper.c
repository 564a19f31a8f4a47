/* SPDX-License-Identifier: MIT */
/*
 * Keeper and runner: one execution after the other.
 *
 * At the root (the first thread creation, or the first choice) the worker turns
 * into the keeper.  For each execution it forks a runner, which returns from
 * the call that led here and executes; the keeper waits, judges how it ended
 * and plans the next.  A crash costs one runner.  With rollback (rollback.h) a
 * runner makes many executions and keeps the accounts itself meanwhile.
 *
 * With restart by exec each process makes one execution, and settles the one
 * before when it starts.
 */
#include "runtime/restart/keeper.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/pace.h"
#include "runtime/campaign/account.h"
#include "runtime/core/company.h"
#include "runtime/core/fiber.h"
#include "runtime/core/observer.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/free/free.h"
#include "runtime/ground/about.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/carried.h"
#include "runtime/restart/copy.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/runner.h"
#include "runtime/restart/shared.h"
#include "runtime/restart/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    AHEAD = 16,      /* threads that an execution may have, as long as none has shown how many */
    LOOKS = 16,      /* at the runner within the time an execution may take */
    ANSWER_MS = 5000 /* for it to say where its threads are */
};

/*
 * The keeper has the number that the program knows as its own, so that whoever sends a signal
 * there means the runner.
 */
static struct {
    uint64_t before; /* mask of the program */
    long fd;         /* by which they are read */
} mail = {.fd = -1};

static void collect_signals(void)
{
    uint64_t own = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1) |
                   UINT64_C(1) << (SIGILL - 1) | UINT64_C(1) << (SIGFPE - 1) |
                   UINT64_C(1) << (SIGSYS - 1) | UINT64_C(1) << (SIGTRAP - 1) |
                   UINT64_C(1) << (SIGCHLD - 1) | UINT64_C(1) << (SIGRTMAX - 1);
    uint64_t all = ~own;

    pl_sys(SYS_rt_sigprocmask, SIG_BLOCK, &all, &mail.before, 8);
    long fd = pl_sys(SYS_signalfd4, -1, &all, 8, O_CLOEXEC | O_NONBLOCK);

    mail.fd = fd < 0 ? -1 : pl_fd_aside(fd);
    if (fd >= 0)
        pl_sys(SYS_close, fd);
}

/* In the runner, and in the keeper when it goes on itself. */
static void receive_signals(void)
{
    if (mail.fd >= 0)
        pl_fd_close(mail.fd);
    mail.fd = -1;
    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &mail.before, NULL, 8);
}

static void forward(pid_t runner)
{
    struct signalfd_siginfo s;

    while (pl_sys(SYS_read, mail.fd, &s, sizeof(s)) == sizeof(s)) {
        siginfo_t info = {.si_signo = (int)s.ssi_signo, .si_code = SI_QUEUE};

        info.si_pid = (pid_t)s.ssi_pid;
        info.si_uid = (uid_t)s.ssi_uid;
        info.si_value.sival_ptr = (void *)s.ssi_ptr;
        if (s.ssi_code == SI_QUEUE) /* of others the kernel lets nobody tell more */
            pl_sys(SYS_rt_sigqueueinfo, runner, s.ssi_signo, &info);
        else
            pl_sys(SYS_kill, runner, s.ssi_signo);
    }
}

/* The process, whose end is awaited for at most `ms`. */
static bool has_ended(struct pollfd p[2], int ms, pid_t runner)
{
    long ready;

    while ((ready = pl_sys(SYS_poll, p, mail.fd >= 0 ? 2 : 1, ms)) == -EINTR ||
           (ready > 0 && p[0].revents == 0))
        forward(runner);
    return ready != 0;
}

/*
 * Wait for the runner.  One whose execution hangs is asked where it is, then
 * killed; one that is too slow is asked to give up.
 */
static int wait_for_runner(pid_t pid)
{
    struct pollfd p[2] = {{.fd = (int)pl_sys(SYS_pidfd_open, pid, 0), .events = POLLIN},
                          {.fd = (int)mail.fd, .events = POLLIN}};
    uint64_t limit = pl_board->settings.hang_ms;
    uint64_t step = limit < LOOKS ? 1 : limit / LOOKS > INT32_MAX ? INT32_MAX : limit / LOOKS;
    enum pl_pace_verdict verdict = PL_PACE_FINE;
    struct pl_pace pace = {0};
    struct rusage used = {0};
    int status = 0;
    bool late = false;

    PL_ASSERT(pid > 0 && step > 0);
    pl_pace_look(&pace, pl_board, pid, limit);
    while (verdict == PL_PACE_FINE && !has_ended(p, (int)step, pid))
        verdict = pl_pace_look(&pace, pl_board, pid, limit);
    if (verdict != PL_PACE_FINE) {
        if (verdict == PL_PACE_SLOW)
            pl_board->given_up = pace.begun;
        pl_real.kill(pid, SIGRTMAX);
        late = !has_ended(p, ANSWER_MS, pid);
        if (late)
            pl_real.kill(pid, SIGKILL);
    }
    while (pl_sys(SYS_wait4, pid, &status, 0, &used) == -EINTR) {
    }
    pl_board->took_cpu_ns = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
                            (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
    if (p[0].fd >= 0)
        pl_sys(SYS_close, p[0].fd);
    return late ? PL_WORKER_HUNG : status;
}

void pl_keeper_look_at_files(void)
{
    bool open[PL_FDS_MAX];
    siginfo_t child;
    struct stat st;
    int waiting;

    pl_stage->restart.has_children =
        pl_sys(SYS_waitid, P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT, 0) != -ECHILD;
    pl_about_open(open, PL_FDS_MAX);
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (pl_stage->root_fds[fd].open) /* of a root before; others are not touched for nothing */
            pl_stage->root_fds[fd] = (struct pl_root_fd){0};
        if (!open[fd] || pl_sys(SYS_fstat, fd, &st) != 0)
            continue;
        long at = pl_undo_is_captured(&st) ? -1 : pl_sys(SYS_lseek, fd, 0, SEEK_CUR);

        pl_stage->root_fds[fd].open = true;
        pl_stage->root_fds[fd].device = st.st_dev;
        pl_stage->root_fds[fd].inode = st.st_ino;
        pl_stage->root_fds[fd].flags = pl_sys(SYS_fcntl, fd, F_GETFL);
        pl_stage->root_fds[fd].used = at >= 0;
        pl_stage->root_fds[fd].offset = at;
        waiting = 1;
        pl_stage->root_fds[fd].empty_pipe =
            S_ISFIFO(st.st_mode) && !pl_stage->restart.has_children &&
            pl_sys(SYS_ioctl, fd, FIONREAD, &waiting) == 0 && waiting == 0;
    }
    pl_ports.process->rooted();
}

/* Positions in files and empty pipes, which runners share with the keeper. */
static void remember_files(void)
{
    pl_board->root_output_size = pl_account_file_size(pl_fd(PL_FD_STDOUT));
    pl_stage->restart.error_size = pl_account_file_size(pl_fd(PL_FD_STDERR));
    pl_keeper_look_at_files();
}

static void restore_files(void)
{
    pl_journal_undo();
    pl_shared_restore(); /* which may be in such files */
    pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDOUT), pl_board->root_output_size);
    pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDERR), pl_stage->restart.error_size);
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (pl_stage->root_fds[fd].used)
            pl_sys(SYS_lseek, fd, pl_stage->root_fds[fd].offset, SEEK_SET);
        if (pl_stage->root_fds[fd].empty_pipe)
            pl_undo_drain(fd);
        if (pl_stage->root_fds[fd].open &&
            pl_sys(SYS_fcntl, fd, F_GETFL) != pl_stage->root_fds[fd].flags)
            pl_sys(SYS_fcntl, fd, F_SETFL, pl_stage->root_fds[fd].flags);
    }
}

/*
 * Runners are children of the keeper, not of the program: its handler is not to hear of them,
 * and what it says about its own children is not to take away how they ended.
 */
static struct pl_kernel_action on_child;

static void hide_runners(void)
{
    struct pl_kernel_action none = {0};

    pl_sys(SYS_rt_sigaction, SIGCHLD, &none, &on_child, 8);
}

static void show_children(void)
{
    pl_sys(SYS_rt_sigaction, SIGCHLD, &on_child, NULL, 8);
}

/*
 * libc notes the number of the forked thread in its descriptor, and knows by it who holds its own
 * recursive locks.  If the program has come to the root with one of them held, say the loader's in
 * the constructor of a library, it belongs to the number that the thread had in the keeper: that
 * stays.  Which word it is shows in that it was the one number before and is the other now.
 */
struct descriptor {
    int32_t words[512]; /* fewer than it has */
};

static int32_t *own_descriptor(void)
{
    int32_t *self;

    __asm__("mov %%fs:0x10, %0" : "=r"(self));
    return self;
}

static void keep_number(const struct descriptor *before, pid_t keeper)
{
    int32_t *now = own_descriptor(), own = (int32_t)pl_sys(SYS_gettid);
    unsigned n = sizeof(before->words) / sizeof(before->words[0]);

    for (unsigned i = 0; i < n; i++) {
        if (before->words[i] == keeper && now[i] == own)
            now[i] = keeper;
    }
}

static void become_runner(pid_t keeper)
{
    PL_ASSERT(!pl_stage->restart.runner && pl_stage->rooted);
    pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (pl_sys(SYS_getppid) != keeper)
        pl_sys(SYS_exit_group, 0);
    pl_board->runner_pid = (int32_t)pl_sys(SYS_getpid);
    pl_stage->restart.runner = true;
    pl_thread_by_id(0)->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    if (pl_native)
        pl_ports.adopt(keeper);
    show_children();
    pl_copy_complete();
    receive_signals();
    pl_ports.process->watch_time();
    pl_free_begin();
}

/* Files that only the program sees can be put back: it begins again with such, at full speed. */
__attribute__((noreturn)) static void cover_files(void)
{
    restore_files();
    pl_board->restart_wish = pl_board->restart;
    pl_board->restart_why[0] = '\0';
    pl_board->phase = PL_PHASE_RUNNING;
    pl_sys(SYS_exit_group, 0); /* the tool starts the next process */
    __builtin_unreachable();
}

/* The runner has met what its restart cannot undo: go over to one that can, or give up. */
static void change_restart(void)
{
    if (pl_board->restart_wish <= pl_board->restart)
        return;
    if (pl_board->covered && pl_board->may_cover)
        cover_files();
    PL_ASSERT(pl_board->restart_wish <= PL_RESTART_EXEC);
    if (pl_stage->restart.testing && pl_board->restart_wish == PL_RESTART_EXEC) {
        pl_board->error_class = PL_ERR_TARGET;
        pl_text_format(pl_board->error, sizeof(pl_board->error),
                       "plait_test() cannot start the program anew for each execution, but must: "
                       "%s. Test a whole program instead.",
                       pl_board->restart_why);
        pl_account_finish(PL_WHY_ERROR);
    }
    if (pl_board->settings.restart_forced) {
        pl_board->error_class = PL_ERR_TARGET;
        pl_text_format(pl_board->error, sizeof(pl_board->error),
                       "--restart %s does not suit this program: %s. Leave the option out, or "
                       "give --restart %s.",
                       pl_restart_texts[pl_board->restart], pl_board->restart_why,
                       pl_restart_texts[pl_board->restart_wish]);
        pl_account_finish(PL_WHY_ERROR);
    }
    pl_board->restart = pl_board->restart_wish;
    if (pl_board->restart == PL_RESTART_EXEC) {
        pl_board->phase = PL_PHASE_RUNNING;
        pl_sys(SYS_exit_group, 0); /* the tool starts the next process */
    }
}

/* What only a new process can give back. */
static void need_exec(void)
{
    const char *why = NULL;

    if (pl_stage->restart.has_children)
        why = "it starts processes before its first thread";
    else if (pl_board->settings.carrier != PL_CARRIER_FIBER && pl_stage->n_alive > 1)
        why = "it has threads before plait_begin()";
    else
        why = pl_copy_begin();
    if (why == NULL)
        return;
    pl_board->restart_wish = PL_RESTART_EXEC;
    pl_text_copy(pl_board->restart_why, sizeof(pl_board->restart_why), why);
    change_restart();
}

/* Where the keeper goes on when plait_test() has seen enough. */
static void *escape[5];

__attribute__((noreturn)) static void escape_section(void)
{
    PL_ASSERT(pl_stage->restart.testing && !pl_stage->restart.runner);
    __builtin_longjmp(escape, 1);
}

/* One runner has ended; so has its last execution, unless it was between two. */
static void after_runner(int status)
{
    static unsigned lost_in_a_row;

    PL_ASSERT(!pl_stage->restart.runner);
    pl_company_settle();
    if (pl_board->phase == PL_PHASE_FINISHED)
        pl_sys(SYS_exit_group, 0);
    if (pl_stage->restart.testing && pl_board->section_over)
        escape_section();
    if (pl_board->why == PL_WHY_ERROR) /* an assertion failed in the runner */
        pl_account_finish(PL_WHY_ERROR);
    if (pl_board->unsettled) {
        pl_account_judge(status);
        lost_in_a_row = pl_board->outcome == PL_OUTCOME_LOST ? lost_in_a_row + 1 : 0;
        if (lost_in_a_row > 3) {
            pl_board->error_class = PL_ERR_SYSTEM;
            pl_text_copy(pl_board->error, sizeof(pl_board->error),
                         "something outside kills the program again and again; is memory short?");
            pl_account_finish(PL_WHY_ERROR);
        }
        pl_account_settle();
    }
    change_restart();
    pl_carried_change();
}

/*
 * What threads are made of, before there are any: to make one takes a lock of the loader, which a
 * thread that loads a library may hold while others go on.  OS threads are made where they are
 * to run, once their system calls are shown.
 */
static void make_threads_ahead(enum pl_carrier carrier)
{
    unsigned known = (unsigned)pl_board->max_threads;
    unsigned all = known > 1 ? known : pl_board->threads_foreseen;
    unsigned n = all > 0 ? all - 1 : AHEAD;

    if (pl_board->settings.carrier == carrier && !pl_free && !pl_native)
        pl_fiber_reserve((unsigned)pl_stage->fibers.next + n);
}

/* True in a runner, once per execution; false in the keeper, after plait_test(). */
static bool loop(void)
{
    pid_t self = (pid_t)pl_sys(SYS_getpid);

    if (pl_stage->restart.testing && __builtin_setjmp(escape) != 0) {
        pl_shared_restore();
        show_children();
        pl_copy_end();
        receive_signals();
        return false;
    }

    /* OS threads cannot be put back, nor can other processes. */
    if ((pl_board->settings.carrier != PL_CARRIER_FIBER || pl_board->settings.company) &&
        pl_board->restart == PL_RESTART_ROLLBACK)
        pl_board->restart = PL_RESTART_FORK;
    remember_files();
    pl_shared_forget();
    need_exec();
    make_threads_ahead(PL_CARRIER_FIBER);
    hide_runners();
    collect_signals();
    for (;;) {
        pl_account_plan();
        restore_files();
        pl_shadow_apply();
        if (pl_board->settings.carrier == PL_CARRIER_FIBER && pl_board->max_threads > 1)
            pl_fiber_reserve((unsigned)pl_board->max_threads - 1);
        pl_runner_prepare();
        PL_ASSERT(pl_board->unsettled && pl_board->outcome == PL_OUTCOME_RUNNING);
        struct descriptor before;

        pl_memory_copy(&before, own_descriptor(), sizeof(before));
        pid_t pid = pl_real._Fork();

        if (pid == 0) {
            become_runner(self);
            if (!pl_free)
                keep_number(&before, self);
            pl_runner_begin();
            make_threads_ahead(PL_CARRIER_THREAD);
            return true;
        }
        if (pid < 0) {
            pl_board->error_class = PL_ERR_SYSTEM;
            pl_text_copy(pl_board->error, sizeof(pl_board->error),
                         "fork failed; are there too many processes?");
            pl_account_finish(PL_WHY_ERROR);
        }
        after_runner(wait_for_runner(pid));
    }
}

/*
 * Events of the running thread are counted from here: what came before may depend on the
 * environment and on how long a path is, and a schedule has to fit all the same.  Others, from
 * before plait_begin(), go on: which of their accesses they stand at is not the same in a replay.
 */
static void count_from_here(void)
{
    struct pl_thread *t = pl_thread_self();

    t->op.ordinal = 0;
    t->ordinal = 1;
    t->n_changed = 0;
    t->spin.armed = false;
    pl_stage->fresh_since = 1;
    pl_stage->digest = pl_stage->course = 0;
}

/* True where an execution begins; false in the keeper, when plait_test() is over. */
bool pl_keeper_root_here(void)
{
    bool runner = true;

    PL_ASSERT(pl_active && !pl_stage->rooted && !pl_stage->restart.runner);
    pl_stage->rooted = true;
    pl_enter();
    count_from_here();
    pl_board->root_events = pl_board->execution_events;
    pl_inputs_root();
    pl_account_start();
    pl_observer_root();
    pl_watched_open_handlers(); /* for all runners to come */
    /* What free threads do to the system is not seen, so that nobody could tell whether a copy
     * would do. */
    if (pl_free && !pl_board->settings.restart_forced && !pl_stage->restart.testing)
        pl_board->restart = PL_RESTART_EXEC;
    if (pl_board->restart == PL_RESTART_EXEC) {
        remember_files();
        pl_account_plan();
        pl_shadow_apply();
        pl_stage->restart.runner = true;
        pl_board->runner_pid = (int32_t)pl_sys(SYS_getpid);
        pl_thread_by_id(0)->free.os_tid = (int32_t)pl_sys(SYS_gettid);
        pl_ports.process->watch_time();
        pl_free_begin();
        make_threads_ahead(PL_CARRIER_FIBER);
        pl_runner_watch();
        make_threads_ahead(PL_CARRIER_THREAD);
    } else {
        /* A worker that was killed has left its execution unfinished: it is done again. */
        if (pl_board->unsettled) {
            pl_board->outcome = PL_OUTCOME_LOST;
            pl_account_settle();
        }
        runner = loop();
    }
    pl_leave();
    return runner;
}

void pl_keeper_root(void)
{
    if (pl_stage->rooted || !pl_active || pl_stage->restart.marked)
        return;
    PL_ASSERT(pl_stage->process.coming == 0); /* which has another port */
    if (pl_board->settings.section != 0) {
        pl_board->error_class = PL_ERR_USER;
        pl_text_copy(pl_board->error, sizeof(pl_board->error),
                     "--section is about calls of plait_test(), and the program has none.");
        pl_account_finish(PL_WHY_ERROR);
    }
    pl_keeper_root_here();
}

/* A new process of restart by exec: settle what the one before has left. */
void pl_keeper_resume_exec(void)
{
    bool unsettled = pl_board->unsettled;

    /* Of a process whose end nobody saw only this is known: it did not end by itself. */
    if (unsettled) {
        pl_account_judge(pl_board->worker_status == PL_WORKER_NONE ? SIGKILL
                                                                   : pl_board->worker_status);
        pl_account_settle();
    }
    pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDOUT),
           0); /* of a process before, settled by its keeper or here */
    pl_sys(SYS_ftruncate, pl_fd(PL_FD_STDERR), 0);
    if (unsettled && pl_account_over())
        pl_account_plan(); /* which ends the campaign */
    pl_board->execution_events = 0;
}

/* Something is found before the root: this process is the one and only execution. */
static void begin_here(void)
{
    PL_ASSERT(!pl_stage->rooted);
    pl_stage->rooted = true;
    pl_account_start();
    if (pl_board->unsettled)
        return;
    pl_inputs_root();
    pl_account_plan();
    pl_stage->restart.alone = true;
}

/* The execution ends here and now, whatever the program was about to do. */
__attribute__((noreturn)) static void end(enum pl_outcome outcome)
{
    PL_ASSERT(outcome != PL_OUTCOME_RUNNING);
    if (outcome != PL_OUTCOME_LOST) /* one that is made again has not ended here */
        pl_sched_last();
    pl_board->outcome = outcome;
    if (pl_stage->process.number != 0) { /* it ends for all of them */
        pl_company_end();
        pl_sys(SYS_exit_group, 0);
    }
    if (pl_stage->restart.alone) {
        pl_account_settle();
        pl_account_finish(PL_WHY_FINDING);
    }
    pl_runner_end(0);
    pl_sys(SYS_exit_group, 0);
    __builtin_unreachable();
}

/* ---- what the lower rooms ask ---- */

const struct pl_restart_port pl_restart_port = {
    .root = pl_keeper_root,
    .begin_here = begin_here,
    .end = end,
    .offer = pl_checkpoint_offer,
    .spoil = pl_rollback_spoil,
    .touch = pl_rollback_touch,
    .commit = pl_rollback_commit,
    .open_large = pl_rollback_open_large,
    .is_hot = pl_rollback_is_hot,
    .guard = pl_undo_guard,
    .opened = pl_undo_opened,
    .watch = pl_watch_begin,
    .watch_again = pl_watch_again,
    .escape = escape_section,
};
