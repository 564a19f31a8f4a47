/* SPDX-License-Identifier: MIT */
/*
 * A timer goes off again and again until its handler has counted to two.  Who counts meanwhile, and
 * nothing else, takes time; and the search is not given up because the timer comes
 * only when all wait.
 *
 * RUN    plait test -n 5
 * EXPECT clean
 *
 * RUN    -DLOOKS plait test -n 200
 * EXPECT clean ended~limit.of.200(?s:.*)which.came.to.its.end
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile sig_atomic_t n;

static void on(int signo)
{
    (void)signo;
    n++;
}

static void *work(void *a)
{
    volatile unsigned long count = 0;

    while (n < 2) {
#ifndef LOOKS
        count++;
#endif
    }
    return count == 0 ? a : NULL;
}

int main(void)
{
    struct itimerval often = {{0, 1000}, {0, 1000}};
    pthread_t t;

    signal(SIGALRM, on);
    setitimer(ITIMER_REAL, &often, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(n >= 2);
    return 0;
}
