/* SPDX-License-Identifier: MIT */
/* See calls.h. */
#include "runtime/system/calls.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/depend.h"
#include "model/gate.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_fifo.h"
#include "runtime/system/calls_judged.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_mapped.h"
#include "runtime/system/calls_parts.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/calls_rows.h"
#include "runtime/system/children.h"
#include "runtime/system/deputy.h"
#include "runtime/system/file_times.h"
#include "runtime/system/libc_futex.h"
#include "runtime/system/libc_time.h"
#include "runtime/system/pipe_room.h"
#include "runtime/system/processes.h"
#include "runtime/system/record_locks.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signalfd.h"
#include "runtime/system/timerfd.h"
#include "runtime/system/told.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

/* ---- rows ---- */

void pl_calls_unmodelled(long number, uint64_t pc)
{
    char name[sizeof(pl_board->unmodelled)];
    const char *known = pl_arguments_of(number)->name;

    if (known != NULL)
        pl_text_copy(name, sizeof(name), known);
    else
        pl_text_format(name, sizeof(name), "%ld", number);
    pl_unmodelled(name, PL_UNMODELLED_CALL, pc);
}

/* ---- resources ---- */

static uint64_t resource(enum pl_resource r, const struct pl_syscall *c)
{
    switch (r) {
    case R_NONE:
        return 0;
    case R_FILE:
        return pl_files_open((int)c->a[0]);
    case R_CONTENT:
        return pl_files_content((int)c->a[0]);
    case R_ALL:
        return PL_DEPEND_FILES;
    default:
        return pl_plan_only(r);
    }
}

/* ---- announce and choose ---- */

/*
 * A number that another thread has given to something else: it is looked up, besides what the call
 * does to what it stands for by then.
 */
static struct pl_plan looks_up(struct pl_plan p, const struct pl_syscall *c)
{
    uint64_t file = pl_files_open((int)c->a[0]), numbers = pl_plan_only(R_TABLE);
    unsigned wait = p.wait;

    if (!pl_files_is_reused((int)c->a[0]) || (p.first != file && p.second != file) ||
        p.first == numbers || p.second == numbers)
        return p;
    bool unmodelled = p.unmodelled;

    if (p.first == file && p.second == 0)
        p = pl_plan_uses(numbers, PL_EFFECT_READ, file, p.first_effect);
    else
        p = pl_plan_uses(PL_DEPEND_FILES, PL_EFFECT_WRITE, 0, PL_EFFECT_NONE);
    p.wait = (uint8_t)wait;
    p.unmodelled = unmodelled;
    return p;
}

/* Whether it is one that reads, or writes, where the open file stands. */
static bool transfers(const struct pl_calls_row *r, const struct pl_syscall *c, enum pl_ask wait)
{
    unsigned place = pl_arguments_of(c->number)->place;

    return r != NULL && r->wait == wait && r->first == R_FILE && r->second == R_CONTENT &&
           r->first_effect == PL_EFFECT_WRITE && (place == 0 || c->a[place - 1] == UINT64_MAX);
}

struct pl_plan pl_calls_plan(const struct pl_calls_row *r, const struct pl_syscall *c)
{
    if (r->by_case != NULL)
        return looks_up(r->by_case(c), c);
    if (r->first == R_FILE && pl_files_watches((int)c->a[0])) /* whatever happens to files */
        return (struct pl_plan){
            .first = PL_DEPEND_FILES, .first_effect = PL_EFFECT_WRITE, .wait = r->wait};
    struct pl_plan p = pl_plan_uses(resource(r->first, c), r->first_effect, resource(r->second, c),
                                    r->second_effect);

    p.wait = r->wait;
    if (transfers(r, c, PL_ASK_IN) && pl_signalfd_is((int)c->a[0])) {
        p.second = PL_SIGNALS_SENT; /* it takes what is sent */
        p.second_effect = PL_EFFECT_WRITE;
    }
    /* A number that stands for nothing: whoever opens or closes something may change that. */
    if ((r->first == R_FILE || r->second == R_FILE) && !pl_plan_is_open(c->a[0]))
        p = (struct pl_plan){.first = pl_plan_only(R_TABLE),
                             .first_effect = r->first == R_TABLE ? r->first_effect : PL_EFFECT_READ,
                             .wait = r->wait};
    return looks_up(p, c);
}

/* Where standard output and error are captured, nobody in the program reads them. */
static bool is_output(const struct pl_syscall *c)
{
    return transfers(pl_calls_row(c->number), c, PL_ASK_OUT) && (c->a[0] == 1 || c->a[0] == 2) &&
           !pl_ask_may_wait((int)c->a[0]);
}

static enum pl_op_kind kind_of(const struct pl_plan *p, const struct pl_syscall *c)
{
    return p->wait == PL_ASK_OVER || p->wait == PL_ASK_PARTNER ? PL_OP_CALL_END
           : p->first == PL_DEPEND_FILES                       ? PL_OP_IO
           : is_output(c)                                      ? PL_OP_OUTPUT
                                                               : PL_OP_CALL;
}

static void forget(struct pl_thread *t)
{
    t->call.now = NULL;
    t->call.waits = false;
    t->call.second = 0;
}

/*
 * Whether a handler that was set with SA_RESTART lets it go on waiting: not those of System V, nor
 * a socket with a time-out; a queue of messages has its time-out as a moment, so it may start over.
 */
static bool starts_over(const struct pl_syscall *c, uint64_t deadline)
{
    const struct pl_arguments *g = pl_arguments_of(c->number);

    return !g->interrupted && (g->moment != 0 || deadline == PL_NEVER);
}

/*
 * A point of the running thread: 0 when the call can be made.  A timer that is read through a
 * descriptor may be what lets it go on: then the clock has moved on to it.
 */
static long point_once(struct pl_syscall *c, const struct pl_plan *p, bool cancellable, uint64_t pc,
                       bool *fired)
{
    struct pl_thread *t = pl_thread_self();

    t->call.cancellable = cancellable;
    uint64_t deadline = PL_NEVER;
    int fd = pl_ask_fd(c);

    *fired = false;
    t->call.now = c;
    t->call.wait = p->wait;
    t->call.number = (uint16_t)c->number;
    t->call.fd = fd;
    t->call.lingered = false;
    t->call.waits = p->wait != PL_ASK_NEVER && pl_ask_waits(p->wait, c, &deadline);
    t->call.second = p->second;
    t->call.effect = p->first_effect;
    t->call.second_effect = p->second_effect;
    t->io.fds = NULL;
    t->io.n = t->io.waits = 0;
    t->io.hopeless = t->io.released = t->io.late = false;
    t->io.record = 0;
    if (t->call.waits)
        pl_inputs_expect(t, fd);
    uint64_t fires = t->call.waits && fd >= 0 ? pl_timerfd_next(fd) : PL_NEVER;

    t->cancel_point = cancellable;
    t->signals.interruption = !t->call.waits             ? PL_INTERRUPTION_NONE
                              : starts_over(c, deadline) ? PL_INTERRUPTION_RESTART
                                                         : PL_INTERRUPTION_ALWAYS;
    pl_timerfd_await(t, fires, deadline);
    enum pl_way way =
        pl_sched_timed_point(kind_of(p, c), (const void *)p->first,
                             fires < deadline ? fires : deadline, (uint32_t)(fd & 0xffff), pc);

    t->signals.interruption = PL_INTERRUPTION_NONE;
    t->cancel_point = false;
    forget(t);
    if (way == PL_WAY_CANCEL) {
        while (t->call.deputy != NULL)
            pl_deputy_interrupt(t);
        pl_kept_end();
        pl_parts_leave();
        pl_cancel_act();
    }
    if (way == PL_WAY_SIGNAL)
        return -EINTR;
    pl_stage->process.calls_changed++;
    *fired = way == PL_WAY_TIMEOUT && t->io.fires < deadline;
    if (*fired) /* as part of the step that it lets the thread make */
        pl_timerfd_fire();
    return way == PL_WAY_TIMEOUT && !*fired ? pl_ask_late(c) : 0;
}

/* Names, or the content of files: others have them, too. */
static bool is_of_files(uint64_t resource)
{
    return resource == PL_FILES_NAMES || resource == PL_DEPEND_FILES ||
           pl_files_is_content(resource);
}

/* The call has come to its point beside a child that may run; see children.h. */
static void tell_of_child(const struct pl_syscall *c, const struct pl_plan *p)
{
    const struct pl_thread *t = pl_thread_self();
    uint64_t deadline;
    int fd = p->wait == PL_ASK_CHILD ? -1 : pl_ask_fd(c);

    if (p->wait == PL_ASK_NEVER || (fd >= 0 && !pl_ask_may_wait(fd))) {
        if ((is_of_files(p->first) || is_of_files(p->second)) && !is_output(c))
            pl_children_decide();
    } else if (pl_ask_waits(p->wait, c, &deadline) && deadline == PL_NEVER) {
        pl_children_waited(t, fd);
    } else if (p->wait == PL_ASK_CHILD) {
        pl_children_decide();
    } else {
        pl_children_looked(fd);
    }
}

/* Whether the call may find nothing where it does not wait, as others can change. */
static bool is_told_not_to_wait(const struct pl_syscall *c, unsigned wait)
{
    uint64_t deadline;
    int fd = pl_ask_fd(c);

    return wait != PL_ASK_NEVER && fd >= 0 && pl_kept_is_looked_up(fd) &&
           pl_plan_is_open(c->a[0]) && !pl_ask_waits(wait, c, &deadline);
}

long pl_calls_come(struct pl_syscall *c, const struct pl_plan *p, bool cancellable, uint64_t pc)
{
    bool fired, told;
    long result;

    do {
        /* How often a timer has gone off is what the clock says; others may move it on between the
         * end of the wait and the look, and read what was counted behind that. */
        if (p->wait != PL_ASK_NEVER && pl_timerfd_is(pl_ask_fd(c))) {
            uint64_t deadline;

            if (pl_ask_waits(p->wait, c, &deadline))
                pl_clock_look(false, pc);
            else
                pl_time_glance(pc);
            pl_timerfd_fire();
        }
        told = is_told_not_to_wait(c, p->wait);
        result = point_once(c, p, cancellable, pc, &fired);
        if (fired)
            pl_spin_progress(pl_thread_self());
        /* Somebody may have said meanwhile that who finds nothing there waits. */
    } while (fired || (told && result == 0 && !is_told_not_to_wait(c, p->wait) &&
                       !pl_ask_ready(p->wait, c)));
    if (result == 0)
        pl_timerfd_looked(c, p->wait, pc);
    if (pl_children_matter())
        tell_of_child(c, p);
    return result;
}

void pl_calls_begin(uint64_t resource, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    if (resource != 0) {
        t->part = 1; /* of the call, which is no loop for that */
        pl_sched_point(PL_OP_CALL_BEGIN, (const void *)resource, 0, 0, pc);
        t->part = 0;
    } else {
        t->ordinal++; /* everywhere the same, so that replays find their way */
    }
    pl_count_event(pc); /* what comes from outside after it has not come before it in a replay */
}

/*
 * Whether what it waits at has a number that is looked up.  If another thread has given the number
 * up before, or has said that nobody waits there, the call begins all the same: whether its thread
 * stood at the beginning by then, or came to it later, makes no difference.
 */
static bool is_at_number(const struct pl_syscall *c, unsigned wait)
{
    if (pl_ask_events(wait) == 0 && wait != PL_ASK_FLOCK && wait != PL_ASK_LOCK)
        return false;
    return pl_ask_is_blocking(wait, c) ||
           (pl_kept_was_slow((int)c->a[0]) && !pl_ask_is_told_not_to(c));
}

static void begin(const struct pl_syscall *c, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    unsigned arguments = pl_ask_descriptors(c);
    bool looks_up = false, fills = pl_pipe_room_begins(c);

    for (unsigned i = 0; i < 6; i++)
        looks_up |= (arguments >> i & 1) != 0 && pl_kept_begins((int)c->a[i]);
    pl_calls_begin(looks_up && fills ? PL_DEPEND_FILES
                   : looks_up        ? pl_plan_only(R_TABLE)
                   : fills           ? pl_files_open((int)c->a[0])
                                     : 0,
                   pc);
    t->call.begun =
        pl_pipe_room_rest(c) != 0 && !pl_ask_ready(PL_ASK_OUT, c) && !pl_pipe_room_fits(t, c);
}

/* All points of a call that comes to them: 0 when it can be made now. */
static long come(struct pl_syscall *c, const struct pl_calls_row *r, bool cancellable, uint64_t pc)
{
    struct pl_plan p = pl_calls_plan(r, c);
    long error = 0;

    pl_kept_end();
    pl_thread_self()->call.begun = false;
    if (is_at_number(c, p.wait)) {
        begin(c, pc);
        error = pl_plan_is_open(c->a[0]) ? 0 : -EBADF;
        p = pl_calls_plan(r, c);
    }
    if (p.unmodelled && pl_stage->n_alive > 1)
        pl_calls_unmodelled(c->number, pc);
    pl_thread_self()->call.judged = !pl_free;
    error = error == 0 ? pl_calls_come(c, &p, cancellable, pc) : error;
    pl_thread_self()->call.judged = false;
    if (error != 0)
        pl_kept_end();
    return error;
}

long pl_calls_point(struct pl_syscall *c, uint64_t pc)
{
    const struct pl_calls_row *r = pl_calls_row(c->number);

    PL_ASSERT(r != NULL && r->by_hand == NULL);
    pl_thread_self()->call.tried = UINT64_MAX;
    /* What never waits begins with no cancellation point, unless its function says so. */
    return come(c, r, r->cancels != CANCELS_NEVER && pl_calls_plan(r, c).wait != PL_ASK_NEVER, pc);
}

/* ---- perform ---- */

/* Whether others may be let go on by it, or kept waiting: by who opens a FIFO that was at its end.
 */
static bool lets_go_on(const struct pl_syscall *c)
{
    const struct pl_calls_row *r = pl_calls_row(c->number);

    if (pl_stage->process.files.n_channels == 0 || pl_stage->n_alive < 2 || r == NULL ||
        r->by_hand != NULL)
        return false;
    struct pl_plan p = pl_calls_plan(r, c);

    return (p.first_effect == PL_EFFECT_WRITE &&
            (p.first == PL_DEPEND_FILES || pl_files_is_open(p.first))) ||
           (p.second_effect == PL_EFFECT_WRITE && pl_files_is_open(p.second));
}

static bool is_opening(const struct pl_syscall *c)
{
    const struct pl_calls_row *r = pl_calls_row(c->number);

    return r != NULL && r->by_case == pl_plan_open;
}

static bool is_for_deputy(const struct pl_syscall *c)
{
    const struct pl_calls_row *r = pl_calls_row(c->number);

    return r != NULL && pl_deputy_suits(c, r->wait == PL_ASK_DEPUTY);
}

static long make(struct pl_syscall *c)
{
    struct pl_thread *t = pl_thread_self();
    bool looks = lets_go_on(c);

    if (looks)
        pl_files_look();
    pl_kept_give_up(c);
    pl_deputy_look();
    struct pl_file_times_loser loser = pl_file_times_before(c->number, c->a);

    t->call.away = is_for_deputy(c) ? (uint16_t)(c->number + 1) : 0;
    long result = pl_watch_make(c->number, c->a);

    t->call.away = 0;
    if (result >= 0)
        pl_file_times_lost(loser);
    if (result >= 0 && is_opening(c))
        pl_fifo_opened(result);
    if (c->number == SYS_fcntl && c->a[1] == F_SETLEASE)
        pl_deputy_learn((int)c->a[0]);
    pl_processes_rest();
    pl_deputy_rest();
    pl_pipe_room_made(c, result);
    if (looks)
        pl_files_changed();
    pl_calls_failed(result);
    return result;
}

void pl_calls_failed(long error)
{
    if (error == -EPIPE || error == -EFBIG)
        pl_signal_of_call(pl_thread_self(), error == -EPIPE ? SIGPIPE : SIGXFSZ);
}

void pl_calls_end(bool cancellable, uint64_t pc)
{
    if (cancellable && !pl_as_free())
        pl_cancel_check(pc);
}

long pl_calls_now(struct pl_syscall *c)
{
    return make(c);
}

/* Once more, behind another point: what is left of a call that waits for the rest. */
long pl_calls_wait_again(struct pl_syscall *c, uint64_t pc)
{
    return pl_calls_wait_as(c, pl_calls_plan(pl_calls_row(c->number), c).wait, pc);
}

long pl_calls_wait_as(struct pl_syscall *c, unsigned wait, uint64_t pc)
{
    struct pl_plan p = pl_calls_plan(pl_calls_row(c->number), c);

    p.wait = (uint8_t)wait;
    return pl_calls_come(c, &p, pl_thread_self()->call.cancellable, pc);
}

/* What cannot be asked is tried again after whatever others have done since. */
long pl_calls_wait_change(struct pl_syscall *c, uint64_t pc)
{
    pl_thread_self()->call.tried = pl_stage->process.calls_changed;
    return pl_calls_wait_as(c, PL_ASK_RETRY, pc);
}

/* Whether it would open a file that is not there yet. */
static bool creates(const struct pl_syscall *c)
{
    struct stat st = {0}; /* so that the kernel may write there */
    const char *path;
    uint64_t flags;
    int folder;

    if (c->number == SYS_memfd_create)
        return true;
    if (pl_calls_row(c->number)->by_case != pl_plan_open)
        return false;
    pl_plan_opening(c, &folder, &path, &flags);
    return (flags & O_TMPFILE) == O_TMPFILE ||
           ((flags & O_CREAT) != 0 && pl_files_look_up(folder, path, 0, &st) != 0);
}

/* From what stands for signals. */
static long take_signals(const struct pl_syscall *c)
{
    const struct iovec one = {(void *)c->a[1], c->a[2]};
    bool pieces = pl_arguments_of(c->number)->pieces;

    return pl_signalfd_read((int)c->a[0], pieces ? (const struct iovec *)c->a[1] : &one,
                            pieces ? c->a[2] : 1);
}

/* A record lock: of processes under control the kernel knows none that waits, so that a circle of
 * them is found here. */
static bool refuse_lock(const struct pl_syscall *c, long *result)
{
    struct pl_syscall tries = *c;

    if (!pl_stage->process.company || c->number != SYS_fcntl || c->a[1] != F_SETLKW)
        return false;
    tries.a[1] = F_SETLK;
    *result = make(&tries);
    if (*result == -EAGAIN && pl_record_locks_refused((int)c->a[0], (const struct flock *)c->a[2]))
        *result = -EDEADLK;
    return *result != -EAGAIN;
}

static long make_call(struct pl_syscall *c, uint64_t pc)
{
    const struct pl_calls_row *r = pl_calls_row(c->number);
    long result;

    if (c->number == SYS_fcntl && c->a[1] == F_SETLKW && pl_kept_any(pl_thread_self()))
        return -EBADF; /* whoever closes a file gives its locks up */
    if (pl_files_tells_more((int)c->a[0]) && r != NULL && r->first == R_FILE)
        pl_told_read((int)c->a[0], pc);
    pl_signalfd_show(pl_thread_self());
    if (transfers(r, c, PL_ASK_IN) && pl_signalfd_is((int)c->a[0]))
        return take_signals(c);
    if (transfers(r, c, PL_ASK_OUT) && pl_files_stands_for((int)c->a[0]) != PL_COUNTER_NONE)
        return -EINVAL; /* a counter could be written to; what it stands for cannot */
    unsigned wait = r == NULL ? PL_ASK_NEVER : r->by_case != NULL ? r->by_case(c).wait : r->wait;

    if ((r != NULL && pl_parts_make(c, wait, pc, &result)) || refuse_lock(c, &result))
        return result;
    return pl_ask_with_waiters(c, make(c));
}

/* Some of what is told about the process is written down when the file is opened (shown.h). */
static void look_at_told(const struct pl_syscall *c, uint64_t pc)
{
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    if ((flags & (O_PATH | O_DIRECTORY)) == 0)
        pl_told_looked(path, pc);
}

long pl_calls_make(struct pl_syscall *c, uint64_t pc)
{
    pl_mapped_touch(c, pc);
    if (is_opening(c))
        look_at_told(c, pc);
    if (pl_ask_counts_waiters(c) && pl_stage->n_alive > 1) /* who begins to wait is no operation */
        pl_calls_unmodelled(c->number, pc);
    bool new = pl_calls_row(c->number) != NULL &&creates(c);
    long position = pl_judged_position(c);
    long result = make_call(c, pc);

    if (new &&result >= 0)
        pl_files_created((int)result);
    pl_kept_end();
    pl_judged(c, is_opening(c) || c->number == SYS_socket, result, position);
    return result;
}

/* ---- calls that are trapped ---- */

static bool may_stand_in(void)
{
    return pl_on() && !pl_inside() && !pl_as_free() && pl_stage->rooted;
}

static void stand_in(struct pl_syscall *c, struct pl_plan p, uint64_t pc)
{
    pl_thread_self()->entry = NULL;
    p.wait = PL_ASK_NEVER;
    pl_count_event(pc);
    pl_calls_come(c, &p, false, pc);
}

void pl_calls_stand_in(struct pl_syscall c, uint64_t pc)
{
    if (may_stand_in())
        stand_in(&c, pl_calls_plan(pl_calls_row(c.number), &c), pc);
}

void pl_calls_look_at(uint64_t content, uint64_t pc)
{
    struct pl_syscall c = PL_SYSCALL(SYS_munmap, 0); /* nothing that has a descriptor */

    if (content != 0 && may_stand_in())
        stand_in(&c, pl_plan_uses(content, PL_EFFECT_READ, 0, PL_EFFECT_NONE), pc);
}

/* Whether it is made by code with hooks that has the instruction itself, and libc has a function.
 */
static bool is_like_function(long number, uint64_t at)
{
    return pl_place_is_instrumented(at) && pl_calls_has_function(number);
}

bool pl_calls_wanted(long number, uint64_t pc)
{
    if (pl_free || pl_native || !pl_active || !pl_stage->rooted || pl_stage->busy != 0 ||
        pl_stage->ended)
        return false;
    const struct pl_calls_row *r = pl_calls_row(number);

    if (r == NULL)
        return is_like_function(number, pc);
    return (!r->unmodelled || pl_stage->n_alive > 1 || r->wait == PL_ASK_EVENTS);
}

/*
 * Inside a library function that is an operation as a whole, or one whose calls are no inputs; and
 * in a replay of free threads, of which only what is interposed was recorded.
 */
static bool passes(const struct pl_calls_row *r, const struct pl_syscall *c)
{
    struct pl_thread *t = pl_thread_self();

    if ((uint64_t)t->entry > t->call.passing_from)
        t->call.passing = 0;
    if (t->call.passing == 0 && !pl_stage->inputs.threads[t->id].aside &&
        !pl_board->settings.starts_chosen)
        return false;
    if (r->by_hand != NULL)
        return false;
    unsigned wait = pl_calls_plan(r, c).wait;

    return wait == PL_ASK_NEVER || !pl_ask_is_blocking(wait, c) || pl_ask_ready(wait, c);
}

/* Whether the instruction before this one may be a call. */
static bool follows_call(const unsigned char *pc)
{
    return pc[-5] == 0xe8 || (pc[-6] == 0xff && pc[-5] == 0x15) ||
           (pc[-2] == 0xff && (pc[-1] & 0x38) == 0x10) ||
           (pc[-3] == 0xff && (pc[-2] & 0x38) == 0x10);
}

/* Whether that may be a return into code with hooks. */
static bool returns(uint64_t value)
{
    enum { LONGEST = 6 }; /* bytes of a call */

    return pl_place_is_instrumented(value) && pl_place_is_instrumented(value - LONGEST) &&
           follows_call((const unsigned char *)value);
}

/*
 * Where the innermost function with hooks has called what the thread is in; or 0.  It returned from
 * its own hook by a word that all its calls use, or those with arguments on the stack use words
 * below.  What lies further below are frames of libraries, with what is left there of earlier
 * calls.
 */
static uint64_t called_by_hooked(const struct pl_thread *t, uint64_t sp)
{
    enum { WORD = 8, ARGUMENTS = 64, NEAR = 1 << 20 };

    if (t->n_frames == 0 || t->n_frames > PL_FRAMES_MAX)
        return 0;
    uint64_t at = pl_thread_frame(t, t->n_frames - 1)->sp + WORD; /* behind the hook's own frame */

    if (at < sp || at - sp > NEAR || at + WORD > t->stack_high)
        return 0;
    for (unsigned i = 0; i < ARGUMENTS && at >= sp; i++, at -= WORD) {
        if (returns(*(const uint64_t *)at))
            return *(const uint64_t *)at;
    }
    return 0;
}

/* Else it is the first place on the stack that looks like a return into code with hooks. */
uint64_t pl_calls_caller(uint64_t pc, uint64_t sp)
{
    enum { WORDS = 256 }; /* of the stack */
    const struct pl_thread *t = pl_thread_self();

    if (pl_place_is_instrumented(pc))
        return pc;
    uint64_t called = called_by_hooked(t, sp);

    if (called != 0)
        return called;
    for (uint64_t at = sp; at < sp + WORDS * 8 && at + 8 <= t->stack_high; at += 8) {
        if (returns(*(const uint64_t *)at))
            return *(const uint64_t *)at;
    }
    return pc;
}

/* Whether it is made by libc, which has functions that are cancellation points. */
static bool is_made_by_libc(uint64_t at)
{
    return !pl_thread_self()->call.by_number && !pl_place_is_instrumented(at);
}

extern struct pl_gate plait_runtime_gate;

/*
 * A replay of free threads waits at a place that they had no event for: those that follow keep
 * their numbers.  Those of handlers that came in between have some of their own.
 */
static void forget_event(struct pl_thread *t, uint32_t before)
{
    enum { OWN = 2 }; /* at most, the beginning of the call and the call itself */

    if (pl_board->settings.starts_chosen)
        t->ordinal = t->ordinal - before <= OWN ? before : t->ordinal - 1;
}

/* Come to its points, and make it.  A replay that is fed does not make what is kept, so the end of
 * a call is no cancellation point there. */
static long perform(struct pl_syscall *c, const struct pl_calls_row *r, uint64_t at, uint64_t pc)
{
    struct pl_plan p = pl_calls_plan(r, c);
    bool waits =
        p.wait == PL_ASK_SEMAPHORE && pl_ask_is_blocking(p.wait, c) && !pl_ask_ready(p.wait, c);
    bool kept = pl_inputs_recording() || pl_inputs_feeding();
    bool cancels = r->cancels != CANCELS_NEVER && is_made_by_libc(at);
    bool cancellable = cancels && p.wait != PL_ASK_NEVER;
    const uint32_t before = pl_thread_self()->ordinal;

    pl_count_event(pc);
    long result = come(c, r, cancellable, pc);

    forget_event(pl_thread_self(), before);
    if (result == 0) {
        pl_order_before(r->order, c);
        result = pl_calls_make(c, pc);
        pl_order_after(r->order, c, result);
        cancels &= cancellable || r->cancels == CANCELS_ALWAYS;
        pl_calls_end(cancels && !kept && result >= 0, pc);
    }
    if (waits && result == -EINVAL) /* removed while it waited, or was about to */
        result = plait_runtime_gate.choose(2, (void *)pc) == 0 ? -EIDRM : -EINVAL;
    return result;
}

long pl_calls_trapped(long number, const uint64_t a[6], const uint64_t *entry)
{
    struct pl_syscall c = {number, {a[0], a[1], a[2], a[3], a[4], a[5]}};
    const struct pl_calls_row *r = pl_calls_row(c.number);
    bool like_function = is_like_function(number, entry[6]);
    struct pl_thread *t = pl_thread_self();
    const uint64_t *now = pl_entry_now, *outer = t->trapped, *outer_called = t->called;
    const uint64_t *called = pl_entry_above(entry[7]);
    /* What is found on the stack may be what is left of earlier calls. */
    uint64_t pc = called != NULL && pl_place_is_instrumented(called[6])
                      ? called[6]
                      : pl_calls_caller(entry[6], entry[7]);
    int error = errno;
    long result;

    PL_ASSERT(r != NULL || like_function);
    t->called = called;
    pl_entry_count(t->called);
    t->entry = t->trapped = pl_entry_now = entry;
    t->call.tried = UINT64_MAX;
    if (r != NULL && r->unmodelled && pl_stage->n_alive > 1)
        pl_calls_unmodelled(number, pc);
    if (like_function) {
        t->call.by_number = true;
        result = pl_calls_call_function(number, a);
        result = result == -1 ? -errno : result;
        t->call.by_number = false;
    } else if (passes(r, &c)) {
        pl_order_before(r->order, &c);
        result = pl_calls_make(&c, pc);
        pl_order_after(r->order, &c, result);
    } else if (r->by_hand != NULL) {
        const uint32_t before = t->ordinal;

        pl_count_event(pc);
        pl_order_before(r->order, &c);
        result = r->by_hand(&c, pc);
        pl_order_after(r->order, &c, result);
        forget_event(t, before);
    } else {
        result = perform(&c, r, entry[6], pc);
    }
    pl_entry_now = now;
    t->trapped = outer;
    t->called = outer_called;
    errno = error;
    return result;
}

long pl_calls_called(struct pl_syscall call, const uint64_t *entry)
{
    const uint64_t where[8] = {entry[0], entry[1], entry[2], entry[3],
                               entry[4], entry[5], entry[6], (uint64_t)(entry + 7)};

    return pl_calls_trapped(call.number, call.a, where);
}
