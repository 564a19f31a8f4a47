/* SPDX-License-Identifier: MIT */
/*
 * epoll.  To wait is an operation like poll(), enabled when something is ready.
 * The program gets back what it has registered, often an address; a record
 * has the descriptor instead, and a replay looks up what is registered for that.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/about.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_order.h"
#include "runtime/system/functions.h"
#include "runtime/system/io.h"
#include "runtime/system/libc_signal.h"

#include <limits.h>
#include <sys/epoll.h>

/* What records have for the number of an epoll, which a replay may get another one for. */
enum { ANY = -2 };

enum { LINES = 4096 }; /* of what the kernel says about a set */

/* One event of a record. */
struct ready {
    uint32_t events;
    int32_t fd;
};

static int find(int epoll, int fd)
{
    const struct pl_input_state *s = &pl_stage->inputs;

    for (unsigned i = 0; i < s->n_watches; i++) {
        if (s->watches[i].fd == fd && (epoll < 0 || s->watches[i].epoll == epoll))
            return (int)i;
    }
    return -1;
}

static void remove_watch(int i)
{
    struct pl_input_state *s = &pl_stage->inputs;

    PL_ASSERT(i >= 0 && (unsigned)i < s->n_watches);
    s->watches[i] = s->watches[--s->n_watches];
}

static void add_watch(int epoll, int fd, const struct epoll_event *event)
{
    struct pl_input_state *s = &pl_stage->inputs;
    int i = find(epoll, fd);

    if (i < 0 && s->n_watches < PL_INPUT_WATCHES)
        i = (int)s->n_watches++;
    if (i < 0)
        return;
    PL_ASSERT((unsigned)i < s->n_watches && s->n_watches <= PL_INPUT_WATCHES);
    s->watches[i].epoll = (int16_t)epoll;
    s->watches[i].fd = (int16_t)fd;
    s->watches[i].data = event->data.u64;
}

void pl_epoll_forget(int fd)
{
    int i;

    pl_enter();
    while ((i = find(-1, fd)) >= 0)
        remove_watch(i);
    pl_leave();
}

/*
 * What is in several sets in this way wakes, as a rule, who waits for one of them: the others are
 * not told, not even later.  Here nobody waits in the kernel, so all of them are.
 */
static void note_exclusive(int epoll, int op, const struct epoll_event *event)
{
    struct pl_files *f = &pl_stage->process.files;

    if (op != EPOLL_CTL_ADD || (event->events & EPOLLEXCLUSIVE) == 0 || !pl_on())
        return;
    f->exclusives |= f->exclusive != 0 && f->exclusive != epoll + 1;
    f->exclusive = epoll + 1;
}

PL_INTERPOSE_ALWAYS(int, epoll_ctl, (int epoll, int op, int fd, struct epoll_event *event))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who))
        pl_call_touches(event, sizeof(*event), false, who);
    pl_order_sends(epoll); /* who is told that the descriptor is ready comes after this */
    bool known = pl_on() && (pl_inputs_recording() || pl_inputs_feeding());
    bool stream = known && pl_inputs_is_stream(fd);
    /* A counter is always ready to be written to; what it stands for never is. */
    struct epoll_event only_in = event != NULL ? *event : (struct epoll_event){0};

    only_in.events &= ~(uint32_t)(EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
    int rc = pl_real.epoll_ctl(
        epoll, op, fd,
        event != NULL && pl_on() && pl_files_stands_for(fd) != PL_COUNTER_NONE ? &only_in : event);

    if (stream && pl_inputs_feeding()) /* a stand-in may be less than what it stands for */
        rc = (int)pl_inputs_result(pl_inputs_fed(PL_INPUT_CONNECT, fd), 0);
    else if (stream)
        pl_inputs_keep(PL_INPUT_CONNECT, pl_inputs_number(fd), rc);
    if (rc == 0)
        note_exclusive(epoll, op, event);
    if (!known || rc != 0)
        return rc;
    pl_enter();
    if (op == EPOLL_CTL_DEL && find(epoll, fd) >= 0)
        remove_watch(find(epoll, fd));
    else if (op != EPOLL_CTL_DEL)
        add_watch(epoll, fd, event);
    if (stream && !pl_inputs_is_stream(epoll))
        pl_inputs_set_stream(epoll, true, ANY);
    pl_leave();
    return rc;
}

static int fd_of(int epoll, uint64_t data)
{
    const struct pl_input_state *s = &pl_stage->inputs;

    for (unsigned i = 0; i < s->n_watches; i++) {
        if (s->watches[i].epoll == epoll && s->watches[i].data == data)
            return pl_inputs_number(s->watches[i].fd);
    }
    return -1;
}

static uint64_t data_of(int epoll, int number)
{
    const struct pl_input_state *s = &pl_stage->inputs;

    for (unsigned i = 0; i < s->n_watches; i++) {
        if (s->watches[i].epoll == epoll && pl_inputs_number(s->watches[i].fd) == number)
            return s->watches[i].data;
    }
    return 0;
}

static int fed_events(int epoll, struct epoll_event *events, int max)
{
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_POLL, epoll);
    struct ready one;

    PL_ASSERT(r != NULL);
    for (int i = 0;
         i < max && pl_inputs_get(r, (uint64_t)i * sizeof(one), &one, sizeof(one)) == sizeof(one);
         i++) {
        events[i].events = one.events;
        events[i].data.u64 = data_of(epoll, one.fd);
    }
    return (int)pl_inputs_result(r, 0);
}

static int kept_events(int epoll, struct epoll_event *events, int max)
{
    uint64_t a[6] = {(uint64_t)epoll, (uint64_t)events, (uint64_t)max};
    int n = pl_free ? pl_real.epoll_wait(epoll, events, max, 0)
                    : (int)pl_calls_result(pl_watch_make(SYS_epoll_wait, a));
    uint64_t size = n > 0 ? (uint64_t)n * sizeof(struct ready) : 0;
    struct pl_input_record *r =
        pl_inputs_is_stream(epoll) ? pl_inputs_note(PL_INPUT_POLL, pl_inputs_number(epoll), n, size)
                                   : NULL;

    for (int i = 0; r != NULL && i < n; i++) {
        struct ready one = {events[i].events, fd_of(epoll, events[i].data.u64)};

        pl_inputs_put(r, (uint64_t)i * sizeof(one), &one, sizeof(one));
    }
    return n;
}

/* Detectors are told: what was registered, and what came through that which is ready. */
static void receive(int epoll, const struct epoll_event *events, int n)
{
    char lines[LINES];
    const char *at = lines;

    if (n <= 0 || !pl_stage->feed.on)
        return;
    pl_order_received(epoll);
    pl_about_lines(epoll, lines, sizeof(lines));
    for (int fd; (fd = pl_about_member(&at)) >= 0;) {
        uint64_t data = pl_about_registered(at);

        for (int i = 0; i < n; i++) {
            if (events[i].data.u64 == data)
                pl_order_received(fd);
        }
    }
}

PL_INTERPOSE(int, epoll_wait, (int epoll, struct epoll_event *events, int max, int timeout))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pollfd p = {.fd = epoll, .events = POLLIN};
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.epoll_wait(epoll, events, max, timeout);
    if (max <= 0 || max > INT_MAX / (int)sizeof(*events)) /* the kernel says what is wrong */
        return (int)pl_calls_result(pl_sys(SYS_epoll_wait, epoll, events, max, 0));
    if (pl_stage->process.files.exclusives && !pl_free && pl_stage->n_unjoined > 1)
        pl_unmodelled("that waits with EPOLLEXCLUSIVE", PL_UNMODELLED_FUNCTION, pc);
    bool is_set = pl_about_is_set(epoll); /* else the kernel will say what is wrong */

    t->io.holds = true;
    enum pl_way way = pl_io_await(t, &p, 1, is_set ? pl_io_limit(timeout) : 0, pc);

    t->io.holds = false;
    epoll = p.fd; /* or what is left of it */
    if ((way == PL_WAY_TIMEOUT && is_set) || way == PL_WAY_SIGNAL) {
        pl_kept_end();
        return way == PL_WAY_TIMEOUT ? 0 : -1;
    }
    struct pl_fill fill = pl_fill_begin(events, max > 0 ? (uint64_t)max * sizeof(*events) : 0, who);
    int n = pl_inputs_is_stream(epoll) && pl_inputs_feeding() ? fed_events(epoll, fill.at, max)
                                                              : kept_events(epoll, fill.at, max);

    receive(epoll, fill.at, n);
    pl_fill_end(&fill, n > 0 ? (uint64_t)n * sizeof(*events) : 0, who);
    pl_kept_end();
    pl_calls_end(n > 0, pc); /* with what it took: an edge, or what is told once */
    return n;
}

PL_INTERPOSE(int, epoll_pwait,
             (int epoll, struct epoll_event *events, int max, int timeout, const sigset_t *mask))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool swaps = mask != NULL && pl_on() && !pl_inside();

    if (pl_call_wanted(who))
        pl_call_touches(mask, sizeof(uint64_t), false, who);
    if (mask != NULL && !swaps)
        return pl_real.epoll_pwait(epoll, events, max, timeout, mask);
    if (swaps)
        pl_signal_swap_mask(pl_thread_self(), mask);
    int n = pl_in_epoll_wait(epoll, events, max, timeout);

    if (swaps)
        pl_signal_swap_back(pl_thread_self());
    return n;
}
