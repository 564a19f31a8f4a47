/* SPDX-License-Identifier: MIT */
/* See slot.h. */
#include "engine/worker/slot.h"

#include "base/assert.h"
#include "engine/shared/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FRUITLESS_MAX = 5,
    KEEPER_GRACE_MS = 10000, /* a keeper kills a hung runner itself; this much later we do */
    ANSWER_MS = 2000,        /* time for the runtime to say where a hung program is */
    LOOK_MS = 50,            /* between two looks at a program */
    AWAY_MS = 1000,          /* what the tool does besides should not take so long */
};

static int memory_file(const char *name, int flags)
{
    int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd >= 0 && flags != 0)
        fcntl(fd, F_SETFL, flags);
    return fd;
}

int pl_slot_open(struct pl_slot *slot, struct pl_common *common,
                 const struct pl_worker_files *shared, unsigned number,
                 const struct pl_settings *settings, struct pl_err *err)
{
    void *at = MAP_FAILED;

    PL_ASSERT(common != NULL && number < common->n_workers);
    *slot = (struct pl_slot){.common = common, .worker = pl_worker_none()};
    slot->files = *shared;
    slot->files.board = memory_file("plait-board", 0);
    slot->files.out = memory_file("plait-stdout", O_APPEND);
    slot->files.err = memory_file("plait-stderr", O_APPEND);
    if (slot->files.board >= 0 && slot->files.out >= 0 && slot->files.err >= 0 &&
        ftruncate(slot->files.board, sizeof(struct pl_board)) == 0)
        at = mmap(NULL, sizeof(struct pl_board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                  slot->files.board, 0);
    if (at == MAP_FAILED)
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "shared memory could not be made: %s. plait needs %zu MB of address "
                          "space for each job; see ulimit -v and -f.",
                          strerror(errno), sizeof(struct pl_board) >> 20);
    slot->board = at;
    slot->board->magic = PL_BOARD_MAGIC;
    slot->board->version = PL_BOARD_VERSION;
    slot->board->size_of_board = sizeof(struct pl_board);
    slot->board->slot = number;
    slot->board->settings = *settings;
    slot->board->restart = settings->restart;
    slot->board->worker_status = PL_WORKER_NONE;
    return 0;
}

/* Whether a process has the board of this slot: no other one that has the number by now does. */
static bool has_board(const struct pl_slot *slot, pid_t pid)
{
    struct stat own, its;
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, pl_worker_fd(PL_WORKER_FD_BOARD));
    return fstat(slot->files.board, &own) == 0 && stat(path, &its) == 0 &&
           own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

/* The worker, and what it has forked: one that has left its group is not reached with that. */
static int reap(struct pl_slot *slot)
{
    int status = pl_worker_reap(&slot->worker);
    const struct pl_company *c = slot->board != NULL ? &slot->board->company : NULL;

    for (uint32_t i = 0; c != NULL && i < c->n && i < PL_COMPANY_MOST; i++) {
        pid_t pid = c->processes[i].pid;

        if (pid > 1 && c->processes[i].state == PL_COMPANY_RUNS && has_board(slot, pid)) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0); /* the tool has adopted it */
        }
    }
    return status;
}

void pl_slot_close(struct pl_slot *slot)
{
    const int fds[] = {slot->files.board, slot->files.out, slot->files.err};

    reap(slot);
    pl_worker_close(&slot->worker);
    for (unsigned i = 0; i < 3; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    if (slot->board != NULL)
        munmap(slot->board, sizeof(struct pl_board));
    slot->board = NULL;
    slot->files = (struct pl_worker_files){-1, -1, -1, -1, -1};
}

int pl_slot_start(struct pl_slot *slot, struct pl_err *err)
{
    PL_ASSERT(slot->board != NULL && slot->target != NULL && !slot->finished);
    struct pl_target target = *slot->target;

    slot->at_start = slot->board->executions;
    if ((target.kept && slot->starts++ > 0) || slot->board->covered)
        target.files = "overlay";
    slot->board->own_files = strcmp(target.files, "real") != 0;
    slot->board->may_cover = target.may_cover && !slot->board->covered;
    target.apart = slot->board->parted;
    slot->board->may_part = target.beside && slot->board->own_files && !target.apart;
    if (pl_worker_start(&slot->worker, &target, slot->board->slot, &slot->files, slot->cpu, err) !=
        0)
        return -1;
    slot->pace = (struct pl_pace){0};
    slot->asked_ms = 0;
    return 0;
}

/* What the program said last on standard error: often the reason why it did not start. */
static void quote_stderr(const struct pl_slot *slot, char *to, size_t size)
{
    char said[200];
    ssize_t n = pread(slot->files.err, said, sizeof(said) - 1, 0);

    to[0] = '\0';
    if (n <= 0)
        return;
    said[n] = '\0';
    said[strcspn(said, "\n")] = '\0';
    snprintf(to, size, " It said: %s", said);
}

static int explain_early_end(const struct pl_slot *slot, int status, struct pl_err *err)
{
    const char *path = slot->target->program.path;
    const struct pl_board *board = slot->board;
    char said[240], how[64];

    quote_stderr(slot, said, sizeof(said));
    if (WIFSIGNALED(status))
        snprintf(how, sizeof(how), "was killed by signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof(how), "exited with %d", WEXITSTATUS(status));
    if (board->error[0] != '\0')
        return pl_err_set(err, PL_ERR_TARGET, "%s", board->error);
    if (board->keeper_pid == 0)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s %s before plait had it under control. Try it by itself.%s", path, how,
                          said);
    if (board->phase == PL_PHASE_START)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s %s without having created a thread, so there was nothing to "
                          "explore. Give it arguments that make it use threads.%s",
                          path, how, said);
    return pl_err_set(err, PL_ERR_TARGET,
                      "%d workers of %s in a row finished no execution; the last one %s. "
                      "Is memory short, or does something kill them?%s",
                      FRUITLESS_MAX, path, how, said);
}

/* The campaign is over and this worker had nothing in hand that it still has to do. */
static bool is_needless(const struct pl_slot *slot)
{
    uint32_t why = slot->common->why;

    return why != PL_WHY_NONE && (why != PL_WHY_EXECUTIONS || !slot->board->in_hand);
}

int pl_slot_end(struct pl_slot *slot, bool hung, struct pl_err *err)
{
    struct pl_board *board = slot->board;
    int status = reap(slot);
    bool idle = board->phase == PL_PHASE_IDLE;
    bool started = board->phase != PL_PHASE_START;
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; /* not its own fault */
    bool parts = board->may_part && board->parted;

    PL_ASSERT(!slot->finished && slot->worker.pid == 0);
    pl_common_recover(slot->common, board);
    if (board->phase == PL_PHASE_FINISHED)
        pl_common_end(slot->common, (enum pl_why)board->why); /* a bug of ours ends without it */
    slot->finished = board->phase == PL_PHASE_FINISHED || is_needless(slot);
    if (slot->finished)
        return 0;
    if (!started && !killed && !parts)
        return explain_early_end(slot, status, err);
    slot->fruitless = idle || board->executions > slot->at_start ? 0 : slot->fruitless + 1;
    if (slot->fruitless > FRUITLESS_MAX)
        return explain_early_end(slot, status, err);
    board->worker_status = hung ? PL_WORKER_HUNG : status;
    if (started)
        board->phase = PL_PHASE_RUNNING; /* it asks nothing any more */
    return 0;
}

void pl_slot_answer(_Atomic uint32_t *question, uint32_t answer)
{
    PL_ASSERT(answer != 0); /* which is what whoever asks waits with */
    *question = answer;
    syscall(SYS_futex, question, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int pl_slot_judge(struct pl_slot *slot, struct pl_err *err)
{
    struct pl_board *board = slot->board;

    if (slot->judge == NULL || slot->unjudged || board->phase != PL_PHASE_CHECK ||
        board->check_status != PL_ANSWER_PENDING)
        return 0;
    enum pl_verdict verdict = pl_judge_output(slot->judge, slot->files.out, board->check_text,
                                              sizeof(board->check_text), &board->check_which);

    if (verdict == PL_VERDICT_FAILED)
        return pl_err_set(err, PL_ERR_USER, "%s. Try it by hand.", board->check_text);
    slot->unjudged = verdict == PL_VERDICT_NONE;
    if (slot->unjudged)
        return 0; /* whoever asks is ended */
    pl_slot_answer(&board->check_status, verdict == PL_VERDICT_FINE ? PL_ANSWER_YES : PL_ANSWER_NO);
    return 0;
}

/* Who does the work: with restart by exec, and up to the root, the process that we have started. */
static int32_t working_pid(const struct pl_slot *slot)
{
    const struct pl_board *board = slot->board;
    bool own = board->restart == PL_RESTART_EXEC || board->phase == PL_PHASE_START;

    return own || board->runner_pid == 0 ? slot->worker.pid : board->runner_pid;
}

/* How long that is too long here; a keeper has looked at its runner itself long before. */
static uint64_t limit_of(const struct pl_slot *slot)
{
    uint64_t limit = slot->board->settings.hang_ms;

    return slot->board->restart == PL_RESTART_EXEC || slot->board->phase == PL_PHASE_START
               ? limit
               : 2 * limit + KEEPER_GRACE_MS;
}

/* Before its root nothing is an execution: all time counts. */
static enum pl_pace_verdict look(struct pl_slot *slot)
{
    const struct pl_board *board = slot->board;
    int32_t pid = working_pid(slot);

    if (board->phase != PL_PHASE_START)
        return pl_pace_look(&slot->pace, board, pid, limit_of(slot));
    slot->pace.all_ns += pl_patience_look(&slot->pace.patience, pid);
    return slot->pace.all_ns >= limit_of(slot) * 1000000 ? PL_PACE_HANGS : PL_PACE_FINE;
}

/* Ask the runtime where the program is, or to give up; if it does not answer, kill it. */
static int end_hung(struct pl_slot *slot, enum pl_pace_verdict verdict, struct pl_err *err)
{
    if (slot->board->phase == PL_PHASE_START)
        return pl_err_set(err, PL_ERR_TARGET,
                          "%s created no thread within %.6g seconds. If it needs longer to begin, "
                          "raise --hang-time.",
                          slot->target->program.path, (double)slot->board->settings.hang_ms / 1000);
    if (slot->board->restart != PL_RESTART_EXEC)
        return pl_slot_end(slot, true, err);
    if (verdict == PL_PACE_SLOW)
        slot->board->given_up = slot->pace.begun;
    slot->asked_ms = pl_clock_ms();
    kill(slot->worker.pid, SIGRTMAX);
    return 0;
}

int pl_slot_watch(struct pl_slot *slot, struct pl_err *err)
{
    uint64_t now = pl_clock_ms();

    PL_ASSERT(slot->worker.pid != 0);
    if (now - slot->looked_ms < LOOK_MS)
        return 0;
    if (now - slot->looked_ms > AWAY_MS)
        slot->pace.patience.pid = 0; /* the worker may have waited for us */
    slot->looked_ms = now;
    if (slot->asked_ms != 0)
        return now - slot->asked_ms > ANSWER_MS ? pl_slot_end(slot, true, err) : 0;
    enum pl_pace_verdict verdict = look(slot);

    return verdict != PL_PACE_FINE ? end_hung(slot, verdict, err) : 0;
}
