/* SPDX-License-Identifier: MIT */
/*
 * Output through stdio: two calls on one FILE do not commute, since the order
 * of what is printed is the program's behaviour.  Each is a point, then libc's
 * own function does the work.  C++ streams reach these too.
 *
 * flockfile() is modelled: a thread that is switched away from while it held
 * libc's own lock would stop everybody who prints.
 */
#include "runtime/system/libc_stdio.h"

#include "base/assert.h"
#include "detect/detector.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/system/calls.h"
#include "runtime/system/functions.h"

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* glibc would define some of them in its header */
#endif

#include <stdarg.h>
#include <stdio.h>

static struct {
    int (*vfprintf)(FILE *, const char *, va_list);
    size_t (*fwrite)(const void *, size_t, size_t, FILE *);
    int (*fputs)(const char *, FILE *);
    int (*fputc)(int, FILE *);
    int (*puts)(const char *);
    int (*fflush)(FILE *);
} libc;

void pl_stdio_init(void)
{
    *(void **)&libc.vfprintf = pl_real_find("vfprintf");
    *(void **)&libc.fwrite = pl_real_find("fwrite");
    *(void **)&libc.fputs = pl_real_find("fputs");
    *(void **)&libc.fputc = pl_real_find("fputc");
    *(void **)&libc.puts = pl_real_find("puts");
    *(void **)&libc.fflush = pl_real_find("fflush");
    PL_ASSERT(libc.vfprintf != NULL && libc.fwrite != NULL && libc.fflush != NULL);
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
    if (has_pending_output())
        libc.fflush(NULL);
}

static struct pl_file_lock *lock_of(const FILE *stream, bool make)
{
    struct pl_file_lock *unused = NULL;

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
    struct pl_file_lock *l = lock_of((const FILE *)addr, false);

    return l != NULL ? l->owner : PL_TID_NONE;
}

/* Arguments may be on the stack, so there is no entry stub. */
static void output(FILE *stream, uint64_t pc)
{
    if (pl_native && pl_active) {
        pl_ports.before(PL_OP_OUTPUT, stream, pc);
        return;
    }
    if (!pl_on() || pl_inside())
        return;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    pl_thread_self()->entry = NULL;
    pl_count_event(pc);
    pl_sched_point(PL_OP_OUTPUT, stream, 0, 0, pc);
}

/* What output() was for has been done. */
static void done(void)
{
    if (pl_native)
        pl_ports.after();
    else if (pl_free)
        pl_monitor_leave(PL_MONITOR_STDIO);
}

/* A text, or a number of bytes, that is about to be printed. */
static void prints(const void *p, uint64_t size, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(p, size, false, who);
}

static void prints_text(const char *text, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(text, pl_call_text_size(text), false, who);
}

/* A call that prints: `call` is libc's own function, whose system calls are part of it. */
#define PL_OUTPUT(stream, call)            \
    ({                                     \
        output(stream, PL_CALLER);         \
        pl_calls_pass(1);                  \
        __typeof__(call) result_ = (call); \
        pl_calls_pass(-1);                 \
        done();                            \
        result_;                           \
    })

/* The body of a function with variable arguments that prints. */
#define PL_PRINT(stream, format)                         \
    ({                                                   \
        va_list args;                                    \
        va_start(args, format);                          \
        pl_format_prints(format, args, PL_CALL_EXPOSED); \
        output(stream, PL_CALLER);                       \
        pl_calls_pass(1);                                \
        int n_ = libc.vfprintf(stream, format, args);    \
        pl_calls_pass(-1);                               \
        va_end(args);                                    \
        done();                                          \
        n_;                                              \
    })

PL_EXPOSE(int, vfprintf, (FILE * stream, const char *format, va_list args))
{
    pl_format_prints(format, args, PL_CALL_EXPOSED);
    return PL_OUTPUT(stream, libc.vfprintf(stream, format, args));
}

PL_EXPOSE(int, fprintf, (FILE * stream, const char *format, ...))
{
    return PL_PRINT(stream, format);
}

PL_EXPOSE(int, vprintf, (const char *format, va_list args))
{
    pl_format_prints(format, args, PL_CALL_EXPOSED);
    return PL_OUTPUT(stdout, libc.vfprintf(stdout, format, args));
}

PL_EXPOSE(int, printf, (const char *format, ...))
{
    return PL_PRINT(stdout, format);
}

/* What _FORTIFY_SOURCE makes of them. */

PL_EXPOSE(int, __printf_chk, (int flag, const char *format, ...))
{
    return PL_PRINT(stdout, format);
}

PL_EXPOSE(int, __fprintf_chk, (FILE * stream, int flag, const char *format, ...))
{
    return PL_PRINT(stream, format);
}

PL_EXPOSE(int, __vfprintf_chk, (FILE * stream, int flag, const char *format, va_list args))
{
    pl_format_prints(format, args, PL_CALL_EXPOSED);
    return PL_OUTPUT(stream, libc.vfprintf(stream, format, args));
}

PL_EXPOSE(int, __vprintf_chk, (int flag, const char *format, va_list args))
{
    pl_format_prints(format, args, PL_CALL_EXPOSED);
    return PL_OUTPUT(stdout, libc.vfprintf(stdout, format, args));
}

PL_EXPOSE(size_t, fwrite, (const void *data, size_t size, size_t n, FILE *stream))
{
    prints(data, size * n, PL_CALL_EXPOSED);
    return PL_OUTPUT(stream, libc.fwrite(data, size, n, stream));
}

PL_EXPOSE(int, fputs, (const char *text, FILE *stream))
{
    prints_text(text, PL_CALL_EXPOSED);
    return PL_OUTPUT(stream, libc.fputs(text, stream));
}

PL_EXPOSE(int, puts, (const char *text))
{
    prints_text(text, PL_CALL_EXPOSED);
    return PL_OUTPUT(stdout, libc.puts(text));
}

PL_EXPOSE(int, fputc, (int c, FILE *stream))
{
    return PL_OUTPUT(stream, libc.fputc(c, stream));
}

PL_EXPOSE(int, putc, (int c, FILE *stream))
{
    return PL_OUTPUT(stream, libc.fputc(c, stream));
}

PL_EXPOSE(int, putchar, (int c))
{
    return PL_OUTPUT(stdout, libc.fputc(c, stdout));
}

PL_EXPOSE(int, fflush, (FILE * stream))
{
    return PL_OUTPUT(stream, libc.fflush(stream));
}

PL_EXPOSE(void, flockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return;
    output(stream, PL_CALLER);
    struct pl_file_lock *l = lock_of(stream, true);

    /* More of them may be locked at once than the table has room for. */
    if (l != NULL) {
        *l = (struct pl_file_lock){stream, pl_stage->current, l->depth + 1};
        pl_feed_object(PL_SYNC_RECEIVE, pl_stage->current, (uint64_t)stream, PL_OBJECT_FILE);
    }
    done();
}

PL_EXPOSE(int, ftrylockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return 0;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    pl_tid owner = pl_stdio_owner((uint64_t)stream);
    bool taken = owner != PL_TID_NONE && owner != pl_stage->current;

    if (!taken)
        flockfile(stream);
    done();
    return taken;
}

PL_EXPOSE(void, funlockfile, (FILE * stream))
{
    if (!pl_on() || pl_inside())
        return;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_STDIO);
    struct pl_file_lock *l = lock_of(stream, false);

    if (l != NULL) {
        pl_feed_object(PL_SYNC_SEND, pl_stage->current, (uint64_t)stream, PL_OBJECT_FILE);
        PL_ASSERT(l->depth > 0);
        l->depth--;
    }
    done();
}

static pl_tid owner_of(const struct pl_thread *t)
{
    return pl_stdio_owner(t->op.addr);
}

static bool is_free(const struct pl_thread *t)
{
    pl_tid owner = owner_of(t);

    return owner == PL_TID_NONE || owner == t->id;
}

PL_DESCRIBE(OUTPUT) = {.enabled = is_free, .holder = owner_of};
