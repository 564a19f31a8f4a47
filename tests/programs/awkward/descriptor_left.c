/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of many kinds are opened and never closed.  In each execution the first one gets
 * the lowest free number, as at the root.
 *
 * RUN    plait test -s random -n 300
 * EXPECT clean executions=300 restart=rollback
 *
 * RUN    plait test -s random -n 300 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 300 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int lowest;

static void *opener(void *arg)
{
    int pair[2];
    char c = 0;

    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    turn++;
    assert(pipe(pair) == 0);
    assert(write(pair[1], "x", 1) == 1);
    assert(read(pair[0], &c, 1) == 1 && c == 'x');
    assert(write(pair[1], "left", 4) == 4);
    turn++;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(send(pair[1], "left", 4, 0) == 4);
    assert(dup(pair[0]) >= 0);
    assert(fcntl(pair[0], F_DUPFD, 500) >= 500);
    assert(eventfd(1, 0) >= 0 && epoll_create1(0) >= 0);
    assert(memfd_create("left", 0) >= 0);
    return arg;
}

static void execution(void)
{
    pthread_t t;
    FILE *f;

    pthread_mutex_lock(&start);
    assert(pthread_create(&t, NULL, opener, NULL) == 0);
    assert(open("/dev/null", O_RDONLY) == lowest); /* @fresh */
    pthread_mutex_unlock(&start);
    turn++;
    f = fopen("/dev/null", "r");
    assert(f != NULL && fgetc(f) == EOF);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(fcntl(500, F_GETFD) == 0 && fcntl(501, F_GETFD) == -1);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
