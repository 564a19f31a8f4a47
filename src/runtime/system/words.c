/* SPDX-License-Identifier: MIT */
/*
 * What the words of functions.def do: see functions.h.
 *
 * What fills a buffer by a length that is known only afterwards fills one of the runtime's; the
 * program's is written behind a point of its own, by as much as there really was.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/system/functions.h"

#include "base/hash.h"
#include "base/memory.h"
#include "runtime/access/access.h"
#include "runtime/access/pieces.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/look.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"

#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- lengths, by libc's own functions ---- */

static struct {
    size_t (*strlen)(const char *);
    size_t (*strnlen)(const char *, size_t);
    size_t (*wcslen)(const wchar_t *);
    size_t (*wcsnlen)(const wchar_t *, size_t);
    void *(*memchr)(const void *, int, size_t);
    void *(*rawmemchr)(const void *, int);
} own;

void pl_words_init(void)
{
#define FIND(name) *(void **)&own.name = pl_real_find(#name)
    FIND(strlen);
    FIND(strnlen);
    FIND(wcslen);
    FIND(wcsnlen);
    FIND(memchr);
    FIND(rawmemchr);
#undef FIND
}

uint64_t pl_call_text_size(const char *s)
{
    return s != NULL ? own.strlen(s) + 1 : 0;
}

uint64_t pl_call_text_size_of(const char *s, uint64_t most)
{
    uint64_t n = s != NULL ? own.strnlen(s, most) : most;

    return s == NULL ? 0 : n < most ? n + 1 : most;
}

uint64_t pl_call_wide_size(const wchar_t *s)
{
    return s != NULL ? (own.wcslen(s) + 1) * sizeof(*s) : 0;
}

uint64_t pl_call_wide_size_of(const wchar_t *s, uint64_t most)
{
    uint64_t n = s != NULL ? own.wcsnlen(s, most) : most;

    return s == NULL ? 0 : (n < most ? n + 1 : most) * sizeof(*s);
}

/* Up to and with a byte that is there, or that may be. */
static uint64_t distance(const void *s, int c)
{
    return (uint64_t)((const char *)own.rawmemchr(s, c) - (const char *)s) + 1;
}

uint64_t pl_call_size_until(const void *s, int c, uint64_t n)
{
    if (n == UINT64_MAX)
        return distance(s, c);
    const char *found = own.memchr(s, c, n);

    return found != NULL ? (uint64_t)(found - (const char *)s) + 1 : n;
}

/* ---- what the words do ---- */

/* What would reach beyond all memory is refused, or crashes, before anything is touched. */
static bool is_memory(const void *p, uint64_t size)
{
    return p != NULL && size <= (UINT64_C(1) << 47) - (uint64_t)p;
}

void pl_call_touches(const void *p, uint64_t size, bool write, struct pl_call who)
{
    if (!is_memory(p, size))
        return;
    pl_access_call(p, size, write, who.pc, who.entry);
    if (who.entry != NULL && !pl_free)
        pl_entry_now = who.entry; /* others may have come in meanwhile */
}

/* It is about to be read by a system call; see pl_call_sends(). */
static void look_between(const void *p, uint64_t size, const char *call, struct pl_call who)
{
    if (is_memory(p, size) && pl_on() && !pl_free && !pl_inside() &&
        pl_pieces_wanted(pl_thread_self(), (uint64_t)p, size))
        pl_unmodelled(call, PL_UNMODELLED_CALL, who.pc);
}

void pl_call_sends(const void *p, uint64_t size, const char *call, struct pl_call who)
{
    look_between(p, size, call, who);
    pl_call_touches(p, size, false, who);
}

void pl_call_sends_pieces(const struct iovec *v, int64_t n, const char *call, struct pl_call who)
{
    if (v == NULL || n <= 0 || n > IOV_MAX)
        return;
    look_between(v, (uint64_t)n * sizeof(*v), call, who);
    for (int64_t i = 0; i < n; i++)
        look_between(v[i].iov_base, v[i].iov_len, call, who);
    pl_call_pieces(v, n, UINT64_MAX, false, who);
}

void pl_call_pieces(const struct iovec *v, int64_t n, uint64_t most, bool write, struct pl_call who)
{
    if (v == NULL || n <= 0 || n > IOV_MAX)
        return;
    pl_call_touches(v, (uint64_t)n * sizeof(*v), false, who);
    for (int64_t i = 0; i < n && most > 0; i++) {
        uint64_t size = v[i].iov_len < most ? v[i].iov_len : most;

        pl_call_touches(v[i].iov_base, size, write, who);
        most -= size;
    }
}

enum { FILL_MOST = 64 << 10 };

struct pl_fill pl_fill_begin(void *to, uint64_t room, struct pl_call who)
{
    struct pl_fill fill = {to, to, room};

    if (!pl_call_wanted(who) || to == NULL || room == 0 || room > FILL_MOST || pl_inside() ||
        pl_stage->n_threads <= 1 || !pl_look_is_there(to))
        return fill;
    void *at = pl_heap_allocate(room, 16, who.pc);

    fill.at = at != NULL ? at : to;
    return fill;
}

void pl_fill_end(struct pl_fill *fill, uint64_t used, struct pl_call who)
{
    int error = errno;

    if (!pl_call_wanted(who))
        return;
    if (used > fill->room)
        used = fill->room;
    if (pl_free)
        pl_monitor_open(); /* the operation that it belongs to is over */
    if (fill->at == fill->to)
        pl_call_touches(fill->to, used, true, who);
    else if (used > 0)
        pl_apart_print(fill->to, fill->at, used, who.unit, who);
    if (fill->at != fill->to)
        pl_heap_free(fill->at, who.pc);
    errno = error;
}

struct pl_fill pl_fill_begin_pieces(const struct iovec *v, int64_t n, struct pl_call who)
{
    uint64_t room = 0;

    for (int64_t i = 0; n <= IOV_MAX && i < n; i++)
        room = v[i].iov_len <= FILL_MOST ? room + v[i].iov_len : FILL_MOST + 1;
    /* Only that it is somewhere else than `at` matters. */
    struct pl_fill fill = pl_fill_begin((void *)v, room, who);

    return (struct pl_fill){(void *)v, fill.at != fill.to ? fill.at : NULL, room};
}

void pl_fill_end_pieces(struct pl_fill *fill, const struct iovec *v, int64_t n, uint64_t used,
                        struct pl_call who)
{
    const char *from = fill->at;
    int error = errno;

    if (!pl_call_wanted(who))
        return;
    if (pl_free)
        pl_monitor_open();
    for (int64_t i = 0; i < n && used > 0; i++) {
        uint64_t size = v[i].iov_len < used ? v[i].iov_len : used;

        if (from == NULL || !pl_pieces_store(v[i].iov_base, from, size, who.pc, who.entry)) {
            pl_call_touches(v[i].iov_base, size, true, who);
            if (from != NULL)
                pl_memory_copy(v[i].iov_base, from, size);
        }
        if (from != NULL)
            from += size;
        used -= size;
    }
    if (fill->at != NULL)
        pl_heap_free(fill->at, who.pc);
    errno = error;
}

void pl_call_be_alone(const char *name, const void *p, uint64_t size, bool write, uint64_t pc)
{
    if (!pl_on() || pl_free)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);
        bool writes = t->op.kind == PL_OP_WRITE || t->op.kind == PL_OP_ATOMIC_RMW;

        if (t != pl_thread_self() && t->state == PL_THREAD_ALIVE &&
            t->op.addr - (uint64_t)p < size && (write || writes))
            pl_unmodelled(name, PL_UNMODELLED_FUNCTION, pc);
    }
}

/* What the program sees of the zone changes with TZ only. */
static void sets_zone(struct pl_call who)
{
    uint64_t hash = 1;

    for (char *const *v = environ; v != NULL && *v != NULL; v++) {
        if ((*v)[0] == 'T' && (*v)[1] == 'Z' && (*v)[2] == '=')
            hash = pl_hash_text(*v) | 1;
    }
    if (hash == pl_stage->process.zone)
        return;
    pl_stage->process.zone = hash;
    pl_call_touches(&timezone, sizeof(timezone), true, who);
    pl_call_touches(&daylight, sizeof(daylight), true, who);
    pl_call_touches(tzname, sizeof(tzname), true, who);
}

void pl_call_locale(struct pl_call who)
{
    pl_access_look(&pl_stage->process.library[PL_STATE_LOCALE], who.pc, who.entry);
}

void pl_call_environment(struct pl_call who)
{
    pl_call_touches(&environ, sizeof(environ), false, who);
}

void pl_call_zone(struct pl_call who)
{
    pl_call_environment(who);
    sets_zone(who);
}
