/* SPDX-License-Identifier: MIT */
/*
 * One thread waits in a call, the other lets it go on: each kind of call that can keep a thread in
 * the kernel, and each way out.  Every execution ends.
 *
 * RUN    [gcc] plait test -s dfs -n 9000
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DREPEATS plait test -s dpor
 * EXPECT clean incomplete ended~every.interleaving ended~but.for.*times.of.a.timer
 *
 * RUN    -DREPEATS plait test -n 120
 * EXPECT clean
 *
 * RUN    -DREPEATS native
 * EXPECT exit=0
 */
#include "orders.h"

#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

static int ends[2], back[2], pair[2], set, file, other, id;
static sigset_t usr, none;

/* Signals that nobody handles are blocked by all. */
static void begin(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    sigemptyset(&none);
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    sigaddset(&usr, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &usr, NULL);
    MUST(pipe(ends) == 0 && pipe(back) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    set = epoll_create1(0);
    MUST(set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
}

static long put(void)
{
    return write(ends[1], "x", 1);
}

/* ---- several at once ---- */

ORDER(ppoll, begin(), struct pollfd p = {.fd = ends[0]}; p.events = POLLIN;
      MUST(ppoll(&p, 1, NULL, &none) == 1); return p.revents, return put())
ORDER(pselect, begin(), fd_set in; FD_ZERO(&in); FD_SET(ends[0], &in);
      MUST(pselect(ends[0] + 1, &in, NULL, NULL, NULL, NULL) == 1);
      return FD_ISSET(ends[0], &in), return put())
ORDER(epoll_pwait, begin(), struct epoll_event e; MUST(epoll_pwait(set, &e, 1, -1, NULL) == 1);
      return e.events, return put())
ORDER(epoll_of_epoll, begin(); struct epoll_event event = {.events = EPOLLIN};
      other = epoll_create1(0);
      MUST(epoll_ctl(other, EPOLL_CTL_ADD, set, &event) == 0), struct epoll_event e;
      MUST(epoll_wait(other, &e, 1, -1) == 1); return e.events, return put())
ORDER(epoll_once, begin(); struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
      MUST(epoll_ctl(set, EPOLL_CTL_MOD, ends[0], &event) == 0), struct epoll_event e;
      MUST(epoll_wait(set, &e, 1, -1) == 1 && epoll_wait(set, &e, 1, 0) == 0); return 0, put();
      return put())
ORDER(epoll_added, begin();
      MUST(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL) == 0 && put() == 1), struct epoll_event e;
      MUST(epoll_wait(set, &e, 1, -1) == 1);
      return e.events, struct epoll_event event = {.events = EPOLLIN};
      return epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event))

/* ---- ends ---- */

/* Half of a pair is closed: the other half still carries the answer. */
static long ask(void)
{
    char answer;

    MUST(send(pair[0], "question", 8, 0) == 8 && shutdown(pair[0], SHUT_WR) == 0);
    MUST(recv(pair[0], &answer, 1, 0) == 1 && answer == '8');
    return 0;
}

static long answer(void)
{
    char text[16], n = '0';
    long k;

    while ((k = recv(pair[1], text, sizeof(text), 0)) > 0)
        n = (char)(n + k);
    return send(pair[1], &n, 1, 0);
}

ORDER(half_closed, begin(), return ask(), return answer())
ORDER(hung_up, begin(), struct pollfd p = {.fd = ends[0]}; MUST(poll(&p, 1, -1) == 1);
      return p.revents == POLLHUP, return close(ends[1]))
ORDER(readers_gone, begin(); MUST(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
      signal(SIGPIPE, SIG_IGN), static char data[5000];
      long n = said(write(ends[1], data, sizeof(data)));
      return n == 4096 || n == -EPIPE, return close(ends[0]))

/* ---- counters, timers ---- */

static long take_one(void)
{
    uint64_t n;

    MUST(read(file, &n, sizeof(n)) == sizeof(n) && n == 1);
    return 0;
}

ORDER(counts_of_one, begin(); file = eventfd(0, EFD_SEMAPHORE), take_one();
      return take_one(), uint64_t two = 2; return write(file, &two, sizeof(two)))
#ifdef REPEATS /* how often has it gone off, when it is read? */
enum { EVERY = 1000000, READS = 2 };
#else
enum { EVERY = 0, READS = 1 };
#endif
ORDER(interval, begin(); file = timerfd_create(CLOCK_MONOTONIC, 0);
      struct itimerspec t = {.it_value.tv_nsec = 1000}; t.it_interval.tv_nsec = EVERY;
      MUST(timerfd_settime(file, 0, &t, NULL) == 0), uint64_t n;
      for (int i = 0; i < READS; i++) MUST(read(file, &n, 8) == 8 && n >= 1);
      return 0, return put())

/* ---- signals ---- */

ORDER(signal_read, begin(); file = signalfd(-1, &usr, 0), struct signalfd_siginfo info;
      MUST(read(file, &info, sizeof(info)) == sizeof(info));
      return (long)info.ssi_int + (long)info.ssi_signo - SIGRTMIN,
             return sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7}))
ORDER(signal_waited, begin(), siginfo_t info; MUST(sigwaitinfo(&usr, &info) == SIGRTMIN);
      return info.si_value.sival_int,
             return sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7}))
ORDER(signal_timed, begin(), siginfo_t info; struct timespec limit = {.tv_sec = 9};
      int got = sigtimedwait(&usr, &info, &limit);
      return got == SIGUSR1 || errno == EAGAIN, return kill(getpid(), SIGUSR1))
ORDER(signal_sigwait, begin(), int got; MUST(sigwait(&usr, &got) == 0);
      return got == SIGUSR1, return kill(getpid(), SIGUSR1))

/* ---- queues, semaphores, locks ---- */

static void have_queue(void)
{
    struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[40];

    begin();
    snprintf(name, sizeof(name), "/plait-waits-%d", (int)getppid());
    mq_unlink(name);
    file = mq_open(name, O_RDWR | O_CREAT, 0600, &size);
    other = mq_open(name, O_RDWR);
    MUST(file >= 0 && other >= 0 && mq_unlink(name) == 0);
}

static long take_letters(void)
{
    struct timespec until = {.tv_sec = 1};
    char c;

    for (int i = 0; i < 2; i++)
        MUST(mq_receive(other, &c, 1, NULL) == 1);
    return said(mq_timedreceive(other, &c, 1, NULL, &until)) == -ETIMEDOUT;
}

static void remove_semaphore(void)
{
    semctl(id, 0, IPC_RMID);
}

static void remove_messages(void)
{
    msgctl(id, IPC_RMID, NULL);
}

static void have_semaphore(void)
{
    id = semget(IPC_PRIVATE, 2, 0600);
    after = remove_semaphore;
    MUST(id >= 0);
}

static void have_messages(void)
{
    id = msgget(IPC_PRIVATE, 0600);
    after = remove_messages;
    MUST(id >= 0);
}

static long change(int n, int by)
{
    struct sembuf b = {.sem_num = (unsigned short)n, .sem_op = (short)by};

    return said(semop(id, &b, 1));
}

static long take_both(void)
{
    struct sembuf b[2] = {{.sem_num = 0, .sem_op = -1}, {.sem_num = 1, .sem_op = -1}};

    return said(semop(id, b, 2));
}

static long change_timed(int by)
{
    struct sembuf b = {.sem_op = (short)by};
    struct timespec limit = {.tv_sec = 5};

    return said(semtimedop(id, &b, 1, &limit));
}

static void lock_file(void)
{
    begin();
    file = memfd_create("locked", 0);
    MUST(file >= 0);
}

ORDER(queue_full, have_queue(),
      MUST(mq_send(file, "a", 1, 0) == 0 && mq_send(file, "b", 1, 0) == 0);
      return 0, return take_letters())
ORDER(both_semaphores, have_semaphore(), return take_both(), change(0, 1); return change(1, 1))
ORDER(until_zero, have_semaphore();
      MUST(change(0, 1) == 0), return change(0, 0), return change(0, -1))
ORDER(semaphore_timed, have_semaphore(), long rc = change_timed(-1);
      return rc == 0 || rc == -EAGAIN, return change(0, 1))
ORDER(semaphore_gone, have_semaphore(), long rc = change(0, -1);
      return rc == -EIDRM || rc == -EINVAL, return semctl(id, 0, IPC_RMID))
ORDER(messages_gone, have_messages(), char m[16]; long rc = said(msgrcv(id, m, 1, 0, 0));
      return rc == -EIDRM || rc == -EINVAL, return msgctl(id, IPC_RMID, NULL))
ORDER(lockf_mine, lock_file(), MUST(lockf(file, F_LOCK, 4) == 0);
      return lockf(file, F_ULOCK, 4), MUST(lockf(file, F_LOCK, 4) == 0);
      return lockf(file, F_ULOCK, 4))

/* ---- children, folders, terminals ---- */

/* A child that says something as soon as it is told to. */
static void have_child(void)
{
    begin();
    id = fork();
    MUST(id >= 0);
    if (id == 0) {
        char c;

        close(ends[1]);
        _exit(read(ends[0], &c, 1) == 1 ? 3 : 4);
    }
}

static long wait_for_it(void)
{
    int status;

    MUST(waitpid(id, &status, 0) == id && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void watch_folder(void)
{
    rmdir("waited/in");
    rmdir("waited");
    file = inotify_init1(0);
    MUST(file >= 0 && mkdir("waited", 0700) == 0);
    MUST(inotify_add_watch(file, "waited", IN_CREATE) > 0);
}

static void open_terminal(void)
{
    struct termios how;

    file = posix_openpt(O_RDWR | O_NOCTTY);
    MUST(file >= 0 && grantpt(file) == 0 && unlockpt(file) == 0);
    other = open(ptsname(file), O_RDWR | O_NOCTTY);
    MUST(other >= 0 && tcgetattr(other, &how) == 0);
    cfmakeraw(&how);
    MUST(tcsetattr(other, TCSANOW, &how) == 0);
}

static void make_fifo(void)
{
    unlink("waited.fifo");
    MUST(mkfifo("waited.fifo", 0600) == 0);
}

ORDER(child_told, have_child(), return wait_for_it(), return put())
ORDER(folder_watched, watch_folder(), char event[300];
      return read(file, event, sizeof(event)) > 0, return mkdir("waited/in", 0700))
ORDER(terminal_read, open_terminal(), char c; MUST(read(other, &c, 1) == 1);
      return c, return write(file, "x", 1))
ORDER(fifo_both, make_fifo(), char c; int fd = open("waited.fifo", O_RDONLY);
      MUST(fd >= 0 && read(fd, &c, 1) == 1 && read(fd, &c, 1) == 0);
      return c, int fd = open("waited.fifo", O_WRONLY); MUST(fd >= 0 && write(fd, "x", 1) == 1);
      return close(fd))

ORDERS(&order_ppoll, &order_pselect, &order_epoll_pwait, &order_epoll_of_epoll, &order_epoll_once,
       &order_epoll_added, &order_half_closed, &order_hung_up, &order_readers_gone,
       &order_counts_of_one, &order_interval, &order_signal_read, &order_signal_waited,
       &order_signal_timed, &order_signal_sigwait, &order_queue_full, &order_both_semaphores,
       &order_until_zero, &order_semaphore_timed, &order_semaphore_gone, &order_messages_gone,
       &order_lockf_mine, &order_child_told, &order_folder_watched, &order_terminal_read,
       &order_fifo_both)
