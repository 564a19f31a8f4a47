/* SPDX-License-Identifier: MIT */
/*
 * Accounts of the campaign: what an execution came to, who is told, what comes
 * next.  All of it on the board; whoever executes, keeper or runner, calls it
 * between two executions.
 */
#include "runtime/rt.h"

#include <linux/futex.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t pl_account_file_size(int fd)
{
    long n = pl_sys(SYS_lseek, fd, 0, SEEK_END);

    return n < 0 ? 0 : (uint64_t)n;
}

/* Copy the choices, thread names and output of the execution next to its finding. */
static void keep(struct pl_found *e)
{
    uint64_t n = pl_board->n_choices < PL_BOARD_CHOICES ? pl_board->n_choices : PL_BOARD_CHOICES;
    uint64_t choices = n * sizeof(struct pl_choice);
    uint64_t threads = pl_board->n_threads * sizeof(struct pl_thread_name);
    uint64_t at = (pl_board->store_used + 15) & ~UINT64_C(15);
    uint64_t output =
        pl_account_file_size(PL_FD_STDERR) < 65536 ? pl_account_file_size(PL_FD_STDERR) : 65536;

    if (at + choices + threads + output > PL_BOARD_STORE)
        return;
    e->choices_at = at;
    e->n_choices = n;
    pl_memory_copy(pl_board->store + at, pl_board->choices, choices);
    e->threads_at = at + choices;
    e->n_threads = pl_board->n_threads;
    pl_memory_copy(pl_board->store + e->threads_at, pl_board->threads, threads);
    e->output_at = e->threads_at + threads;
    long got = pl_sys(SYS_pread64, PL_FD_STDERR, pl_board->store + e->output_at, output, 0);

    e->output_size = got > 0 ? (uint64_t)got : 0;
    pl_board->store_used = e->output_at + e->output_size;
}

static void register_finding(void)
{
    uint32_t n = pl_board->n_found;

    pl_board->failures++;
    for (uint32_t i = 0; i < n; i++) {
        if (pl_board->found[i].finding.signature == pl_board->finding.signature &&
            pl_board->found[i].finding.kind == pl_board->finding.kind) {
            pl_board->found[i].count++;
            return;
        }
    }
    if (n == PL_BOARD_FINDINGS) {
        pl_board->found_lost++;
        return;
    }
    struct pl_found *e = &pl_board->found[n];

    *e = (struct pl_found){
        .finding = pl_board->finding,
        .count = 1,
        .execution = pl_board->execution,
        .points = (uint32_t)pl_board->execution_points,
    };
    keep(e);
    pl_board->n_found = n + 1; /* last: the tool reads the entry from now on */
}

/*
 * The classes seen, as a hash set that doubles when it is half full: with
 * capacity c it lies in slots c to 2c-1, so that memory grows with the number of
 * classes and not at random.
 */
enum { FIRST_CLASSES = 1024 };

/* True when the class was not in the set. */
static bool insert_class(uint64_t h)
{
    uint64_t capacity = pl_board->class_capacity;

    for (uint64_t i = pl_hash_mix(h);; i++) {
        uint64_t *slot = &pl_board->class_slots[capacity + i % capacity];

        if (*slot == h)
            return false;
        if (*slot == 0) {
            *slot = h;
            return true;
        }
    }
}

static void grow_classes(void)
{
    uint64_t old = pl_board->class_capacity;

    pl_board->class_capacity = old * 2;
    for (uint64_t i = old; i < old * 2; i++) {
        if (pl_board->class_slots[i] != 0)
            insert_class(pl_board->class_slots[i]);
    }
}

static void count_class(void)
{
    if (pl_board->class_capacity == 0)
        pl_board->class_capacity = FIRST_CLASSES;
    if (pl_board->classes >= pl_board->class_capacity / 2) {
        if (pl_board->class_capacity * 4 > PL_BOARD_CLASSES)
            pl_board->classes_overflow = true;
        else
            grow_classes();
    }
    if (!pl_board->classes_overflow && insert_class(pl_board->class_hash | 1))
        pl_board->classes++;
}

/* More memory is shared than was known: classes counted so far mean nothing. */
static void forget_classes(void)
{
    if (pl_board->classes > 0)
        pl_memory_fill(pl_board->class_slots, 0,
                       pl_board->class_capacity * 2 * sizeof(pl_board->class_slots[0]));
    pl_board->class_capacity = 0;
    pl_board->classes = 0;
    pl_board->restarts++;
}

void pl_account_finish(enum pl_why why)
{
    pl_board->why = why;
    pl_board->phase = PL_PHASE_FINISHED;
    pl_sys(SYS_futex, &pl_board->phase, FUTEX_WAKE, 16);
    pl_sys(SYS_exit_group, 0);
    __builtin_unreachable();
}

/* The execution is over and its outcome known: account for it, tell the strategy. */
void pl_account_settle(void)
{
    enum pl_outcome outcome = (enum pl_outcome)pl_board->outcome;
    bool grew = pl_board->shared_grew && !pl_board->settings.points_all;
    bool more;

    pl_board->ended = false;
    if (outcome == PL_OUTCOME_LOST) {
        pl_board->lost++;
        pl_stage->strategy->end(&pl_stage->context, outcome, false);
        return;
    }
    if (outcome == PL_OUTCOME_FINDING)
        register_finding();
    more = pl_stage->strategy->end(&pl_stage->context, outcome, grew);
    if (grew)
        forget_classes();
    else
        count_class();
    pl_board->points += pl_board->execution_points;
    pl_board->events += pl_board->execution_events;
    if (pl_board->n_decisions > pl_board->max_depth)
        pl_board->max_depth = pl_board->n_decisions;
    if (pl_board->n_decisions == 0 && !grew)
        more = false; /* nothing was decided: there is only this one execution */
    pl_board->executions++;
    if (!more) {
        pl_board->complete =
            (pl_stage->strategy->exhaustive || (pl_board->n_decisions == 0 && !grew)) &&
            !pl_board->unfair && !pl_board->divergence.happened &&
            (pl_stage->instrumented || pl_board->max_threads == 0);
        pl_account_finish(PL_WHY_COMPLETE);
    }
}

/* Begin the next execution, or end the campaign. */
void pl_account_plan(void)
{
    const struct pl_settings *s = &pl_board->settings;

    if (pl_board->n_found > 0 && !s->keep_going)
        pl_account_finish(PL_WHY_FINDING);
    if (pl_board->stop)
        pl_account_finish(PL_WHY_STOPPED);
    if (s->executions != 0 && pl_board->executions >= s->executions)
        pl_account_finish(PL_WHY_EXECUTIONS);
    pl_board->execution = pl_board->executions + 1;
    pl_board->n_choices = pl_board->n_decisions = 0;
    pl_board->n_events = 0;
    pl_board->shared_grew = false;
    pl_board->dying_signal = 0;
    pl_board->dying_status = -1;
    pl_board->execution_points = pl_board->execution_events = 0;
    pl_board->class_hash = 0;
    pl_board->divergence = (struct pl_divergence){0};
    pl_board->finding = (struct pl_finding){.pc = 0, .tid = PL_TID_NONE};
    pl_board->n_threads = 1;
    pl_board->threads[0] =
        (struct pl_thread_name){.name = pl_thread_by_id(0)->name, .parent = PL_TID_NONE};
    pl_stage->strategy->begin(&pl_stage->context, pl_board->execution);
    pl_board->outcome = PL_OUTCOME_RUNNING;
    pl_board->begun++;
    pl_board->ended = true;
    pl_board->phase = PL_PHASE_RUNNING;
}

/* First time in this campaign: let the strategy look at its parameters. */
void pl_account_start(void)
{
    const char *bad = pl_stage->strategy == NULL ? pl_board->error : NULL;

    if (bad == NULL && !pl_board->started)
        bad = pl_stage->strategy->start(&pl_stage->context);
    pl_board->started = true;
    if (bad == NULL)
        return;
    if (bad != pl_board->error)
        pl_text_copy(pl_board->error, sizeof(pl_board->error), bad);
    pl_account_finish(PL_WHY_ERROR);
}

/* The tool compares the output or runs the user's check. */
static void ask_tool(void)
{
    pl_board->output_size = pl_account_file_size(PL_FD_STDOUT);
    pl_board->check_status = 0;
    pl_board->phase = PL_PHASE_CHECK;
    pl_sys(SYS_futex, &pl_board->phase, FUTEX_WAKE, 16);
    while (pl_board->check_status == 0)
        pl_sys(SYS_futex, &pl_board->check_status, FUTEX_WAIT, 0, 0);
    pl_board->phase = PL_PHASE_RUNNING;
    if (pl_board->check_status != 2)
        return;
    struct pl_finding *f = &pl_board->finding;

    f->kind = PL_FINDING_OUTPUT;
    pl_text_copy(f->text, sizeof(f->text), pl_board->check_text);
    f->pc = 0;
    f->tid = PL_TID_NONE;
    f->signature = pl_hash_add(PL_FINDING_OUTPUT, pl_hash_text(f->text));
    pl_board->outcome = PL_OUTCOME_FINDING;
}

static void ended_by_itself(int status)
{
    struct pl_finding *f = &pl_board->finding;

    pl_board->outcome = PL_OUTCOME_DONE;
    if ((pl_board->settings.exit_fine[status / 8] >> (status % 8) & 1) != 0 ||
        !pl_report_wants(PL_DETECT_EXIT)) {
        if (pl_board->settings.judged)
            ask_tool();
        return;
    }
    f->kind = PL_FINDING_EXIT;
    f->status = (int16_t)status;
    pl_text_format(f->text, sizeof(f->text), "the program ended with exit status %d", status);
    f->signature = pl_hash_add(PL_FINDING_EXIT, (uint64_t)status);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

/* A signal killed the runner, and its handler did not come to report it. */
static void killed_by(int signo)
{
    struct pl_finding *f = &pl_board->finding;

    if (signo == SIGKILL && pl_board->dying_signal != SIGKILL) {
        pl_board->outcome = PL_OUTCOME_LOST;
        return;
    }
    f->kind = PL_FINDING_CRASH;
    f->signal = (uint8_t)signo;
    pl_text_format(f->text, sizeof(f->text), "%s killed the program (signal %d)",
                   pl_process_signal_name(signo), signo);
    f->signature = pl_hash_add(PL_FINDING_CRASH, (uint64_t)signo + 1000);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

static void hung(void)
{
    struct pl_finding *f = &pl_board->finding;

    f->kind = PL_FINDING_HANG;
    pl_text_format(f->text, sizeof(f->text), "the execution takes longer than %lu ms",
                   pl_board->settings.hang_ms);
    f->signature = pl_hash_add(PL_FINDING_HANG, 2);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

void pl_account_judge(int status)
{
    if (pl_board->outcome != PL_OUTCOME_RUNNING) {
        if (pl_board->outcome == PL_OUTCOME_DONE && pl_board->settings.judged)
            ask_tool();
    } else if (status == PL_WORKER_HUNG) {
        hung();
    } else if (WIFSIGNALED(status)) {
        killed_by(WTERMSIG(status));
    } else {
        ended_by_itself(WEXITSTATUS(status));
    }
}
