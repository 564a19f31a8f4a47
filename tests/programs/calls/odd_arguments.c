/* SPDX-License-Identifier: MIT */
/*
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * What kernel and libc say to arguments that are none, where plait answers in their place.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error) assert((errno = 0, (call)) == -1 && errno == (error))
#define GIVES(call, value) assert((call) == (value))

static char bytes[64];
static const struct timespec soon = {0, 1}, no_time = {0, -1};
static volatile uintptr_t none; /* that compilers do not know it */

static long futex(void *word, int operation, long value, const void *fourth, void *word2,
                  uint32_t last)
{
    return syscall(SYS_futex, word, operation, value, fourth, word2, last);
}

static void futexes(void)
{
    uint32_t word = 5, other = 0, nobody = 0x3ffffff0;

    FAILS(futex((char *)&word + 1, FUTEX_WAIT, 5, &soon, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_WAIT, 6, &no_time, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_WAIT | FUTEX_CLOCK_REALTIME | 0x200, 5, &soon, NULL, 0), ENOSYS);
    FAILS(futex(&word, FUTEX_WAIT | FUTEX_CLOCK_REALTIME, 5, &soon, NULL, 0), ENOSYS);
    FAILS(futex(&word, FUTEX_WAIT_BITSET, 5, &soon, NULL, 0), EINVAL);
    FAILS(futex((void *)none, FUTEX_WAIT, 5, &soon, NULL, 0), EFAULT);
    FAILS(futex(&word, FUTEX_WAKE | FUTEX_CLOCK_REALTIME, 1, NULL, NULL, 0), ENOSYS);
    FAILS(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_REQUEUE, -1, (void *)1, &other, 0), EINVAL);
    FAILS(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, (char *)&other + 1, 5), EINVAL);
    FAILS(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 6), EAGAIN);
    FAILS(futex(&word, FUTEX_WAKE_OP, 1, NULL, &other, 7u << 24), ENOSYS);
    FAILS(futex(&word, FUTEX_WAIT, 6, &soon, NULL, 0), EAGAIN);
    FAILS(futex(&word, FUTEX_WAIT, 5, &soon, NULL, 0), ETIMEDOUT);
    GIVES(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 5), 0);
    struct futex_waitv one = {.val = 6, .uaddr = (uintptr_t)&word, .flags = FUTEX_32};

    FAILS(syscall(SYS_futex_waitv, &one, 1, 0, &soon, 99), EINVAL);
    FAILS(futex(&nobody, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0), ESRCH);
    assert(word == 5 && other == 0);
}

static volatile sig_atomic_t handled;

static void handler(int signo)
{
    handled += signo == SIGUSR1;
}

static void signals(void)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    stack_t stack = {.ss_sp = bytes, .ss_flags = SS_DISABLE | SS_ONSTACK};
    sigset_t set;

    sigemptyset(&set);
    FAILS(sigaltstack(&stack, NULL), EINVAL);
    FAILS(syscall(SYS_rt_sigsuspend, &set, 4), EINVAL);
    FAILS(syscall(SYS_rt_sigtimedwait, &set, NULL, &soon, 128), EINVAL);
    FAILS(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &set, 128), EINVAL);
    FAILS(syscall(SYS_ppoll, NULL, 0, &soon, &set, 4), EINVAL);
    FAILS(tgkill(getpid(), 0, 0), EINVAL);
    FAILS(syscall(SYS_tkill, -1, SIGUSR1), EINVAL);
    signal(SIGUSR1, handler);
    GIVES(sigemptyset(&set), 0);
    GIVES(sigaddset(&set, SIGUSR1), 0);
    GIVES(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0); /* it is for nobody else */
    *(uint64_t *)&set = 3ul << 31;
    GIVES(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    GIVES(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
    assert((*(uint64_t *)&set & 3ul << 31) == 0); /* libc's own */
    GIVES(syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info), 0);
    GIVES(handled, 1);
    GIVES(pthread_kill(pthread_self(), SIGRTMIN - 1), EINVAL);
    GIVES(pthread_sigqueue(pthread_self(), SIGRTMIN - 2, (union sigval){0}), EINVAL);
}

static void timers(void)
{
    struct sigevent event = {.sigev_notify = 99, .sigev_signo = 65};
    struct itimerspec late = {.it_value = {1000, 0}}, bad = {.it_value = {-1, 0}},
                      *null = (void *)none;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), counter = eventfd(0, 0);
    uint64_t one = 1;
    timer_t timer;

    FAILS(timerfd_settime(fd, -1, &late, NULL), EINVAL);
    FAILS(timerfd_settime(fd, 0, &bad, NULL), EINVAL);
    FAILS(timerfd_settime(fd, 0, null, NULL), EFAULT);
    FAILS(timerfd_gettime(fd, null), EFAULT);
    FAILS(timerfd_settime(counter, 0, &late, NULL), EINVAL);
    FAILS(timerfd_settime(counter, 0, null, NULL), EFAULT);
    FAILS(timerfd_settime(-1, 0, &late, NULL), EBADF);
    FAILS(write(fd, &one, sizeof(one)), EINVAL);
    FAILS(writev(fd, &(struct iovec){&one, sizeof(one)}, 1), EINVAL);
    FAILS(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
    event.sigev_notify = SIGEV_NONE;
    GIVES(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    FAILS(timer_settime(timer, 0, null, NULL), EINVAL);
    FAILS(timer_settime(timer, 0, &bad, NULL), EINVAL);
    GIVES(timer_delete(timer), 0);
    close(fd);
    close(counter);
}

static void descriptors(void)
{
    int ends[2], fd = signalfd(-1, &(sigset_t){0}, SFD_NONBLOCK), set_of = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT};
    struct pollfd both = {fd, POLLIN | POLLOUT, 0};
    struct timeval at_once = {0, 0};
    socklen_t negative = (socklen_t)-1;
    fd_set set;

    FAILS(write(fd, bytes, 8), EINVAL);
    GIVES(poll(&both, 1, 0), 0);
    FAILS(poll(&both, 1000000000 + none, 0), EINVAL);
    GIVES(epoll_ctl(set_of, EPOLL_CTL_ADD, fd, &event), 0);
    GIVES(epoll_wait(set_of, &event, 1, 0), 0);
    FAILS(epoll_wait(set_of, &event, INT_MAX - (int)none, 0), EINVAL);
    FAILS(signalfd(-100, &(sigset_t){0}, SFD_NONBLOCK), EBADF);
    close(set_of);
    close(fd);
    GIVES(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    close(ends[0]);
    GIVES(writev(ends[1], (struct iovec *)bytes, 0), 0); /* and no SIGPIPE */
    FAILS(getsockname(ends[1], (void *)bytes, &negative), EINVAL);
    FAILS(getsockopt(ends[1], SOL_SOCKET, SO_TYPE, bytes, &negative), EINVAL);
    FAILS(recvfrom(fd, bytes, 1, 0, (void *)bytes, &negative), EBADF);
    close(ends[1]);
    GIVES(pipe(ends), 0);
    FD_ZERO(&set);
    FD_SET(ends[1], &set);
    GIVES(select(ends[0], NULL, &set, NULL, &at_once), 0); /* none of them is asked about */
    assert(!FD_ISSET(ends[1], &set));
    FAILS(epoll_wait(-1, (void *)bytes, 0, 0), EBADF);
    FAILS(epoll_wait(ends[0], (void *)bytes, 1, 0), EINVAL);
    close(ends[0]);
    close(ends[1]);
}

/* No path: by libc's functions, and by number also one that leads nowhere. */
static void paths(void)
{
    static const char *volatile no_path;

    FAILS(open(no_path, O_RDONLY), EFAULT);
    FAILS(creat(no_path, 0600), EFAULT);
    FAILS(mkdir(no_path, 0700), EFAULT);
    FAILS(mkdirat(AT_FDCWD, no_path, 0700), EFAULT);
    FAILS(mkfifo(no_path, 0600), EFAULT);
    FAILS(link("/", no_path), EFAULT);
    FAILS(syscall(SYS_mkdir, no_path, 0700), EFAULT);
    FAILS(syscall(SYS_stat, (char *)8, bytes), EFAULT);
}

static void functions(void)
{
    struct timezone zone = {77, 77};
    struct timeval now;
    FILE *file = fmemopen(bytes, sizeof(bytes), "r");

    FAILS(getrandom(bytes, 1, 0x80), EINVAL);
    FAILS(getrandom(bytes, 0, GRND_RANDOM | GRND_INSECURE), EINVAL);
    FAILS(getrandom((void *)none, 8, 0), EFAULT);
    GIVES(getrandom(bytes, 8, GRND_NONBLOCK), 8);
    FAILS(sched_getparam(0, (void *)none), EINVAL);
    FAILS(getline((char **)none, (size_t *)none, file), EINVAL);
    fclose(file);
    GIVES(gettimeofday(&now, &zone), 0);
    assert(zone.tz_minuteswest != 77);
    void *block = aligned_alloc(none + 3, 8);

    assert(block != NULL && (uintptr_t)block % 4 == 0);
    free(block);
    GIVES(lio_listio(LIO_WAIT, (struct aiocb **)none, -1, NULL), 0);
}

static void objects(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t inherits;
    pthread_barrier_t barrier;
    const struct timespec long_ago = {-1, -1};
    mtx_t mutex;

    GIVES(pthread_barrier_init(&barrier, NULL, INT_MAX), EINVAL);
    GIVES(pthread_tryjoin_np(pthread_self(), NULL), EBUSY);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    GIVES(pthread_mutex_init(&inherits, &attributes), 0);
    GIVES(pthread_mutex_lock(&inherits), 0);
    GIVES(pthread_mutex_trylock(&inherits), EDEADLK);
    GIVES(pthread_mutex_unlock(&inherits), 0);
    GIVES(pthread_mutex_destroy(&inherits), 0);
    GIVES(mtx_init(&mutex, mtx_timed | 8), thrd_success); /* glibc looks at no more than it knows */
    GIVES(mtx_lock(&mutex), thrd_success);
    GIVES(mtx_timedlock(&mutex, &no_time), thrd_error);
    GIVES(mtx_timedlock(&mutex, &long_ago), thrd_timedout);
    GIVES(mtx_unlock(&mutex), thrd_success);
    mtx_destroy(&mutex);
}

static void *ask(void *arg)
{
    futexes();
    signals();
    timers();
    descriptors();
    paths();
    functions();
    objects();
    return arg;
}

int main(void)
{
    pthread_t other;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&other, NULL, ask, NULL);
    pthread_join(other, NULL);
    return 0;
}
