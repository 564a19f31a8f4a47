/* SPDX-License-Identifier: MIT */
/*
 * A child process is started before the first thread and waited for during the execution.  A
 * forked process is not its parent and a second execution would find it gone, so plait takes the
 * start of the child for the beginning of the execution.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40 restart=exec why~programs
 *
 * RUN    plait test -s random -n 40 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 40 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --restart rollback
 * EXPECT refused
 *
 * RUN    plait test -s random -n 40 -- fork
 * EXPECT clean executions=40 restart=fork|exec why~process|child|fork
 *
 * RUN    plait test -s random -n 40 --restart exec -- fork
 * EXPECT clean restart=exec same=5
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;
    int status;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    assert(waitpid(child, &status, 0) == child); /* @fresh */
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "spawn";
    char *const command[] = {"sh", "-c", "exit 5", NULL};

    if (strcmp(how, "fork") == 0)
        child = fork();
    else
        assert(posix_spawn(&child, "/bin/sh", NULL, NULL, command, environ) == 0);
    if (child == 0)
        _exit(5);
    assert(child > 0);
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
