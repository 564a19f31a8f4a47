/* SPDX-License-Identifier: MIT */
/*
 * A signal is taken before a call that uses two resources, the second being a number of a
 * descriptor: that has not been looked at yet.  Another signal, which is blocked, comes before or
 * after that all the same, as it does before a join.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=7
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=7
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_t target;

static void hit(int number)
{
    (void)number;
}

static void *sends(void *arg)
{
    pthread_kill(target, SIGUSR1);
    pthread_kill(target, SIGUSR2);
    return arg;
}

int main(void)
{
    const struct sigaction action = {.sa_handler = hit};
    pthread_t sender;
    sigset_t blocked;

    target = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    pthread_create(&sender, NULL, sends, NULL);
    close(dup(0));
    pthread_join(sender, NULL);
    return 0;
}
