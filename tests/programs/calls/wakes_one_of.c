/* SPDX-License-Identifier: MIT */
/*
 * A descriptor is in two sets, and wakes who waits for one of them (EPOLLEXCLUSIVE): natively the
 * other may wait for ever, as who reads a counter like a semaphore leaves something for it but does
 * not say so.  Here both are woken, and the search says what it does not cover.  In one set that
 * makes no difference.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~every.interleaving ended~but.for.*EPOLLEXCLUSIVE
 *
 * RUN    -DSETS=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DSETS=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#ifndef SETS
#define SETS 2
#endif

static int counter, sets[SETS];

static void *take(void *set)
{
    struct epoll_event event;
    eventfd_t value;

    assert(epoll_wait(*(int *)set, &event, 1, -1) == 1);
    assert(eventfd_read(counter, &value) == 0 && value == 1);
    return set;
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
    pthread_t t[2];

    counter = eventfd(0, EFD_SEMAPHORE);
    for (int i = 0; i < SETS; i++) {
        sets[i] = epoll_create1(0);
        assert(epoll_ctl(sets[i], EPOLL_CTL_ADD, counter, &event) == 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, &sets[i % SETS]);
    assert(eventfd_write(counter, 2) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
