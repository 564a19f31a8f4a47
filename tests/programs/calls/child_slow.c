/* SPDX-License-Identifier: MIT */
/*
 * All threads wait, one of them by poll() or epoll_wait() for a child that takes its time: no
 * deadlock, as long as there is a child.
 *
 * RUN    plait test -s random -n 1
 * EXPECT clean
 */
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static int first[2], second[2];

static void *wait_for_both(void *arg)
{
    struct pollfd p = {.fd = first[0], .events = POLLIN};
    struct epoll_event e = {.events = EPOLLIN};
    int set = epoll_create1(0);
    char c;

    if (poll(&p, 1, -1) != 1 || read(first[0], &c, 1) != 1)
        return NULL;
    if (epoll_ctl(set, EPOLL_CTL_ADD, second[0], &e) != 0 || epoll_wait(set, &e, 1, -1) != 1)
        return NULL;
    return read(second[0], &c, 1) == 1 ? arg : NULL;
}

int main(void)
{
    const struct timespec while_it_works = {.tv_sec = 2, .tv_nsec = 300000000};
    pthread_t t;
    void *fine;

    if (pipe(first) != 0 || pipe(second) != 0)
        return 1;
    if (fork() == 0) {
        nanosleep(&while_it_works, NULL);
        if (write(first[1], "x", 1) != 1)
            _exit(1);
        nanosleep(&while_it_works, NULL);
        _exit(write(second[1], "x", 1) != 1);
    }
    pthread_create(&t, NULL, wait_for_both, first);
    pthread_join(t, &fine);
    return fine != first;
}
