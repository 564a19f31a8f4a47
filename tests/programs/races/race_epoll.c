/* SPDX-License-Identifier: MIT */
/*
 * What was done before a descriptor was registered is known to whoever is told that it is ready,
 * and so is what was done before it became ready, without reading from it.
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dfs --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * RUN    -DREADY=1 plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know what a set of epoll orders
 */
#include "two.h"

#include <sys/epoll.h>

#ifndef RACE
#define RACE 0
#endif
#ifndef READY
#define READY 0
#endif

static int set, ends[2];
int data;

static void *first(void *arg)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &data};

    if (!RACE)
        data = 1; /* @here */
    if (READY ? write(ends[1], "x", 1) != 1 : epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) != 0)
        return NULL;
    if (RACE)
        data = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    struct epoll_event event;

    if (epoll_wait(set, &event, 1, -1) != 1)
        return NULL;
    return seen(arg, *(int *)event.data.ptr); /* @here */
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &data};

    set = epoll_create1(0);
    if (pipe(ends) != 0)
        return 2;
    if (READY ? epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) != 0 : write(ends[1], "x", 1) != 1)
        return 2;
    return both(first, second);
}
