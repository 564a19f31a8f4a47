/* SPDX-License-Identifier: MIT */
/*
 * What was set for pipes and pairs of sockets before the threads holds in every execution: who
 * sends, how much goes in, how long one waits.  A message that is longer than there is room for
 * says so.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean|refused
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
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int who[2], slow[2], small[2], half[2];

static void *send_name(void *arg)
{
    char byte = 'x', control[CMSG_SPACE(sizeof(struct ucred))] = {0};
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    struct ucred me = {getpid(), getuid(), getgid()};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_CREDENTIALS;
    c->cmsg_len = CMSG_LEN(sizeof(me));
    memcpy(CMSG_DATA(c), &me, sizeof(me));
    assert(sendmsg(who[0], &m, 0) == 1);
    assert(((struct ucred *)CMSG_DATA(c))->pid == getpid());
    assert(send(who[0], "longer", 6, 0) == 6);
    return arg;
}

static void *read_name(void *arg)
{
    char byte, few[4], control[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    struct ucred from;

    assert(recvmsg(who[1], &m, 0) == 1 && CMSG_FIRSTHDR(&m) != NULL);
    memcpy(&from, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(from));
    assert(from.pid == getpid() && from.uid == getuid());
    assert(recv(who[1], few, sizeof(few), MSG_TRUNC) == 6 && memcmp(few, "long", 4) == 0);
    return arg;
}

static void *look(void *arg)
{
    static char much[65536];
    char byte;

    assert(recv(slow[0], &byte, 1, 0) == -1 && errno == EAGAIN);
    assert(fcntl(small[1], F_GETPIPE_SZ) == 4096);
    assert(write(small[1], much, sizeof(much)) == 4096);
    assert(recv(half[1], &byte, 1, 0) == 0);
    return arg;
}

int main(void)
{
    void *(*const threads[])(void *) = {send_name, read_name, look};
    const struct timeval limit = {1, 0};
    const int on = 1;
    pthread_t t[3];

    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, who) == 0);
    assert(setsockopt(who[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, slow) == 0);
    assert(setsockopt(slow[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0);
    assert(pipe2(small, O_NONBLOCK) == 0 && fcntl(small[0], F_SETPIPE_SZ, 4096) == 4096);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, half) == 0 && shutdown(half[0], SHUT_WR) == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
