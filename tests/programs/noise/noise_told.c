/* SPDX-License-Identifier: MIT */
/*
 * Signals reach free threads at accesses to their own stacks, behind calls that are operations
 * elsewhere, several at once, and by timers that go off again.  Each comes there again in a replay,
 * so that the program ends with the same status.
 *
 * RUN    plait test -s noise -n 1 --expect-exit=7
 * EXPECT exit exit=1
 *
 * RUN    -DTIMED plait test -s noise -n 1 --expect-exit=7
 * EXPECT exit exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 3 };

static volatile sig_atomic_t handled;

static void handle(int signo)
{
    handled += signo != 0;
}

#ifdef TIMED
static void *work(void *arg)
{
    const sigset_t *set = arg;

    for (int i = 0; i < TIMES; i++) {
        siginfo_t info;

        assert(sigwaitinfo(set, &info) == SIGRTMIN);
    }
    return arg;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec often = {{0, 2000000}, {0, 2000000}};
    timer_t timer;
    sigset_t set;
    pthread_t t;

    handle(0);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, &set);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    timer_settime(timer, 0, &often, NULL);
    pthread_join(t, NULL);
    timer_delete(timer);
    return 0;
}
#else
static void *work(void *arg)
{
    struct timespec now[TIMES];

    for (int i = 0; i < TIMES; i++)
        clock_gettime(CLOCK_MONOTONIC, &now[i]);
    while (handled < 2) {
        clock_gettime(CLOCK_MONOTONIC, &now[0]);
        usleep(100);
    }
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t t;

    sigfillset(&action.sa_mask); /* or one of them could be counted within the other */
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_kill(t, SIGUSR2);
    pthread_join(t, NULL);
    return 0;
}
#endif
