/* SPDX-License-Identifier: MIT */
/*
 * The program gives its signal handler a stack of its own.  plait's handler for crashes has one
 * too, and the kernel has but one for each OS thread: the program's belongs to its thread, and
 * the kernel does not know of it.
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
 * RUN    plait test -s random -n 100 --restart rollback
 * EXPECT clean restart=rollback same=1
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
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static char stack[64 << 10];
static atomic_int turn;
static volatile int on_it;

static void handle(int number)
{
    char *here = __builtin_frame_address(0);

    (void)number;
    on_it = here >= stack && here < stack + sizeof(stack);
}

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    stack_t given = {.ss_sp = stack, .ss_size = sizeof(stack)}, before;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(sigaltstack(&given, &before) == 0);
    assert(before.ss_sp != stack && !on_it); /* @fresh */
    turn++;
    assert(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
    assert(on_it);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
