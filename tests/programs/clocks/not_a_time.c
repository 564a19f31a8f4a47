/* SPDX-License-Identifier: MIT */
/*
 * What is no time, and clocks by which nobody can wait, are refused at once, as libc and the kernel
 * do; one sleeps by what the process computes, and it has computed that much then.
 *
 * RUN    plait test
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FAILS(error, call) assert((errno = 0, (call) == -1 && errno == (error)))

static const struct timespec odd[] = {{0, 1000000000}, {0, -1}}, now, before = {-1, 0};
static sem_t one;
static atomic_int over;

static void not_times(void)
{
    struct epoll_event event;
    struct sembuf down = {0, -1, 0};
    struct mmsghdr message = {0};
    int ends[2], epoll = epoll_create1(0), sems = semget(IPC_PRIVATE, 1, 0600);
    unsigned word = 0;
    fd_set none;

    FD_ZERO(&none);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    for (int i = 0; i < 2; i++) {
        struct timespec wrong = odd[i];

        FAILS(EINVAL, ppoll(NULL, 0, &wrong, NULL));
        FAILS(EINVAL, pselect(0, &none, &none, &none, &wrong, NULL));
        FAILS(EINVAL, epoll_pwait2(epoll, &event, 1, &wrong, NULL));
        FAILS(EINVAL, sem_timedwait(&one, &wrong));
        FAILS(EINVAL, syscall(SYS_futex, &word, FUTEX_WAIT, 0, &wrong));
        FAILS(EINVAL, recvmmsg(ends[0], &message, 1, 0, &wrong));
        if (sems >= 0)
            FAILS(EINVAL, semtimedop(sems, &down, 1, &wrong));
        assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    }
    FAILS(EINVAL, syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &before, NULL, 1));
    FAILS(ETIMEDOUT, syscall(SYS_futex, &word, FUTEX_WAIT, 0, &now));
    FAILS(EINVAL, epoll_wait(epoll, &event, 0, -1));
    struct timeval two = {0, 2000000}, less = {-1, 0};

    assert(select(0, &none, &none, &none, &two) == 0);
    FAILS(EINVAL, select(0, &none, &none, &none, &less));
    if (sems >= 0)
        semctl(sems, 0, IPC_RMID);
}

static void not_clocks(void)
{
    struct sigevent nobody = {.sigev_notify = SIGEV_NONE};
    timer_t timer;

    assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &now, NULL) == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &now, NULL) == EOPNOTSUPP);
    assert(clock_nanosleep(-1, 0, &now, NULL) == EINVAL);
    assert(clock_nanosleep(CLOCK_TAI, TIMER_ABSTIME, &now, NULL) == 0);
    assert(pthread_clockjoin_np(pthread_self(), NULL, CLOCK_BOOTTIME, &now) == EINVAL);
    FAILS(EINVAL, timerfd_create(CLOCK_TAI, 0));
    FAILS(EOPNOTSUPP, timer_create(CLOCK_REALTIME_COARSE, &nobody, &timer));
    FAILS(EINVAL, clock_gettime(10, &(struct timespec){0}));
}

static void *computes(void *arg)
{
    const struct timespec some = {0, 1000000};
    struct timespec since = {0}, until = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &since);
    assert(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &some, NULL) == 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &until);
    assert((until.tv_sec - since.tv_sec) * 1000000000 + until.tv_nsec - since.tv_nsec >= 1000000);
    over = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&one, 0, 1);
    pthread_create(&t, NULL, computes, NULL);
    not_times();
    not_clocks();
    while (!over) /* natively somebody must compute */
        ;
    pthread_join(t, NULL);
    return 0;
}
