/* SPDX-License-Identifier: MIT */
/*
 * A cancellation ends each call that waits, whoever waits: a function that is interposed, or libc
 * inside one that is not.  Clean-up handlers run, and what the thread had locked for the call is
 * free.
 *
 * RUN    [gcc] plait test -s pcb:1
 * EXPECT clean incomplete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -n 120
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

static pthread_t waiter;
static long (*waiting)(void);
static atomic_int cleaned;
static int ends[2], pair[2], id = -1;
static sem_t never;
static FILE *f;

static void clean(void *arg)
{
    (void)arg;
    cleaned++;
}

static void *wait_there(void *arg)
{
    pthread_cleanup_push(clean, NULL);
    waiting();
    pthread_cleanup_pop(1);
    return arg;
}

static void remove_queue(void)
{
    if (id >= 0)
        msgctl(id, IPC_RMID, NULL);
}

static void start(long (*function)(void))
{
    cleaned = 0;
    MUST(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    f = fdopen(ends[0], "r");
    sem_init(&never, 0, 0);
    id = -1;
    after = remove_queue;
    waiting = function;
    MUST(f != NULL && pthread_create(&waiter, NULL, wait_there, NULL) == 0);
}

static long cancel(void)
{
    void *result;

    MUST(pthread_cancel(waiter) == 0 && pthread_join(waiter, &result) == 0);
    MUST(result == PTHREAD_CANCELED && cleaned == 1);
    return 0;
}

static long cancel_and_read(void)
{
    cancel();
    MUST(write(ends[1], "x", 1) == 1);
    return getc(f);
}

static long in_readv(void)
{
    char c;

    return readv(ends[0], &(struct iovec){&c, 1}, 1);
}

static long in_write(void)
{
    static char data[140000];

    return write(ends[1], data, sizeof(data));
}

static long in_ppoll(void)
{
    return ppoll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, NULL, NULL);
}

static long in_pselect(void)
{
    fd_set in;

    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    return pselect(ends[0] + 1, &in, NULL, NULL, NULL, NULL);
}

static long in_epoll(void)
{
    struct epoll_event e = {.events = EPOLLIN};
    int set = epoll_create1(0);

    MUST(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e) == 0);
    return epoll_pwait(set, &e, 1, -1, NULL);
}

static long in_recvmsg(void)
{
    char c;
    struct msghdr m = {.msg_iov = &(struct iovec){&c, 1}, .msg_iovlen = 1};

    return recvmsg(pair[0], &m, 0);
}

static long in_sem_wait(void)
{
    return sem_wait(&never);
}

static long in_sigsuspend(void)
{
    sigset_t none;

    sigemptyset(&none);
    return sigsuspend(&none);
}

static long in_sigwaitinfo(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return sigwaitinfo(&set, NULL);
}

static long in_msgrcv(void)
{
    char m[16];

    id = msgget(IPC_PRIVATE, 0600);
    return msgrcv(id, m, 1, 0, 0);
}

static long in_mq_receive(void)
{
    struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[40], c;

    snprintf(name, sizeof(name), "/plait-cancel-%d", (int)getppid());
    int queue = mq_open(name, O_CREAT | O_RDWR, 0600, &size);

    mq_unlink(name);
    return mq_receive(queue, &c, 1, NULL);
}

static long in_open(void)
{
    unlink("cancelled.fifo");
    MUST(mkfifo("cancelled.fifo", 0600) == 0);
    return open("cancelled.fifo", O_RDONLY);
}

static long in_lock(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_len = 1};
    int file = memfd_create("locked", 0);
    char path[40];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    int other = open(path, O_RDWR);

    MUST(fcntl(file, F_OFD_SETLKW, &lock) == 0);
    return fcntl(other, F_OFD_SETLKW, &lock);
}

static long in_getline(void)
{
    char *line = NULL;
    size_t n = 0;

    return getline(&line, &n, f);
}

static long in_fread(void)
{
    char data[9];

    return (long)fread(data, 1, sizeof(data), f);
}

static long in_fgets(void)
{
    char data[9];

    return fgets(data, sizeof(data), f) != NULL;
}

static long in_fscanf(void)
{
    int n;

    return fscanf(f, "%d", &n);
}

static long in_fprintf(void)
{
    static char data[140000];
    FILE *out = fdopen(ends[1], "w");

    memset(data, 'x', sizeof(data) - 1);
    MUST(out != NULL);
    f = out;
    return fprintf(out, "%s", data);
}

static long cancel_and_look(void)
{
    cancel();
    clearerr(f);
    return ferror(f);
}

ORDER(readv, start(in_readv), return cancel(), return 0)
ORDER(write, start(in_write), return cancel(), return 0)
ORDER(ppoll, start(in_ppoll), return cancel(), return 0)
ORDER(pselect, start(in_pselect), return cancel(), return 0)
ORDER(epoll, start(in_epoll), return cancel(), return 0)
ORDER(recvmsg, start(in_recvmsg), return cancel(), return 0)
ORDER(sem_wait, start(in_sem_wait), return cancel(), return 0)
ORDER(sigsuspend, start(in_sigsuspend), return cancel(), return 0)
ORDER(sigwaitinfo, start(in_sigwaitinfo), return cancel(), return 0)
ORDER(msgrcv, start(in_msgrcv), return cancel(), return 0)
ORDER(mq_receive, start(in_mq_receive), return cancel(), return 0)
ORDER(open, start(in_open), return cancel(), return 0)
ORDER(lock, start(in_lock), return cancel(), return 0)
ORDER(getline, start(in_getline), return cancel_and_read(), return 0)
ORDER(fread, start(in_fread), return cancel_and_read(), return 0)
ORDER(fgets, start(in_fgets), return cancel_and_read(), return 0)
ORDER(fscanf, start(in_fscanf), return cancel_and_read(), return 0)
ORDER(fprintf, start(in_fprintf), return cancel_and_look(), return 0)

ORDERS(&order_readv, &order_write, &order_ppoll, &order_pselect, &order_epoll, &order_recvmsg,
       &order_sem_wait, &order_sigsuspend, &order_sigwaitinfo, &order_msgrcv, &order_mq_receive,
       &order_open, &order_lock, &order_getline, &order_fread, &order_fgets, &order_fscanf,
       &order_fprintf)
