/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers are installed in an execution, one where there was none and one in place of
 * the program's own, and run.  In the next execution both are as they were.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn, early, late;

static void handle_early(int signal)
{
    (void)signal;
    early++;
}

static void handle_late(int signal)
{
    (void)signal;
    late++;
}

static void *thread(void *arg)
{
    turn++;
    assert(raise(SIGUSR2) == 0); /* with either handler */
    turn++;
    return arg;
}

static void execution(void)
{
    struct sigaction action = {.sa_handler = handle_late}, before;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(sigaction(SIGUSR1, &action, &before) == 0);
    assert(before.sa_handler == SIG_DFL); /* @fresh */
    assert(sigaction(SIGUSR2, &action, &before) == 0);
    assert(before.sa_handler == handle_early); /* @fresh */
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    turn++;
    assert(raise(SIGUSR1) == 0);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4 && early + late == 2 && late >= 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(signal(SIGUSR2, handle_early) == SIG_DFL);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
