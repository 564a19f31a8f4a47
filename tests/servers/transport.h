/* SPDX-License-Identifier: MIT */
/* Sockets by address: tcp:PORT on this machine, or unix:PATH. */
#ifndef PL_TESTS_SERVERS_TRANSPORT_H
#define PL_TESTS_SERVERS_TRANSPORT_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

union transport_address {
    struct sockaddr any;
    struct sockaddr_in tcp;
    struct sockaddr_un local;
};

static inline socklen_t transport_parse(const char *text, union transport_address *to)
{
    memset(to, 0, sizeof(*to));
    if (strncmp(text, "unix:", 5) == 0) {
        to->local.sun_family = AF_UNIX;
        strncpy(to->local.sun_path, text + 5, sizeof(to->local.sun_path) - 1);
        return sizeof(to->local);
    }
    to->tcp.sin_family = AF_INET;
    to->tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to->tcp.sin_port = htons((unsigned short)atoi(text + 4));
    return sizeof(to->tcp);
}

static inline int transport_listen(const char *text)
{
    union transport_address a;
    socklen_t n = transport_parse(text, &a);
    int fd = socket(a.any.sa_family, SOCK_STREAM, 0);

    return fd >= 0 && bind(fd, &a.any, n) == 0 && listen(fd, 8) == 0 ? fd : -1;
}

static inline int transport_connect(const char *text)
{
    union transport_address a;
    socklen_t n = transport_parse(text, &a);
    int fd = socket(a.any.sa_family, SOCK_STREAM, 0);

    return fd >= 0 && connect(fd, &a.any, n) == 0 ? fd : -1;
}

#endif /* PL_TESTS_SERVERS_TRANSPORT_H */
