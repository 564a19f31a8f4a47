/* SPDX-License-Identifier: MIT */
/*
 * O_NONBLOCK and O_APPEND belong to what a descriptor refers to, not to the process: who sets
 * them on something that was open at the root sets them for all forked processes.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|exec why~flag|fcntl|descriptor|pipe
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean|refused restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    -DBY_REQUEST plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int fds[2];
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void set_flags(void)
{
#ifdef BY_REQUEST
    int on = 1, room;

    assert(ioctl(fds[0], FIONBIO, &on) == 0);
    turn++;
    assert(ioctl(fds[0], FIOCLEX) == 0);
    assert(ioctl(fds[0], FIONREAD, &room) == 0 && room == 0);
#else
    assert(fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0);
    turn++;
    assert(fcntl(fds[0], F_SETFD, FD_CLOEXEC) == 0);
#endif
}

static void execution(void)
{
    pthread_t t;
    char c;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert((fcntl(fds[0], F_GETFL) & O_NONBLOCK) == 0); /* @fresh */
    assert(fcntl(fds[0], F_GETFD) == 0);
    turn++;
    set_flags();
    assert(read(fds[0], &c, 1) == -1 && errno == EAGAIN);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(pipe(fds) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
