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
#define WRITE(p, n) pl_call_touches(p, n, true, who);
#define IN(p) READ(p, sizeof(*(p)))
#define OUT(p) WRITE(p, sizeof(*(p)))
#define UPDATE(p) WRITE(p, sizeof(*(p)))
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

void pl_streams_init(void)
{
#define PL_STREAM(ret, name, ...) *(void **)&libc.name##_ = pl_real_find(#name);
#define PL_STREAM_ONLY(name, ...) *(void **)&libc.name##_ = pl_real_find(#name);
#include "runtime/system/streams.def"
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
