/* SPDX-License-Identifier: MIT */
/*
 * mq_notify() with SIGEV_THREAD: a thread of libc calls the program's function when a message comes
 * into an empty queue.  The kernel says so by a message through a socket, as to libc; here the
 * thread that calls the function waits for that itself, as any thread waits for a socket.
 */
#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/requests.h"

#include <errno.h>
#include <linux/netlink.h>
#include <mqueue.h>
#include <sys/socket.h>

/* What comes through the socket: the bytes that were handed in, and in the last one why. */
enum { COOKIE = 32, WOKEN = 1 };

struct listener {
    int fd;
    struct sigevent event;
    uint64_t pc;
};

/* A call of the runtime for the program, as an operation. */
static long call(struct pl_syscall c, uint64_t pc)
{
    pl_thread_self()->entry = NULL;
    pl_count_event(pc);
    long error = pl_calls_point(&c, pc);

    return error != 0 ? error : pl_calls_make(&c, pc);
}

static void *listen_to(void *arg)
{
    struct listener l = *(const struct listener *)arg;
    unsigned char cookie[COOKIE] = {0};

    pl_requests_go_in();
    pl_heap_free(arg, l.pc);
    long n =
        call(PL_SYSCALL(SYS_recvfrom, (uint64_t)l.fd, (uint64_t)cookie, COOKIE, 0, 0, 0), l.pc);

    call(PL_SYSCALL(SYS_close, (uint64_t)l.fd), l.pc);
    pl_thread_self()->mask = 0; /* as in libc */
    pl_requests_go_out();
    if (n == COOKIE && cookie[COOKIE - 1] == WOKEN)
        l.event.sigev_notify_function(l.event.sigev_value);
    return NULL;
}

/* Ask the kernel for the message; an error. */
static int ask(mqd_t queue, int fd, uint64_t pc)
{
    unsigned char cookie[COOKIE] = {0};
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_signo = fd, .sigev_value.sival_ptr = cookie};

    return (int)-call(PL_SYSCALL(SYS_mq_notify, (uint64_t)queue, (uint64_t)&event), pc);
}

static int start(mqd_t queue, const struct sigevent *event, uint64_t pc)
{
    long fd = call(PL_SYSCALL(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0), pc);

    if (fd < 0)
        return (int)-fd;
    struct listener *l = pl_heap_allocate(sizeof(*l), 16, pc);
    int error = l != NULL ? ask(queue, (int)fd, pc) : ENOMEM;

    if (error == 0) {
        *l = (struct listener){(int)fd, *event, pc};
        error = pl_requests_start(listen_to, l, pc);
    }
    if (error == 0)
        return 0;
    call(PL_SYSCALL(SYS_close, (uint64_t)fd), pc);
    if (l != NULL)
        pl_heap_free(l, pc);
    return error;
}

PL_INTERPOSE(int, mq_notify, (mqd_t queue, const struct sigevent *event))
{
    pl_access_argument(event, sizeof(*event), false, pl_entry());
    struct pl_thread *t;
    struct pl_call who;

    if (event == NULL || event->sigev_notify != SIGEV_THREAD || !pl_requests_begin(&t, &who))
        return PL_FALLBACK(mq_notify)(queue, event);
    int error = start(queue, event, who.pc);

    if (error == 0)
        return 0;
    errno = error;
    return -1;
}
