/* SPDX-License-Identifier: MIT */
/*
 * Whatever is pending and may come has been handled before the call returns that lets it come:
 *
 *   queued  every one of several real-time signals, in their order
 *   frames  of two different ones the second finds the first at its beginning
 *   again   also what a handler sends its own thread
 *   jump    a jump that sets the mask back lets it come, too
 *   asleep  a call with a mask of its own has that until the first handler returns
 *
 * `stack`: whether the alternate stack was there is a matter of when the signal came.
 * `waits`: of two that wait for a signal of the process the wrong one may be woken, and its call
 * fails; that is not modelled, and said.
 *
 * RUN    plait test -s dfs -- queued
 * EXPECT clean complete classes=3
 *
 * RUN    plait test -s dpor -- queued
 * EXPECT clean complete classes=3 executions=4
 *
 * RUN    plait test -s dpor -- frames
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor -- again
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- jump
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- asleep
 * EXPECT clean complete
 *
 * RUN    plait test -s dfs -- stack
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- stack
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- waits
 * EXPECT clean incomplete classes=10
 *
 * RUN    native queued
 * EXPECT exit=0
 *
 * RUN    native frames
 * EXPECT exit=0
 *
 * RUN    native again
 * EXPECT exit=0
 *
 * RUN    native jump
 * EXPECT exit=0
 *
 * RUN    native asleep
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static pthread_t first;
static volatile int values[4], n;
static volatile bool on_stack;
static sigset_t all;

static void note(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    values[n++] = info->si_value.sival_int;
}

static void handle(void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

    for (int i = 0; i < 2; i++) {
        sigaction(SIGRTMIN + i, &action, NULL);
        sigaddset(&all, SIGRTMIN + i);
    }
}

static void block(int how)
{
    pthread_sigmask(how, &all, NULL);
}

static void send(int signal, int value)
{
    pthread_sigqueue(first, signal, (union sigval){.sival_int = value});
}

static void *two(void *arg)
{
    send(SIGRTMIN, 1);
    send(SIGRTMIN, 2);
    return arg;
}

static void *third(void *arg)
{
    send(SIGRTMIN, 3);
    return arg;
}

static void *other(void *arg)
{
    send(SIGRTMIN + 1, 9);
    return arg;
}

static void both(void *(*one)(void *), void *(*another)(void *))
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, another, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

static void queued(void)
{
    handle(note, 0);
    block(SIG_BLOCK);
    both(two, third);
    block(SIG_UNBLOCK);
    assert(n == 3 && values[0] != 2 && values[0] + values[1] + values[2] == 6);
}

static void frames(void)
{
    handle(note, 0);
    block(SIG_BLOCK);
    both(third, other);
    block(SIG_UNBLOCK);
    assert(n == 2 && values[0] == 9 && values[1] == 3);
}

static void *nothing(void *arg)
{
    return arg;
}

static void send_again(int signal, siginfo_t *info, void *context)
{
    note(signal, info, context);
    if (n < 3)
        raise(signal);
}

static void again(void)
{
    pthread_t thread;

    handle(send_again, 0);
    pthread_create(&thread, NULL, nothing, NULL);
    raise(SIGRTMIN);
    assert(n == 3);
    pthread_join(thread, NULL);
}

static void jump(void)
{
    pthread_t thread;
    sigjmp_buf place;

    handle(note, 0);
    pthread_create(&thread, NULL, nothing, NULL);
    if (sigsetjmp(place, 1) == 0) {
        block(SIG_BLOCK);
        send(SIGRTMIN, 1);
        assert(n == 0);
        siglongjmp(place, 1);
    }
    assert(n == 1);
    pthread_join(thread, NULL);
}

static void *twice_and_other(void *arg)
{
    two(arg);
    return other(arg);
}

static void asleep(void)
{
    pthread_t thread;
    sigset_t none;

    handle(note, 0);
    block(SIG_BLOCK);
    sigemptyset(&none);
    pthread_create(&thread, NULL, twice_and_other, NULL);
    pthread_join(thread, NULL);
    sigsuspend(&none);
    assert(n == 2 && values[0] == 9 && values[1] == 1);
    sigsuspend(&none);
    assert(n == 3 && values[2] == 2);
}

static char room[1 << 16];

static void look(int signal, siginfo_t *info, void *context)
{
    char here;

    note(signal, info, context);
    on_stack = &here >= room && &here < room + sizeof(room);
}

static void stack(void)
{
    stack_t alternate = {.ss_sp = room, .ss_size = sizeof(room)};
    pthread_t thread;

    handle(look, SA_ONSTACK);
    pthread_create(&thread, NULL, third, NULL);
    sigaltstack(&alternate, NULL);
    pthread_join(thread, NULL);
    assert(on_stack);
}

static void *takes(void *arg)
{
    siginfo_t info;

    assert(sigwaitinfo(&all, &info) == SIGRTMIN);
    return arg;
}

static void waits(void)
{
    pthread_t threads[2];

    handle(note, 0);
    block(SIG_BLOCK);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, takes, NULL);
    for (int i = 0; i < 2; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } faces[] = {{"queued", queued}, {"frames", frames}, {"again", again}, {"jump", jump},
                 {"asleep", asleep}, {"stack", stack},   {"waits", waits}};

    first = pthread_self();
    sigemptyset(&all);
    for (unsigned i = 0; argc > 1 && i < sizeof(faces) / sizeof(faces[0]); i++) {
        if (strcmp(faces[i].name, argv[1]) == 0)
            faces[i].run();
    }
    return 0;
}
