/* SPDX-License-Identifier: MIT */
/* libevent: a loop and two threads that write to a socket it reads. */
#include <assert.h>
#include <event2/event.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
static int ends[2], got;
static struct event_base *base;
static void on_read(evutil_socket_t fd, short what, void *x)
{
    char c[4];
    long n = read(fd, c, sizeof c);
    if (n > 0)
        got += n;
    if (got == 2)
        event_base_loopbreak(base);
}
static void *writer(void *x)
{
    assert(write(ends[1], "x", 1) == 1);
    return x;
}
int main(void)
{
    pthread_t a, b;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    base = event_base_new();
    struct event *e = event_new(base, ends[0], EV_READ | EV_PERSIST, on_read, NULL);
    event_add(e, NULL);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    event_base_dispatch(base);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(got == 2);
    event_free(e);
    event_base_free(base);
    return 0;
}
