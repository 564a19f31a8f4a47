/* SPDX-License-Identifier: MIT */
/*
 * Of programs of generate_calls.py: kinds of mutexes and read-write locks, children, locks of
 * records, names of sockets and the like, as short as in calls.h, which includes this.
 */
#ifndef CALLS_REST_H
#define CALLS_REST_H

#include <setjmp.h>
#include <sys/prctl.h>

/* In calls_cxx.cpp */
int cxx_wait(void *semaphore, void *cell);
int cxx_latch(void *cell);
int cxx_latch_open(void);
int cxx_take_token(void);
int cxx_try_token(void);
void cxx_give_token(void);
int cxx_wait_for_change(void *cell);
void cxx_change(void *cell, int n);
int cxx_stoppable(void *cell);
int cxx_read_shared(void *cell);
int cxx_write_shared(void *cell);
int cxx_wait_any(int most);
void cxx_tell_any(void);
int cxx_swap_shared(int n);

struct three {
    char a, b, c;
};

HELPER void allow_signal(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* One that its owner lends its priority, one with a ceiling, one that spins, a robust one that
 * counts, and usual ones. */
HELPER void make_kind(pthread_mutex_t *m, int kind)
{
    pthread_mutexattr_t a;

    pthread_mutexattr_init(&a);
    if (kind == 1)
        pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
    if (kind == 2)
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP);
    if (kind == 3) {
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    }
    if (kind == 4) {
        pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
        pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    }
    if (kind == 5)
        pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    MUST(pthread_mutex_init(m, &a) == 0);
}

HELPER void make_rwlock(pthread_rwlock_t *l, int kind)
{
    pthread_rwlockattr_t a;

    pthread_rwlockattr_init(&a);
    pthread_rwlockattr_setkind_np(&a, kind == 1   ? PTHREAD_RWLOCK_PREFER_READER_NP
                                      : kind == 2 ? PTHREAD_RWLOCK_PREFER_WRITER_NP
                                                  : PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    MUST(pthread_rwlock_init(l, &a) == 0);
}

/* Waits for ever if writers come first, and one does in between. */
HELPER void read_twice(pthread_rwlock_t *l)
{
    pthread_rwlock_rdlock(l);
    D;
    pthread_rwlock_rdlock(l);
}

HELPER pid_t child_with(int status)
{
    pid_t child = fork();

    if (child == 0)
        _exit(status);
    return child;
}

HELPER int record_lock(int fd, int how, int kind, off_t at)
{
    struct flock l = {.l_type = (short)kind, .l_start = at, .l_len = 1};
    int result = fcntl(fd, how, &l);

    return result < 0 ? error(errno) : l.l_type == F_UNLCK ? 0 : 1;
}

/* A name that only this process has. */
HELPER socklen_t own_name(struct sockaddr_un *address, char letter)
{
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                       (size_t)sprintf(address->sun_path + 1, "plait-%d-%c",
                                       (int)syscall(SYS_getpid), letter));
}

HELPER int bind_name(int fd, char letter)
{
    struct sockaddr_un address;
    socklen_t length = own_name(&address, letter);

    return code(bind(fd, (struct sockaddr *)&address, length));
}

HELPER int send_to_name(int fd, char letter)
{
    struct sockaddr_un address;
    socklen_t length = own_name(&address, letter);

    return code(sendto(fd, &letter, 1, MSG_NOSIGNAL, (struct sockaddr *)&address, length));
}

/* What is received comes soon, or not at all. */
HELPER void limit_wait(int fd)
{
    struct timeval most = {.tv_usec = 400};

    MUST(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)) == 0);
}

HELPER int set_policy(pthread_t thread, int policy)
{
    return error(pthread_setschedparam(thread, policy, &(struct sched_param){0}));
}

HELPER int policy_of(pthread_t thread)
{
    struct sched_param p;
    int policy = 0;

    MUST(pthread_getschedparam(thread, &policy, &p) == 0);
    return policy;
}

HELPER int rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

HIDDEN DIR *folder(DIR *const *of_setup)
{
    return *of_setup;
}

#endif /* CALLS_REST_H */
