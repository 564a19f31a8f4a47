/* SPDX-License-Identifier: MIT */
/*
 * A child on its own lives in real time, its parent does not.  Yet its clocks go on from where its
 * parent's are: a moment that one of them names the other waits for, and no stamp of the child is
 * later than its parent's after it.  And two that wait for each other's locks of a file are told
 * so.
 *
 * RUN    plait test -s random -n 4
 * EXPECT clean
 *
 * RUN    plait test -s random -n 2 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 1
 * EXPECT clean executions=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SECOND = 1000000000 };

static int64_t now(clockid_t clock)
{
    struct timespec t;

    assert(clock_gettime(clock, &t) == 0);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static struct timespec moment(int64_t ns)
{
    return (struct timespec){ns / SECOND, ns % SECOND};
}

/* 0: all clocks go on from `then`, and absolute times are those of the parent. */
static int wait_until(int64_t then)
{
    const struct timespec soon = moment(then + 5 * MS);
    const struct itimerspec timer = {.it_value = soon};
    int64_t before = now(CLOCK_MONOTONIC);
    struct timeval of_day;
    uint64_t times;
    sem_t never;

    if (now(CLOCK_REALTIME) < then || now(CLOCK_REALTIME) > then + 20 * INT64_C(1000000000))
        return 1;
    if (gettimeofday(&of_day, NULL) != 0 || time(NULL) < then / SECOND ||
        of_day.tv_sec < then / SECOND)
        return 2;
    sem_init(&never, 0, 0);
    if (sem_timedwait(&never, &soon) != -1 || errno != ETIMEDOUT ||
        now(CLOCK_REALTIME) < then + 5 * MS)
        return 3;
    const struct timespec later = moment(before + 5 * MS);

    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL) != 0 ||
        now(CLOCK_MONOTONIC) < before + 5 * MS)
        return 4;
    int fd = timerfd_create(CLOCK_REALTIME, 0);

    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &timer, NULL) == 0 &&
                   read(fd, &times, sizeof(times)) == sizeof(times)
               ? 0
               : 5;
}

static void share_time(void)
{
    int ends[2], status;
    int64_t stamp, then = now(CLOCK_REALTIME);

    assert(pipe(ends) == 0);
    pid_t child = fork();

    if (child == 0) {
        status = wait_until(then);
        stamp = now(CLOCK_REALTIME);
        usleep(10000);
        _exit(write(ends[1], &stamp, sizeof(stamp)) == sizeof(stamp) ? status : 9);
    }
    assert(read(ends[0], &stamp, sizeof(stamp)) == sizeof(stamp));
    assert(now(CLOCK_REALTIME) >= stamp && stamp >= then + 5 * MS);
    assert(waitpid(child, &status, 0) == child && status == 0);
    stamp = now(CLOCK_REALTIME);
    assert(stamp >= then + 15 * MS && usleep(3000) == 0);
    assert(now(CLOCK_REALTIME) >= stamp + 3 * MS);
    close(ends[0]);
    close(ends[1]);
}

static int lock(int fd, short type, off_t at)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

    return fcntl(fd, F_SETLKW, &l) == 0 ? 0 : errno;
}

/* Each has a lock and wants the other's: one of the two calls fails. */
static void close_circle(void)
{
    FILE *file = tmpfile();
    int fd = fileno(file), ends[2], status;
    char c;

    assert(pipe(ends) == 0 && lock(fd, F_WRLCK, 0) == 0);
    pid_t child = fork();

    if (child == 0) {
        if (lock(fd, F_WRLCK, 1) != 0 || write(ends[1], "x", 1) != 1)
            _exit(9);
        _exit(lock(fd, F_WRLCK, 0));
    }
    assert(read(ends[0], &c, 1) == 1);
    int error = lock(fd, F_WRLCK, 1);

    assert(lock(fd, F_UNLCK, 0) == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert(error == (WEXITSTATUS(status) == EDEADLK ? 0 : EDEADLK));
    fclose(file);
    close(ends[0]);
    close(ends[1]);
}

static void *work(void *arg)
{
    usleep(20);
    share_time();
    share_time();
    close_circle();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
