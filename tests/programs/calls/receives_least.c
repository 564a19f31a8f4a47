/* SPDX-License-Identifier: MIT */
/*
 * How much a receive waits for: what the socket's option says, or all of it; and what is only
 * looked at is not taken meanwhile.  Between processes the kernel waits for the first of that.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void *send_bytes(void *arg)
{
    const int fd = *(int *)arg;

    assert(write(fd, "a", 1) == 1);
    assert(write(fd, "bc", 2) == 2);
    assert(shutdown(fd, SHUT_WR) == 0);
    return arg;
}

static void between_processes(void)
{
    int pair[2], least = 2;
    char text[4] = "";
    pthread_t t;

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(pthread_create(&t, NULL, send_bytes, &pair[0]) == 0);
    ssize_t n = recv(pair[1], text, 3, MSG_PEEK | MSG_WAITALL);

    assert((n == 1 || n == 3) && memcmp(text, "abc", (size_t)n) == 0);
    assert(setsockopt(pair[1], SOL_SOCKET, SO_RCVLOWAT, &least, sizeof(least)) == 0);
    assert(read(pair[1], text, 4) == 3 && memcmp(text, "abc", 3) == 0);
    assert(recv(pair[1], text, 4, 0) == 0);
    assert(pthread_join(t, NULL) == 0);
    close(pair[0]);
    close(pair[1]);
}

static void over_loopback(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET};
    struct sockaddr *address = (struct sockaddr *)&name;
    socklen_t size = sizeof(name);
    char text[3] = "";
    struct iovec piece = {.iov_base = text, .iov_len = 3};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    int listener = socket(AF_INET, SOCK_STREAM, 0), to = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t t;

    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(listener, address, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, address, &size) == 0 && connect(to, address, size) == 0);
    int from = accept(listener, NULL, NULL);

    assert(pthread_create(&t, NULL, send_bytes, &to) == 0);
    assert(recv(from, text, 3, MSG_PEEK | MSG_WAITALL) == 3 && memcmp(text, "abc", 3) == 0);
    memset(text, 0, 3);
    assert(recvmsg(from, &message, MSG_PEEK | MSG_WAITALL) == 3 && memcmp(text, "abc", 3) == 0);
    memset(text, 0, 3);
    assert(recv(from, text, 3, MSG_WAITALL) == 3 && memcmp(text, "abc", 3) == 0);
    assert(pthread_join(t, NULL) == 0);
    close(from);
    close(to);
    close(listener);
}

int main(void)
{
    between_processes();
    over_loopback();
    return 0;
}
