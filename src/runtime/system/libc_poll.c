/* SPDX-License-Identifier: MIT */
/*
 * Waiting for one of several descriptors.  Like a call that may block it is an
 * operation that is enabled when one of them is ready; see libc_io.c.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_order.h"
#include "runtime/system/io.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/signalfd.h"

#include <errno.h>
#include <limits.h>

enum { FEW = 16, ROOM = POLLOUT | POLLWRNORM | POLLWRBAND };

void __chk_fail(void) __attribute__((noreturn)); /* of libc: a buffer is too small */

static int fed_poll(const struct pl_input_record *r, struct pollfd *fds, nfds_t n)
{
    PL_ASSERT(r != NULL);
    for (nfds_t i = 0; i < n; i++) {
        fds[i].revents = 0;
        pl_inputs_get(r, i * sizeof(short), &fds[i].revents, sizeof(short));
    }
    return (int)pl_inputs_result(r, 0);
}

static int kept_poll(int first, struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; first >= 0 && i < n; i++)
        pl_inputs_use(fds[i].fd);
    pl_signalfd_show(pl_thread_self());
    int rc = pl_free ? pl_real.poll(fds, n, 0) : (int)pl_calls_result(pl_sys(SYS_poll, fds, n, 0));
    struct pl_input_record *r =
        first >= 0 ? pl_inputs_note(PL_INPUT_POLL, first, rc, n * sizeof(short)) : NULL;

    for (nfds_t i = 0; i < n; i++)
        pl_inputs_put(r, i * sizeof(short), &fds[i].revents, sizeof(short));
    return rc;
}

/* As poll() would be told, and a little later. */
static int milliseconds(uint64_t limit)
{
    return limit >= (uint64_t)INT_MAX * 1000000 ? -1 : (int)((limit + 999999) / 1000000);
}

static int wait_as_asked(struct pollfd *fds, nfds_t n, uint64_t limit, bool *lost)
{
    struct pl_thread *t;
    uint64_t pc;

    *lost = false;
    if (!pl_begin(&t, &pc))
        return pl_real.poll(fds, n, milliseconds(limit));
    enum pl_way way = pl_io_await(t, fds, n, limit, pc);

    *lost = pl_kept_any(t);
    pl_kept_end();
    if (way == PL_WAY_SIGNAL)
        return -1;
    if (way == PL_WAY_TIMEOUT && !*lost) {
        for (nfds_t i = 0; i < n; i++)
            fds[i].revents = 0;
        return 0;
    }
    int first = pl_io_stream(fds, n);
    int rc = first >= 0 && pl_inputs_feeding()
                 ? fed_poll(pl_inputs_fed(PL_INPUT_POLL, first), fds, n)
                 : kept_poll(first, fds, n);

    for (nfds_t i = 0; i < n; i++) {
        if (rc > 0 && fds[i].revents != 0)
            pl_order_received(fds[i].fd);
    }
    return rc;
}

static bool asks_in_vain(const struct pollfd *p)
{
    return (p->events & ROOM) != 0 && pl_files_stands_for(p->fd) != PL_COUNTER_NONE;
}

/* *lost: a number was given up while it waited. */
static int wait_for(struct pollfd *fds, nfds_t n, uint64_t limit, bool *lost)
{
    struct pollfd asked[FEW];
    bool in_vain = false;

    for (nfds_t i = 0; pl_on() && i < n && n <= FEW; i++) {
        asked[i] = fds[i];
        if (asks_in_vain(&fds[i])) {
            asked[i].events &= ~ROOM;
            in_vain = true;
        }
    }
    if (!in_vain)
        return wait_as_asked(fds, n, limit, lost);
    int rc = wait_as_asked(asked, n, limit, lost);

    for (nfds_t i = 0; i < n; i++)
        fds[i].revents = asked[i].revents;
    return rc;
}

/* Reads what is asked for, and writes what there is when it has waited: until then that is here. */
static int poll_for(struct pollfd *fds, nfds_t n, uint64_t limit, struct pl_call who)
{
    struct pollfd own[FEW];
    bool lost, wanted = pl_call_wanted(who), apart = wanted && n <= FEW;

    for (nfds_t i = 0; wanted && i < n; i++) {
        pl_call_touches(&fds[i], offsetof(struct pollfd, revents), false, who);
        if (apart)
            own[i] = fds[i];
        else
            pl_call_touches(&fds[i].revents, sizeof(fds[i].revents), true, who);
    }
    int rc = wait_for(apart ? own : fds, n, limit, &lost);

    for (nfds_t i = 0; apart && rc >= 0 && i < n; i++)
        pl_apart_store(&fds[i].revents, &own[i].revents, sizeof(own[i].revents), who);
    return rc;
}

/* How long to wait, and with which mask. */
static void touches_wait(const struct timespec *timeout, const sigset_t *mask, struct pl_call who)
{
    enum { SET_SIZE = 8 };

    if (!pl_call_wanted(who))
        return;
    pl_call_touches(timeout, sizeof(*timeout), false, who);
    pl_call_touches(mask, SET_SIZE, false, who);
}

static int refuse(void)
{
    errno = EINVAL;
    return -1;
}

/* For the kernel, which finds that out before it looks at the first. */
static bool are_too_many(nfds_t n)
{
    return n > FD_SETSIZE && pl_sys(SYS_poll, NULL, n, 0) == -EINVAL;
}

PL_INTERPOSE(int, poll, (struct pollfd * fds, nfds_t n, int timeout))
{
    struct pl_call who = PL_CALL_ENTERED;

    return are_too_many(n) ? refuse() : poll_for(fds, n, pl_io_limit(timeout), who);
}

/* With a mask of its own it stays libc's. */
PL_INTERPOSE(int, ppoll,
             (struct pollfd * fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool swaps = mask != NULL && pl_on() && !pl_inside();

    if (mask != NULL && !swaps)
        return pl_real.ppoll(fds, n, timeout, mask);
    touches_wait(timeout, mask, who);
    if (!pl_clock_is_time(timeout) || are_too_many(n))
        return refuse();
    uint64_t limit = timeout == NULL ? PL_NEVER : pl_clock_ns(timeout);

    if (swaps)
        pl_signal_swap_mask(pl_thread_self(), mask);
    int rc = poll_for(fds, n, limit, who);

    if (swaps)
        pl_signal_swap_back(pl_thread_self());
    return rc;
}

PL_INTERPOSE(int, __poll_chk, (struct pollfd * fds, nfds_t n, int timeout, size_t room))
{
    if (n > room / sizeof(*fds))
        __chk_fail();
    return pl_in_poll(fds, n, timeout);
}

/* Into empty sets; -1 where a descriptor was not open in the first place.  One that was lost since
 * is said to be ready. */
static int to_sets(const struct pollfd *fds, unsigned m, bool lost, fd_set sets[3])
{
    int n = 0;

    for (unsigned i = 0; i < m; i++) {
        int fd = fds[i].fd;
        bool gone = (fds[i].revents & POLLNVAL) != 0;
        short r = gone && lost ? POLLIN | POLLOUT | POLLPRI : fds[i].revents, e = fds[i].events;
        const bool ready[3] = {(e & POLLIN) != 0 && (r & (POLLIN | POLLHUP | POLLERR)) != 0,
                               (e & POLLOUT) != 0 && (r & (POLLOUT | POLLERR)) != 0,
                               (e & POLLPRI) != 0 && (r & POLLPRI) != 0};

        if (gone && !lost) {
            errno = EBADF;
            return -1;
        }
        for (unsigned k = 0; k < 3; k++) {
            if (ready[k])
                FD_SET(fd, &sets[k]);
            n += ready[k];
        }
    }
    return n;
}

/* The kernel reads and stores whole words. */
static uint64_t size_of_set(int n)
{
    return n > 0 && n <= FD_SETSIZE ? (uint64_t)(n + 63) / 64 * 8 : 0;
}

/* Without descriptors it is a way to sleep; with them it goes through poll(). */
static int select_for(int n, fd_set *in, fd_set *out, fd_set *bad, uint64_t limit,
                      struct pl_call who)
{
    struct pollfd fds[FD_SETSIZE];
    unsigned m = 0;
    bool lost;

    if (n < 0)
        return refuse();
    fd_set *const sets[] = {in, out, bad};

    for (unsigned i = 0; i < 3 && pl_call_wanted(who); i++)
        pl_call_touches(sets[i], size_of_set(n), false, who);
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
        short events = (short)((in && FD_ISSET(fd, in) ? POLLIN : 0) |
                               (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                               (bad && FD_ISSET(fd, bad) ? POLLPRI : 0));

        PL_ASSERT(m < FD_SETSIZE);
        if (events != 0)
            fds[m++] = (struct pollfd){.fd = fd, .events = events};
    }
    int rc = wait_for(fds, m, limit, &lost);

    if (rc < 0)
        return rc;
    fd_set answers[3];

    for (unsigned i = 0; i < 3; i++)
        FD_ZERO(&answers[i]);
    rc = to_sets(fds, m, lost, answers);
    /* Over whatever others have stored there meanwhile, one set after the other. */
    for (unsigned i = 0; i < 3 && rc >= 0; i++)
        pl_apart_store(sets[i], &answers[i], n < FD_SETSIZE ? size_of_set(n) : sizeof(fd_set), who);
    return rc;
}

/* On Linux it says how much of the time is left. */
PL_INTERPOSE(int, select, (int n, fd_set *in, fd_set *out, fd_set *bad, struct timeval *timeout))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_on() || pl_inside())
        return pl_real.select(n, in, out, bad, timeout);
    if (timeout == NULL)
        return select_for(n, in, out, bad, PL_NEVER, who);
    if (pl_call_wanted(who))
        pl_call_touches(timeout, sizeof(*timeout), false, who);
    if (timeout->tv_sec < 0 || timeout->tv_usec < 0)
        return refuse();
    uint64_t limit =
        (uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_usec * UINT64_C(1000);
    uint64_t since = pl_clock_now();
    int rc = select_for(n, in, out, bad, limit, who);
    uint64_t passed = pl_clock_now() - since, left = passed < limit ? (limit - passed) / 1000 : 0;

    const struct timeval rest = {(time_t)(left / 1000000), (suseconds_t)(left % 1000000)};

    pl_apart_store(timeout, &rest, sizeof(rest), who);
    return rc;
}

PL_INTERPOSE(int, pselect,
             (int n, fd_set *in, fd_set *out, fd_set *bad, const struct timespec *timeout,
              const sigset_t *mask))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool swaps = mask != NULL && pl_on() && !pl_inside();

    if (!pl_on() || pl_inside())
        return pl_real.pselect(n, in, out, bad, timeout, mask);
    touches_wait(timeout, mask, who);
    if (!pl_clock_is_time(timeout))
        return refuse();
    if (swaps)
        pl_signal_swap_mask(pl_thread_self(), mask);
    int rc = select_for(n, in, out, bad, timeout == NULL ? PL_NEVER : pl_clock_ns(timeout), who);

    if (swaps)
        pl_signal_swap_back(pl_thread_self());
    return rc;
}
