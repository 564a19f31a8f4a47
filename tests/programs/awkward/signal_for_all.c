/* SPDX-License-Identifier: MIT */
/*
 * A signal for the process that the thread it was meant for blocks again, or that it does not live
 * to take, is still there for the others.  SIGPIPE is for the thread that wrote.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean|refused
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

static int wakes[2], broken[2];
static _Atomic int taken;
static _Thread_local volatile int mine;

static void count(int signo __attribute__((unused)))
{
    taken++;
}

static void count_mine(int signo __attribute__((unused)), siginfo_t *info,
                       void *context __attribute__((unused)))
{
    assert(info->si_pid == getpid());
    mine++;
}

static void *select_with_mask(void *arg)
{
    sigset_t none;
    fd_set in;

    sigemptyset(&none);
    do {
        FD_ZERO(&in);
        FD_SET(wakes[0], &in);
    } while (pselect(wakes[0] + 1, &in, NULL, NULL, NULL, &none) != 1 && errno == EINTR);
    return arg;
}

static void *open_for_a_moment(void *arg)
{
    sigset_t usr;

    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &usr, NULL);
    pthread_sigmask(SIG_BLOCK, &usr, NULL);
    return arg;
}

static void *send_and_wake(void *arg)
{
    kill(getpid(), SIGUSR1);
    assert(write(wakes[1], "x", 1) == 1);
    return arg;
}

static void *write_to_nobody(void *arg)
{
    assert(write(broken[1], "x", 1) == -1 && errno == EPIPE && mine == 1);
    return arg;
}

static void *block_and_write(void *arg)
{
    const struct timespec zero = {0, 0};
    sigset_t pipes, pending;

    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL);
    assert(write(broken[1], "x", 1) == -1 && errno == EPIPE);
    sigpending(&pending);
    assert(sigismember(&pending, SIGPIPE) && sigtimedwait(&pipes, NULL, &zero) == SIGPIPE);
    assert(mine == 0);
    return arg;
}

int main(void)
{
    void *(*const threads[])(void *) = {select_with_mask, open_for_a_moment, send_and_wake,
                                        write_to_nobody,  block_and_write,   block_and_write};
    struct sigaction pipe_action = {.sa_sigaction = count_mine, .sa_flags = SA_SIGINFO};
    pthread_t t[6];
    sigset_t usr;

    signal(SIGUSR1, count);
    sigaction(SIGPIPE, &pipe_action, NULL);
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr, NULL);
    assert(pipe(wakes) == 0 && pipe(broken) == 0 && close(broken[0]) == 0);
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    pthread_sigmask(SIG_UNBLOCK, &usr, NULL);
    assert(taken == 1 && mine == 0);
    return 0;
}
