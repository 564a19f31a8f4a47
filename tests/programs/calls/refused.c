/* SPDX-License-Identifier: MIT */
/*
 * RUN    plait test -s dfs -- 0
 * EXPECT clean complete
 * RUN    plait test -s dpor -- 1
 * EXPECT clean complete classes=5
 *
 * Calls on which nothing is ready, and which the kernel answers at once: a descriptor for the other
 * direction, one without such a call, nothing to move, too little room.  None of them waits.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define FAILS(call, error) assert((errno = 0, (call)) == -1 && errno == (error))
#define GIVES(call, value) assert((call) == (value))

static char bytes[4096];
static struct iovec one = {bytes, 1}, nothing = {bytes, 0};
static int empty[2], other[2], full[2];
static volatile int negative = -1;

static void make_pipes(void)
{
    GIVES(pipe(empty), 0);
    GIVES(pipe(other), 0);
    GIVES(pipe(full), 0);
    fcntl(full[1], F_SETFL, O_NONBLOCK);
    while (write(full[1], bytes, sizeof(bytes)) > 0)
        ;
    fcntl(full[1], F_SETFL, 0);
}

static void pipes(void)
{
    FILE *in = fdopen(dup(empty[0]), "r"), *out = fdopen(dup(empty[1]), "w");

    FAILS(write(empty[0], bytes, 1), EBADF);
    FAILS(read(empty[1], bytes, 1), EBADF);
    GIVES(read(empty[0], bytes, 0), 0);
    GIVES(write(full[1], bytes, 0), 0);
    GIVES(readv(empty[0], &nothing, 1), 0);
    GIVES(readv(empty[0], &one, 0), 0);
    FAILS(readv(empty[0], &one, negative), EINVAL);
    FAILS(writev(full[1], &one, negative), EINVAL);
    FAILS(pread(empty[0], bytes, 1, 0), ESPIPE);
    FAILS(pwrite(full[1], bytes, 1, 0), ESPIPE);
    FAILS(preadv2(empty[0], &one, 1, 0, 0), ESPIPE);
    GIVES(preadv2(empty[0], &one, 1, -1, RWF_NOWAIT), -1);
    FAILS(recv(empty[0], bytes, 1, 0), ENOTSOCK);
    FAILS(send(full[1], bytes, 1, 0), ENOTSOCK);
    FAILS(accept(empty[0], NULL, NULL), ENOTSOCK);
    FAILS(epoll_wait(empty[0], (struct epoll_event *)bytes, 1, -1), EINVAL);
    FAILS(select(-1, NULL, NULL, NULL, NULL), EINVAL);
    GIVES(fgets(bytes, 4, out), NULL);
    GIVES(fputs("a", in), EOF);
    GIVES(fread(bytes, 1, 0, in), 0);
    fclose(in);
    fclose(out);
}

static void moves(void)
{
    int pair[2];
    off_t at = 0;

    GIVES(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    FAILS(splice(empty[0], NULL, empty[1], NULL, 1, 0), EINVAL);
    FAILS(splice(pair[0], NULL, pair[1], NULL, 1, 0), EINVAL);
    FAILS(splice(empty[0], &at, other[1], NULL, 1, 0), ESPIPE);
    FAILS(splice(empty[0], NULL, other[0], NULL, 1, 0), EBADF);
    GIVES(splice(empty[0], NULL, other[1], NULL, 0, 0), 0);
    FAILS(tee(empty[0], empty[1], 1, 0), EINVAL);
    GIVES(tee(empty[0], other[1], 0, 0), 0);
    FAILS(sendfile(other[1], empty[0], &at, 1), ESPIPE);
    close(pair[0]);
    close(pair[1]);
}

static void nameless(void)
{
    static const uint64_t most = UINT64_MAX - 1, more = UINT64_MAX;
    sigset_t none;
    int counter = eventfd(0, 0), filled = eventfd(0, 0), epoll = epoll_create1(0);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), watch = inotify_init1(0);
    int process = (int)syscall(SYS_pidfd_open, getpid(), 0), path = open("/dev/zero", O_PATH);

    sigemptyset(&none);
    int signals = signalfd(-1, &none, 0);

    GIVES(write(filled, &most, 8), 8);
    FAILS(read(counter, bytes, 4), EINVAL);
    FAILS(write(filled, bytes, 4), EINVAL);
    FAILS(write(filled, &more, 8), EINVAL);
    FAILS(read(timer, bytes, 4), EINVAL);
    FAILS(read(signals, bytes, 8), EINVAL);
    FAILS(read(epoll, bytes, 8), EINVAL);
    FAILS(write(epoll, bytes, 8), EINVAL);
    GIVES(write(watch, bytes, 8), -1);
    FAILS(read(process, bytes, 8), EINVAL);
    FAILS(write(process, bytes, 8), EINVAL);
    FAILS(read(path, bytes, 1), EBADF);
}

static void sockets(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), mail = socket(AF_INET, SOCK_DGRAM, 0), pair[2];

    GIVES(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    GIVES(listen(listener, 1), 0);
    FAILS(recv(listener, bytes, 1, 0), ENOTCONN);
    FAILS(read(listener, bytes, 1), ENOTCONN);
    FAILS(send(listener, bytes, 1, MSG_NOSIGNAL), EPIPE);
    FAILS(accept(pair[0], NULL, NULL), EINVAL);
    FAILS(accept(mail, NULL, NULL), EOPNOTSUPP);
    FAILS(recv(mail, bytes, 1, MSG_ERRQUEUE), EAGAIN);
    GIVES(recv(pair[0], bytes, 1, MSG_OOB), -1);
    GIVES(read(pair[0], bytes, 0), 0);
}

static void queues(void)
{
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    mqd_t both = mq_open("/refused", O_CREAT | O_RDWR, 0600, &small);
    mqd_t in = mq_open("/refused", O_RDONLY), out = mq_open("/refused", O_WRONLY);

    mq_unlink("/refused");
    FAILS(mq_receive(both, bytes, 4, NULL), EMSGSIZE);
    FAILS(mq_receive(out, bytes, 8, NULL), EBADF);
    GIVES(mq_send(both, bytes, 1, 0), 0);
    FAILS(mq_send(both, bytes, 9, 0), EMSGSIZE);
    FAILS(mq_send(both, bytes, 1, 32768), EINVAL);
    FAILS(mq_send(in, bytes, 1, 0), EBADF);
}

static void locks(void)
{
    struct flock whole = {.l_type = F_WRLCK};
    int holder = open(".", O_TMPFILE | O_RDWR, 0600);
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", holder);
    int reader = open(path, O_RDONLY);

    GIVES(fcntl(holder, F_OFD_SETLK, &whole), 0);
    FAILS(fcntl(reader, F_OFD_SETLKW, &whole), EBADF);
}

static void *ask(void *arg)
{
    pipes();
    moves();
    nameless();
    sockets();
    queues();
    locks();
    return arg;
}

/* The number stands for the end that is read from, before or behind the beginning of either call,
 * or the call itself. */
static void *replace(void *arg)
{
    GIVES(dup2(empty[0], other[1]), other[1]);
    return arg;
}

int main(int argc, char **argv)
{
    bool replaced = argc > 1 && atoi(argv[1]) == 1;
    pthread_t other_thread;

    make_pipes();
    pthread_create(&other_thread, NULL, replaced ? replace : ask, NULL);
    for (int i = 0; replaced && i < 2; i++)
        assert(write(other[1], bytes, 1) == 1 || errno == EBADF);
    pthread_join(other_thread, NULL);
    return 0;
}
