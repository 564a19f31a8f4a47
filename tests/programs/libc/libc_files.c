/* SPDX-License-Identifier: MIT */
/*
 * Files, pipes and sockets: buffers of calls that read and write, paths, and what calls store
 * about files.  What a call reads is stored as far as it goes.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=82 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=82 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <regex.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>

static int ends[2];    /* of a pipe with some bytes in it */
static int sockets[2]; /* a pair, with some bytes in it */
static int null, file, epoll;
static char own[64];
static regex_t expression;

static void open_all(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    memset(&shared, 0, sizeof(shared));
    if (pipe(ends) != 0 || write(ends[1], "abc", 3) != 3 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || write(sockets[1], "abc", 3) != 3)
        abort();
    null = open("/dev/null", O_RDWR);
    file = open("/proc/self/cmdline", O_RDONLY);
    epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
}

static void open_path(void)
{
    open_all();
    strcpy(shared.text, "7");
}

static struct iovec piece(size_t n)
{
    return (struct iovec){.iov_base = shared.text, .iov_len = n};
}

static struct msghdr message(struct iovec *v)
{
    return (struct msghdr){.msg_iov = v, .msg_iovlen = 1};
}

#define IO_WRITES(name, call) CASE(name, open_all(), call, LOOK)
#define IO_READS(name, call) CASE(name, open_path(), call, TOUCH)

IO_WRITES(read_, result = read(ends[0], shared.text, 3)) /* @here */
IO_WRITES(readv_, struct iovec v = piece(3); result = readv(ends[0], &v, 1))
IO_WRITES(recv_, result = recv(sockets[0], shared.text, 3, 0))
IO_WRITES(recvfrom_, result = recvfrom(sockets[0], shared.text, 3, 0, NULL, NULL))
IO_WRITES(recvmsg_, struct iovec v = piece(3); struct msghdr m = message(&v);
          result = recvmsg(sockets[0], &m, 0))
IO_WRITES(pread_, result = pread(file, shared.text, 3, 0))
IO_WRITES(preadv_, struct iovec v = piece(3); result = preadv(file, &v, 1, 0))
IO_READS(write_, result = write(null, shared.text, 1))
IO_READS(writev_, struct iovec v = piece(1); result = writev(null, &v, 1))
IO_READS(pwrite_, result = pwrite(null, shared.text, 1, 0))
IO_READS(send_, result = send(sockets[0], shared.text, 1, 0))
IO_READS(sendto_, result = sendto(sockets[0], shared.text, 1, 0, NULL, 0))
IO_READS(sendmsg_, struct iovec v = piece(1); struct msghdr m = message(&v);
         result = sendmsg(sockets[0], &m, 0))
IO_WRITES(fread_, FILE *f = fopen("/proc/self/cmdline", "r");
          result = (long)fread(shared.text, 1, 3, f); fclose(f))
IO_WRITES(fgets_, FILE *f = fopen("/proc/self/mountinfo", "r");
          result = fgets(shared.text, 8, f) != NULL; fclose(f))
IO_WRITES(getline_size, char *line = NULL; FILE *f = fopen("/proc/self/mountinfo", "r");
          result = getline(&line, (size_t *)shared.text, f); fclose(f))
IO_WRITES(pipe_, result = pipe((int *)shared.text))
IO_WRITES(socketpair_, result = socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)shared.text))
IO_WRITES(getsockopt_, socklen_t n = sizeof(int);
          result = getsockopt(sockets[0], SOL_SOCKET, SO_TYPE, shared.text, &n))
IO_READS(setsockopt_,
         result = setsockopt(sockets[0], SOL_SOCKET, SO_KEEPALIVE, &shared.number, sizeof(int)))
IO_WRITES(getsockname_, socklen_t n = 64;
          result = getsockname(sockets[0], (struct sockaddr *)shared.text, &n))
IO_WRITES(getpeername_, socklen_t n = 64;
          result = getpeername(sockets[0], (struct sockaddr *)shared.text, &n))
CASE(poll_revents, open_all(), struct pollfd *p = (struct pollfd *)shared.text; p->fd = ends[0];
     result = poll(p, 1, 0), result = ((struct pollfd *)shared.text)->revents)
IO_WRITES(select_, FD_SET(ends[0], (fd_set *)shared.text); struct timeval no = {0};
          result = select(ends[0] + 1, (fd_set *)shared.text, NULL, NULL, &no))
IO_WRITES(epoll_wait_, result = epoll_wait(epoll, (struct epoll_event *)shared.text, 1, 0))
IO_WRITES(ioctl_, result = ioctl(ends[0], FIONREAD, &shared.number))
IO_WRITES(getcwd_, result = getcwd(shared.text, 512) != NULL)
IO_WRITES(readlink_, result = readlink("/proc/self/exe", shared.text, 512))
IO_WRITES(stat_, result = stat("/", (struct stat *)shared.text))
IO_WRITES(lstat_, result = lstat("/", (struct stat *)shared.text))
IO_WRITES(fstat_, result = fstat(null, (struct stat *)shared.text))
IO_WRITES(statfs_, result = statfs("/", (struct statfs *)shared.text))
IO_READS(stat_path, struct stat st; result = stat(shared.text, &st))
IO_READS(open_name, result = open(shared.text, O_RDONLY))
IO_READS(access_path, result = access(shared.text, F_OK))
IO_READS(fopen_path, result = fopen(shared.text, "r") != NULL)
IO_READS(fnmatch_, result = fnmatch("*", shared.text, 0))
IO_READS(fnmatch_pattern, result = fnmatch(shared.text, "7", 0))
IO_READS(regexec_, result = regexec(&expression, shared.text, 0, NULL, 0))

IO_WRITES(getline_buffer, char *line = shared.text; size_t n = 512;
          FILE *f = fopen("/proc/self/mountinfo", "r"); result = getline(&line, &n, f); fclose(f))

int main(void)
{
    regcomp(&expression, "7", REG_NOSUB);
    RUN(read_), RUN(readv_), RUN(recv_), RUN(recvfrom_), RUN(recvmsg_), RUN(pread_), RUN(preadv_);
    RUN(write_), RUN(writev_), RUN(pwrite_), RUN(send_), RUN(sendto_), RUN(sendmsg_), RUN(fread_);
    RUN(fgets_), RUN(getline_size), RUN(pipe_), RUN(socketpair_), RUN(getsockopt_);
    RUN(setsockopt_), RUN(getsockname_), RUN(getpeername_), RUN(poll_revents), RUN(select_);
    RUN(epoll_wait_), RUN(ioctl_), RUN(getcwd_), RUN(readlink_), RUN(stat_), RUN(lstat_);
    RUN(fstat_), RUN(statfs_), RUN(stat_path), RUN(open_name), RUN(access_path), RUN(fopen_path);
    RUN(fnmatch_), RUN(fnmatch_pattern), RUN(regexec_);
    RUN(getline_buffer);
    return own[0];
}
