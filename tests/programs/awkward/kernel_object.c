/* SPDX-License-Identifier: MIT */
/*
 * Kernel objects with a state, made before the root and used during the execution: a counter
 * (eventfd), a set of descriptors to watch (epoll).  They are as at the root in
 * each execution, or the program starts anew for each.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|exec why~descriptor|event|epoll|kernel
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean|refused restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 -- epoll
 * EXPECT clean executions=100 restart=rollback|exec why~descriptor|event|epoll|kernel
 *
 * RUN    plait test -s random -n 100 --restart fork -- epoll
 * EXPECT clean|refused restart=fork same=4
 *
 * RUN    plait test -s random -n 100 --restart exec -- epoll
 * EXPECT clean restart=exec same=4
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const char *what = "eventfd";
static int counter, set;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    if (strcmp(what, "epoll") != 0)
        assert(eventfd_write(counter, 10) == 0);
    turn++;
    return arg;
}

static void count(void)
{
    eventfd_t value = 0;

    assert(eventfd_read(counter, &value) == 0);
    turn++;
    assert(value == 5 || value == 15); /* @fresh */
}

static void watch(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 77}, seen;

    assert(epoll_wait(set, &seen, 1, 0) == 0);
    turn++;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, counter, &event) == 0);
    assert(epoll_wait(set, &seen, 1, 0) == 1 && seen.data.u64 == 77);
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    if (strcmp(what, "epoll") == 0)
        watch();
    else
        count();
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
    if (strcmp(what, "twice") == 0)
        assert(eventfd_write(counter, 100) == 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        what = argv[1];
    counter = eventfd(5, 0);
    set = epoll_create1(0);
    assert(counter >= 0 && set >= 0);
    execution();
    if (strcmp(what, "twice") == 0)
        execution();
    return 0;
}
