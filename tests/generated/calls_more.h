/* SPDX-License-Identifier: MIT */
/*
 * Of programs of generate_calls.py: futexes with masks and owners, calls with vectors, messages,
 * links, sets of descriptors and the like, as short as in calls.h, which includes this.
 */
#ifndef CALLS_MORE_H
#define CALLS_MORE_H

#include <aio.h>
#include <dirent.h>
#include <math.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

HELPER void name_semaphore(char *name)
{
    sprintf(name, "/plait-s-%d-%d", (int)syscall(SYS_getpid), (int)syscall(SYS_gettid));
    sem_unlink(name);
}

/* Opens, and closes what it has opened. */
HELPER int open_semaphore(const char *name, int flags)
{
    sem_t *s = sem_open(name, flags, 0600, 0);

    if (s == SEM_FAILED)
        return error(errno);
    sem_close(s);
    return 1;
}

HELPER int futex_masked(atomic_int *word, int operation, int value, const struct timespec *timeout,
                        unsigned mask)
{
    return code(syscall(SYS_futex, word, operation, value, timeout, NULL, mask));
}
#define SOON_AFTER (&(struct timespec){.tv_nsec = 300000})

/* Wake those at the second word if that is 0, add to it, and wake those at the first. */
HELPER int wake_and_add(atomic_int *a, atomic_int *b, int n)
{
    return code(syscall(SYS_futex, a, FUTEX_WAKE_OP_PRIVATE, 1, 1L, b,
                        FUTEX_OP(FUTEX_OP_ADD, n, FUTEX_OP_CMP_EQ, 0)));
}

HELPER int wait_for_two(atomic_int *a, int in_a, atomic_int *b, int in_b)
{
    struct futex_waitv two[2] = {
        {.val = (uint64_t)in_a, .uaddr = (uintptr_t)a, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
        {.val = (uint64_t)in_b, .uaddr = (uintptr_t)b, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG}};
    struct timespec end = {0};

    return code(syscall(449, two, 2, 0, soon(&end, CLOCK_MONOTONIC), CLOCK_MONOTONIC));
}

/* A lock whose word is its owner. */
HELPER bool owner_trylock(atomic_int *word)
{
    int nobody = 0;

    return atomic_compare_exchange_strong(word, &nobody, gettid()) ||
           syscall(SYS_futex, word, FUTEX_TRYLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0;
}

HELPER bool owner_lock(atomic_int *word)
{
    int nobody = 0;

    return atomic_compare_exchange_strong(word, &nobody, gettid()) ||
           syscall(SYS_futex, word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0;
}

HELPER void owner_unlock(atomic_int *word)
{
    int own = gettid();

    if (!atomic_compare_exchange_strong(word, &own, 0))
        MUST(syscall(SYS_futex, word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
}

/* ---- bytes in pieces ---- */

HELPER int get_two(int fd, off_t at)
{
    char a = 0, b = 0;
    struct iovec pieces[2] = {{&a, 1}, {&b, 1}};
    long got = at < 0 ? readv(fd, pieces, 2) : preadv(fd, pieces, 2, at);

    return got < 0 ? error(errno) : (a & 3) + 4 * (b & 3);
}

HELPER int put_two(int fd, char value, off_t at)
{
    char bytes[2] = {value, 'a'};
    struct iovec pieces[2] = {{&bytes[0], 1}, {&bytes[1], 1}};

    return code(at < 0 ? writev(fd, pieces, 2) : pwritev(fd, pieces, 2, at));
}

HELPER int put_at_end(int fd, char value)
{
    struct iovec piece = {&value, 1};

    return code(pwritev2(fd, &piece, 1, 0, RWF_APPEND));
}

HELPER int waiting_in(int fd)
{
    int n = 0;

    return ioctl(fd, FIONREAD, &n) < 0 ? error(errno) : n;
}

HELPER int send_two(int fd, char value)
{
    char bytes[2] = {value, 'a'};
    struct iovec pieces[2] = {{&bytes[0], 1}, {&bytes[1], 1}};
    struct msghdr m = {.msg_iov = pieces, .msg_iovlen = 2};

    return code(sendmsg(fd, &m, MSG_NOSIGNAL));
}

HELPER int receive_two(int fd, int flags)
{
    char a = 0, b = 0;
    struct iovec pieces[2] = {{&a, 1}, {&b, 1}};
    struct msghdr m = {.msg_iov = pieces, .msg_iovlen = 2};

    return recvmsg(fd, &m, flags) < 0 ? error(errno) : (a & 3) + 4 * (b & 3);
}

HELPER int send_both(int fd, char value)
{
    struct iovec pieces[2] = {{&value, 1}, {&(char){'b'}, 1}};
    struct mmsghdr both[2] = {{.msg_hdr = {.msg_iov = &pieces[0], .msg_iovlen = 1}},
                              {.msg_hdr = {.msg_iov = &pieces[1], .msg_iovlen = 1}}};

    return code(sendmmsg(fd, both, 2, MSG_NOSIGNAL));
}

HELPER int receive_both(int fd)
{
    char a = 0, b = 0;
    struct iovec pieces[2] = {{&a, 1}, {&b, 1}};
    struct mmsghdr both[2] = {{.msg_hdr = {.msg_iov = &pieces[0], .msg_iovlen = 1}},
                              {.msg_hdr = {.msg_iov = &pieces[1], .msg_iovlen = 1}}};

    return recvmmsg(fd, both, 2, MSG_DONTWAIT, NULL) < 0 ? error(errno) : (a & 3) + 4 * (b & 3);
}

HELPER int receive_whole(int fd, size_t n)
{
    char bytes[4] = {0};
    long got = recv(fd, bytes, n, MSG_WAITALL);

    return got < 0 ? error(errno) : (bytes[0] & 3) + 4 * (bytes[1] & 3);
}

/* ---- names ---- */

HELPER int kind_of(const char *name)
{
    struct stat s;

    return lstat(name, &s) < 0 ? error(errno)
                               : (S_ISLNK(s.st_mode)   ? 1
                                  : S_ISDIR(s.st_mode) ? 2
                                                       : 3);
}

HELPER int mode_of(const char *name)
{
    struct stat s;

    return stat(name, &s) < 0 ? error(errno) : (int)(s.st_mode >> 6 & 7);
}

HELPER int first_of_link(const char *name)
{
    char target[8] = "";

    return readlink(name, target, sizeof(target)) < 0 ? error(errno) : target[0] & 3;
}

HELPER int touch_in(int folder, const char *name)
{
    int fd = openat(folder, name, O_CREAT | O_EXCL | O_WRONLY, 0600);

    if (fd < 0)
        return error(errno);
    close(fd);
    return 1;
}

HELPER int entries_in(const char *name)
{
    DIR *folder = opendir(name);
    int n = -2; /* itself and its parent */

    if (folder == NULL)
        return error(errno);
    while (readdir(folder) != NULL)
        n++;
    closedir(folder);
    return n;
}

/* ---- what is ready ---- */

HELPER int either(int a, int b, int how_long)
{
    struct pollfd p[2] = {{.fd = a, .events = POLLIN}, {.fd = b, .events = POLLIN}};
    int n = poll(p, 2, how_long);

    return n <= 0 ? code(n) : (p[0].revents ? 1 : 0) + (p[1].revents ? 2 : 0);
}

HELPER int selected(int a, int b, int how_long)
{
    fd_set set;

    FD_ZERO(&set);
    FD_SET(a, &set);
    FD_SET(b, &set);
    int n = select((a > b ? a : b) + 1, &set, NULL, NULL,
                   how_long < 0 ? NULL : &(struct timeval){.tv_usec = how_long});

    return n <= 0 ? code(n) : (FD_ISSET(a, &set) ? 1 : 0) + (FD_ISSET(b, &set) ? 2 : 0);
}

HELPER int which_in(int set, int how_long)
{
    struct epoll_event e[2] = {{.events = 0}};
    int n = epoll_wait(set, e, 2, how_long);

    return n <= 0 ? code(n) : (int)e[0].data.u32 + 4 * (int)e[1].data.u32;
}

HELPER int change_set(int set, int how, int fd, unsigned value)
{
    return code(
        epoll_ctl(set, how, fd, &(struct epoll_event){.events = EPOLLIN, .data.u32 = value}));
}

/* What happened, in order: 1 something made, 2 something removed, 3 no more. */
HELPER int events_in(int fd)
{
    _Alignas(struct inotify_event) char buffer[512];
    long got = read(fd, buffer, sizeof(buffer));
    int seen = 0, i = 0;

    if (got < 0)
        return error(errno);
    for (long at = 0; at < got && i < 2; i++) {
        const struct inotify_event *e = (const struct inotify_event *)(buffer + at);

        seen = seen * 4 + (e->mask & IN_CREATE ? 1 : e->mask & IN_DELETE ? 2 : 3);
        at += (long)sizeof(*e) + e->len;
    }
    return seen;
}

/* ---- the rest ---- */

HELPER int line_of(FILE *f)
{
    char *line = NULL;
    size_t room = 0;
    long n = getline(&line, &room, f);
    int first = n > 0 ? (line[0] & 3) + 4 * (int)(n & 3) : 0;

    free(line);
    return first;
}

HELPER struct aiocb request(int fd, char *byte, off_t at)
{
    return (struct aiocb){.aio_fildes = fd, .aio_buf = byte, .aio_nbytes = 1, .aio_offset = at};
}

HELPER int answer_to(struct aiocb *request)
{
    const struct aiocb *list[1] = {request};

    while (aio_error(request) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return (int)aio_return(request);
}

/* With room for one message. */
HELPER int make_short_queue(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[32];
    int queue;

    sprintf(name, "/plait+%d-%d", (int)syscall(SYS_getpid), (int)syscall(SYS_gettid));
    mq_unlink(name);
    MUST((queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes)) >= 0);
    mq_unlink(name);
    return queue;
}

HELPER int send_timed(int queue, char text)
{
    struct timespec end = {0};

    return code(mq_timedsend(queue, &text, 1, 0, soon(&end, CLOCK_REALTIME)));
}

/* With room for nothing. */
HELPER void fill_pipe(int *ends)
{
    char page[4096] = {0};

    MUST(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
    MUST(write(ends[1], page, sizeof(page)) == sizeof(page));
}

HELPER int take_page(int fd)
{
    char page[4096];
    long got = read(fd, page, sizeof(page));

    return got < 0 ? error(errno) : (page[got - 1] & 3) + (got < 16 ? 4 : 0);
}

#endif /* CALLS_MORE_H */
