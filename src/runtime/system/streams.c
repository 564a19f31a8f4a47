/* SPDX-License-Identifier: MIT */
/*
 * The functions of streams.def: each comes to its operation on the FILE, announces what its
 * row says and calls libc's own.  Outside control it calls libc's own and nothing else.
 *
 * What fills a buffer by a length that is known only afterwards fills one of the runtime's, as in
 * functions.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* glibc would define some of them in its header */
#endif

#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/system/apart.h"
#include "runtime/system/libc_stdio.h"

#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <wchar.h>

#define text_size(s) pl_call_text_size(s)
#define wide_size(s) pl_call_wide_size(s)
#define READ(p, n) p = pl_apart(&apart, p, n, PL_APART_IN);
#define IN(p) READ(p, sizeof(*(p)))
#define OUT(p) p = pl_apart(&apart, p, sizeof(*(p)), PL_APART_OUT);
#define TEXT(s) s = pl_apart_text(&apart, s, PL_TEXT_WHOLE);
#define WIDE(s) s = pl_apart_text(&apart, s, PL_TEXT_WIDE);

/* ---- libc's own ---- */

#define PL_STREAM(ret, name, params, ...) ret(*name##_) params;
#define PL_STREAM_ONLY(name, params, ...) void(*name##_) params;
#define PL_STREAM_FILLS PL_STREAM
#define PL_STREAM_PRINTS PL_STREAM
static struct {
#include "runtime/system/streams.def"
} libc;
#undef PL_STREAM
#undef PL_STREAM_ONLY

static struct {
    ssize_t (*getline_)(char **, size_t *, FILE *);
    ssize_t (*getdelim_)(char **, size_t *, int, FILE *);
} whole;

void pl_streams_init(void)
{
#define PL_STREAM(ret, name, ...) *(void **)&libc.name##_ = pl_real_find(#name);
#define PL_STREAM_ONLY(name, ...) *(void **)&libc.name##_ = pl_real_find(#name);
#include "runtime/system/streams.def"
    *(void **)&whole.getline_ = pl_real_find("getline");
    *(void **)&whole.getdelim_ = pl_real_find("getdelim");
}
#undef PL_STREAM
#undef PL_STREAM_ONLY
#undef PL_STREAM_FILLS
#undef PL_STREAM_PRINTS

/* ---- the functions ---- */

/* Accesses are announced where others are kept out of the FILE already. */
#define PL_STREAM(ret, name, params, args, file, use, moved, accesses) \
    PL_INTERPOSE(ret, name, params)                                    \
    {                                                                  \
        struct pl_call who = PL_CALL_ENTERED;                          \
        PL_STREAM_OF(stream_, file, PL_STREAM_##use, who);             \
        PL_APART(apart, who);                                          \
        if (pl_call_wanted(who)) {                                     \
            accesses                                                   \
        }                                                              \
        ret result = PL_LIBC_OWN(name) args;                           \
        pl_stream_moved(&stream_, moved);                              \
        return result;                                                 \
    }

#define PL_STREAM_ONLY(name, params, args, file, use, moved, accesses) \
    PL_INTERPOSE(void, name, params)                                   \
    {                                                                  \
        struct pl_call who = PL_CALL_ENTERED;                          \
        PL_STREAM_OF(stream_, file, PL_STREAM_##use, who);             \
        PL_LIBC_OWN(name) args;                                        \
        pl_stream_moved(&stream_, moved);                              \
    }

#define PL_STREAM_FILLS(ret, name, params, args, file, use, buffer, room, used)              \
    PL_INTERPOSE(ret, name, params)                                                          \
    {                                                                                        \
        struct pl_call who = PL_CALL_ENTERED;                                                \
        PL_STREAM_OF(stream_, file, PL_STREAM_##use, who);                                   \
        struct pl_fill fill_ = pl_fill_begin(buffer, room, who);                             \
        buffer = fill_.at;                                                                   \
        ret result = PL_LIBC_OWN(name) args;                                                 \
        pl_stream_moved(&stream_, buffer != NULL && (used) > 0);                             \
        pl_fill_end(&fill_, buffer == NULL ? 0 : (used), who);                               \
        return (uintptr_t)result == (uintptr_t)fill_.at ? (ret)(uintptr_t)fill_.to : result; \
    }

#define PL_STREAM_PRINTS(ret, name, params, args, file, use, accesses)        \
    PL_INTERPOSE(ret, name, params)                                           \
    {                                                                         \
        struct pl_call who = PL_CALL_ENTERED;                                 \
        PL_APART(apart, who);                                                 \
        if (pl_call_wanted(who)) {                                            \
            accesses                                                          \
        }                                                                     \
        PL_STREAM_OF(stream_, file, PL_STREAM_PRINTS | PL_STREAM_##use, who); \
        return PL_LIBC_OWN(name) args;                                        \
    }

#include "runtime/system/streams.def"

/*
 * Whole lines.  libc makes the block longer in the middle and may wait for input: the address and
 * the size are stored behind that.  The line itself goes to where it belongs at the last of these
 * points, so it is written once more when all is over: who looked in between found it there or not.
 */
#define PL_LINE(name, own, params, ...)                                    \
    PL_INTERPOSE(ssize_t, name, params)                                    \
    {                                                                      \
        struct pl_call who = PL_CALL_ENTERED;                              \
        PL_STREAM_OF(stream_, f, PL_STREAM_CHANGES, who);                  \
        PL_APART(apart, who);                                              \
        bool wanted = line != NULL && n != NULL && pl_call_wanted(who);    \
        if (wanted) {                                                      \
            n = pl_apart(&apart, n, sizeof(*n), PL_APART_CHANGE);          \
            line = pl_apart(&apart, line, sizeof(*line), PL_APART_CHANGE); \
        }                                                                  \
        const char *was = wanted ? *line : NULL;                           \
        pl_call_touches(was, was != NULL ? *n : 0, true, who);             \
        ssize_t result = whole.own(__VA_ARGS__);                           \
        if (was != NULL && *line == was && result > 0 && !pl_as_free())    \
            pl_call_touches(was, (uint64_t)result + 1, true, who);         \
        pl_stream_moved(&stream_, result > 0);                             \
        return result;                                                     \
    }

PL_LINE(getline, getline_, (char **line, size_t *n, FILE *f), line, n, f)
PL_LINE(getdelim, getdelim_, (char **line, size_t *n, int end, FILE *f), line, n, end, f)
PL_LINE(__getdelim, getdelim_, (char **line, size_t *n, int end, FILE *f), line, n, end, f)
