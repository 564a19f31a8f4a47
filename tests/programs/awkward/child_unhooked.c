/* SPDX-License-Identifier: MIT */
/*
 * A child has the breakpoints that code without hooks has got, and is not to die of them.  It takes
 * a tenth of a second, and the timer with which its parent guards it goes off after ten and kills
 * it: while a process runs, the clock does not move ahead of it.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test --follow-children -n 10
 * EXPECT clean executions=10
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int shared;
static pid_t child;

__attribute__((no_sanitize("thread"), noinline)) static void add(void)
{
    shared = shared + 1;
}

static void *run(void *arg)
{
    add();
    return arg;
}

static void on_alarm(int signo)
{
    (void)signo;
    kill(child, SIGKILL); /* nobody, once it has been waited for */
}

static int be_child(void)
{
    const struct timespec tenth = {.tv_nsec = 100000000};

    nanosleep(&tenth, NULL);
    add();
    return shared > 0 ? 0 : 1;
}

int main(void)
{
    struct itimerval guard = {.it_value.tv_sec = 10}, off = {0};
    pthread_t t;
    int status;

    signal(SIGALRM, on_alarm);
    pthread_create(&t, NULL, run, NULL);
    add();
    pthread_join(t, NULL);
    child = fork();
    if (child == 0)
        _exit(be_child());
    setitimer(ITIMER_REAL, &guard, NULL);
    while (waitpid(child, &status, 0) != child)
        continue; /* the signal came */
    setitimer(ITIMER_REAL, &off, NULL);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
