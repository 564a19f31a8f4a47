/* SPDX-License-Identifier: MIT */
/*
 * <aio.h>: reads and writes that threads of libc perform.
 *
 * As in libc there is one thread for each descriptor with requests: it performs them one after the
 * other, by priority and then in the order in which they came.  A request that it has not taken
 * can be cancelled.  What a request says is read when it is performed, so whoever changes it
 * before is in a race, as is whoever uses the buffer.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "detect/detector.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/observe/feed.h"
#include "runtime/sync/thread.h"
#include "runtime/system/libc_io.h"
#include "runtime/system/requests.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

enum { DATA_SYNC = 64, SYNC, LEAST_URGENT = 20 };

struct pl_aio_request {
    struct pl_aio_request *next;
    struct aiocb *cb;
    struct pl_request_group *group;
    struct sigevent event;
    uint64_t pc;
    int fd, what, priority;
    bool taken;
};

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- the queue ---- */

/* Come to an operation on the queue of a descriptor. */
static void use_queue(int fd, struct pl_call who)
{
    struct pl_requests *all = &pl_stage->process.requests;
    enum { QUEUES = sizeof(all->queues) / sizeof(all->queues[0]) };

    pl_access_state(&all->queues[(unsigned)fd % QUEUES], who.pc, who.entry);
}

/* The program hands something over with it, or a thread of libc takes it. */
static void tell(enum pl_sync_kind kind, const struct pl_aio_request *r)
{
    if (pl_stage->feed.on)
        pl_feed_object(kind, pl_stage->current, (uint64_t)r, PL_OBJECT_FILE);
}

static struct pl_aio_request **first(void)
{
    return &pl_stage->process.requests.aio;
}

static struct pl_aio_request *find(int fd, bool taken)
{
    for (struct pl_aio_request *r = *first(); r != NULL; r = r->next) {
        if (r->fd == fd && r->taken == taken)
            return r;
    }
    return NULL;
}

/* Behind those that are as urgent; true when the descriptor has had no thread. */
static bool put(struct pl_aio_request *r)
{
    bool alone = find(r->fd, true) == NULL && find(r->fd, false) == NULL;
    struct pl_aio_request **at = first();

    while (*at != NULL && ((*at)->fd != r->fd || (*at)->taken || (*at)->priority <= r->priority))
        at = &(*at)->next;
    r->next = *at;
    *at = r;
    return alone;
}

static void take_out(const struct pl_aio_request *r)
{
    struct pl_aio_request **at = first();

    while (*at != r) {
        PL_ASSERT(*at != NULL);
        at = &(*at)->next;
    }
    *at = r->next;
}

/* ---- performing them ---- */

static struct pl_call asker(const struct pl_aio_request *r)
{
    return (struct pl_call){.pc = r->pc};
}

/* From here on the program may do with the request what it likes. */
static void finish(struct pl_aio_request *r, ssize_t result, int error, struct pl_call who)
{
    r->cb->__return_value = result;
    pl_requests_over(&r->cb->__error_code, error, who);
    pl_requests_notify(&r->event, SI_ASYNCIO, who.pc);
    pl_requests_leave(r->group, SI_ASYNCIO, who);
}

static ssize_t perform(const struct pl_aio_request *r)
{
    struct aiocb *cb = r->cb;

    pl_call_touches(cb, offsetof(struct aiocb, __next_prio), false, asker(r));
    struct pl_io_job job = {.fd = r->fd,
                            .buffer = (void *)cb->aio_buf,
                            .size = cb->aio_nbytes,
                            .offset = cb->aio_offset,
                            .pc = r->pc};

    switch (r->what) {
    case LIO_READ:
        return pl_io_read_job(&job);
    case LIO_WRITE:
        return pl_io_write_job(&job);
    case DATA_SYNC:
        return fdatasync(r->fd);
    default:
        return fsync(r->fd);
    }
}

/* What the thread of a descriptor is told; the request that it is made for may be cancelled. */
struct server {
    int fd;
    uint64_t pc;
};

static void *serve(void *arg)
{
    struct server *server = arg;
    struct pl_call who = {.pc = server->pc};
    struct pl_aio_request *r;
    int fd = server->fd;

    pl_requests_go_in();
    pl_heap_free(server, who.pc);
    use_queue(fd, who);
    while ((r = find(fd, false)) != NULL) {
        r->taken = true;
        tell(PL_SYNC_RECEIVE, r);
        who = asker(r);
        ssize_t result = perform(r);

        finish(r, result, result < 0 ? errno : 0, who);
        use_queue(fd, who);
        take_out(r);
        pl_heap_free(r, who.pc);
    }
    pl_requests_go_out();
    return NULL;
}

static bool start(int fd, uint64_t pc)
{
    struct server *server = pl_heap_allocate(sizeof(*server), 16, pc);

    if (server == NULL)
        return false;
    *server = (struct server){fd, pc};
    if (pl_requests_start(serve, server, pc) == 0)
        return true;
    pl_heap_free(server, pc);
    return false;
}

/* ---- asking for them ---- */

static int submit(struct aiocb *cb, int what, struct pl_request_group *group, struct pl_call who)
{
    if (cb->aio_reqprio < 0 || cb->aio_reqprio > LEAST_URGENT) {
        cb->__return_value = -1;
        pl_requests_set(&cb->__error_code, EINVAL, who);
        return fail(EINVAL);
    }
    struct pl_aio_request *r = pl_heap_allocate(sizeof(*r), 16, who.pc);

    if (r == NULL)
        return fail(EAGAIN);
    *r = (struct pl_aio_request){.cb = cb,
                                 .group = group,
                                 .event = cb->aio_sigevent,
                                 .pc = who.pc,
                                 .fd = cb->aio_fildes,
                                 .what = what,
                                 .priority = cb->aio_reqprio};
    cb->__return_value = 0;
    pl_requests_set(&cb->__error_code, EINPROGRESS, who);
    use_queue(r->fd, who);
    tell(PL_SYNC_SEND, r);
    if (!put(r) || start(r->fd, who.pc))
        return 0;
    take_out(r);
    pl_heap_free(r, who.pc);
    cb->__return_value = -1;
    pl_requests_set(&cb->__error_code, EAGAIN, who);
    return fail(EAGAIN);
}

#define READS(p, n) pl_access_argument(p, n, false, pl_entry())

PL_INTERPOSE(int, aio_read, (struct aiocb * cb))
{
    READS(cb, offsetof(struct aiocb, __next_prio));
    struct pl_thread *t;
    struct pl_call who;

    return pl_requests_begin(&t, &who) ? submit(cb, LIO_READ, NULL, who)
                                       : PL_FALLBACK(aio_read)(cb);
}

PL_INTERPOSE(int, aio_write, (struct aiocb * cb))
{
    READS(cb, offsetof(struct aiocb, __next_prio));
    struct pl_thread *t;
    struct pl_call who;

    return pl_requests_begin(&t, &who) ? submit(cb, LIO_WRITE, NULL, who)
                                       : PL_FALLBACK(aio_write)(cb);
}

PL_INTERPOSE(int, aio_fsync, (int how, struct aiocb *cb))
{
    READS(cb, offsetof(struct aiocb, __next_prio));
    struct pl_thread *t;
    struct pl_call who;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(aio_fsync)(how, cb);
    if (how != O_DSYNC && how != O_SYNC)
        return fail(EINVAL);
    if (pl_sys(SYS_fcntl, cb->aio_fildes, F_GETFL) < 0)
        return fail(EBADF);
    return submit(cb, how == O_DSYNC ? DATA_SYNC : SYNC, NULL, who);
}

/* ---- what became of them ---- */

PL_INTERPOSE(int, aio_error, (const struct aiocb *cb))
{
    struct pl_thread *t;
    struct pl_call who;

    return pl_requests_begin(&t, &who) ? pl_requests_look(&cb->__error_code, who)
                                       : PL_FALLBACK(aio_error)(cb);
}

PL_INTERPOSE(ssize_t, aio_return, (struct aiocb * cb))
{
    struct pl_thread *t;
    struct pl_call who;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(aio_return)(cb);
    pl_requests_look(&cb->__error_code, who);
    return cb->__return_value;
}

/* The only one that there is to wait for, or NULL. */
static const struct aiocb *only(const struct aiocb *const *list, int n)
{
    const struct aiocb *one = NULL;

    for (int i = 0; i < n; i++) {
        if (list[i] != NULL && one != NULL)
            return NULL;
        one = list[i] != NULL ? list[i] : one;
    }
    return one;
}

static int waited(enum pl_way way)
{
    return way == PL_WAY_NORMAL ? 0 : fail(way == PL_WAY_TIMEOUT ? EAGAIN : EINTR);
}

PL_INTERPOSE(int, aio_suspend,
             (const struct aiocb *const *list, int n, const struct timespec *timeout))
{
    READS(list, (uint64_t)(n > 0 ? n : 0) * sizeof(*list));
    READS(timeout, sizeof(*timeout));
    struct pl_thread *t;
    struct pl_call who;
    uint64_t deadline;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(aio_suspend)(list, n, timeout);
    if (n < 0 || !pl_requests_deadline(timeout, &deadline))
        return fail(EINVAL);
    pl_cancel_check(who.pc);
    const struct aiocb *one = only(list, n);

    if (one != NULL)
        return waited(pl_requests_wait_one(&one->__error_code, EINPROGRESS, deadline, who));
    const struct pl_request_list all = {(const void *const *)list, n,
                                        offsetof(struct aiocb, __error_code), EINPROGRESS};

    return waited(pl_requests_wait(&all, deadline, who));
}

PL_INTERPOSE(int, aio_cancel, (int fd, struct aiocb *cb))
{
    struct pl_thread *t;
    struct pl_call who;
    int answer = AIO_ALLDONE;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(aio_cancel)(fd, cb);
    if (pl_sys(SYS_fcntl, fd, F_GETFL) < 0)
        return fail(EBADF);
    if (cb != NULL && cb->aio_fildes != fd)
        return fail(EINVAL);
    struct pl_aio_request *out = NULL, **last = &out;

    use_queue(fd, who);
    for (struct pl_aio_request *r = *first(), *next; r != NULL; r = next) {
        next = r->next;
        if (r->fd != fd || (cb != NULL && r->cb != cb))
            continue;
        if (r->taken) {
            answer = AIO_NOTCANCELED;
            continue;
        }
        if (answer == AIO_ALLDONE)
            answer = AIO_CANCELED;
        take_out(r);
        r->next = NULL;
        *last = r;
        last = &r->next;
    }
    while (out != NULL) {
        struct pl_aio_request *r = out;

        out = r->next;
        finish(r, -1, ECANCELED, who);
        pl_heap_free(r, who.pc);
    }
    return answer;
}

/* ---- several at once ---- */

static int submit_all(struct aiocb *const *list, int n, struct pl_request_group *group,
                      struct pl_call who)
{
    int rc = 0;

    for (int i = 0; i < n; i++) {
        int what = list[i] != NULL ? list[i]->aio_lio_opcode & 127 : LIO_NOP;

        if (what == LIO_NOP)
            continue;
        if (submit(list[i], what, group, who) != 0) {
            rc = -1;
            pl_requests_leave(group, SI_ASYNCIO, who);
        }
    }
    return rc;
}

static int wait_for_all(struct aiocb *const *list, int n, bool failed, struct pl_call who)
{
    for (int i = 0; i < n; i++) {
        if (list[i] == NULL || list[i]->aio_lio_opcode == LIO_NOP)
            continue;
        enum pl_way way = pl_requests_wait_one(&list[i]->__error_code, EINPROGRESS, PL_NEVER, who);

        if (way != PL_WAY_NORMAL)
            return waited(way);
        failed |= list[i]->__error_code != 0;
    }
    return failed ? fail(EIO) : 0;
}

PL_INTERPOSE(int, lio_listio, (int mode, struct aiocb *const *list, int n, struct sigevent *event))
{
    READS(list, (uint64_t)(n > 0 ? n : 0) * sizeof(*list));
    struct pl_thread *t;
    struct pl_call who;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(lio_listio)(mode, list, n, event);
    if (mode != LIO_WAIT && mode != LIO_NOWAIT)
        return fail(EINVAL);
    if (mode == LIO_WAIT)
        return wait_for_all(list, n, submit_all(list, n, NULL, who) != 0, who);
    unsigned asked = 0;

    for (int i = 0; i < n; i++)
        asked += list[i] != NULL && list[i]->aio_lio_opcode != LIO_NOP;
    struct pl_request_group *group = pl_requests_group(event, asked, who.pc);
    int rc = submit_all(list, n, group, who);

    pl_requests_leave(group, SI_ASYNCIO, who);
    return rc == 0 ? 0 : fail(EIO);
}

/* How many threads there may be. */
PL_INTERPOSE(void, aio_init, (const struct aioinit *wish))
{
    if (!pl_on())
        PL_FALLBACK(aio_init)(wish);
}

/* ---- the same with offsets that are as large ---- */

_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64), "one struct");

PL_INTERPOSE(int, aio_read64, (struct aiocb64 * cb))
{
    return pl_in_aio_read((struct aiocb *)cb);
}

PL_INTERPOSE(int, aio_write64, (struct aiocb64 * cb))
{
    return pl_in_aio_write((struct aiocb *)cb);
}

PL_INTERPOSE(int, aio_fsync64, (int how, struct aiocb64 *cb))
{
    return pl_in_aio_fsync(how, (struct aiocb *)cb);
}

PL_INTERPOSE(int, aio_error64, (const struct aiocb64 *cb))
{
    return pl_in_aio_error((const struct aiocb *)cb);
}

PL_INTERPOSE(ssize_t, aio_return64, (struct aiocb64 * cb))
{
    return pl_in_aio_return((struct aiocb *)cb);
}

PL_INTERPOSE(int, aio_suspend64,
             (const struct aiocb64 *const *list, int n, const struct timespec *timeout))
{
    return pl_in_aio_suspend((const struct aiocb *const *)list, n, timeout);
}

PL_INTERPOSE(int, aio_cancel64, (int fd, struct aiocb64 *cb))
{
    return pl_in_aio_cancel(fd, (struct aiocb *)cb);
}

PL_INTERPOSE(int, lio_listio64,
             (int mode, struct aiocb64 *const *list, int n, struct sigevent *event))
{
    return pl_in_lio_listio(mode, (struct aiocb *const *)list, n, event);
}
