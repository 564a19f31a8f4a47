/* SPDX-License-Identifier: MIT */
/* Comparing output with what was expected, and asking a command. */
#include "engine/shared/interrupt.h"
#include "engine/worker/judge.h"
#include "unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *compare(const char *expected, const char *actual)
{
    static char text[256];

    text[0] = '\0';
    bool same = pl_judge_compare((const unsigned char *)expected, strlen(expected),
                                 (const unsigned char *)actual, strlen(actual), text, sizeof(text));

    CHECK(same == (text[0] == '\0'));
    return text;
}

static void the_first_difference_is_named(void)
{
    CHECK_STR(compare("", ""), "");
    CHECK_STR(compare("a\nb\n", "a\nb\n"), "");
    CHECK_STR(compare("a\nb\n", "a\nc\n"), "output line 2 is 'c' instead of 'b'");
    CHECK_STR(compare("a\nb\n", "a\n"), "output line 2 is the end instead of 'b'");
    CHECK_STR(compare("", "x"), "output line 1 is 'x' instead of the end");
    CHECK_STR(compare("a\n", "a"), "output line 1, column 2 differs from what was expected: 'a'");
}

static uint64_t which; /* what the last one that was bad is */

static enum pl_verdict ask(const char *command, const char *output, char *text, size_t size)
{
    struct pl_judge judge;
    struct pl_err err;
    int fd = memfd_create("out", MFD_CLOEXEC);

    CHECK(fd >= 0 && write(fd, output, strlen(output)) == (ssize_t)strlen(output));
    CHECK(pl_judge_open(&judge, NULL, command, &err) == 0 && pl_judge_wanted(&judge));
    enum pl_verdict verdict = pl_judge_output(&judge, fd, text, size, &which);

    pl_judge_close(&judge);
    close(fd);
    return verdict;
}

static void a_command_gets_the_output_and_decides(void)
{
    char text[256];

    CHECK(ask("grep -q hello", "hello\n", text, sizeof(text)) == PL_VERDICT_FINE);
    CHECK(ask("grep -q hello", "bye\n", text, sizeof(text)) == PL_VERDICT_BAD);
    CHECK_STR(text, "the check exited with 1");
    CHECK(ask("echo wrong; exit 3", "", text, sizeof(text)) == PL_VERDICT_BAD);
    CHECK_STR(text, "the check exited with 3, saying 'wrong'");
    CHECK(ask("kill -9 $$", "", text, sizeof(text)) == PL_VERDICT_BAD);
    CHECK_STR(text, "the check was killed by signal 9");
    CHECK(ask("/no/such/command", "", text, sizeof(text)) == PL_VERDICT_FAILED);
}

static void what_a_command_says_is_quoted_and_nothing_else(void)
{
    char text[256];

    CHECK(ask("echo; echo one; exit 3", "", text, sizeof(text)) == PL_VERDICT_BAD);
    CHECK_STR(text, "the check exited with 3, saying 'one'");
    uint64_t first = which;

    CHECK(ask("echo two; exit 3", "", text, sizeof(text)) == PL_VERDICT_BAD && which == first);
    CHECK(ask("echo two; exit 4", "", text, sizeof(text)) == PL_VERDICT_BAD && which != first);
    CHECK(ask("echo; exit 4", "", text, sizeof(text)) == PL_VERDICT_BAD);
    CHECK_STR(text, "the check exited with 4");
}

static void after_an_interrupt_only_quick_commands_are_waited_for(void)
{
    char text[256];

    pl_interrupt_install();
    raise(SIGINT);
    CHECK(ask("true", "", text, sizeof(text)) == PL_VERDICT_FINE);
    CHECK(ask("sleep 600", "", text, sizeof(text)) == PL_VERDICT_NONE);
}

int main(void)
{
    the_first_difference_is_named();
    a_command_gets_the_output_and_decides();
    what_a_command_says_is_quoted_and_nothing_else();
    after_an_interrupt_only_quick_commands_are_waited_for();
    return unit_result();
}
