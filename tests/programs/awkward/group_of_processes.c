/* SPDX-License-Identifier: MIT */
/*
 * A signal for the group of processes that the program is in comes to it once and to its child, and
 * not to the process that is copied for each execution, which would begin the next one with what
 * the handler has changed. Who becomes the leader of a group has its number.
 *
 * RUN    plait test -s dfs -- 0
 * EXPECT clean
 *
 * RUN    plait test -s random -n 10 --restart fork -- 0
 * EXPECT clean
 *
 * RUN    plait test -s dpor -- killpg
 * EXPECT clean
 *
 * RUN    plait test -s dpor -- number
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 -- child
 * EXPECT clean
 *
 * RUN    plait test -s dpor -- leader
 * EXPECT clean restart=exec why~leader
 *
 * RUN    plait test -s dpor -- session
 * EXPECT clean restart=exec why~leader
 *
 * RUN    plait test -s dfs -- twice
 * EXPECT assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;
static atomic_int seen;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static void on_signal(int signo)
{
    (void)signo;
    seen++;
}

static void stop_child(void)
{
    int ends[2], status;
    char byte;

    assert(pipe(ends) == 0);
    pid_t child = fork();

    if (child == 0) {
        signal(SIGUSR1, SIG_DFL);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert(read(ends[0], &byte, 1) == 1);
    assert(kill(0, SIGUSR1) == 0);
    assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void *act(void *unused)
{
    if (is("0") || is("twice"))
        assert(kill(0, SIGUSR1) == 0);
    if (is("twice"))
        assert(kill(0, SIGUSR1) == 0);
    if (is("killpg"))
        assert(killpg(getpgrp(), SIGUSR1) == 0);
    if (is("number"))
        assert(syscall(SYS_kill, 0, 0) == 0 && syscall(SYS_kill, 0, SIGUSR1) == 0);
    if (is("child"))
        stop_child();
    if (is("leader"))
        assert(setpgid(0, 0) == 0 && getpgrp() == getpid() && kill(-getpid(), 0) == 0);
    if (is("session"))
        assert(setsid() == -1 || getsid(0) == getpid()); /* who leads a group cannot */
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;

    assert(argc == 2);
    how = argv[1];
    signal(SIGUSR1, on_signal);
    pthread_create(&t, NULL, act, NULL);
    pthread_join(t, NULL);
    if (!is("leader") && !is("session")) {
        while (seen == 0)
            sched_yield();
        assert(seen == 1);
    }
    return 0;
}
