/* SPDX-License-Identifier: MIT */
/*
 * Sockets that listen, or get datagrams, from before the root: what one execution leaves in them,
 * closes or sets, the next one does not meet.  `close`: the one that listens is closed while
 * threads still connect, which is refused then, or is reset.  `change`: it gets another option.
 * `path`: their names are files, which the execution removes.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 30 --restart fork
 * EXPECT clean executions=30
 *
 * RUN    plait test -s random -n 20 --restart exec
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 40 -- unix
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 40 -- path
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 60 -- close
 * EXPECT clean executions=60 restart=exec why~socket
 *
 * RUN    plait test -s random -n 20 -- change
 * EXPECT clean executions=20 restart=exec why~socket
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native unix
 * EXPECT exit=0
 *
 * RUN    native path
 * EXPECT exit=0
 *
 * RUN    native close
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static union {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_un un;
} address, place;
static socklen_t size, place_size;
static int listening, datagrams;
static bool closes, changes, removes;

static void *client(void *arg)
{
    int s = socket(address.any.sa_family, SOCK_STREAM, 0);
    int to = socket(place.any.sa_family, SOCK_DGRAM, 0);
    char byte = 'x';

    if (connect(s, &address.any, size) == 0) {
        long n = write(s, &byte, 1) == 1 ? read(s, &byte, 1) : -1;

        assert(n == 1 ? byte == 'y' : closes);
    } else {
        assert(closes && (errno == ECONNREFUSED || errno == ECONNRESET));
    }
    assert(sendto(to, &byte, 1, 0, &place.any, place_size) == 1);
    close(s);
    close(to);
    return arg;
}

/* One is served; what else there is stays unread. */
static void execution(void)
{
    struct pollfd p = {.fd = listening, .events = POLLIN};
    int on = 1, early;
    pthread_t t, u;
    char byte;

    assert(poll(&p, 1, 0) == 0 && recv(datagrams, &byte, 1, MSG_DONTWAIT) == -1);
    assert((fcntl(listening, F_GETFL) & O_NONBLOCK) == 0);
    pthread_create(&t, NULL, client, NULL);
    int s = accept(listening, NULL, NULL);

    assert(s >= 0 && read(s, &byte, 1) == 1 && byte == 'x' && write(s, "y", 1) == 1);
    if (changes) {
        socklen_t n = sizeof(early);

        assert(getsockopt(listening, SOL_SOCKET, SO_KEEPALIVE, &early, &n) == 0 && early == 0);
        setsockopt(listening, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    }
    pthread_join(t, NULL);
    fcntl(listening, F_SETFL, O_NONBLOCK);
    if (closes) {
        pthread_create(&u, NULL, client, NULL);
        close(listening);
        pthread_join(u, NULL);
        return;
    }
    int left = socket(address.any.sa_family, SOCK_STREAM, 0);

    assert(connect(left, &address.any, size) == 0 && poll(&p, 1, 0) == 1);
    if (address.any.sa_family == AF_UNIX)
        assert(accept(dup2(listening, 40), NULL, NULL) >= 0 && close(listening) == 0);
    if (removes) {
        assert(unlink(address.un.sun_path) == 0 && unlink(place.un.sun_path) == 0);
        assert(access(address.un.sun_path, F_OK) == -1 && access(place.un.sun_path, F_OK) == -1);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    removes = strcmp(how, "path") == 0;
    bool named = removes || strcmp(how, "unix") == 0;

    closes = strcmp(how, "close") == 0;
    changes = strcmp(how, "change") == 0;
    if (named) {
        address.un = (struct sockaddr_un){.sun_family = AF_UNIX, .sun_path = "/plait-listening"};
        place.un = (struct sockaddr_un){.sun_family = AF_UNIX, .sun_path = "/plait-datagrams"};
        address.un.sun_path[0] = place.un.sun_path[0] = removes ? '_' : '\0';
        snprintf(address.un.sun_path + 16, 16, "%d", (int)getpid());
        snprintf(place.un.sun_path + 16, 16, "%d", (int)getpid());
        size = place_size = sizeof(address.un);
    } else {
        address.in =
            (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        place.in = address.in;
        size = place_size = sizeof(address.in);
    }
    listening = socket(address.any.sa_family, SOCK_STREAM, 0);
    datagrams = socket(address.any.sa_family, SOCK_DGRAM, 0);
    assert(bind(listening, &address.any, size) == 0 && listen(listening, 4) == 0);
    assert(bind(datagrams, &place.any, place_size) == 0);
    assert(getsockname(listening, &address.any, &size) == 0);
    assert(getsockname(datagrams, &place.any, &place_size) == 0);
    execution();
    return 0;
}
