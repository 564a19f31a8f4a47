/* SPDX-License-Identifier: MIT */
/*
 * A descriptor is on its way through a pair of sockets when the threads begin: it stands for the
 * counter that the program has, in every execution.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean complete executions=1 restart=exec why~socket
 *
 * RUN    plait test -s random -n 10 --restart exec
 * EXPECT clean executions=1
 *
 * RUN    plait test -s random -n 10 --restart fork
 * EXPECT refused
 *
 * RUN    plait test -s random -n 10 --carrier thread
 * EXPECT clean executions=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static int pair[2], counter;

static void *take(void *arg)
{
    char control[CMSG_SPACE(sizeof(int))], byte;
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    int fd;

    assert(recvmsg(pair[0], &m, 0) == 1 && CMSG_FIRSTHDR(&m) != NULL);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
    assert(eventfd_write(fd, 3) == 0);
    return arg;
}

int main(void)
{
    char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    eventfd_t n;
    pthread_t t;

    counter = eventfd(0, 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &counter, sizeof(int));
    assert(sendmsg(pair[1], &m, 0) == 1);
    pthread_create(&t, NULL, take, NULL);
    assert(eventfd_read(counter, &n) == 0 && n == 3);
    pthread_join(t, NULL);
    return 0;
}
