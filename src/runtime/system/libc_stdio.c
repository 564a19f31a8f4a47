/* SPDX-License-Identifier: MIT */
/*
 * The operations on a FILE, and who has locked it; see libc_stdio.h.  streams.c has most of the
 * functions, here are those that print by a format or lock.  C++ streams reach these too.
 *
 * flockfile() is modelled, so that a deadlock has a name and a thread that waits is known to wait
 * for whom.
 *
 * Where threads are free, and in replays of that, only output and flockfile() are operations.  What
 * prints keeps the monitor while libc's function is at work only where it cannot wait: others may
 * have to empty a pipe, and functions below fopencookie() are the program's own.
 */
#include "runtime/system/libc_stdio.h"

#include "base/assert.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/observe/feed.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_order.h"
#include "runtime/system/libc_futex.h"
#include "runtime/system/libc_memstream.h"
#include "runtime/system/signal_within.h"

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* glibc would define some of them in its header */
#endif

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static struct {
    int (*vfprintf)(FILE *, const char *, va_list);
    int (*vfwprintf)(FILE *, const wchar_t *, va_list);
    int (*fflush)(FILE *);
    int (*fflush_unlocked)(FILE *);
    int (*ftrylockfile)(FILE *);
    void (*funlockfile)(FILE *);
} libc;

void pl_stdio_init(void)
{
    *(void **)&libc.vfprintf = pl_real_find("vfprintf");
    *(void **)&libc.vfwprintf = pl_real_find("vfwprintf");
    *(void **)&libc.fflush = pl_real_find("fflush");
    *(void **)&libc.fflush_unlocked = pl_real_find("fflush_unlocked");
    *(void **)&libc.ftrylockfile = pl_real_find("ftrylockfile");
    *(void **)&libc.funlockfile = pl_real_find("funlockfile");
    PL_ASSERT(libc.vfprintf != NULL && libc.vfwprintf != NULL && libc.fflush != NULL);
}

/* glibc's list of every open FILE. */
extern struct _IO_FILE_plus *_IO_list_all;
#pragma weak _IO_list_all

/* Looked at before anything is called: flushing nothing would still write to locks. */
static bool has_pending_output(void)
{
    if (&_IO_list_all == NULL)
        return true;
    for (const FILE *f = (const FILE *)_IO_list_all; f != NULL; f = f->_chain) {
        if (f->_mode > 0 || f->_IO_write_ptr > f->_IO_write_base)
            return true;
    }
    return false;
}

void pl_stdio_flush(void)
{
    if (!has_pending_output())
        return;
    if (&_IO_list_all == NULL) {
        libc.fflush(NULL);
        return;
    }
    for (FILE *f = (FILE *)_IO_list_all; f != NULL; f = f->_chain)
        libc.fflush_unlocked(f); /* who has a lock never gives it back */
}

/* ---- who has locked it ---- */

static struct pl_file_lock *lock_of(const void *stream, bool make)
{
    struct pl_file_lock *unused = NULL;

    if (pl_stage->process.n_file_locks == 0)
        return make ? &pl_stage->process.file_locks[0] : NULL;
    for (unsigned i = 0; i < PL_FILE_LOCKS; i++) {
        struct pl_file_lock *l = &pl_stage->process.file_locks[i];

        if (l->depth > 0 && l->stream == stream)
            return l;
        if (l->depth == 0 && unused == NULL)
            unused = l;
    }
    return make ? unused : NULL;
}

pl_tid pl_stdio_owner(uint64_t addr)
{
    struct pl_file_lock *l = lock_of((const void *)addr, false);

    return l != NULL ? l->owner : PL_TID_NONE;
}

/* More of them may be locked at once than the table has room for. */
static void take(const void *stream)
{
    struct pl_file_lock *l = lock_of(stream, true);

    if (l == NULL)
        return;
    pl_stage->process.n_file_locks += l->depth == 0;
    *l = (struct pl_file_lock){stream, pl_stage->current, l->depth + 1};
}

static void give(const void *stream, bool wholly)
{
    struct pl_file_lock *l = lock_of(stream, false);

    if (l == NULL)
        return;
    PL_ASSERT(l->depth > 0);
    l->depth = wholly ? 0 : l->depth - 1;
    pl_stage->process.n_file_locks -= l->depth == 0;
}

/* ---- operations ---- */

/* An operation that prints; there is no entry, since arguments may be on the stack. */
static void output(FILE *stream, bool unlocked, uint64_t pc)
{
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    struct pl_thread *t = pl_thread_self();

    t->entry = NULL;
    pl_count_event(pc);
    t->call.unlocked = unlocked;
    pl_sched_point(PL_OP_OUTPUT, stream, 0, 0, pc);
    t->call.unlocked = false;
}

/* A thread uses it, in an operation that is a point whoever else does. */
static void note_use(struct pl_thread *t, const FILE *stream)
{
    if (pl_stage->modules.instrumented && pl_stage->n_unjoined > 1)
        pl_shadow_shared((uint64_t)stream, sizeof(*stream), true, t);
}

/* Whether flushing it would write something, or take back what was read ahead. */
static bool holds_anything(const FILE *file)
{
    bool wide = file->_mode > 0;

    return wide || file->_IO_write_ptr != file->_IO_write_base ||
           file->_IO_read_ptr != file->_IO_read_end;
}

/* The FILE is the thread's. */
static void look_what_is_there(struct pl_stream *s, unsigned use)
{
    s->for_nothing = (use & PL_STREAM_FLUSHES) != 0 && !holds_anything(s->file);
    if (s->for_nothing)
        pl_spin_saw(pl_thread_self(), (uint64_t)s->file, 1, false, s->pc);
}

/*
 * What is printed to standard output or error: one step with the system calls in it, which depends
 * on what is written to the descriptor by itself.
 */
static void standard_point(struct pl_stream *s, unsigned use, struct pl_call who)
{
    struct pl_thread *t = pl_thread_self();

    pl_count_event(who.pc);
    t->entry = who.entry;
    note_use(t, s->file);
    t->call.unlocked = s->unlocked;
    t->call.second = pl_files_open(s->fd);
    t->call.second_effect = PL_EFFECT_WRITE;
    t->call.judged = true;
    pl_sched_point(PL_OP_OUTPUT, s->file, 0, 0, who.pc);
    t->call.judged = false;
    t->call.second = 0;
    t->call.unlocked = false;
    s->passes = true;
    look_what_is_there(s, use);
    pl_spin_judge(t, s->for_nothing ? PL_SPIN_UNCHANGED : PL_SPIN_CHANGED);
}

/*
 * All else: the FILE is locked until the function is over, since there may be points in it.  One
 * that only looks, or that asks for no lock, is one step.
 */
static void stream_point(struct pl_stream *s, unsigned use, struct pl_call who)
{
    struct pl_thread *t = pl_thread_self();
    bool looks = (use & PL_STREAM_LOOKS) != 0;

    s->holds = !looks && !s->unlocked;
    s->point = pl_access_object(s->file, sizeof(FILE), !looks, who.pc, who.entry);
    if (s->point && s->holds) {
        pl_sched_point(PL_OP_STREAM_LOCK, s->file, 0, 0, who.pc);
    } else if (s->point) {
        t->call.unlocked = s->unlocked;
        t->call.effect = looks ? PL_EFFECT_READ : PL_EFFECT_WRITE;
        pl_sched_point(PL_OP_STREAM, s->file, sizeof(FILE), 0, who.pc);
        t->call.unlocked = false;
    }
    if (s->holds)
        take(s->file);
    look_what_is_there(s, use);
    if (s->prints)
        pl_order_sends(s->fd);
}

enum { SIZE_OF_STATE = 8 };

void pl_stdio_look(const void *object, struct pl_call who)
{
    struct pl_thread *t = pl_thread_self();

    if (!pl_access_object(object, SIZE_OF_STATE, false, who.pc, who.entry))
        return;
    t->call.effect = PL_EFFECT_READ;
    pl_sched_point(PL_OP_STREAM, object, SIZE_OF_STATE, 0, who.pc);
}

bool pl_stdio_hold(const void *object, struct pl_call who)
{
    struct pl_thread *t = pl_thread_self();
    bool point = pl_access_object(object, SIZE_OF_STATE, true, who.pc, who.entry);

    if (point)
        pl_sched_point(PL_OP_STREAM_LOCK, object, 0, 0, who.pc);
    take(object);
    pl_spin_progress(t);
    pl_spin_touch((uint64_t)object, SIZE_OF_STATE, t->id);
    return point;
}

/*
 * A point, as the unlocking of a mutex is: who tries to lock the object may do so when all else
 * that the function does is done.
 */
static void let_go(const void *object, bool point, bool wholly, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    int error = errno;

    pl_count_event(pc);
    t->entry = NULL;
    if (point)
        pl_sched_point(PL_OP_STREAM_UNLOCK, object, 0, 0, pc);
    else
        t->ordinal++; /* events count the same, points or not */
    give(object, wholly);
    errno = error;
}

void pl_stdio_let_go(const void *object, bool point, uint64_t pc)
{
    let_go(object, point, false, pc);
}

/* Uses the FILE, and more than looks at it. */
static bool is_use(const struct pl_thread *t, const FILE *file)
{
    return t->op.addr == (uint64_t)file &&
           (t->op.kind == PL_OP_OUTPUT || t->op.kind == PL_OP_STREAM_LOCK ||
            (t->op.kind == PL_OP_STREAM && t->call.effect != PL_EFFECT_READ));
}

/*
 * A function that asks for no lock goes through the FILE in steps that are not seen.  Whoever is
 * about to use it, and does not wait for a lock that this thread has, could come between them.
 */
static void meet_unlocked(const struct pl_stream *s)
{
    const struct pl_thread *self = pl_thread_self();
    const bool open = s->unlocked && pl_stdio_owner((uint64_t)s->file) != self->id;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t != self && t->state == PL_THREAD_ALIVE && is_use(t, s->file) &&
            (open || t->call.unlocked))
            pl_unmodelled("of stdio without a lock", PL_UNMODELLED_FUNCTION, s->pc);
    }
}

/* ---- libc's own lock ---- */

/* Of a FILE, as glibc lays it out. */
struct own_lock {
    int word; /* a futex: 2 where somebody waits */
    int depth;
    void *owner;
};

static struct own_lock *own_lock(const FILE *file)
{
    struct own_lock *l = (struct own_lock *)file->_lock;

    return l != NULL && l->owner == __builtin_thread_pointer() ? l : NULL;
}

static int own_depth(const FILE *file)
{
    const struct own_lock *l = own_lock(file);

    return l != NULL ? l->depth : 0;
}

/*
 * A thread that leaves a function without having come to its end gives back what it took there.
 * Most functions of libc do that themselves where they are unwound; those that go by a format rely
 * on a list of handlers, which only libc's own cancellation goes through.
 */
static void give_back(const struct pl_stream *s)
{
    struct own_lock *l = own_lock(s->file);

    if (l == NULL || l->depth <= s->depth)
        return;
    l->depth = s->depth;
    if (l->depth > 0)
        return;
    bool awaited = l->word > 1;
    uint64_t wake[6] = {(uint64_t)&l->word, FUTEX_WAKE_PRIVATE, 1};

    l->owner = NULL;
    l->word = 0;
    if (awaited)
        pl_futex_call(wake, s->pc);
}

/* ---- free threads ---- */

/* Whether libc's function may take its time, for what others do or by what it calls. */
static bool takes_time(const FILE *file)
{
    return file->_fileno < 0 || pl_ask_may_wait(file->_fileno);
}

enum { FAILED = 0x20 }; /* of a FILE's flags, as glibc has them */

/* Outside the monitor: from here on a cancellation ends a wait in libc. */
static void may_be_cancelled(struct pl_stream *s)
{
    if (!pl_free || s->fd < 0 || pl_monitor_holds())
        return;
    s->error = errno;
    s->failed = (s->file->_flags & FAILED) != 0;
    errno = 0;
    s->waits = pl_cancel_wait_begin();
}

/* The wait that was ended has left the FILE as it was. */
static void have_waited(struct pl_stream *s)
{
    s->waits = false;
    if (errno == EINTR && !s->failed && pl_thread_cancel_due(pl_thread_self()))
        s->file->_flags &= ~FAILED;
    pl_cancel_wait_end();
    if (errno == 0)
        errno = s->error;
}

/* One that prints has the FILE in the model as well, wherever it comes to a point. */
static void print_freely(struct pl_stream *s, FILE *file, uint64_t pc)
{
    output(file, s->unlocked, pc);
    s->file = file;
    s->holds = !s->unlocked;
    if (s->holds)
        take(file);
    if (!takes_time(file))
        return;
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_STDIO);
    may_be_cancelled(s);
}

/* One that reads is no operation. */
static void read_freely(struct pl_stream *s, FILE *file, unsigned use)
{
    bool there = (use & PL_STREAM_ONE) != 0 && file->_IO_read_ptr < file->_IO_read_end;

    if (!pl_free || there || (use & PL_STREAM_LOOKS) != 0 || !takes_time(file))
        return;
    s->file = file;
    may_be_cancelled(s);
    if (!s->waits)
        s->file = NULL;
}

static void end_freely(struct pl_stream *s)
{
    int error = errno;

    if (s->holds) {
        if (pl_free)
            pl_monitor_enter(PL_MONITOR_STDIO);
        give(s->file, s->ends);
    }
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_STDIO);
    errno = error;
    if (s->waits)
        have_waited(s);
}

/* ---- from the beginning to the end ---- */

struct pl_stream pl_stream_begin(FILE *file, unsigned use, struct pl_call who)
{
    struct pl_stream s = {.pc = who.pc, .prints = (use & PL_STREAM_PRINTS) != 0};

    if (pl_native && pl_active && s.prints) {
        pl_ports.before(PL_OP_OUTPUT, file, who.pc);
        s.file = file;
    }
    if (!pl_on() || pl_inside() || file == NULL)
        return s;
    s.fd = file->_fileno;
    s.unlocked = (use & PL_STREAM_UNLOCKED) != 0;
    s.ends = (use & PL_STREAM_ENDS) != 0;
    if (pl_as_free()) {
        if (s.prints)
            print_freely(&s, file, who.pc);
        else
            read_freely(&s, file, use);
        return s;
    }
    s.file = file;
    pl_signal_in_libc(file, who.pc);
    if (s.prints && (s.fd == 1 || s.fd == 2)) {
        pl_memstream_touched(file, false, who);
        standard_point(&s, use, who);
    } else {
        stream_point(&s, use, who);
        if ((use & PL_STREAM_LOOKS) == 0)
            pl_memstream_touched(file, (use & (PL_STREAM_FLUSHES | PL_STREAM_ENDS)) != 0, who);
    }
    if ((use & PL_STREAM_LOOKS) == 0)
        meet_unlocked(&s);
    if (s.passes)
        pl_calls_pass(1);
    s.depth = own_depth(file);
    return s;
}

void pl_stream_moved(const struct pl_stream *s, bool moved)
{
    if (s->file == NULL || pl_native || pl_as_free())
        return;
    struct pl_thread *t = pl_thread_self();

    if (moved) {
        pl_order_received(s->fd);
        pl_spin_progress(t);
        pl_spin_touch((uint64_t)s->file, 1, t->id);
    } else {
        pl_spin_saw(t, (uint64_t)s->file, 1, false, s->pc);
    }
}

static void leave(const struct pl_stream *s)
{
    struct pl_thread *t = pl_thread_self();
    if (s->prints && !s->for_nothing)
        pl_spin_progress(t);
    let_go(s->file, s->point, s->ends, s->pc);
}

void pl_stream_end(struct pl_stream *s)
{
    if (s->file == NULL)
        return;
    if (pl_native) {
        pl_ports.after();
        return;
    }
    if (pl_as_free()) {
        end_freely(s);
        return;
    }
    if (s->passes)
        pl_calls_pass(-1);
    if (!s->ends && pl_thread_self()->cancel.acting)
        give_back(s);
    if (s->holds)
        leave(s);
}

/* ---- functions that print by a format ---- */

/* Runs into a cleanup at its end: `call` is libc's own function. */
#define PL_OUTPUT(stream, accesses, call) PL_USES(stream, PL_STREAM_PRINTS, accesses, call)
#define PL_USES(stream, use, accesses, call)     \
    ({                                           \
        struct pl_call who = PL_CALL_EXPOSED;    \
        PL_FORMAT_PRINTED(printed, who);         \
        accesses;                                \
        PL_STREAM_OF(stream_, stream, use, who); \
        (call);                                  \
    })

/* A function with its arguments in a list, and the same with the arguments themselves. */
#define PL_PRINTED(name, vname, params, vparams, stream, announce, print)    \
    PL_EXPOSE(int, vname, vparams)                                           \
    {                                                                        \
        return PL_OUTPUT(stream, format = announce(&printed, format, args),  \
                         libc.print(stream, format, args));                  \
    }                                                                        \
    PL_EXPOSE(int, name, params)                                             \
    {                                                                        \
        va_list args;                                                        \
        va_start(args, format);                                              \
        int n = PL_OUTPUT(stream, format = announce(&printed, format, args), \
                          libc.print(stream, format, args));                 \
        va_end(args);                                                        \
        return n;                                                            \
    }

PL_PRINTED(fprintf, vfprintf, (FILE * stream, const char *format, ...),
           (FILE * stream, const char *format, va_list args), stream, pl_format_prints, vfprintf)
PL_PRINTED(printf, vprintf, (const char *format, ...), (const char *format, va_list args), stdout,
           pl_format_prints, vfprintf)
PL_PRINTED(fwprintf, vfwprintf, (FILE * stream, const wchar_t *format, ...),
           (FILE * stream, const wchar_t *format, va_list args), stream, pl_format_prints_wide,
           vfwprintf)
PL_PRINTED(wprintf, vwprintf, (const wchar_t *format, ...), (const wchar_t *format, va_list args),
           stdout, pl_format_prints_wide, vfwprintf)

/* What _FORTIFY_SOURCE makes of them. */

PL_PRINTED(__fprintf_chk, __vfprintf_chk, (FILE * stream, int flag, const char *format, ...),
           (FILE * stream, int flag, const char *format, va_list args), stream, pl_format_prints,
           vfprintf)
PL_PRINTED(__printf_chk, __vprintf_chk, (int flag, const char *format, ...),
           (int flag, const char *format, va_list args), stdout, pl_format_prints, vfprintf)
PL_PRINTED(__fwprintf_chk, __vfwprintf_chk, (FILE * stream, int flag, const wchar_t *format, ...),
           (FILE * stream, int flag, const wchar_t *format, va_list args), stream,
           pl_format_prints_wide, vfwprintf)
PL_PRINTED(__wprintf_chk, __vwprintf_chk, (int flag, const wchar_t *format, ...),
           (int flag, const wchar_t *format, va_list args), stdout, pl_format_prints_wide,
           vfwprintf)

/* ---- all of them ---- */

static bool is_open(const FILE *stream)
{
    for (const FILE *f = (const FILE *)_IO_list_all; f != NULL; f = f->_chain) {
        if (f == stream)
            return true;
    }
    return false;
}

/* One after the other, as libc does it: also those that have nothing to write now. */
static int flush_all(struct pl_call who)
{
    enum { MOST = 64, CANNOT_WRITE = 8 };
    FILE *files[MOST];
    unsigned n = 0;

    for (FILE *f = (FILE *)_IO_list_all; f != NULL && n < MOST; f = f->_chain) {
        if ((f->_flags & CANNOT_WRITE) == 0)
            files[n++] = f;
    }
    for (unsigned i = 0; i < n; i++) {
        if (!is_open(files[i]))
            continue;
        PL_STREAM_OF(stream, files[i], PL_STREAM_PRINTS | PL_STREAM_FLUSHES, who);
        libc.fflush(files[i]);
    }
    return libc.fflush(NULL);
}

PL_EXPOSE(int, fflush, (FILE * stream))
{
    if (stream == NULL && &_IO_list_all != NULL && pl_on() && !pl_inside() && !pl_as_free())
        return flush_all(PL_CALL_EXPOSED);
    return PL_USES(stream, PL_STREAM_PRINTS | PL_STREAM_FLUSHES, (void)0, libc.fflush(stream));
}

/* ---- flockfile() ---- */

/* It orders what threads do; a call alone is not used for that. */
static void tell(enum pl_sync_kind kind, const FILE *stream)
{
    if (lock_of(stream, false) != NULL)
        pl_feed_object(kind, pl_stage->current, (uint64_t)stream, PL_OBJECT_FILE);
}

/* Its operation on the model; where threads are free there is one kind for all that is done. */
static void lock_point(enum pl_op_kind kind, FILE *stream, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    if (pl_as_free()) {
        output(stream, false, pc);
        return;
    }
    pl_count_event(pc);
    t->entry = NULL;
    note_use(t, stream);
    pl_sched_point(kind, stream, 0, 0, pc);
}

/*
 * Free threads that read a stream are held up by libc's own lock of it, which is taken as well; a
 * reader may have it for the moment.
 */
static void take_from_readers(FILE *stream)
{
    const struct timespec a_while = {.tv_nsec = 100000};

    while (pl_free && libc.ftrylockfile(stream) != 0) {
        struct pl_thread *self = pl_thread_self();
        struct pl_monitor_place p = pl_monitor_step_out(self);

        pl_sys(SYS_nanosleep, &a_while, NULL);
        pl_monitor_step_in(self, p);
    }
}

static void lock_done(void)
{
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_STDIO);
}

PL_EXPOSE(void, flockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return;
    lock_point(PL_OP_STREAM_LOCK, stream, PL_CALLER);
    take(stream);
    take_from_readers(stream);
    tell(PL_SYNC_RECEIVE, stream);
    lock_done();
}

static bool is_taken(FILE *stream)
{
    pl_tid owner = pl_stdio_owner((uint64_t)stream);

    return owner != PL_TID_NONE && owner != pl_stage->current;
}

PL_EXPOSE(int, ftrylockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return 0;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    bool tries = !pl_as_free();

    if (tries)
        lock_point(PL_OP_STREAM_TRYLOCK, stream, PL_CALLER);
    bool taken = is_taken(stream);

    if (tries)
        pl_class_note(pl_thread_self(), taken);
    if (!tries && !taken)
        lock_point(PL_OP_STREAM_LOCK, stream, PL_CALLER);
    if (!taken) {
        take(stream);
        take_from_readers(stream);
        tell(PL_SYNC_RECEIVE, stream);
    }
    lock_done();
    return taken ? EBUSY : 0;
}

PL_EXPOSE(void, funlockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    if (!pl_as_free())
        lock_point(PL_OP_STREAM_UNLOCK, stream, PL_CALLER);
    if (!is_taken(stream)) {
        tell(PL_SYNC_SEND, stream);
        give(stream, false);
        if (pl_free)
            libc.funlockfile(stream);
    }
    lock_done();
}

/* ---- what the core asks ---- */

static pl_tid owner_of(const struct pl_thread *t)
{
    return t->call.unlocked ? PL_TID_NONE : pl_stdio_owner(t->op.addr);
}

static bool is_free(const struct pl_thread *t)
{
    pl_tid owner = owner_of(t);

    return owner == PL_TID_NONE || owner == t->id;
}

static enum pl_effect effect_of_print(struct pl_thread *t, struct pl_operation *op)
{
    op->other_effect = op->other != 0 ? t->call.second_effect : PL_EFFECT_NONE;
    return PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_use(struct pl_thread *t, struct pl_operation *op)
{
    return (enum pl_effect)t->call.effect;
}

/* Locking again what one has, and giving it back but once, is nobody else's business. */
static enum pl_effect effect_of_lock(struct pl_thread *t, struct pl_operation *op)
{
    op->nested = pl_stdio_owner(op->addr) == t->id;
    return op->nested ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_try(struct pl_thread *t, struct pl_operation *op)
{
    return is_free(t) ? effect_of_lock(t, op) : PL_EFFECT_READ;
}

static enum pl_effect effect_of_unlock(struct pl_thread *t, struct pl_operation *op)
{
    const struct pl_file_lock *l = lock_of((const void *)op->addr, false);

    op->nested = l == NULL || l->owner != t->id || l->depth > 1;
    return op->nested ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

PL_DESCRIBE(OUTPUT) = {.enabled = is_free, .effect = effect_of_print, .holder = owner_of};
PL_DESCRIBE(STREAM) = {.enabled = is_free, .effect = effect_of_use, .holder = owner_of};
PL_DESCRIBE(STREAM_LOCK) = {.enabled = is_free, .effect = effect_of_lock, .holder = owner_of};
PL_DESCRIBE(STREAM_TRYLOCK) = {.effect = effect_of_try};
PL_DESCRIBE(STREAM_UNLOCK) = {.effect = effect_of_unlock};
