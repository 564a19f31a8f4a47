/* SPDX-License-Identifier: MIT */
/*
 * A handler that blocks every signal while it runs, installed before the first thread or after
 * it, for a signal that the program sends itself or for the end of a child.  plait's own
 * processes are not the program's children, so the handler is called once in each execution.
 *
 * RUN    plait test -s random -n 40 -- early
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 40 --restart fork -- early
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --restart exec -- early
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 40 --carrier thread -- late
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 40 -- early child
 * EXPECT clean executions=40 restart=fork why~fork|process
 *
 * RUN    plait test -s random -n 40 -- late child
 * EXPECT clean executions=40 restart=fork why~fork|process
 *
 * RUN    plait test -s noise -n 100 -- early
 * EXPECT clean executions=100
 *
 * RUN    plait test -s noise -n 100 -- late child
 * EXPECT clean executions=100
 *
 * RUN    native early
 * EXPECT exit=0
 *
 * RUN    native late child
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int turn, handled;

static void handle(int signal)
{
    (void)signal;
    handled++;
    assert(getppid() > 0); /* a system call in the handler */
}

static void install(int signal)
{
    struct sigaction action = {.sa_handler = handle};

    sigfillset(&action.sa_mask);
    assert(sigaction(signal, &action, NULL) == 0);
}

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void start_child(void)
{
    pid_t child = fork();
    int status;

    assert(child >= 0);
    if (child == 0)
        _exit(5);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

int main(int argc, char **argv)
{
    int signal = argc > 2 ? SIGCHLD : SIGUSR1;
    pthread_t t;

    if (strcmp(argv[1], "early") == 0)
        install(signal);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    if (strcmp(argv[1], "late") == 0)
        install(signal);
    turn++;
    if (signal == SIGCHLD)
        start_child();
    else
        assert(raise(signal) == 0);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4 && handled == 1);
    return 0;
}
