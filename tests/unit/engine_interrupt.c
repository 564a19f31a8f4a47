/* SPDX-License-Identifier: MIT */
/* Signals that come while a child is between fork() and exec(). */
#include "engine/shared/interrupt.h"
#include "unit.h"

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a child ends that gets a signal while signals are held, and then forgets the handler. */
static int status_of_child(int number)
{
    int status = 0, ends[2];
    sigset_t before;
    char c;

    CHECK(pipe(ends) == 0);
    pl_interrupt_hold(&before);
    pid_t child = fork();

    if (child == 0) {
        bool sent = read(ends[0], &c, 1) == 1;

        pl_interrupt_forget(&before);
        _exit(sent ? 7 : 8);
    }
    pl_interrupt_release(&before);
    CHECK(kill(child, number) == 0 && write(ends[1], "x", 1) == 1);
    CHECK(waitpid(child, &status, 0) == child);
    close(ends[0]);
    close(ends[1]);
    return status;
}

static void a_child_is_ended_by_what_came_too_early(void)
{
    int status = status_of_child(SIGINT);

    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    status = status_of_child(SIGTERM);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK(pl_interrupt_count() == 0);
}

static void what_is_ignored_stays_ignored(void)
{
    int status = status_of_child(SIGHUP);

    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void the_parent_counts_what_was_held(void)
{
    sigset_t before;

    pl_interrupt_hold(&before);
    CHECK(raise(SIGINT) == 0);
    CHECK(pl_interrupt_count() == 0);
    pl_interrupt_release(&before);
    CHECK(pl_interrupt_count() == 1);
}

int main(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_IGN);
    pl_interrupt_install();
    a_child_is_ended_by_what_came_too_early();
    what_is_ignored_stays_ignored();
    the_parent_counts_what_was_held();
    return unit_result();
}
