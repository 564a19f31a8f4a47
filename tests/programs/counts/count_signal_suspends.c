/* SPDX-License-Identifier: MIT */
/*
 * A signal comes before main() waits for it, or while it does: both where a third thread has looked
 * for signals meanwhile, and where it has not.
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT deadlock complete classes=16
 *
 * RUN    plait test -s dpor:classic -k
 * EXPECT deadlock complete classes=16
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete classes=16
 *
 * RUN    plait test -s dfs -k
 * EXPECT deadlock complete classes=16
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

static pthread_t first;
static int fd;

static void hit(int number)
{
    (void)number;
}

static void *sends(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

static void *looks(void *arg)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, 0) == 0 ? arg : &fd;
}

int main(void)
{
    pthread_t sender, looker;
    sigset_t set;

    first = pthread_self();
    signal(SIGUSR1, hit);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, 0);
    pthread_create(&sender, NULL, sends, NULL);
    pthread_create(&looker, NULL, looks, NULL);
    sigemptyset(&set);
    sigsuspend(&set);
    pthread_join(sender, NULL);
    pthread_join(looker, NULL);
    return 0;
}
