/* SPDX-License-Identifier: MIT */
/*
 * A child process is started during the execution, by the call that the argument names, while
 * another thread runs.  The child sees memory as it was at that moment, and leaves its parent's
 * alone.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40 restart=fork why~fork|process
 *
 * RUN    plait test -s random -n 40 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 40 --restart rollback
 * EXPECT refused
 *
 * RUN    plait test -s random -n 20 -- vfork
 * EXPECT clean executions=20 restart=fork why~fork|process
 *
 * RUN    plait test -s random -n 20 -- spawn
 * EXPECT clean executions=20 restart=exec why~programs
 *
 * RUN    plait test -s random -n 20 --restart exec -- spawn
 * EXPECT clean restart=exec same=6
 *
 * RUN    plait test -s random -n 20 -- system
 * EXPECT clean executions=20 restart=exec why~programs
 *
 * RUN    plait test -s random -n 20 -- popen
 * EXPECT clean executions=20 restart=exec why~programs
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how = "fork";
static atomic_int turn;
static volatile int private = 1;

static int child_by_fork(void)
{
    pid_t child = fork();
    int status;

    assert(child >= 0);
    if (child == 0) {
        private = 4;
        _exit(private + 1);
    }
    assert(waitpid(child, &status, 0) == child);
    return status;
}

static int child_by_vfork(void)
{
    pid_t child = vfork();
    int status;

    assert(child >= 0);
    if (child == 0)
        _exit(5);
    assert(waitpid(child, &status, 0) == child);
    return status;
}

static int child_by_spawn(void)
{
    char *const command[] = {"sh", "-c", "exit 5", NULL};
    pid_t child;
    int status;

    assert(posix_spawn(&child, "/bin/sh", NULL, NULL, command, environ) == 0);
    assert(waitpid(child, &status, 0) == child);
    return status;
}

static int child_by_popen(void)
{
    FILE *f = popen("echo 17; exit 5", "r");
    int number;

    assert(f != NULL && fscanf(f, "%d", &number) == 1 && number == 17);
    return pclose(f);
}

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    int status;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(private == 1); /* @fresh */
    turn++;
    if (strcmp(how, "vfork") == 0)
        status = child_by_vfork();
    else if (strcmp(how, "spawn") == 0)
        status = child_by_spawn();
    else if (strcmp(how, "system") == 0)
        status = system("exit 5");
    else if (strcmp(how, "popen") == 0)
        status = child_by_popen();
    else
        status = child_by_fork();
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    assert(private == 1);
    private = 2;
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        how = argv[1];
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
