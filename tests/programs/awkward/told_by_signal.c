/* SPDX-License-Identifier: MIT */
/*
 * The kernel tells of a descriptor by a signal, to the process that has asked for it.  Where that
 * was before the first thread, only the process itself is told, not a copy.  HANDLED: which thread
 * is told is the kernel's choice.
 *
 * RUN    plait test -s dfs -n 5
 * EXPECT clean complete
 *
 * RUN    [dpor] plait test -s dpor -n 5 --restart fork
 * EXPECT clean complete
 *
 * RUN    -DBEFORE plait test -s dfs -n 5
 * EXPECT clean complete restart=exec why~signal
 *
 * RUN    -DBEFORE -DQUEUE plait test -s dfs -n 5
 * EXPECT clean complete restart=exec why~signal
 *
 * RUN    -DHANDLED plait test -s dpor
 * EXPECT clean incomplete ended~that.the.kernel.answers.with.a.signal.at.*told_by_signal
 *
 * RUN    -DQUEUE plait test -s random -n 5 --carrier thread
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static sigset_t told;
#ifdef QUEUE
static mqd_t queue;
#else
static int pair[2];
#endif

#ifdef HANDLED
static void handle(int signo)
{
    (void)signo;
}
#endif

static void ask(void)
{
#ifdef QUEUE
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 1};
    struct sigevent event;

    mq_unlink("/plait-told");
    queue = mq_open("/plait-told", O_CREAT | O_RDWR, 0600, &attr);
    assert(queue != (mqd_t)-1);
    memset(&event, 0, sizeof(event));
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGIO;
    assert(mq_notify(queue, &event) == 0);
#else
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(fcntl(pair[0], F_SETOWN, getpid()) == 0);
    assert(fcntl(pair[0], F_GETOWN) == getpid());
    assert(fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK) == 0);
#endif
}

static void *send_one(void *arg)
{
#ifndef BEFORE
    ask();
#endif
#ifdef QUEUE
    assert(mq_send(queue, "x", 1, 0) == 0);
#else
    assert(write(pair[1], "x", 1) == 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    int signo;

    sigemptyset(&told);
    sigaddset(&told, SIGIO);
#ifdef HANDLED
    signal(SIGIO, handle);
#else
    pthread_sigmask(SIG_BLOCK, &told, NULL);
#endif
#ifdef BEFORE
    ask();
#endif
    pthread_create(&t, NULL, send_one, NULL);
#ifndef HANDLED
    assert(sigwait(&told, &signo) == 0 && signo == SIGIO);
#else
    (void)signo;
#endif
    pthread_join(t, NULL);
#ifdef QUEUE
    mq_unlink("/plait-told");
#endif
    return 0;
}
