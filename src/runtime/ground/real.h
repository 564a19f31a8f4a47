/* SPDX-License-Identifier: MIT */
/*
 * The functions behind the interposed ones.  Looked up once, before anything
 * else of the runtime runs; constant from then on.
 */
#ifndef PL_RUNTIME_GROUND_REAL_H
#define PL_RUNTIME_GROUND_REAL_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

struct __jmp_buf_tag;
struct stat;
struct addrinfo;
struct epoll_event;
struct itimerspec;

/* PL_REAL(return type, name, parameters) */
#define PL_REAL_FUNCTIONS                                                                          \
    PL_REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)) \
    PL_REAL(int, pthread_getattr_np, (pthread_t, pthread_attr_t *))                                \
    PL_REAL(int, pthread_attr_init, (pthread_attr_t *))                                            \
    PL_REAL(int, pthread_attr_getdetachstate, (const pthread_attr_t *, int *))                     \
    PL_REAL(int, pthread_attr_setdetachstate, (pthread_attr_t *, int))                             \
    PL_REAL(int, pthread_attr_getstack, (const pthread_attr_t *, void **, size_t *))               \
    PL_REAL(int, pthread_attr_setstack, (pthread_attr_t *, void *, size_t))                        \
    PL_REAL(int, pthread_attr_getguardsize, (const pthread_attr_t *, size_t *))                    \
    PL_REAL(int, pthread_attr_setguardsize, (pthread_attr_t *, size_t))                            \
    PL_REAL(int, pthread_attr_getinheritsched, (const pthread_attr_t *, int *))                    \
    PL_REAL(int, pthread_attr_getschedpolicy, (const pthread_attr_t *, int *))                     \
    PL_REAL(int, pthread_attr_getschedparam, (const pthread_attr_t *, struct sched_param *))       \
    PL_REAL(int, pthread_attr_getaffinity_np, (const pthread_attr_t *, size_t, cpu_set_t *))       \
    PL_REAL(int, pthread_attr_getsigmask_np, (const pthread_attr_t *, sigset_t *))                 \
    PL_REAL(int, pthread_barrierattr_getpshared, (const pthread_barrierattr_t *, int *))           \
    PL_REAL(int, pthread_condattr_getclock, (const pthread_condattr_t *, clockid_t *))             \
    PL_REAL(int, pthread_condattr_getpshared, (const pthread_condattr_t *, int *))                 \
    PL_REAL(int, pthread_rwlockattr_getkind_np, (const pthread_rwlockattr_t *, int *))             \
    PL_REAL(int, pthread_rwlockattr_getpshared, (const pthread_rwlockattr_t *, int *))             \
    PL_REAL(int, __register_atfork, (void (*)(void), void (*)(void), void (*)(void), void *))      \
    PL_REAL(int, pthread_mutexattr_init, (pthread_mutexattr_t *))                                  \
    PL_REAL(int, pthread_mutexattr_getpshared, (const pthread_mutexattr_t *, int *))               \
    PL_REAL(int, pthread_mutexattr_settype, (pthread_mutexattr_t *, int))                          \
    PL_REAL(int, pthread_mutex_init, (pthread_mutex_t *, const pthread_mutexattr_t *))             \
    PL_REAL(int, pthread_kill, (pthread_t, int))                                                   \
    PL_REAL(int, sigaction, (int, const struct sigaction *, struct sigaction *))                   \
    PL_REAL(void, longjmp, (struct __jmp_buf_tag *, int))                                          \
    PL_REAL(int, raise, (int))                                                                     \
    PL_REAL(int, kill, (pid_t, int))                                                               \
    PL_REAL(pid_t, fork, (void))                                                                   \
    PL_REAL(pid_t, _Fork, (void))                                                                  \
    PL_REAL(void, exit, (int))                                                                     \
    PL_REAL(void, _exit, (int))                                                                    \
    PL_REAL(ssize_t, read, (int, void *, size_t))                                                  \
    PL_REAL(ssize_t, write, (int, const void *, size_t))                                           \
    PL_REAL(ssize_t, readv, (int, const struct iovec *, int))                                      \
    PL_REAL(ssize_t, writev, (int, const struct iovec *, int))                                     \
    PL_REAL(ssize_t, recv, (int, void *, size_t, int))                                             \
    PL_REAL(ssize_t, send, (int, const void *, size_t, int))                                       \
    PL_REAL(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))         \
    PL_REAL(ssize_t, recvmsg, (int, struct msghdr *, int))                                         \
    PL_REAL(int, close, (int))                                                                     \
    PL_REAL(int, accept, (int, struct sockaddr *, socklen_t *))                                    \
    PL_REAL(int, accept4, (int, struct sockaddr *, socklen_t *, int))                              \
    PL_REAL(int, poll, (struct pollfd *, nfds_t, int))                                             \
    PL_REAL(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                    \
    PL_REAL(int, open, (const char *, int, ...))                                                   \
    PL_REAL(int, open64, (const char *, int, ...))                                                 \
    PL_REAL(FILE *, fopen, (const char *, const char *))                                           \
    PL_REAL(FILE *, fopen64, (const char *, const char *))                                         \
    PL_REAL(int, openat, (int, const char *, int, ...))                                            \
    PL_REAL(FILE *, fdopen, (int, const char *))                                                   \
    PL_REAL(int, fileno, (FILE *))                                                                 \
    PL_REAL(int, stat, (const char *restrict, struct stat *restrict))                              \
    PL_REAL(int, lstat, (const char *restrict, struct stat *restrict))                             \
    PL_REAL(int, access, (const char *, int))                                                      \
    PL_REAL(int, unlink, (const char *))                                                           \
    PL_REAL(int, remove, (const char *))                                                           \
    PL_REAL(int, rmdir, (const char *))                                                            \
    PL_REAL(int, mkdir, (const char *, mode_t))                                                    \
    PL_REAL(int, rename, (const char *, const char *))                                             \
    PL_REAL(char *, getenv, (const char *))                                                        \
    PL_REAL(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t)) \
    PL_REAL(ssize_t, sendmsg, (int, const struct msghdr *, int))                                   \
    PL_REAL(int, signalfd, (int, const sigset_t *, int))                                           \
    PL_REAL(int, timerfd_create, (int, int))                                                       \
    PL_REAL(int, timerfd_settime, (int, int, const struct itimerspec *, struct itimerspec *))      \
    PL_REAL(int, timerfd_gettime, (int, struct itimerspec *))                                      \
    PL_REAL(int, socketpair, (int, int, int, int *))                                               \
    PL_REAL(int, socket, (int, int, int))                                                          \
    PL_REAL(int, connect, (int, const struct sockaddr *, socklen_t))                               \
    PL_REAL(int, bind, (int, const struct sockaddr *, socklen_t))                                  \
    PL_REAL(int, listen, (int, int))                                                               \
    PL_REAL(int, shutdown, (int, int))                                                             \
    PL_REAL(int, setsockopt, (int, int, int, const void *, socklen_t))                             \
    PL_REAL(int, getsockopt, (int, int, int, void *, socklen_t *))                                 \
    PL_REAL(int, getsockname, (int, struct sockaddr *, socklen_t *))                               \
    PL_REAL(int, getpeername, (int, struct sockaddr *, socklen_t *))                               \
    PL_REAL(int, getaddrinfo,                                                                      \
            (const char *, const char *, const struct addrinfo *, struct addrinfo **))             \
    PL_REAL(int, dup, (int))                                                                       \
    PL_REAL(int, dup2, (int, int))                                                                 \
    PL_REAL(int, dup3, (int, int, int))                                                            \
    PL_REAL(int, fcntl, (int, int, ...))                                                           \
    PL_REAL(int, fcntl64, (int, int, ...))                                                         \
    PL_REAL(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))      \
    PL_REAL(int, pselect,                                                                          \
            (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))        \
    PL_REAL(ssize_t, sendfile, (int, int, off_t *, size_t))                                        \
    PL_REAL(int, ioctl, (int, unsigned long, ...))                                                 \
    PL_REAL(int, epoll_ctl, (int, int, int, struct epoll_event *))                                 \
    PL_REAL(int, epoll_wait, (int, struct epoll_event *, int, int))                                \
    PL_REAL(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))             \
                                                                                                   \
    PL_REAL(long, syscall, (long, ...))

struct pl_real {
#define PL_REAL(ret, name, params) ret(*name) params;
    PL_REAL_FUNCTIONS
#undef PL_REAL
    int (*start_main)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *); /* __libc_start_main */
};

extern struct pl_real pl_real;
extern bool pl_ready;  /* stage and heap are there; start/init.c has begun */
extern bool pl_active; /* this process is a worker of plait */
extern bool pl_native; /* it models nothing: see native.h */

void pl_real_init(void);
void *pl_real_find(const char *name);

#endif /* PL_RUNTIME_GROUND_REAL_H */
