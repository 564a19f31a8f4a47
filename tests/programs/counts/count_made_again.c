/* SPDX-License-Identifier: MIT */
/*
 * An execution that must be made again by exec, since a socket from before the first thread is
 * used, has no end where that is found out: nothing is planned from there.  dpor made one of two
 * twice.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete executions=2 classes=2 restart=exec
 */
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static int ends[2], events;

static void *receives(void *arg)
{
    char c;

    recv(ends[1], &c, 1, MSG_DONTWAIT);
    return arg;
}

static void *takes(void *arg)
{
    eventfd_t n;

    eventfd_read(events, &n);
    eventfd_read(events, &n);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    char c;

    events = eventfd(3, EFD_SEMAPHORE | EFD_NONBLOCK);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    for (int i = 0; i < 3; i++)
        send(ends[0], "a", 1, 0);
    pthread_create(&a, NULL, receives, NULL);
    pthread_create(&b, NULL, takes, NULL);
    recv(ends[1], &c, 1, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
