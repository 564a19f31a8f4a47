/* SPDX-License-Identifier: MIT */
/* See suite_child.h. */
#include "engine/suite/suite_child.h"

#include "base/assert.h"
#include "base/exit.h"
#include "base/file.h"
#include "engine/shared/folder.h"
#include "engine/shared/interrupt.h"
#include "engine/suite/suite_list.h"
#include "result/result.h"
#include "trace/value.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * What TAP means, as a check of the output, so that a schedule has it with it: a test that
 * fails and is not marked as one that is known to, giving up, and fewer or more tests than planned.
 */
static const char tap_check[] =
    "awk '/^Bail out!/ { bad = 1 }"
    " /^not ok/ && !/# *([Tt][Oo][Dd][Oo]|[Ss][Kk][Ii][Pp])/ { bad = 1 }"
    " /^(not )?ok/ { n++ }"
    " /^1\\.\\.[0-9]+/ { planned = 1; plan = substr($1, 4) + 0 }"
    " END { exit bad || (planned && plan != n + 0) }'";

/* ---- starting ---- */

static void add_option(char ***words, const char *name, const char *value)
{
    char *word;

    if (asprintf(&word, "--%s=%s", name, value) < 0)
        abort();
    pl_suite_word(words, word);
    free(word);
}

static void add_number(char ***words, const char *name, uint64_t value, const char *unit)
{
    char text[32];

    snprintf(text, sizeof(text), "%llu%s", (unsigned long long)value, unit);
    add_option(words, name, text);
}

/* What the user says counts for a hang, what the test says for its exit status. */
static char **command_line(const struct pl_suite_test *test, const struct pl_suite_orders *orders,
                           const char *folder)
{
    PL_ASSERT(test->argv != NULL && test->argv[0] != NULL && orders->options != NULL);
    char **words = NULL, json[PATH_MAX];

    pl_suite_word(&words, "plait");
    pl_suite_word(&words, "test");
    if (test->hang_ms != 0)
        add_number(&words, "hang-time", test->hang_ms, "ms");
    for (size_t i = 0; orders->options[i] != NULL; i++)
        pl_suite_word(&words, orders->options[i]);
    add_number(&words, "seed", orders->seed, "");
    if (orders->time_ms != 0)
        add_number(&words, "time", orders->time_ms, "ms");
    if (test->expect_exit != NULL)
        add_option(&words, "expect-exit", test->expect_exit);
    if (test->tap)
        add_option(&words, "check", tap_check);
    else if (test->check != NULL)
        add_option(&words, "check", test->check);
    snprintf(json, sizeof(json), "%s/result.json", folder);
    add_option(&words, "output", folder);
    add_option(&words, "json", json);
    pl_suite_word(&words, "--");
    for (size_t i = 0; test->argv[i] != NULL; i++)
        pl_suite_word(&words, test->argv[i]);
    return words;
}

/*
 * In the new process.  Its own group keeps the terminal's signals off: who supervises passes
 * them on.  When that one is killed, so is this.
 */
static void become(const struct pl_suite_test *test, char **words, int report, pid_t supervisor)
{
    int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(PL_EXIT_TARGET); /* it was killed before we asked to be told */
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(report, 1) < 0 || dup2(report, 2) < 0)
        _exit(PL_EXIT_TARGET);
    for (size_t i = 0; test->environment != NULL && test->environment[i] != NULL; i++)
        putenv(test->environment[i]);
    if (test->directory != NULL && chdir(test->directory) != 0) {
        dprintf(2, "plait: the folder %s cannot be entered: %s. Make it first.\n", test->directory,
                strerror(errno));
        _exit(PL_EXIT_TARGET);
    }
    pl_file_mask_user();
    execv("/proc/self/exe", words);
    dprintf(2, "plait: it cannot start itself: %s. plait needs /proc.\n", strerror(errno));
    _exit(PL_EXIT_TARGET);
}

/* A failing test keeps what was found first; what later rounds find has its own folder. */
static void choose_folder(struct pl_suite_child *child, const struct pl_suite_orders *orders)
{
    const struct pl_suite_test *test = child->test;

    PL_ASSERT(orders->round >= 1);
    if (test->result.n_findings == 0)
        snprintf(child->folder, sizeof(child->folder), "%s", test->folder);
    else
        snprintf(child->folder, sizeof(child->folder), "%s/round-%u", test->folder, orders->round);
}

static void free_words(char **words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        free(words[i]);
    free(words);
}

/* The test's folder, in which each campaign has its own; the file for what this one prints. */
static int open_report(const struct pl_suite_child *child, struct pl_err *err)
{
    char path[PATH_MAX];

    if (pl_folder_make(child->folder, err) != 0)
        return -1;
    snprintf(path, sizeof(path), "%s/result.json", child->folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/report.txt", child->folder);
    unlink(path);
    int report = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    return report >= 0 ? report
                       : pl_err_set(err, PL_ERR_TARGET,
                                    "%.300s cannot be written: %s. Choose another --output.", path,
                                    strerror(errno));
}

/* 0, or -1 with errno and nothing left of it. */
static int launch(struct pl_suite_child *child, char **words, int report)
{
    pid_t self = getpid();
    sigset_t before;
    PL_ASSERT(child->pid == 0 && report >= 0);

    fflush(NULL);
    pl_interrupt_hold(&before);
    child->pid = fork();
    if (child->pid == 0) {
        pl_interrupt_forget(&before);
        become(child->test, words, report, self);
    }
    pl_interrupt_release(&before);
    child->pidfd = child->pid > 0 ? (int)syscall(SYS_pidfd_open, child->pid, 0) : -1;
    if (child->pidfd >= 0)
        return 0;
    int error = errno;

    if (child->pid > 0) { /* nobody could say when it ends */
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    child->pid = 0;
    errno = error;
    return -1;
}

int pl_suite_child_start(struct pl_suite_child *child, struct pl_suite_test *test,
                         const struct pl_suite_orders *orders, struct pl_err *err)
{
    PL_ASSERT(child->pid == 0 && test->folder != NULL);
    child->test = test;
    choose_folder(child, orders);
    int report = open_report(child, err);

    if (report < 0)
        return -1;
    char *whole = realpath(child->folder, NULL);
    char **words = command_line(test, orders, whole ? whole : child->folder);
    int rc = 0;

    if (launch(child, words, report) != 0)
        rc = pl_err_set(err, PL_ERR_TARGET,
                        "no process can be made: %s. Give fewer --jobs; see ulimit -u and -n.",
                        strerror(errno));
    close(report);
    free_words(words);
    free(whole);
    return rc;
}

void pl_suite_child_stop(struct pl_suite_child *child, bool now)
{
    if (child->pid != 0)
        kill(child->pid, now ? SIGKILL : SIGINT);
}

/* ---- what came of it ---- */

static char *copy_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    char *copy = strdup(s ? s : "");

    if (copy == NULL)
        abort();
    return copy;
}

static bool is_known(const struct pl_suite_result *r, const char *signature)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        if (strcmp(r->findings[i].signature, signature) == 0)
            return true;
    }
    return false;
}

/* The schedule's name has the folder as the user sees it in front. */
static char *schedule_of(const struct pl_suite_child *child, const json_t *o)
{
    char *whole = copy_of(o, pl_result_finding_keys.schedule), *name = strrchr(whole, '/'), *path;

    if (name == NULL)
        return whole;
    char *up = name;

    while (up > whole && *--up != '/')
        continue;
    *name = '\0';
    bool numbered = *up == '/' && pl_folder_number(up + 1) != 0;

    *name = '/';
    if (numbered)
        name = up; /* the campaign's folder stays */
    if (asprintf(&path, "%s%s", child->folder, name) < 0)
        abort();
    free(whole);
    return path;
}

static void add_finding(struct pl_suite_child *child, const json_t *o)
{
    struct pl_suite_result *r = &child->test->result;
    struct pl_suite_finding f = {.signature = copy_of(o, "signature")};

    if (is_known(r, f.signature)) {
        free(f.signature);
        return;
    }
    f.identity = copy_of(o, "identity");
    f.kind = copy_of(o, pl_result_finding_keys.kind);
    f.message = copy_of(o, pl_result_finding_keys.message);
    f.location = copy_of(o, pl_result_finding_keys.location);
    f.schedule = schedule_of(child, o);
    r->findings = realloc(r->findings, (r->n_findings + 1) * sizeof(f));
    if (r->findings == NULL)
        abort();
    r->findings[r->n_findings++] = f;
}

static uint64_t number_of(const json_t *o, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(o, key));

    return n > 0 ? (uint64_t)n : 0;
}

/* What the folder has covered so far; a round with a folder of its own may have less. */
static void add_tasks(struct pl_suite_result *r, const json_t *o)
{
    static const char *const names[] = {"m1", "m2", "m3"};

    for (unsigned i = 0; i < PL_COVER_MODELS; i++) {
        const json_t *model = json_object_get(o, names[i]);

        if (number_of(model, "covered") >= r->covered[i] && model != NULL) {
            r->covered[i] = number_of(model, "covered");
            r->total[i] = number_of(model, "total");
        }
    }
}

static void add_result(struct pl_suite_child *child, const json_t *o)
{
    struct pl_suite_result *r = &child->test->result;
    const json_t *coverage = json_object_get(o, "coverage"), *finding;
    size_t i;

    r->executions += number_of(o, pl_result_keys.executions);
    r->failures += number_of(o, pl_result_keys.failures);
    r->seconds += json_number_value(json_object_get(o, pl_result_keys.seconds));
    r->complete |= json_is_true(json_object_get(o, pl_result_keys.complete));
    if (number_of(o, pl_result_keys.classes) > r->classes)
        r->classes = number_of(o, pl_result_keys.classes);
    if (r->pairs_both + r->pairs_one == 0 || number_of(coverage, "pairs_both") > r->pairs_both) {
        r->pairs_both = number_of(coverage, "pairs_both");
        r->pairs_one = number_of(coverage, "pairs_one");
    }
    add_tasks(r, json_object_get(o, "covered"));
    json_array_foreach(json_object_get(o, "findings"), i, finding)
    {
        add_finding(child, finding);
    }
}

/* The last line that plait printed as an error, without its beginning. */
static void read_error(const struct pl_suite_child *child, char *to, size_t size)
{
    char path[PATH_MAX], *line = NULL;
    size_t room = 0;

    snprintf(path, sizeof(path), "%s/report.txt", child->folder);
    FILE *report = pl_file_open(path, PL_FILE_MOST);

    while (report != NULL && getline(&line, &room, report) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "plait: ", 7) == 0)
            snprintf(to, size, "%s", line + 7);
    }
    free(line);
    if (report != NULL)
        fclose(report);
}

static void settle_error(struct pl_suite_child *child, int status)
{
    char why[600] = "it was not under control; report.txt in its folder says more";

    if (WIFSIGNALED(status))
        snprintf(why, sizeof(why), "plait test was ended by signal %d", WTERMSIG(status));
    else
        read_error(child, why, sizeof(why));
    pl_suite_settle(child->test, PL_SUITE_ERROR, why);
}

static void settle(struct pl_suite_child *child, int status, bool uncontrolled)
{
    struct pl_suite_result *r = &child->test->result;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    if (r->n_findings > 0)
        r->status = PL_SUITE_FAILED;
    else if (code == PL_EXIT_TARGET && uncontrolled)
        pl_suite_settle(child->test, PL_SUITE_SKIPPED, "it creates no thread");
    else if (code == PL_EXIT_CLEAN || code == PL_EXIT_INCOMPLETE)
        /* Without an execution nothing is known. */
        r->status = r->executions > 0 ? PL_SUITE_CLEAN : PL_SUITE_WAITING;
    else
        settle_error(child, status);
}

bool pl_suite_child_end(struct pl_suite_child *child, bool stopped)
{
    char path[PATH_MAX];
    int status = 0;

    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child->pidfd >= 0)
        close(child->pidfd);
    child->pid = 0;
    child->pidfd = -1;
    snprintf(path, sizeof(path), "%s/result.json", child->folder);
    json_t *o = pl_value_load(path, NULL);

    if (stopped && json_array_size(json_object_get(o, "findings")) == 0) {
        json_decref(o);
        return false;
    }
    add_result(child, o);
    child->test->result.rounds++;
    /* It was executed, and came to no thread. */
    settle(child, status,
           number_of(o, pl_result_keys.executions) > 0 &&
               json_integer_value(json_object_get(o, pl_result_keys.max_threads)) == 0);
    json_decref(o);
    return true;
}
