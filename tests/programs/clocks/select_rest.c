/* SPDX-License-Identifier: MIT */
/*
 * select() says how much of its time is left, and does not round what pselect() and ppoll() are
 * told to milliseconds.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
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
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int p[2];

static void *wait_for_some(void *arg)
{
    struct timeval left = {5, 0};
    fd_set in;

    FD_ZERO(&in);
    FD_SET(p[0], &in);
    int n = select(p[0] + 1, &in, NULL, NULL, &left);

    assert(n == FD_ISSET(p[0], &in));
    assert(n == 1 ? left.tv_sec <= 5 : left.tv_sec == 0 && left.tv_usec == 0);
    return arg;
}

static void *write_later(void *arg)
{
    const struct timespec span = {0, 200000};
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    assert(ppoll(NULL, 0, &span, NULL) == 0 && pselect(0, NULL, NULL, NULL, &span, NULL) == 0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    long passed = (to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec;

    assert(passed >= 400000);
    assert(write(p[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    assert(pipe(p) == 0);
    pthread_create(&a, NULL, wait_for_some, NULL);
    pthread_create(&b, NULL, write_later, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
