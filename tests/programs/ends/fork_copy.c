/* SPDX-License-Identifier: MIT */
/*
 * A child has what its parent had when it was made: its making has an order with whatever another
 * thread does.  Between the two stores of that, what the child finds is wrong.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=7 location~@same
 *
 * RUN    [dpor] plait test -s dpor -k
 * EXPECT assertion complete classes=7 location~@same
 *
 * What starts another program does so with arguments that another thread may still change.
 *
 * RUN    [dpor] -DSYSTEM plait test -s dpor
 * EXPECT assertion location~@same
 *
 * RUN    [dpor] -DPOPEN plait test -s dpor
 * EXPECT assertion location~@same
 *
 * RUN    [dpor] -DSPAWN plait test -s dpor
 * EXPECT assertion location~@same
 */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int one, other;
static _Atomic char command[] = {'e', 'x', 'i', 't', ' ', '0', '\0'};

static void *run(void *arg)
{
    one = 1;
    other = 1;
    command[5] = '1';
    command[5] = '0';
    return arg;
}

static int start_child(void)
{
    int status = 0;
#ifdef SYSTEM
    status = system((char *)command);
#elif defined POPEN
    status = pclose(popen((char *)command, "r"));
#else
    pid_t child;

#ifdef SPAWN
    char *argv[] = {"sh", "-c", (char *)command, NULL};

    assert(posix_spawnp(&child, "sh", NULL, NULL, argv, NULL) == 0);
#else
    child = fork();
    if (child == 0)
        _exit(one != other);
#endif
    assert(waitpid(child, &status, 0) == child);
#endif
    return status;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
#if defined SYSTEM || defined POPEN || defined SPAWN
    (void)command[5];
#else
    (void)one;
    (void)other;
#endif
    int status = start_child();

    pthread_join(t, NULL);
    assert(WEXITSTATUS(status) == 0); /* @same */
    return 0;
}
