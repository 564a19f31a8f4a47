/* SPDX-License-Identifier: MIT */
/*
 * Real-time signals queue with their values, also the highest of them; others are pending once.
 * Of those for the thread the lowest number goes first, then come those for the process.
 * tgkill() knows the numbers that gettid() gives.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s noise -n 10
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static pid_t number;
static sem_t known, sent;

static void *take(void *arg)
{
    siginfo_t info;

    number = gettid();
    sem_post(&known);
    assert(sem_wait(&sent) == 0);
    assert(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_code == SI_USER);
    for (int i = 1; i <= 2; i++) {
        assert(sigwaitinfo(&set, &info) == SIGRTMAX && info.si_code == SI_QUEUE);
        assert(info.si_value.sival_int == i);
    }
    assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_code == SI_USER);
    sigset_t left;

    assert(sigpending(&left) == 0 && !sigismember(&left, SIGUSR2));
    return arg;
}

int main(void)
{
    pthread_t t;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGRTMAX);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, take, NULL);
    for (int i = 1; i <= 2; i++)
        assert(pthread_sigqueue(t, SIGRTMAX, (union sigval){.sival_int = i}) == 0);
    assert(sem_wait(&known) == 0);
    assert(tgkill(getpid(), number, SIGUSR2) == 0);
    assert(pthread_kill(t, SIGUSR2) == 0);
    assert(kill(getpid(), SIGUSR1) == 0);
    sem_post(&sent);
    return pthread_join(t, NULL);
}
