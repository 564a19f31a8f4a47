/* SPDX-License-Identifier: MIT */
/*
 * Who waits for what the kernel has been asked to do is parked, and the thread that makes it
 * possible goes on: requests of io_uring and of io_submit(), and a connection.  One that gives up
 * does so in virtual time.
 *
 * RUN    plait test -s dfs -n 400
 * EXPECT clean incomplete ended~but.for.the.system.call.io_
 *
 * RUN    plait test -s dpor -n 400
 * EXPECT clean incomplete ended~but.for.the.system.call.io_
 *
 * RUN    -DWHICH=1 plait test -s dpor -n 400
 * EXPECT clean incomplete ended~but.for.the.system.call.io_
 *
 * RUN    -DWHICH=2 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DWHICH=2 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <plait.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef WHICH
#define WHICH 0
#endif

enum { LIMITED = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG };

static int ends[2];

static void *writer(void *arg)
{
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

static void *map(int ring, size_t size, off_t what)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, what);

    assert(at != MAP_FAILED);
    return at;
}

static void by_ring(void)
{
    struct io_uring_params p = {0};
    const struct timespec limit = {.tv_sec = 1000}, none = {0, 0};
    struct io_uring_getevents_arg arg = {.ts = (uint64_t)&limit};
    pthread_t other;
    char byte = 0;
    int ring = (int)syscall(SYS_io_uring_setup, 4, &p);

    if (ring < 0) /* the kernel does not want it */
        return;
    char *sq = map(ring, p.sq_off.array + p.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
    char *cq =
        map(ring, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
    struct io_uring_sqe *e = map(ring, p.sq_entries * sizeof(*e), IORING_OFF_SQES);

    *e = (struct io_uring_sqe){.opcode = IORING_OP_READ,
                               .fd = ends[0],
                               .addr = (uint64_t)&byte,
                               .len = 1,
                               .off = UINT64_MAX};
    __atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
    pthread_create(&other, NULL, writer, NULL);
    assert(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    const struct io_uring_cqe *c = (void *)(cq + p.cq_off.cqes);

    assert(*(volatile unsigned *)(cq + p.cq_off.tail) == 1 && c->res == 1 && byte == 'x');
    if (!plait_active())
        arg.ts = (uint64_t)&none;
    assert(syscall(SYS_io_uring_enter, ring, 0, 2, LIMITED, &arg, sizeof(arg)) == 0);
    __atomic_store_n((unsigned *)(cq + p.cq_off.head), 1, __ATOMIC_RELEASE);
    assert(syscall(SYS_io_uring_enter, ring, 0, 1, LIMITED, &arg, sizeof(arg)) == -1);
    assert(errno == ETIME);
    pthread_join(other, NULL);
}

static void by_events(void)
{
    struct iocb request = {.aio_lio_opcode = IOCB_CMD_POLL,
                           .aio_fildes = (unsigned)ends[0],
                           .aio_buf = POLLIN},
                *list = &request;
    const struct timespec limit = {.tv_sec = 1000}, none = {0, 0};
    struct io_event events[2];
    aio_context_t context = 0;
    pthread_t other;

    if (syscall(SYS_io_setup, 4, &context) != 0)
        return;
    pthread_create(&other, NULL, writer, NULL);
    assert(syscall(SYS_io_submit, context, 1, &list) == 1);
    assert(syscall(SYS_io_getevents, context, 1, 2, events, NULL) == 1);
    assert(syscall(SYS_io_getevents, context, 1, 2, events, plait_active() ? &limit : &none) == 0);
    pthread_join(other, NULL);
}

static struct sockaddr_in at = {.sin_family = AF_INET};

static void *connecting(void *arg)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert(fd >= 0 && connect(fd, (void *)&at, sizeof(at)) == 0);
    return arg;
}

static void by_connection(void)
{
    socklen_t size = sizeof(at);
    pthread_t other;
    int fd = socket(AF_INET, SOCK_STREAM, 0), third = socket(AF_INET, SOCK_STREAM, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(fd, (void *)&at, sizeof(at)) == 0 && listen(fd, 1) == 0);
    assert(getsockname(fd, (void *)&at, &size) == 0);
    pthread_create(&other, NULL, connecting, NULL);
    assert(accept(fd, NULL, NULL) >= 0);
    pthread_join(other, NULL);
    assert(close(fd) == 0);
    assert(connect(third, (void *)&at, sizeof(at)) == -1 && errno == ECONNREFUSED);
}

int main(void)
{
    plait_begin();
    assert(pipe(ends) == 0);
    if (WHICH == 0)
        by_ring();
    if (WHICH == 1)
        by_events();
    if (WHICH == 2)
        by_connection();
    return 0;
}
