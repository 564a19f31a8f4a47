/* SPDX-License-Identifier: MIT */
/*
 * A cancellation that comes when the kernel has made a call, and before libc has noticed, acts at
 * the end of the call: what was taken is lost, what was opened stays open.  Whoever has switched
 * cancellation off has it all.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete
 *
 * RUN    -DSTREAM plait test -s dpor --outputs
 * EXPECT clean complete
 *
 * RUN    -DPLACE plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    -DCLOSED plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    -DEDGE plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    -DSIGNAL plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    -DFAILS plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFAILS -DSTREAM plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFAILS -DOFF plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int ends[2], got;
__attribute__((unused)) static int other;

/* What is done, and whether it was left undone. */
#if defined(STREAM) /* which libc fills within itself */
static int take(void)
{
    FILE *f = fdopen(ends[0], "r");

    setvbuf(f, NULL, _IONBF, 0);
    return getc(f) == 'x';
}
#elif defined(PLACE)
static int take(void)
{
    return pwrite(other, "y", 1, 0) == 1;
}
#elif defined(CLOSED)
static int take(void)
{
    return close(other) == 0;
}
#elif defined(EDGE)
static int take(void)
{
    struct epoll_event e;

    return epoll_wait(other, &e, 1, 0) == 1;
}
#elif defined(SIGNAL)
static sigset_t set;

static int take(void)
{
    int number;

    return sigwait(&set, &number) == 0;
}
#else
static int take(void)
{
    char byte;

    return read(ends[0], &byte, 1) == 1;
}
#endif

#if defined(PLACE)
static int is_left(void)
{
    struct stat st;

    return fstat(other, &st) == 0 && st.st_size == 0;
}
#elif defined(CLOSED)
static int is_left(void)
{
    return fcntl(other, F_GETFD) >= 0;
}
#elif defined(EDGE)
static int is_left(void)
{
    return take();
}
#elif defined(SIGNAL)
static int is_left(void)
{
    sigset_t pending;

    return sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1;
}
#else
static int is_left(void)
{
    char byte;

    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return read(ends[0], &byte, 1) == 1;
}
#endif

static void prepare(void)
{
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
#if defined(SIGNAL)
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
#elif defined(EDGE)
    struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};

    other = epoll_create1(0);
    assert(epoll_ctl(other, EPOLL_CTL_ADD, ends[0], &e) == 0);
#else
    other = memfd_create("place", 0);
#endif
}

static void *reader(void *arg)
{

#ifdef OFF
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    if (take())
        got = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    prepare();
    pthread_create(&t, NULL, reader, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    int left = is_left();

#ifdef FAILS
    assert(got || left);
#endif
    printf("%s\n", got ? "read.it" : left ? "left.it" : "lost.it");
    return 0;
}
