/* SPDX-License-Identifier: MIT */
/*
 * Calls that go on waiting in the middle: there is some room, or something to read, and not enough.
 * The other thread makes the rest possible, so every execution ends.
 *
 * RUN    plait test -s dfs -n 3000
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -n 120
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

enum { LARGE = 70000, ROOM = 4096, MANY = 3 };

static int ends[2], out[2], pair[2], file, one, other;
static char data[LARGE];
static struct sockaddr_un name;
static socklen_t name_size;

static void open_pipes(void)
{
    MUST(pipe(ends) == 0 && pipe(out) == 0);
    file = memfd_create("file", 0);
    MUST(file >= 0 && ftruncate(file, LARGE) == 0);
}

static void open_pair(void)
{
    int small = 1;

    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
}

/* A pipe without room, and one with something in it. */
static void open_full(void)
{
    open_pipes();
    MUST(fcntl(out[1], F_SETPIPE_SZ, ROOM) == ROOM && write(out[1], data, ROOM) == ROOM);
    MUST(write(ends[1], "abc", 3) == 3);
}

/* Read so many bytes, in the largest pieces. */
static long take(int fd, long n)
{
    static _Thread_local char buffer[LARGE];
    long done = 0;

    while (done < n) {
        long k = read(fd, buffer, (size_t)(n - done));

        MUST(k > 0);
        done += k;
    }
    return done;
}

static void pieces(struct iovec v[2])
{
    v[0] = (struct iovec){.iov_base = data, .iov_len = LARGE / 2};
    v[1] = (struct iovec){.iov_base = data + LARGE / 2, .iov_len = LARGE / 2};
}

static long write_pieces(void)
{
    struct iovec v[2];

    pieces(v);
    MUST(writev(ends[1], v, 2) == LARGE);
    return 0;
}

static long write_pieces_2(void)
{
    struct iovec v[2];

    pieces(v);
    MUST(pwritev2(ends[1], v, 2, -1, 0) == LARGE);
    return 0;
}

static long send_pieces(void)
{
    struct iovec v[2];
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};

    pieces(v);
    MUST(sendmsg(pair[1], &m, 0) == LARGE);
    return 0;
}

static long send_many(void)
{
    struct iovec v[2];
    struct mmsghdr m[2] = {{.msg_hdr = {.msg_iov = v, .msg_iovlen = 1}},
                           {.msg_hdr = {.msg_iov = v + 1, .msg_iovlen = 1}}};

    pieces(v);
    MUST(sendmmsg(pair[1], m, 2, 0) == 2 && m[0].msg_len + m[1].msg_len == LARGE);
    return 0;
}

static long receive_many(void)
{
    char text[2];
    struct iovec v[2] = {{text, 1}, {text + 1, 1}};
    struct mmsghdr m[2] = {{.msg_hdr = {.msg_iov = v, .msg_iovlen = 1}},
                           {.msg_hdr = {.msg_iov = v + 1, .msg_iovlen = 1}}};

    MUST(recvmmsg(pair[0], m, 2, 0, NULL) == 2 && text[0] == 'a' && text[1] == 'b');
    return 0;
}

static long receive_all(void)
{
    char text[4];
    struct iovec v = {text, 4};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};

    MUST(recvmsg(pair[0], &m, MSG_WAITALL) == 4 && memcmp(text, "abcd", 4) == 0);
    return 0;
}

static long send_halves(const char *first, const char *second)
{
    MUST(send(pair[1], first, strlen(first), 0) > 0 &&
         send(pair[1], second, strlen(second), 0) > 0);
    return 0;
}

/* Pieces that go in by themselves, and not one behind the other. */
static long write_small_pieces(void)
{
    struct iovec v[3] = {{data, ROOM - 1}, {data, ROOM - 1}, {data, ROOM - 1}};

    MUST(writev(out[1], v, 3) == 3 * (ROOM - 1));
    return 0;
}

/* One message, however large and however it is written. */
static long write_letters(void)
{
    struct iovec v[2] = {{data, 2 * ROOM}, {data, 1}};

    MUST(write(pair[1], data, 2 * ROOM) == 2 * ROOM && writev(pair[1], v, 2) == 2 * ROOM + 1);
    return 0;
}

static long read_letters(void)
{
    static char letter[LARGE];

    MUST(read(pair[0], letter, LARGE) == 2 * ROOM && read(pair[0], letter, LARGE) == 2 * ROOM + 1);
    return 0;
}

static long all_of(long (*step)(size_t), size_t n)
{
    size_t done = 0;

    while (done < n) {
        long k = step(n - done);

        MUST(k > 0);
        done += (size_t)k;
    }
    return 0;
}

static long by_sendfile(size_t n)
{
    return sendfile(ends[1], file, NULL, n);
}

static long by_splice(size_t n)
{
    return splice(file, NULL, ends[1], NULL, n, 0);
}

static long by_vmsplice(size_t n)
{
    struct iovec v = {data, n};

    return vmsplice(ends[1], &v, 1, 0);
}

static void open_counter(void)
{
    file = eventfd(1, 0);
    MUST(file >= 0);
}

static long get_count(void)
{
    uint64_t n;

    MUST(read(file, &n, sizeof(n)) == sizeof(n));
    return (long)n;
}

static void open_named(int type)
{
    struct stat st;

    one = socket(AF_UNIX, type, 0);
    MUST(one >= 0 && fstat(one, &st) == 0);
    memset(&name, 0, sizeof(name));
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "%lu", (unsigned long)st.st_ino);
    name_size = (socklen_t)(sizeof(sa_family_t) + 1 + strlen(name.sun_path + 1));
    MUST(bind(one, (struct sockaddr *)&name, name_size) == 0);
    if (type == SOCK_STREAM)
        MUST(listen(one, 0) == 0);
    other = socket(AF_UNIX, type, 0);
}

static long connect_many(void)
{
    for (int i = 0; i < MANY; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        MUST(fd >= 0 && connect(fd, (struct sockaddr *)&name, name_size) == 0);
    }
    return 0;
}

static long accept_many(void)
{
    for (int i = 0; i < MANY; i++)
        MUST(accept(one, NULL, NULL) >= 0);
    return 0;
}

/* More letters than a queue holds; all but the last few are there before. */
static int letters;
static void fill_letters(void)
{
    open_named(SOCK_DGRAM);
    letters = 0;
    while (sendto(other, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&name, name_size) == 1)
        letters++;
}

static long take_letters(int n)
{
    char c;

    for (int i = 0; i < n; i++)
        MUST(recv(one, &c, 1, 0) == 1);
    return 0;
}

ORDER(writev_large, open_pipes(), return write_pieces(), return take(ends[0], LARGE))
ORDER(writev_small, open_pipes(); MUST(fcntl(out[1], F_SETPIPE_SZ, ROOM) == ROOM),
                                  return write_small_pieces(), return take(out[0], 3 * (ROOM - 1)))
ORDER(letters_large, MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0), return write_letters(),
      return read_letters())
ORDER(pwritev2_large, open_pipes(), return write_pieces_2(), return take(ends[0], LARGE))
ORDER(sendmsg_large, open_pair(), return send_pieces(), return take(pair[0], LARGE))
ORDER(sendmmsg_large, open_pair(), return send_many(), return take(pair[0], LARGE))
ORDER(recvmmsg_two, MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0), return receive_many(),
      return send_halves("a", "b"))
ORDER(recvmsg_all, open_pair(), return receive_all(), return send_halves("ab", "cd"))
ORDER(sendfile_large, open_pipes(), return all_of(by_sendfile, LARGE), return take(ends[0], LARGE))
ORDER(splice_large, open_pipes(), return all_of(by_splice, LARGE), return take(ends[0], LARGE))
ORDER(splice_full, open_full(), return splice(ends[0], NULL, out[1], NULL, 3, 0),
      return take(out[0], ROOM + 3))
ORDER(tee_full, open_full(), return tee(ends[0], out[1], 3, 0), return take(out[0], ROOM + 3))
ORDER(vmsplice_large, open_pipes(), return all_of(by_vmsplice, LARGE), return take(ends[0], LARGE))
ORDER(vmsplice_out, open_pipes(), char c; struct iovec v = {.iov_base = &c}; v.iov_len = 1;
      return vmsplice(ends[0], &v, 1, 0), return write(ends[1], "x", 1))
ORDER(counter_full, open_counter(), uint64_t most = UINT64_MAX - 1;
      MUST(write(file, &most, 8) == 8); return 0, return get_count())
ORDER(connect_full, open_named(SOCK_STREAM), return connect_many(), return accept_many())
ORDER(letters_full, fill_letters(),
      return sendto(other, "x", 1, 0, (struct sockaddr *)&name, name_size), return take_letters(1))

ORDERS(&order_writev_large, &order_writev_small, &order_letters_large, &order_pwritev2_large,
       &order_sendmsg_large, &order_sendmmsg_large, &order_recvmmsg_two, &order_recvmsg_all,
       &order_sendfile_large, &order_splice_large, &order_splice_full, &order_tee_full,
       &order_vmsplice_large, &order_vmsplice_out, &order_counter_full, &order_connect_full,
       &order_letters_full)
