/* SPDX-License-Identifier: MIT */
/*
 * One thing under two numbers that no call has made of each other: a FIFO, a queue or a file that
 * was opened twice, the ends of a terminal, a descriptor that came through a socket, a file in
 * memory, also where it is about to be sealed.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=16
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=16
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <mqueue.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>

static int one, other, ends[2], pair[2];
static char name[32];
static volatile char *memory;

static long get(int fd)
{
    char c = 0;
    long n = said(read(fd, &c, 1));

    return n == 1 ? c : n;
}

static void open_fifo(void)
{
    unlink("fifo");
    MUST(mkfifo("fifo", 0600) == 0);
    one = open("fifo", O_RDWR | O_NONBLOCK);
    other = open("fifo", O_RDWR | O_NONBLOCK);
    MUST(one >= 0 && other >= 0);
}

static void open_pipe(void)
{
    char path[40];

    MUST(pipe2(ends, O_NONBLOCK) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    other = open(path, O_RDONLY | O_NONBLOCK);
    MUST(other >= 0);
}

static void open_queue(void)
{
    struct mq_attr size = {.mq_maxmsg = 2, .mq_msgsize = 1};

    snprintf(name, sizeof(name), "/plait-two-%d", (int)getppid());
    mq_unlink(name);
    one = mq_open(name, O_RDWR | O_NONBLOCK | O_CREAT, 0600, &size);
    other = mq_open(name, O_RDWR | O_NONBLOCK);
    MUST(one >= 0 && other >= 0 && mq_unlink(name) == 0);
}

static long get_message(int queue)
{
    char c;

    return said(mq_receive(queue, &c, 1, NULL));
}

static void open_terminal(void)
{
    struct termios how;

    one = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    MUST(one >= 0 && grantpt(one) == 0 && unlockpt(one) == 0);
    other = open(ptsname(one), O_RDWR | O_NOCTTY | O_NONBLOCK);
    MUST(other >= 0 && tcgetattr(other, &how) == 0);
    cfmakeraw(&how);
    MUST(tcsetattr(other, TCSANOW, &how) == 0);
}

static long send_one(int fd)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec v = {.iov_base = (char[]){'x'}, .iov_len = 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};

    memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
    return sendmsg(pair[1], &m, 0);
}

static int receive_one(void)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char c;
    struct iovec v = {.iov_base = &c, .iov_len = 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    int fd;

    MUST(recvmsg(pair[0], &m, 0) == 1);
    memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
    return fd;
}

static void hand_over(int fd)
{
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && send_one(fd) == 1);
    other = receive_one();
}

static void pass_pipe(void)
{
    MUST(pipe2(ends, O_NONBLOCK) == 0);
    one = ends[1];
    hand_over(ends[0]);
}

static void pass_file(void)
{
    one = memfd_create("file", 0);
    MUST(one >= 0 && pwrite(one, "ab", 2, 0) == 2);
    hand_over(one);
}

static void map_file(void)
{
    one = memfd_create("file", 0);
    MUST(one >= 0 && pwrite(one, "ab", 2, 0) == 2);
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, one, 0);
    MUST(memory != MAP_FAILED);
}

static void send_file(void)
{
    MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && send_one(pair[0]) == 1);
}

/* Whether the file can be mapped, or sealed; for the second it must not be mapped. */
static void make_file(bool mapped)
{
    one = memfd_create("file", MFD_ALLOW_SEALING);
    MUST(one >= 0 && ftruncate(one, 4096) == 0);
    memory = mapped ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, one, 0) : NULL;
}

static long seal(void)
{
    return said(fcntl(one, F_ADD_SEALS, F_SEAL_WRITE));
}

static long map_one(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, one, 0) != MAP_FAILED;
}

static void watch_folder(void)
{
    rmdir("folder/in");
    rmdir("folder");
    one = inotify_init1(IN_NONBLOCK);
    MUST(one >= 0 && mkdir("folder", 0700) == 0);
    MUST(inotify_add_watch(one, "folder", IN_CREATE | IN_MODIFY) > 0);
    other = open("folder", O_RDONLY | O_DIRECTORY);
}

static void watch_file(void)
{
    unlink("watched");
    other = open("watched", O_CREAT | O_RDWR, 0600);
    one = inotify_init1(IN_NONBLOCK);
    MUST(one >= 0 && other >= 0 && inotify_add_watch(one, "watched", IN_MODIFY) > 0);
}

static long events(void)
{
    char buffer[512];

    return said(read(one, buffer, sizeof(buffer))) > 0;
}

ORDER(fifo, open_fifo(), return write(one, "x", 1), return get(other))
ORDER(fifo_taken, open_fifo(); MUST(write(one, "x", 1) == 1), return get(one), return get(other))
ORDER(pipe_again, open_pipe(), return write(ends[1], "x", 1), return get(other))
ORDER(queue, open_queue(), return mq_send(one, "x", 1, 0), return get_message(other))
ORDER(queue_taken, open_queue();
      MUST(mq_send(one, "x", 1, 0) == 0), return get_message(one), return get_message(other))
ORDER(terminal, open_terminal(), return write(one, "x", 1), return get(other))
ORDER(terminal_back, open_terminal(), return write(other, "x", 1), return get(one))
ORDER(passed_pipe, pass_pipe(), return write(one, "x", 1), return get(other))
ORDER(passed_file, pass_file(), return get(one), return get(other))
ORDER(watched_folder, watch_folder(), return mkdirat(other, "in", 0700), return events())
ORDER(watched_file, watch_file(), return write(other, "x", 1), return events())
ORDER(mapped_twice, map_file(); other = open("/proc/self/exe", O_RDONLY), memory[0] = 'x';
      return 0, return ((volatile char *)mmap(NULL, 4096, PROT_READ, MAP_SHARED, one, 0))[0])
ORDER(passed_number, send_file(), return receive_one() - pair[1], return dup(pair[0]) - pair[1])
ORDER(sealed, make_file(false), return seal(), return map_one())
ORDER(unmapped, make_file(true), return seal(), return munmap((void *)memory, 4096))
ORDER(mapped_closed, make_file(false), return map_one(), return close(one))

ORDERS(&order_fifo, &order_fifo_taken, &order_pipe_again, &order_queue, &order_queue_taken,
       &order_terminal, &order_terminal_back, &order_passed_pipe, &order_passed_file,
       &order_watched_folder, &order_watched_file, &order_mapped_twice, &order_passed_number,
       &order_sealed, &order_unmapped, &order_mapped_closed)
