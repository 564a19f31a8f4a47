/* SPDX-License-Identifier: MIT */
/*
 * Nobody ends: one thread goes round a loop, one waits for input that never comes, main joins them
 * and has blocked all signals.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int flag;
static int ends[2];

__attribute__((noinline)) static void go_round(void)
{
    while (!flag) {
    }
}

__attribute__((noinline)) static int wait_for_input(void)
{
    char c;

    return read(ends[0], &c, 1) == 1;
}

static void *rounder(void *arg)
{
    go_round();
    return arg;
}

static void *reader(void *arg)
{
    return wait_for_input() ? arg : NULL;
}

int main(void)
{
    pthread_t t, u;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&t, NULL, rounder, NULL);
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&u, NULL, reader, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
