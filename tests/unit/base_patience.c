/* SPDX-License-Identifier: MIT */
/* What counts against a process: processor time and sleep, not being stopped. */
#include "unit.h"

#include "base/patience.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };

static void wait_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * MS};

    nanosleep(&t, NULL);
}

static pid_t start(bool busy)
{
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    for (volatile unsigned n = 0; busy; n++) {
    }
    for (;;)
        pause();
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void sleep_counts_in_full(void)
{
    struct pl_patience p = {0};
    pid_t pid = start(false);

    wait_ms(50);
    CHECK(pl_patience_look(&p, pid) == 0);
    wait_ms(200);
    CHECK(pl_patience_look(&p, pid) >= 200 * MS);
    end(pid);
}

static void work_counts_by_processor_time(void)
{
    struct pl_patience p = {0};
    uint64_t counted = 0;
    pid_t pid = start(true);

    pl_patience_look(&p, pid);
    for (int i = 0; i < 600 && counted < 100 * MS; i++) { /* however little it gets */
        wait_ms(50);
        counted += pl_patience_look(&p, pid);
    }
    CHECK(counted >= 100 * MS && counted <= p.cpu_ns);
    end(pid);
}

static void a_process_that_is_stopped_has_all_the_time(void)
{
    struct pl_patience p = {0};
    pid_t pid = start(true);

    kill(pid, SIGSTOP);
    waitpid(pid, NULL, WUNTRACED);
    pl_patience_look(&p, pid);
    wait_ms(300);
    CHECK(pl_patience_look(&p, pid) < 50 * MS);
    end(pid);
}

static void another_process_starts_anew(void)
{
    struct pl_patience p = {0};
    pid_t first = start(false), second = start(false);

    pl_patience_look(&p, first);
    wait_ms(50);
    CHECK(pl_patience_look(&p, second) == 0);
    end(first);
    end(second);
}

int main(void)
{
    sleep_counts_in_full();
    work_counts_by_processor_time();
    a_process_that_is_stopped_has_all_the_time();
    another_process_starts_anew();
    return unit_result();
}
