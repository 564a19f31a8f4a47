/* SPDX-License-Identifier: MIT */
/*
 * One end of a pipe goes through a socket.  What was received and closed is closed: the pipe ends.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dfs --restart fork
 * EXPECT clean complete restart=fork
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int sockets[2], ends[2];

struct packet {
    char byte, room[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
    struct iovec data;
    struct msghdr head;
};

static struct msghdr *prepare(struct packet *p)
{
    memset(p, 0, sizeof(*p));
    p->data = (struct iovec){&p->byte, 1};
    p->head = (struct msghdr){.msg_iov = &p->data,
                              .msg_iovlen = 1,
                              .msg_control = p->room,
                              .msg_controllen = sizeof(p->room)};
    return &p->head;
}

static void *sender(void *arg)
{
    struct packet p;
    struct msghdr *m = prepare(&p);
    struct cmsghdr *c = CMSG_FIRSTHDR(m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &ends[1], sizeof(int));
    assert(sendmsg(sockets[1], m, 0) == 1);
    assert(close(ends[1]) == 0);
    return arg;
}

int main(void)
{
    struct packet p;
    struct msghdr *m = prepare(&p);
    pthread_t t;
    char byte;
    int fd;

    assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    assert(pthread_create(&t, NULL, sender, NULL) == 0);
    assert(recvmsg(sockets[0], m, 0) == 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(m)), sizeof(fd));
    assert(write(fd, "z", 1) == 1 && close(fd) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(read(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0);
    return 0;
}
