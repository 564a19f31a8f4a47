/* SPDX-License-Identifier: MIT */
/* A failed assertion says where, and ends the process as the process has decided. */
#include "unit.h"

#include "base/assert.h"
#include "base/exit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(void)
{
    PL_ASSERT(1 + 1 == 3);
}

/* How a child ends that fails, and what it says. */
static int ends_with(pl_assert_handler *handler, char *said, size_t size)
{
    int fds[2], status = -1;
    ssize_t n;

    if (pipe(fds) != 0)
        return -1;
    pid_t pid = fork();

    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        pl_assert_handle(handler);
        fail();
        _exit(0);
    }
    close(fds[1]);
    n = read(fds[0], said, size - 1);
    said[n > 0 ? n : 0] = '\0';
    close(fds[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void leave(const struct pl_assert_place *place)
{
    _exit(strcmp(place->text, "1 + 1 == 3") == 0 && strcmp(place->function, "fail") == 0 ? 17 : 18);
}

static void come_back(const struct pl_assert_place *place)
{
}

static void fail_itself(const struct pl_assert_place *place)
{
    PL_ASSERT(place == NULL);
}

static void what_holds_costs_nothing_but_the_look(void)
{
    int looks = 0;

    PL_ASSERT(++looks == 1);
    CHECK(looks == 1);
}

static void without_a_handler_it_is_said_and_the_process_ends(void)
{
    char said[512];

    CHECK(ends_with(NULL, said, sizeof(said)) == PL_EXIT_INTERNAL);
    CHECK(strncmp(said, "plait: internal error at ", 25) == 0);
    CHECK(strstr(said, "base_assert.c:") != NULL);
    CHECK(strstr(said, " (fail): 1 + 1 == 3\n") != NULL);
}

static void a_handler_decides(void)
{
    char said[512];

    CHECK(ends_with(leave, said, sizeof(said)) == 17);
    CHECK_STR(said, "");
    CHECK(ends_with(come_back, said, sizeof(said)) == PL_EXIT_INTERNAL);
    CHECK(strstr(said, "1 + 1 == 3") != NULL);
}

static void a_handler_that_fails_does_not_come_round(void)
{
    char said[512];

    CHECK(ends_with(fail_itself, said, sizeof(said)) == PL_EXIT_INTERNAL);
    CHECK(strstr(said, "(fail_itself): place == ") != NULL);
}

/* It is compiled, so that names stay right, and evaluated where it is wanted. */
static void checks_are_made_in_builds_for_testing(void)
{
    int looks = 0;

    PL_CHECK(++looks > 0);
#ifdef PL_CHECKS
    CHECK(looks == 1);
#else
    CHECK(looks == 0);
#endif
}

int main(void)
{
    what_holds_costs_nothing_but_the_look();
    without_a_handler_it_is_said_and_the_process_ends();
    a_handler_decides();
    a_handler_that_fails_does_not_come_round();
    checks_are_made_in_builds_for_testing();
    return unit_result();
}
