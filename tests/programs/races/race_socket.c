/* SPDX-License-Identifier: MIT */
/*
 * The same through a pair of sockets, looked at by poll().
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * TSAN race: it orders by what is read, not by what poll() says
 * HELGRIND race: it does not know what a socket orders
 */
#include "two.h"

#include <poll.h>
#include <sys/socket.h>

static int ends[2];
int data;

static void *writer(void *arg)
{
    data = 1;
    if (send(ends[1], "x", 1, 0) != 1)
        return NULL;
    return arg;
}

static void *reader(void *arg)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};

    if (poll(&p, 1, -1) == 1)
        return seen(arg, data);
    return arg;
}

int main(void)
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 2;
    return both(writer, reader);
}
