/* SPDX-License-Identifier: MIT */
/*
 * A client: asks a server on this machine for two numbers, each thread on its
 * own connection, and waits for the answer in the way that is asked for: read,
 * poll, select or epoll.
 */
#include <assert.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *port, *way;
static atomic_int sum;

static int connect_to_server(void)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *list;
    struct sockaddr_in own, peer;
    socklen_t n = sizeof(own), m = sizeof(peer);
    int error = -1;

    assert(getaddrinfo("127.0.0.1", port, &hints, &list) == 0 && list != NULL);
    int fd = socket(list->ai_family, list->ai_socktype, list->ai_protocol);

    assert(fd >= 0 && connect(fd, list->ai_addr, list->ai_addrlen) == 0);
    freeaddrinfo(list);
    assert(getsockname(fd, (struct sockaddr *)&own, &n) == 0 && own.sin_port != 0);
    assert(getpeername(fd, (struct sockaddr *)&peer, &m) == 0 &&
           ntohs(peer.sin_port) == atoi(port));
    n = sizeof(error);
    assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0);
    return fd;
}

static void wait_by_select(int fd)
{
    fd_set in;

    FD_ZERO(&in);
    FD_SET(fd, &in);
    assert(select(fd + 1, &in, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &in));
}

static void wait_by_epoll(int fd)
{
    int mark, epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &mark}, ready;

    assert(epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
    assert(epoll_wait(epoll, &ready, 1, -1) == 1);
    assert(ready.data.ptr == &mark && (ready.events & EPOLLIN) != 0);
    close(epoll);
}

static void wait_for(int fd)
{
    struct pollfd p = {fd, POLLIN, 0};

    if (strcmp(way, "poll") == 0)
        assert(poll(&p, 1, -1) == 1 && (p.revents & POLLIN) != 0);
    else if (strcmp(way, "select") == 0)
        wait_by_select(fd);
    else if (strcmp(way, "epoll") == 0)
        wait_by_epoll(fd);
}

static void *ask(void *arg)
{
    char answer[16] = "";
    int waiting = -1;
    int fd = connect_to_server(), copy = dup(fd);

    assert(send(copy, arg, 4, MSG_NOSIGNAL) == 4);
    close(copy);
    wait_for(fd);
    assert(ioctl(fd, FIONREAD, &waiting) == 0 && waiting >= 0);
    assert(recv(fd, answer, 4, MSG_WAITALL) == 4);
    int old = sum; /* the bug */

    sum = old + atoi(answer);
    assert(shutdown(fd, SHUT_RDWR) == 0);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    port = argv[1];
    way = argc > 2 ? argv[2] : "read";
    pthread_create(&a, NULL, ask, "one\n");
    pthread_create(&b, NULL, ask, "two\n");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 300);
    return 0;
}
