/* SPDX-License-Identifier: MIT */
/* See pairs.h.  A campaign may have several sessions of one program: its table is kept. */
#include "engine/worker/pairs.h"

#include "base/assert.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"
#include "engine/symbols/code.h"
#include "engine/worker/program.h"
#include "trace/pairs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    AIM_MS = 5000, /* a strategy that does without pairs does not wait longer for them */
    LOOK_MS = 50,
};

static struct pl_pair_table *kept;
static char kept_of[PATH_MAX];
static uint64_t last_ms;

void pl_pairs_until(uint64_t ms)
{
    last_ms = ms;
}

/* ---- the analyser ---- */

static int find_analyser(char *to, size_t size, struct pl_err *err)
{
    char libdir[PATH_MAX];

    if (pl_program_libdir(libdir, sizeof(libdir), err) != 0)
        return -1;
    snprintf(to, size, "%s/plait-static", libdir);
    if (access(to, X_OK) == 0)
        return 0;
    return pl_err_set(err, PL_ERR_SYSTEM,
                      "This plait was built without LLVM and cannot analyse programs. Install "
                      "llvm-dev and clang, and build it again.");
}

/* What it says until it ends; false: it was interrupted, or has not by the time `until`, if there
 * is one. */
static bool listen_to(int from, char *text, size_t size, uint64_t until)
{
    unsigned interrupts = pl_interrupt_count();
    struct pollfd p = {.fd = from, .events = POLLIN};
    size_t used = 0;

    for (ssize_t n = 1; n > 0 && used + 1 < size; used += n > 0 ? (size_t)n : 0) {
        while (poll(&p, 1, LOOK_MS) <= 0) {
            if (pl_interrupt_count() > interrupts || (until != 0 && pl_clock_ms() >= until))
                return false;
        }
        n = read(from, text + used, size - 1 - used);
    }
    text[used] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return true;
}

/* Run it; its standard error comes back as the sentence.  `table` is open in it, unless it is -1.
 */
static int analyse(char **argv, int table, uint64_t until, struct pl_err *err)
{
    const char *analyser = argv[0];
    posix_spawn_file_actions_t actions;
    char text[512] = "";
    int ends[2], status = 0;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "There is no pipe to be had (%s). Close some files.",
                          strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    if (table >= 0)
        posix_spawn_file_actions_adddup2(&actions, table, table);
    int rc = posix_spawn(&pid, analyser, &actions, NULL, argv, environ);

    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bool over = rc == 0 && !listen_to(ends[0], text, sizeof(text), until);

    close(ends[0]);
    if (rc != 0)
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "'%s' could not be started (%s). Install plait again.", analyser,
                          strerror(rc));
    if (over)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (over)
        return pl_err_set(err, PL_ERR_TARGET,
                          pl_interrupt_count() > 0
                              ? "The analysis of the program was interrupted."
                              : "The program could not be analysed in the time that there was. "
                                "Give it more.");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFEXITED(status) && text[0] != '\0')
        return pl_err_set(err, PL_ERR_TARGET, "%s", text);
    return pl_err_set(err, PL_ERR_INTERNAL, "The analyser died (%s %d).",
                      WIFSIGNALED(status) ? "signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Until then, or however long it takes.  The table is in memory only: nothing is left behind. */
static struct pl_pair_table *make(const char *program, uint64_t until, struct pl_err *err)
{
    char analyser[PATH_MAX + 64], path[40];
    struct pl_pair_table *t = NULL;

    if (find_analyser(analyser, sizeof(analyser), err) != 0)
        return NULL;
    int fd = memfd_create("pairs", MFD_CLOEXEC);

    if (fd < 0) {
        pl_err_set(err, PL_ERR_SYSTEM, "There is no memory for pairs (%s). Close something.",
                   strerror(errno));
        return NULL;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    char *argv[] = {analyser, "table", (char *)program, path, NULL};

    if (analyse(argv, fd, until, err) == 0)
        t = pl_pairs_read(path, err);
    close(fd);
    return t;
}

struct pl_pair_table *pl_pairs_make(const char *program, struct pl_err *err)
{
    return make(program, 0, err);
}

int pl_pairs_explain(const char *program, const char *a, const char *b, struct pl_err *err)
{
    char analyser[PATH_MAX + 64];
    char *argv[] = {analyser, "why", (char *)program, (char *)a, (char *)b, NULL};

    if (find_analyser(analyser, sizeof(analyser), err) != 0)
        return -1;
    return analyse(argv, -1, 0, err);
}

/* ---- the worker ---- */

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Where the module of the table is; the executable is the first one on the board. */
static const struct pl_module *find_module(const struct pl_board *board, const char *name,
                                           const char *program)
{
    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        const struct pl_module *m = &board->modules[i];
        bool executable = m->path[0] == '\0' || strcmp(m->path, program) == 0;

        if (name[0] == '\0' ? executable : strcmp(last_name(m->path), name) == 0)
            return m;
    }
    return NULL;
}

/* Hand the table out, with the addresses of this process. */
static int tell(struct pl_slot *slot, const struct pl_pair_table *from, struct pl_err *err)
{
    struct pl_pair_table *to = (struct pl_pair_table *)(void *)slot->common->pairs;

    if (from->size > PL_COMMON_PAIRS)
        return pl_err_set(err, PL_ERR_TARGET,
                          "The program has more pairs than plait can hold (%u). Use another "
                          "strategy.",
                          from->n_pairs);
    memcpy(to, from, from->size);
    for (uint32_t i = 0; i < to->n_modules; i++) {
        const char *name = pl_pair_string(to, pl_pair_modules(to)[i].name);
        const struct pl_module *m = find_module(slot->board, name, slot->target->program.path);

        if (m != NULL)
            pl_pairs_move(to, i, m->base);
    }
    pl_pairs_settle(to, pl_code_modules(slot->board));
    return 0;
}

int pl_pairs_answer(struct pl_slot *slot, struct pl_err *err)
{
    struct pl_board *board = slot->board;
    const struct pl_pair_table *told = (const struct pl_pair_table *)(void *)slot->common->pairs;
    const char *program = slot->target->program.path;

    if (board->phase != PL_PHASE_PAIRS || board->pairs_status != PL_ANSWER_PENDING)
        return 0;
    bool must = board->settings.check_pairs ||
                pl_strategy_named_is(board->settings.strategy, PL_TRAIT_PAIRED);

    if (strcmp(kept_of, program) != 0) {
        free(kept);
        uint64_t until = must ? last_ms : pl_clock_ms() + AIM_MS;

        kept = must || slot->target->program.code ? make(program, until, err) : NULL;
        snprintf(kept_of, sizeof(kept_of), "%s", program);
    }
    if (kept == NULL || (told->placed == 0 && tell(slot, kept, err) != 0)) {
        if (must)
            return -1;
        *err = (struct pl_err){0}; /* it does without */
        pl_slot_answer(&board->pairs_status, PL_ANSWER_NO);
        return 0;
    }
    /* A worker that has its code elsewhere cannot use the same addresses. */
    pl_slot_answer(&board->pairs_status,
                   told->placed == pl_code_modules(board) ? PL_ANSWER_YES : PL_ANSWER_NO);
    return 0;
}
