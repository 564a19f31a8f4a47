/* SPDX-License-Identifier: MIT */
/* See judge.h. */
#include "engine/worker/judge.h"

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LOOK_MS = 50,
    LAST_MS = 2000,            /* for what is judged after an interrupt */
    EXPECTED_MOST = 256 << 20, /* bytes of output */
};

/* A line cut to what fits into a message, with what cannot be printed as dots. */
static void print_line(char *to, size_t size, const unsigned char *at, const unsigned char *end)
{
    size_t n = 0;

    if (at == end) {
        snprintf(to, size, "the end");
        return;
    }
    PL_ASSERT(at < end && size > 8);
    to[n++] = '\'';
    for (; at < end && *at != '\n' && n + 5 < size; at++)
        to[n++] = *at >= ' ' && *at < 127 ? (char)*at : '.';
    if (at < end && *at != '\n') {
        memcpy(to + n, "...", 3);
        n += 3;
    }
    to[n++] = '\'';
    to[n] = '\0';
}

bool pl_judge_compare(const unsigned char *expected, size_t n_expected, const unsigned char *actual,
                      size_t n_actual, char *text, size_t size)
{
    size_t least = n_expected < n_actual ? n_expected : n_actual, i = 0, start = 0, line = 1;
    char want[80], got[80];

    if (n_expected == n_actual && (least == 0 || memcmp(expected, actual, least) == 0))
        return true;
    for (; i < least && expected[i] == actual[i]; i++) {
        if (expected[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    PL_ASSERT(start <= i && i <= least);
    print_line(want, sizeof(want), expected + start, expected + n_expected);
    print_line(got, sizeof(got), actual + start, actual + n_actual);
    if (strcmp(want, got) == 0)
        snprintf(text, size, "output line %zu, column %zu differs from what was expected: %s", line,
                 i - start + 1, want);
    else
        snprintf(text, size, "output line %zu is %s instead of %s", line, got, want);
    return false;
}

static int read_expected(struct pl_judge *judge, struct pl_err *err)
{
    FILE *f = pl_file_open(judge->expect_path, EXPECTED_MOST);
    size_t room = 0;

    if (f == NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "the expected output %s cannot be opened: %s. Give another file.",
                          judge->expect_path, strerror(errno));
    for (;;) {
        if (judge->expected_size == room) {
            room = room ? 2 * room : 4096;
            judge->expected = realloc(judge->expected, room);
            if (judge->expected == NULL)
                abort();
        }
        size_t n = fread(judge->expected + judge->expected_size, 1, room - judge->expected_size, f);

        if (n == 0)
            break;
        judge->expected_size += n;
    }
    bool bad = ferror(f) != 0;

    fclose(f);
    if (bad)
        return pl_err_set(err, PL_ERR_USER,
                          "the expected output %s cannot be read. Give a readable file.",
                          judge->expect_path);
    return 0;
}

int pl_judge_open(struct pl_judge *judge, const char *expect_path, const char *command,
                  struct pl_err *err)
{
    *judge = (struct pl_judge){.expect_path = expect_path, .command = command};
    return expect_path != NULL ? read_expected(judge, err) : 0;
}

void pl_judge_close(struct pl_judge *judge)
{
    free(judge->expected);
    judge->expected = NULL;
}

bool pl_judge_wanted(const struct pl_judge *judge)
{
    return judge->expect_path != NULL || judge->command != NULL;
}

static bool compare_file(const struct pl_judge *judge, int out, char *text, size_t size)
{
    static const unsigned char nothing[1];
    PL_ASSERT(judge->expected != NULL || judge->expected_size == 0);
    struct stat st;
    size_t n = fstat(out, &st) == 0 ? (size_t)st.st_size : 0;
    void *bytes = n > 0 ? mmap(NULL, n, PROT_READ, MAP_SHARED, out, 0) : NULL;

    if (bytes == MAP_FAILED)
        return true;
    bool same = pl_judge_compare(judge->expected, judge->expected_size, bytes ? bytes : nothing, n,
                                 text, size);

    if (bytes != NULL)
        munmap(bytes, n);
    return same;
}

static _Noreturn void run_command(const char *command, int input, int output, pid_t tool)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != tool)
        _exit(0);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    pl_file_mask_user();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* What the command said, the first line with something in it, behind the verdict. */
static void quote_output(int output, char *text, size_t size)
{
    unsigned char said[160];
    char line[120];
    ssize_t n = pread(output, said, sizeof(said), 0), blank = 0;
    size_t used = strlen(text);

    while (blank < n && said[blank] == '\n')
        blank++;
    if (n <= blank)
        return;
    print_line(line, sizeof(line), said + blank, said + n);
    snprintf(text + used, size - used, ", saying %s", line);
}

/*
 * Until the command has ended: PL_VERDICT_BAD, which its status has to answer for.  Whoever does
 * not end in time is killed, with all that it has started.  After an interrupt what is in hand is
 * still judged, if that is quick.
 */
static enum pl_verdict wait_for(const struct pl_judge *judge, pid_t pid, int *status)
{
    unsigned interrupts = pl_interrupt_count();
    uint64_t start = pl_clock_ms();
    enum pl_verdict verdict = PL_VERDICT_BAD;
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);

    while (fd >= 0 && verdict == PL_VERDICT_BAD) {
        struct pollfd ended = {fd, POLLIN, 0};

        if (poll(&ended, 1, LOOK_MS) > 0)
            break;
        if (pl_interrupt_count() > interrupts ||
            (interrupts > 0 && pl_clock_ms() - start >= LAST_MS) ||
            (judge->last_ms != 0 && pl_clock_ms() >= judge->last_ms))
            verdict = PL_VERDICT_NONE;
        else if (judge->patience_ms != 0 && pl_clock_ms() - start >= judge->patience_ms)
            verdict = PL_VERDICT_FAILED;
    }
    if (fd >= 0)
        close(fd);
    if (verdict != PL_VERDICT_BAD)
        kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return verdict;
}

static enum pl_verdict ask_command(const struct pl_judge *judge, int out, char *text, size_t size,
                                   uint64_t *which)
{
    char path[40];
    int status = 0;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
    int input = open(path, O_RDONLY | O_CLOEXEC);
    int output = memfd_create("plait-check", MFD_CLOEXEC);
    pid_t tool = getpid();
    pid_t pid = input >= 0 && output >= 0 ? fork() : -1;

    if (pid == 0)
        run_command(judge->command, input, output, tool);
    if (pid > 0)
        setpgid(pid, pid); /* whoever is first */
    enum pl_verdict verdict = pid > 0 ? wait_for(judge, pid, &status) : PL_VERDICT_BAD;

    if (verdict == PL_VERDICT_FAILED) {
        snprintf(text, size, "the check '%.100s' did not end within %.6g s (--hang-time)",
                 judge->command, (double)judge->patience_ms / 1000);
    } else if (verdict == PL_VERDICT_NONE) {
        snprintf(text, size, "the check was not waited for");
    } else if (pid < 0) {
        snprintf(text, size, "the check could not be started: %s", strerror(errno));
        verdict = PL_VERDICT_FAILED;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        verdict = PL_VERDICT_FINE;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) >= 126) {
        snprintf(text, size, "the check '%.100s' could not be run", judge->command);
        verdict = PL_VERDICT_FAILED;
        quote_output(output, text, size);
    } else {
        if (WIFEXITED(status))
            snprintf(text, size, "the check exited with %d", WEXITSTATUS(status));
        else
            snprintf(text, size, "the check was killed by signal %d", WTERMSIG(status));
        *which = pl_hash_text(text);
        quote_output(output, text, size);
    }
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return verdict;
}

enum pl_verdict pl_judge_output(const struct pl_judge *judge, int out, char *text, size_t size,
                                uint64_t *which)
{
    PL_ASSERT(pl_judge_wanted(judge) && out >= 0 && size > 0);
    text[0] = '\0';
    if (judge->expect_path != NULL && !compare_file(judge, out, text, size)) {
        *which = pl_hash_text(text);
        return PL_VERDICT_BAD;
    }
    if (judge->command != NULL && judge->last_ms != 0 && pl_clock_ms() >= judge->last_ms)
        return PL_VERDICT_NONE;
    if (judge->command != NULL)
        return ask_command(judge, out, text, size, which);
    return PL_VERDICT_FINE;
}
