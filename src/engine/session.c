/* SPDX-License-Identifier: MIT */
/*
 * See session.h.
 *
 * Restart by fork: one worker, the keeper, goes on until the board is finished;
 * it is its own watchdog and only its death is our business.  Restart by exec:
 * a worker per execution; we tell the next one how the last one ended.
 */
#include "engine/session.h"

#include "base/exit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FRUITLESS_MAX = 5,
    KEEPER_GRACE_MS = 5000, /* a keeper kills a hung runner itself; this much later we do */
    ANSWER_MS = 2000,       /* time for the runtime to say where a hung program is */
    JUDGED_WAIT_MS = 50,
};

uint64_t pl_session_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int memory_file(const char *name, int flags)
{
    int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd >= 0 && flags != 0)
        fcntl(fd, F_SETFL, flags);
    return fd;
}

int pl_session_open(struct pl_session *session, const struct pl_target *target,
                    const struct pl_judge *judge, const struct pl_settings *settings,
                    struct pl_err *err)
{
    static unsigned sessions;

    *session = (struct pl_session){.target = target, .judge = judge, .worker = {0, -1}};
    session->slot = (unsigned)getpid() + sessions++;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    session->files = (struct pl_worker_files){memory_file("plait-board", 0),
                                              memory_file("plait-stdout", O_APPEND),
                                              memory_file("plait-stderr", O_APPEND)};
    void *at = MAP_FAILED;

    if (session->files.board >= 0 && session->files.out >= 0 && session->files.err >= 0 &&
        ftruncate(session->files.board, sizeof(struct pl_board)) == 0)
        at = mmap(NULL, sizeof(struct pl_board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                  session->files.board, 0);
    if (at == MAP_FAILED) {
        int rc = pl_err_set(err, PL_EXIT_TARGET,
                            "shared memory could not be made: %s. plait needs %zu MB of address "
                            "space; see ulimit -v and -f.",
                            strerror(errno), sizeof(struct pl_board) >> 20);

        pl_session_close(session);
        return rc;
    }
    session->board = at;
    session->board->magic = PL_BOARD_MAGIC;
    session->board->version = PL_BOARD_VERSION;
    session->board->size_of_board = sizeof(struct pl_board);
    session->board->settings = *settings;
    session->board->restart = settings->restart;
    session->board->worker_status = PL_WORKER_NONE;
    return 0;
}

void pl_session_close(struct pl_session *session)
{
    const int fds[] = {session->files.board, session->files.out, session->files.err};

    pl_worker_reap(&session->worker);
    for (unsigned i = 0; i < 3; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    if (session->board != NULL)
        munmap(session->board, sizeof(struct pl_board));
    session->board = NULL;
    session->files = (struct pl_worker_files){-1, -1, -1};
}

void pl_session_stop(struct pl_session *session, uint64_t grace_ms)
{
    uint64_t at = pl_session_clock() + grace_ms;

    session->board->stop = 1;
    if (session->kill_at_ms == 0 || at < session->kill_at_ms)
        session->kill_at_ms = at;
}

/* What the program said last on standard error: often the reason why it did not start. */
static void quote_stderr(const struct pl_session *session, char *to, size_t size)
{
    char said[200];
    ssize_t n = pread(session->files.err, said, sizeof(said) - 1, 0);

    to[0] = '\0';
    if (n <= 0)
        return;
    said[n] = '\0';
    said[strcspn(said, "\n")] = '\0';
    snprintf(to, size, " It said: %s", said);
}

static int explain_early_end(const struct pl_session *session, int status, struct pl_err *err)
{
    const char *path = session->target->program.path;
    const struct pl_board *board = session->board;
    char said[240], how[64];

    quote_stderr(session, said, sizeof(said));
    if (WIFSIGNALED(status))
        snprintf(how, sizeof(how), "was killed by signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof(how), "exited with %d", WEXITSTATUS(status));
    if (board->error[0] != '\0')
        return pl_err_set(err, PL_EXIT_TARGET, "%s", board->error);
    if (board->keeper_pid == 0)
        return pl_err_set(err, PL_EXIT_TARGET,
                          "%s %s before plait had it under control. Try it by itself.%s", path, how,
                          said);
    if (board->phase == PL_PHASE_START)
        return pl_err_set(err, PL_EXIT_TARGET,
                          "%s %s without having created a thread, so there was nothing to "
                          "explore. Give it arguments that make it use threads.%s",
                          path, how, said);
    return pl_err_set(err, PL_EXIT_TARGET,
                      "%d workers of %s in a row finished no execution; the last one %s. "
                      "Is memory short, or does something kill them?%s",
                      FRUITLESS_MAX, path, how, said);
}

/* True when something has happened since the last look. */
static bool look_for_progress(struct pl_session *session)
{
    uint64_t done = session->board->executions, now = session->board->execution;

    if (session->since_ms != 0 && done == session->seen && now == session->seen_execution)
        return false;
    session->seen = done;
    session->seen_execution = now;
    session->since_ms = pl_session_clock();
    return true;
}

/* The worker has ended: is the work done, or is another worker needed? */
static int after_worker(struct pl_session *session, bool hung, struct pl_err *err)
{
    struct pl_board *board = session->board;
    int status = pl_worker_reap(&session->worker);

    look_for_progress(session);
    if (board->phase == PL_PHASE_FINISHED) {
        session->state = PL_SESSION_FINISHED;
        return 0;
    }
    if (board->phase == PL_PHASE_START)
        return explain_early_end(session, status, err);
    session->fruitless = board->executions > session->at_start ? 0 : session->fruitless + 1;
    if (session->fruitless > FRUITLESS_MAX)
        return explain_early_end(session, status, err);
    board->worker_status = hung ? PL_WORKER_HUNG : status;
    if (board->phase == PL_PHASE_CHECK)
        board->phase = PL_PHASE_RUNNING;
    return 0;
}

/* Answer a worker that waits for a verdict. */
static int judge(struct pl_session *session, struct pl_err *err)
{
    struct pl_board *board = session->board;

    if (session->judge == NULL || board->phase != PL_PHASE_CHECK || board->check_status != 0)
        return 0;
    enum pl_verdict verdict = pl_judge_output(session->judge, session->files.out, board->check_text,
                                              sizeof(board->check_text));

    if (verdict == PL_VERDICT_FAILED)
        return pl_err_set(err, PL_EXIT_USAGE, "%s. Try it by hand.", board->check_text);
    board->check_status = verdict;
    syscall(SYS_futex, &board->check_status, FUTEX_WAKE, 1, NULL, NULL, 0);
    session->since_ms = pl_session_clock(); /* the worker could do nothing meanwhile */
    return 0;
}

/* Wait until output is to be judged or the phase changes; false when a signal came. */
static bool wait_for_phase(struct pl_board *board)
{
    uint32_t phase = board->phase;
    /* Nobody announces the end of a check, so look again soon after one. */
    struct timespec t = {0, phase == PL_PHASE_CHECK ? 100000 : JUDGED_WAIT_MS * 1000000L};

    if (phase == PL_PHASE_FINISHED || (phase == PL_PHASE_CHECK && board->check_status == 0))
        return true;
    return syscall(SYS_futex, &board->phase, FUTEX_WAIT, phase, &t, NULL, 0) == 0 || errno != EINTR;
}

/* Wait for the worker to end; while output is judged, also for its questions. */
static int wait_for_worker(struct pl_session *session, unsigned ms, bool *ended, struct pl_err *err)
{
    struct pl_board *board = session->board;
    struct pollfd p = {session->worker.pidfd, POLLIN, 0};
    uint64_t end = pl_session_clock() + ms;

    if (!board->settings.judged) {
        *ended = poll(&p, 1, (int)ms) > 0;
        return 0;
    }
    do {
        if (judge(session, err) != 0)
            return -1;
        if (!wait_for_phase(board))
            break;
        *ended = poll(&p, 1, board->phase == PL_PHASE_FINISHED ? (int)ms : 0) > 0;
    } while (!*ended && pl_session_clock() < end);
    return 0;
}

static bool is_hung(const struct pl_session *session)
{
    const struct pl_settings *settings = &session->board->settings;
    uint64_t limit = settings->hang_ms;

    if (session->board->restart != PL_RESTART_EXEC)
        limit += KEEPER_GRACE_MS;
    return pl_session_clock() - session->since_ms > limit;
}

/* Ask the runtime where the program is; if it does not answer, kill it. */
static int end_hung(struct pl_session *session, struct pl_err *err)
{
    if (session->board->phase == PL_PHASE_START)
        return pl_err_set(err, PL_EXIT_TARGET,
                          "%s created no thread within %.3g seconds. If it needs longer to begin, "
                          "raise --hang-time.",
                          session->target->program.path,
                          (double)session->board->settings.hang_ms / 1000);
    if (session->board->restart == PL_RESTART_EXEC && !session->asked) {
        session->asked = true;
        session->since_ms += ANSWER_MS;
        kill(session->worker.pid, SIGRTMAX);
        return 0;
    }
    return after_worker(session, true, err);
}

static int step(struct pl_session *session, unsigned ms, struct pl_err *err)
{
    bool ended = false;

    if (session->worker.pid == 0) {
        session->at_start = session->board->executions;
        if (pl_worker_start(&session->worker, session->target, &session->files, session->slot,
                            err) != 0)
            return -1;
        session->since_ms = pl_session_clock();
        session->asked = false;
    }
    if (wait_for_worker(session, ms, &ended, err) != 0)
        return -1;
    if (ended)
        return after_worker(session, false, err);
    look_for_progress(session);
    if (session->kill_at_ms != 0 && pl_session_clock() >= session->kill_at_ms) {
        pl_worker_reap(&session->worker);
        session->state =
            session->board->phase == PL_PHASE_FINISHED ? PL_SESSION_FINISHED : PL_SESSION_KILLED;
        return 0;
    }
    return is_hung(session) ? end_hung(session, err) : 0;
}

enum pl_session_state pl_session_step(struct pl_session *session, unsigned ms, struct pl_err *err)
{
    assert(session->state == PL_SESSION_RUNNING);
    if (step(session, ms, err) != 0) {
        pl_worker_reap(&session->worker);
        session->state = PL_SESSION_FAILED;
    }
    return session->state;
}
