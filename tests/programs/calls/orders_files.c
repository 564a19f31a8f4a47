/* SPDX-License-Identifier: MIT */
/*
 * Calls on open files: what is in them, where they stand, and what is known about them.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=27
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=27
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <dirent.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

static int file, other_file, in[2], out[2];

/* An empty file, one that says "ab" and is read from its beginning, and two pipes. */
static void open_all(void)
{
    file = memfd_create("file", 0);
    other_file = memfd_create("other", 0);
    MUST(file >= 0 && other_file >= 0 && pwrite(file, "ab", 2, 0) == 2);
    MUST(pipe2(in, O_NONBLOCK) == 0 && pipe2(out, O_NONBLOCK) == 0);
}

static void open_full(void)
{
    open_all();
    MUST(write(in[1], "x", 1) == 1);
}

static void open_folder(void)
{
    rmdir("folder/in");
    rmdir("folder");
    MUST(mkdir("folder", 0700) == 0);
    file = open("folder", O_RDONLY | O_DIRECTORY);
    MUST(file >= 0);
}

/* The next character of a file, or of a pipe. */
static long next(int fd)
{
    char c = 0;
    long n = said(read(fd, &c, 1));

    return n == 1 ? c : n;
}

static long at(int fd, off_t position)
{
    char c = 0;
    long n = said(pread(fd, &c, 1, position));

    return n == 1 ? c : n;
}

static struct iovec piece(char *c)
{
    return (struct iovec){.iov_base = c, .iov_len = 1};
}

static long size(int fd)
{
    struct stat st = {0};

    fstat(fd, &st);
    return st.st_size;
}

static long mode(int fd)
{
    struct stat st = {0};

    fstat(fd, &st);
    return st.st_mode & 07777;
}

static long entries(long call, int fd)
{
    _Alignas(8) char buffer[1024];
    long n = syscall(call, fd, buffer, sizeof(buffer)), count = 0;

    for (long i = 0; i < n; i += *(unsigned short *)(buffer + i + 16))
        count++;
    return count;
}

ORDER(read, open_all(), return next(file), return next(file))
ORDER(readv, open_all(), char c; struct iovec v = piece(&c); readv(file, &v, 1);
      return c, return next(file))
ORDER(pread64, open_all(), return at(file, 0), return pwrite(file, "x", 1, 0))
ORDER(preadv, open_all(), char c; struct iovec v = piece(&c); preadv(file, &v, 1, 0);
      return c, return pwrite(file, "x", 1, 0))
ORDER(preadv2, open_all(), char c; struct iovec v = piece(&c); preadv2(file, &v, 1, -1, 0);
      return c, return next(file))
ORDER(write, open_all(), return write(other_file, "x", 1), return size(other_file))
ORDER(writev, open_all(), struct iovec v = piece("x");
      return writev(other_file, &v, 1), return size(other_file))
ORDER(pwrite64, open_all(), return pwrite(file, "x", 1, 0), return at(file, 0))
ORDER(pwritev, open_all(), struct iovec v = piece("x");
      return pwritev(file, &v, 1, 0), return at(file, 0))
ORDER(pwritev2, open_all(), struct iovec v = piece("x");
      return pwritev2(out[1], &v, 1, -1, 0), return next(out[0]))
ORDER(lseek, open_all(), return lseek(file, 1, SEEK_SET), return next(file))
ORDER(getdents64, open_folder(), return entries(SYS_getdents64, file),
      return mkdir("folder/in", 0700))
ORDER(getdents, open_folder(), return entries(SYS_getdents, file), return mkdir("folder/in", 0700))
ORDER(fstat, open_all(), return size(file), return pwrite(file, "x", 1, 2))
ORDER(ftruncate, open_all(), return ftruncate(file, 1), return size(file))
ORDER(fallocate, open_all(), return fallocate(file, 0, 0, 9), return size(file))
ORDER(fchmod, open_all(), return fchmod(file, 0640), return mode(file))
ORDER(fchown, open_all();
      MUST(fchmod(file, 04755) == 0), return fchown(file, getuid(), getgid()), return mode(file))
ORDER(flock, open_all(); other_file = open("/proc/self/exe", O_RDONLY);
      file = open("/proc/self/exe", O_RDONLY), return said(flock(file, LOCK_EX | LOCK_NB)),
      return said(flock(other_file, LOCK_EX | LOCK_NB)))
ORDER(ioctl, open_all(), int n = -1; ioctl(in[0], FIONREAD, &n);
      return n, return write(in[1], "x", 1))
ORDER(fcntl, open_all(), return fcntl(file, F_SETFL, O_APPEND), return fcntl(file, F_GETFL))
ORDER(sendfile, open_all(), return said(sendfile(out[1], file, NULL, 1)), return next(out[0]))
ORDER(splice, open_full(), return said(splice(in[0], NULL, out[1], NULL, 1, SPLICE_F_NONBLOCK)),
      return next(out[0]))
ORDER(tee, open_full(), return said(tee(in[0], out[1], 1, SPLICE_F_NONBLOCK)), return next(in[0]))
ORDER(vmsplice, open_all(), static char c[] = "x"; struct iovec v = piece(c);
      return vmsplice(out[1], &v, 1, 0), return next(out[0]))
ORDER(copy_file_range, open_all(), return said(copy_file_range(file, NULL, other_file, NULL, 2, 0)),
      return size(other_file))
ORDER(memfd_create, open_all(), int fd = memfd_create("new", 0);
      return fd - out[1], int fd = memfd_create("new", 0); return fd - out[1])

ORDERS(&order_read, &order_readv, &order_pread64, &order_preadv, &order_preadv2, &order_write,
       &order_writev, &order_pwrite64, &order_pwritev, &order_pwritev2, &order_lseek,
       &order_getdents64, &order_getdents, &order_fstat, &order_ftruncate, &order_fallocate,
       &order_fchmod, &order_fchown, &order_flock, &order_ioctl, &order_fcntl, &order_sendfile,
       &order_splice, &order_tee, &order_vmsplice, &order_copy_file_range, &order_memfd_create)
