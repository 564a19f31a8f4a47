/* SPDX-License-Identifier: MIT */
/*
 * A signal keeps a thread from looking for another one.  What it would have found does not depend
 * on who else looked, and found nothing: that is no other class.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static void handle(int number)
{
    (void)number;
}

static void look(void)
{
    struct timespec at_once = {0};
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigtimedwait(&set, NULL, &at_once);
}

static void *looks(void *arg)
{
    look();
    return arg;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;

    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, looks, NULL);
    look();
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
