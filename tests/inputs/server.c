/* SPDX-License-Identifier: MIT */
/*
 * A server that serves two clients, each in a thread, on a port of its own,
 * which it writes to a file; datagrams come in, too.
 */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int sum;

static void *serve(void *arg)
{
    int fd = (int)(intptr_t)arg;
    char first[4] = "", second[4] = "";
    struct iovec v[2] = {{first, 2}, {second, 2}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};

    assert(recvmsg(fd, &m, MSG_WAITALL) == 4);
    int old = sum; /* the bug */

    sum = old + atoi(first) * 100 + atoi(second);
    assert(write(fd, "done", 4) == 4);
    close(fd);
    return NULL;
}

static int bound(int type, struct sockaddr_in *name)
{
    socklen_t n = sizeof(*name);
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

    *name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert(fd >= 0 && bind(fd, (struct sockaddr *)name, n) == 0);
    assert(getsockname(fd, (struct sockaddr *)name, &n) == 0);
    return fd;
}

int main(void)
{
    struct sockaddr_in name, packets, from = {0};
    int fd = bound(SOCK_STREAM, &name), datagrams = bound(SOCK_DGRAM, &packets);
    socklen_t n = sizeof(from);
    pthread_t t[2];
    char text[16] = "";

    assert(listen(fd, 8) == 0);
    FILE *f = fopen("ports.new", "w");

    fprintf(f, "%d %d\n", ntohs(name.sin_port), ntohs(packets.sin_port));
    fclose(f);
    assert(rename("ports.new", "ports.txt") == 0);
    assert(recvfrom(datagrams, text, sizeof(text), 0, (struct sockaddr *)&from, &n) == 5);
    assert(n == sizeof(from) && from.sin_family == AF_INET && from.sin_port != 0);
    int expected = atoi(text);

    for (int i = 0; i < 2; i++) {
        struct sockaddr_in peer = {0};
        int client = accept(fd, (struct sockaddr *)&peer, (n = sizeof(peer), &n));

        assert(client >= 0 && peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
        pthread_create(&t[i], NULL, serve, (void *)(intptr_t)client);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    close(fd);
    assert(sum == expected);
    return 0;
}
