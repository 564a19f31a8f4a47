/* SPDX-License-Identifier: MIT */
/* See suite.h. */
#include "engine/suite/suite.h"

#include "base/assert.h"
#include "base/hash.h"
#include "engine/shared/clock.h"
#include "engine/shared/folder.h"
#include "engine/shared/interrupt.h"
#include "engine/suite/suite_child.h"
#include "engine/suite/suite_list.h"
#include "engine/suite/suite_state.h"
#include "engine/worker/program.h"
#include "engine/worker/slot.h"
#include "result/suite_result.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TIME_MS = 120000,  /* of a test, when nothing else limits it */
    SLICE_MS = 1000,   /* the least that a test gets in a round */
    LEAST_MS = 10,     /* in less, no test can be started and say anything */
    ROUNDS_HOPED = 4,  /* the first round takes so small a part of the whole time */
    NAME_MAX_OURS = 80 /* letters of a test's name in its folder's */
};

struct run {
    const struct pl_suite_request *request;
    struct pl_suite *suite;
    struct pl_suite_outcome *outcome;
    struct pl_suite_state state;
    struct pl_suite_child *children; /* as many as jobs */
    struct pl_err *err;
    uint64_t start_ms;
    double spent_before;
    unsigned interrupts, round;
    bool alone; /* one that must run alone does */
};

/* ---- before anything runs ---- */

char *pl_suite_folder(const char *folder, const char *name)
{
    char plain[NAME_MAX_OURS + 1], *path;
    uint64_t h = 1;
    size_t n = 0;
    bool same = true;

    for (const char *p = name; *p != '\0'; p++) {
        bool fine = isalnum((unsigned char)*p) || strchr("_-+", *p) != NULL || (*p == '.' && n > 0);

        h = pl_hash_add(h, (unsigned char)*p);
        same = same && fine && n < NAME_MAX_OURS;
        if (n < NAME_MAX_OURS && (fine || (n > 0 && plain[n - 1] != '_')))
            plain[n++] = fine ? *p : '_';
    }
    PL_ASSERT(n <= NAME_MAX_OURS);
    plain[n] = '\0';
    int rc = same ? asprintf(&path, "%s/%s", folder, plain)
                  : asprintf(&path, "%s/%s-%08x", folder, plain, (unsigned)h);

    if (rc < 0)
        abort();
    return path;
}

/* The program as seen from here, although the test runs elsewhere. */
static void locate(const struct pl_suite_test *test, char to[PATH_MAX])
{
    const char *program = test->argv[0];
    bool elsewhere = test->directory != NULL && program[0] != '/' && strchr(program, '/') != NULL;

    snprintf(to, PATH_MAX, "%s%s%s", elsewhere ? test->directory : "", elsewhere ? "/" : "",
             program);
}

/* Whether plait can test it; what is not there is an error, what is of another kind is skipped. */
static void look_at(struct pl_suite_test *test)
{
    struct pl_program program;
    struct pl_err err = {PL_ERR_NONE, ""};
    char path[PATH_MAX];

    locate(test, path);
    bool fine = pl_program_open(&program, path, &err) == 0;

    pl_suite_identify(test, program.path[0] != '\0' ? program.path : NULL);
    if (fine || test->result.status != PL_SUITE_WAITING)
        return;
    pl_suite_settle(test,
                    program.path[0] != '\0' && access(program.path, F_OK) == 0 ? PL_SUITE_SKIPPED
                                                                               : PL_SUITE_ERROR,
                    err.text);
}

/* By a lock of the process: a child has the descriptor until it has become another program, and is
 * no owner. */
static int lock_folder(const char *folder, int *lock, struct pl_err *err)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/.lock", folder);
    *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (*lock < 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s cannot be made: %s. Choose another folder with --output.", path,
                          strerror(errno));
    if (fcntl(*lock, F_SETLK, &whole) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "another plait suite writes to %s. Wait for it, or choose another folder "
                          "with --output.",
                          folder);
    return 0;
}

__attribute__((format(printf, 2, 3))) static void note(const struct run *run, const char *format,
                                                       ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    run->request->note(run->request->context, text);
}

/* Failed tests wait again. */
static void forget_failures(struct run *run)
{
    for (size_t i = 0; i < run->suite->n; i++) {
        struct pl_suite_result *r = &run->suite->tests[i].result;

        if (r->rounds > 0 && (r->status == PL_SUITE_FAILED || r->status == PL_SUITE_ERROR)) {
            pl_suite_result_clear(r);
            PL_ASSERT(run->outcome->resumed > 0);
            run->outcome->resumed--;
        }
    }
}

/* Go on where an earlier start was, or begin. */
static int take_up(struct run *run)
{
    enum pl_suite_past past = pl_suite_state_look(&run->state);
    const struct pl_suite_request *request = run->request;

    if (request->rerun_failed) {
        if (past == PL_SUITE_PAST_NONE)
            return pl_err_set(run->err, PL_ERR_USER,
                              "%s has no earlier results, so nothing can be run again. Leave out "
                              "--rerun-failed.",
                              request->folder);
        run->outcome->resumed = pl_suite_state_load(&run->state, run->suite);
        forget_failures(run);
        run->state.spent = 0;
        return 0;
    }
    if (past == PL_SUITE_PAST_UNFINISHED && !request->fresh)
        run->outcome->resumed = pl_suite_state_load(&run->state, run->suite);
    else
        run->state.spent = 0;
    if (run->outcome->resumed > 0)
        note(run, "going on where it was: %zu of %zu tests have been run (--fresh starts over)",
             run->outcome->resumed, run->suite->n);
    else if (past == PL_SUITE_PAST_OTHER && !request->fresh)
        note(run, "the results in %.150s are of other options; starting over", request->folder);
    return 0;
}

/* ---- rounds ---- */

static double spent(const struct run *run)
{
    return run->spent_before + (double)(pl_clock_ms() - run->start_ms) / 1000;
}

/* Milliseconds left of the whole time, 0 if no test could use them; always some without a limit. */
static uint64_t left(const struct run *run)
{
    uint64_t used = (uint64_t)(spent(run) * 1000);

    if (run->request->total_ms == 0)
        return UINT64_MAX;
    return used + LEAST_MS <= run->request->total_ms ? run->request->total_ms - used : 0;
}

/* Whether a test has something to do in the present round. */
static bool is_due(const struct run *run, const struct pl_suite_test *test)
{
    const struct pl_suite_result *r = &test->result;

    if (r->rounds >= run->round || r->complete)
        return false;
    return r->status == PL_SUITE_WAITING || (r->status == PL_SUITE_CLEAN && run->round > 1) ||
           (r->status == PL_SUITE_FAILED && run->request->keep_going && run->round > 1);
}

static size_t count_due(const struct run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->suite->n; i++)
        n += is_due(run, &run->suite->tests[i]);
    return n;
}

/*
 * How long a campaign may take.  When only the whole time is given, the first round takes a
 * part of it and each later one twice as long as the one before: an exhaustive search, which
 * begins again with each round, gets further.
 */
static uint64_t slice(const struct run *run, size_t due)
{
    const struct pl_suite_request *request = run->request;
    PL_ASSERT(run->round >= 1 && request->jobs >= 1);
    uint64_t most = left(run), ms = request->time_ms;

    if (ms == 0 && request->total_ms == 0)
        return request->counted ? 0 : TIME_MS;
    if (ms == 0 && !request->counted) {
        ms = request->total_ms * request->jobs / (due ? due : 1) / ROUNDS_HOPED;
        ms = ms < TIME_MS ? ms : TIME_MS;
        ms = ms > SLICE_MS ? ms : SLICE_MS;
        ms <<= run->round < 16 ? run->round - 1 : 15;
    }
    return ms == 0 || ms > most ? (most == UINT64_MAX ? 0 : most) : ms;
}

static bool is_running(const struct run *run, const struct pl_suite_test *test)
{
    for (unsigned i = 0; i < run->request->jobs; i++) {
        if (run->children[i].pid != 0 && run->children[i].test == test)
            return true;
    }
    return false;
}

static unsigned count_running(const struct run *run)
{
    unsigned n = 0;

    for (unsigned i = 0; i < run->request->jobs; i++)
        n += run->children[i].pid != 0;
    return n;
}

/* The next to be started; those that must run alone come when the others are done. */
static struct pl_suite_test *next_test(const struct run *run)
{
    struct pl_suite_test *serial = NULL;

    for (size_t i = 0; i < run->suite->n; i++) {
        struct pl_suite_test *test = &run->suite->tests[i];

        if (!is_due(run, test) || is_running(run, test))
            continue;
        if (!test->serial)
            return test;
        serial = serial ? serial : test;
    }
    return count_running(run) == 0 ? serial : NULL;
}

static int save(struct run *run)
{
    run->state.spent = spent(run);
    return pl_suite_state_save(&run->state, run->suite, run->err);
}

static int start_some(struct run *run, uint64_t ms)
{
    struct pl_suite_orders orders = {.options = run->request->options,
                                     .seed = run->request->seed + run->round - 1,
                                     .round = run->round};
    struct pl_suite_test *test;

    for (unsigned i = 0; i < run->request->jobs; i++) {
        if (run->children[i].pid != 0 || run->alone || run->interrupts > 0 || left(run) == 0 ||
            (test = next_test(run)) == NULL)
            continue;
        orders.time_ms = ms == 0 || ms < left(run) ? ms : left(run);
        if (pl_suite_child_start(&run->children[i], test, &orders, run->err) != 0)
            return -1;
        PL_ASSERT(!test->serial || count_running(run) == 1);
        run->alone = test->serial;
    }
    return 0;
}

/* Pass signals on to those that run: the first asks, the next does not. */
static void pass_interrupts(struct run *run)
{
    unsigned interrupts = pl_interrupt_count();

    if (interrupts == run->interrupts)
        return;
    PL_ASSERT(interrupts > run->interrupts);
    run->interrupts = interrupts;
    for (unsigned i = 0; i < run->request->jobs; i++)
        pl_suite_child_stop(&run->children[i], interrupts > 1);
}

static int end_one(struct run *run, struct pl_suite_child *child)
{
    PL_ASSERT(child->pid != 0 && child->test != NULL);
    run->alone = false;
    if (!pl_suite_child_end(child, run->interrupts > 0))
        return 0;
    if (save(run) != 0)
        return -1;
    run->request->ended(run->request->context, child->test);
    return 0;
}

static int wait_for_some(struct run *run)
{
    struct pollfd *p = calloc(run->request->jobs, sizeof(*p));
    int rc = 0;

    if (p == NULL)
        abort();
    for (unsigned i = 0; i < run->request->jobs; i++)
        p[i] = (struct pollfd){run->children[i].pid != 0 ? run->children[i].pidfd : -1, POLLIN, 0};
    int n = poll(p, run->request->jobs, 200);

    pass_interrupts(run);
    for (unsigned i = 0; n > 0 && rc == 0 && i < run->request->jobs; i++) {
        if (p[i].revents != 0)
            rc = end_one(run, &run->children[i]);
    }
    free(p);
    return rc;
}

/* All that are due, once. */
static int play_round(struct run *run)
{
    uint64_t ms = slice(run, count_due(run));

    do {
        if (start_some(run, ms) != 0 || wait_for_some(run) != 0)
            return -1;
    } while (count_running(run) > 0 || (run->interrupts == 0 && left(run) > 0 && count_due(run)));
    return 0;
}

static int play(struct run *run)
{
    int rc = 0;

    for (run->round = 1; rc == 0; run->round++) {
        if (run->interrupts > 0 || left(run) == 0)
            break;
        if (count_due(run) > 0) {
            run->outcome->rounds = run->round;
            rc = play_round(run);
        } else if (run->round > 1) {
            bool later = false; /* some are further, in a suite that was taken up */

            for (size_t i = 0; i < run->suite->n; i++)
                later |= run->suite->tests[i].result.rounds >= run->round;
            if (!later)
                break;
        }
        if (run->request->total_ms == 0)
            break;
    }
    return rc;
}

static void stop_all(struct run *run)
{
    for (unsigned i = 0; i < run->request->jobs; i++) {
        if (run->children[i].pid == 0)
            continue;
        pl_suite_child_stop(&run->children[i], true);
        pl_suite_child_end(&run->children[i], true);
    }
}

/* What was settled without being run is told like the rest. */
static void tell_settled(const struct run *run)
{
    for (size_t i = 0; i < run->suite->n; i++) {
        const struct pl_suite_test *test = &run->suite->tests[i];

        if (test->result.status != PL_SUITE_WAITING && test->result.rounds == 0)
            run->request->ended(run->request->context, test);
    }
}

static void sum_up(struct run *run)
{
    run->outcome->interrupted = run->interrupts > 0;
    run->outcome->seconds = spent(run);
    PL_ASSERT(count_running(run) == 0);
    run->state.finished = !run->outcome->interrupted;
}

static int run_locked(struct run *run)
{
    for (size_t i = 0; i < run->suite->n; i++) {
        struct pl_suite_test *test = &run->suite->tests[i];

        test->folder = pl_suite_folder(run->request->folder, test->name);
        look_at(test);
    }
    if (take_up(run) != 0)
        return -1;
    run->spent_before = run->state.spent;
    tell_settled(run);
    int rc = save(run) != 0 || play(run) != 0 ? -1 : 0;

    stop_all(run);
    sum_up(run);
    return rc != 0 ? -1 : save(run);
}

int pl_suite_run(const struct pl_suite_request *request, struct pl_suite *suite,
                 struct pl_suite_outcome *outcome, struct pl_err *err)
{
    struct run run = {.request = request,
                      .suite = suite,
                      .outcome = outcome,
                      .state = {.folder = request->folder, .settings = request->settings},
                      .err = err,
                      .start_ms = pl_clock_ms()};
    int lock = -1, rc = -1;

    PL_ASSERT(request->jobs >= 1 && request->folder != NULL && request->ended != NULL);
    *outcome = (struct pl_suite_outcome){0};
    run.children = calloc(request->jobs, sizeof(*run.children));
    if (run.children == NULL)
        abort();
    pl_interrupt_install();
    if (pl_folder_make(request->folder, err) == 0 &&
        lock_folder(request->folder, &lock, err) == 0) {
        pl_folder_reserve(request->folder);
        rc = run_locked(&run);
    }
    if (lock >= 0)
        close(lock);
    free(run.children);
    return rc;
}
