/* SPDX-License-Identifier: MIT */
/*
 * iconv(): what it is given is read, then what came of it is written, as far as there is any, then
 * where it goes on; each as a step of its own.  What the descriptor remembers is state of libc.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/apart.h"

#include <errno.h>
#include <iconv.h>

static struct {
    size_t (*iconv_)(iconv_t, char **, size_t *, char **, size_t *);
} libc;

void pl_converted_init(void)
{
    *(void **)&libc.iconv_ = pl_real_find("iconv");
}

/* What a pair of arguments says: bytes that are there, or room for more. */
struct rest {
    char *at;
    size_t size;
};

static struct rest rest_of(char **at, const size_t *size, struct pl_call who)
{
    struct rest r = {NULL, 0};

    if (at == NULL)
        return r;
    pl_call_touches(at, sizeof(*at), false, who);
    r.at = *at;
    if (r.at == NULL || size == NULL)
        return r;
    pl_call_touches(size, sizeof(*size), false, who);
    r.size = *size;
    return r;
}

static void go_on(char **at, size_t *size, struct rest r, struct pl_call who)
{
    if (at == NULL || r.at == NULL)
        return;
    pl_apart_store(at, &r.at, sizeof(r.at), who);
    pl_apart_store(size, &r.size, sizeof(r.size), who);
}

static size_t convert(iconv_t by, char **in, size_t *n, char **out, size_t *room,
                      struct pl_call who)
{
    struct rest from = rest_of(in, n, who), to = rest_of(out, room, who);

    PL_APART(apart, who);
    char *copy = pl_apart(&apart, from.at, from.size, PL_APART_IN);
    struct rest left = {copy, from.size}, free = to;
    struct pl_fill fill = pl_fill_begin(to.at, to.size, who);

    free.at = fill.at;
    pl_access_state(by, who.pc, who.entry);
    size_t result = PL_LIBC_OWN(iconv)(by, in != NULL ? &left.at : NULL, &left.size,
                                       out != NULL ? &free.at : NULL, &free.size);
    int error = errno;
    uint64_t made = to.size - free.size;

    left.at = from.at + (from.size - left.size);
    pl_apart_end(&apart);
    who.unit = 1;
    pl_fill_end(&fill, made, who);
    free.at = to.at + made;
    if (to.at != NULL)
        go_on(out, room, free, who);
    if (from.at != NULL)
        go_on(in, n, left, who);
    errno = error;
    return result;
}

PL_INTERPOSE(size_t, iconv, (iconv_t by, char **in, size_t *n, char **out, size_t *room))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(iconv)(by, in, n, out, room);
    return convert(by, in, n, out, room, who);
}
