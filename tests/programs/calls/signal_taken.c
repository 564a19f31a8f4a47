/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait for one signal that is sent to the process.  Whoever is left waiting could have
 * had it, also if nobody ends the program: so both orders are shown.
 *
 * RUN    plait test -s dfs -k
 * EXPECT deadlock,deadlock complete exit=1 classes=4
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock,deadlock complete exit=1 classes=4
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT deadlock,deadlock complete exit=1 classes=4
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *take(void *name)
{
    sigset_t set;
    int got;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, &got);
    return name;
}

static void *give(void *arg)
{
    kill(getpid(), SIGUSR2);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, take, "a");
    pthread_create(&b, NULL, take, "b");
    pthread_create(&c, NULL, give, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
