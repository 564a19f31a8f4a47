/* SPDX-License-Identifier: MIT */
/*
 * A thread that reads from a pipe waits for another thread's write; select, poll and
 * socket pairs too.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int fds[2], pair[2];

static void *reader(void *arg)
{
    struct pollfd p = {.fd = pair[0], .events = POLLIN};
    char c;

    assert(read(fds[0], &c, 1) == 1 && c == 'x');
    assert(poll(&p, 1, -1) == 1 && (p.revents & POLLIN));
    assert(recv(pair[0], &c, 1, 0) == 1 && c == 'y');
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pipe(fds) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(pthread_create(&t, NULL, reader, NULL) == 0);
    assert(write(fds[1], "x", 1) == 1);
    assert(send(pair[1], "y", 1, 0) == 1);
    assert(pthread_join(t, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        close(fds[i]);
        close(pair[i]);
    }
    return 0;
}
