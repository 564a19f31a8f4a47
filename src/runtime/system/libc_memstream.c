/* SPDX-License-Identifier: MIT */
/*
 * See libc_memstream.h.
 *
 * What fmemopen() makes is wrapped: the program's FILE calls functions of this file, which announce
 * what will be read or written and let a FILE of libc's own do it, without a buffer.  So accesses
 * come when libc makes them, in the middle of a function on the FILE, which is locked meanwhile.
 */
#include "runtime/system/libc_memstream.h"

#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/system/apart.h"

#include <stdlib.h>
#include <wchar.h>

/* As glibc lays out a FILE and what follows it. */
enum { OWN_BUFFER = 1 }; /* of its flags: the buffer is not libc's */
struct memstream {
    FILE file;
    const void *functions;
    void *unused[2];
    void **at;
    size_t *size;
};

/* What FILEs of open_memstream() and open_wmemstream() have there, once there was one. */
static const void *narrow, *wide;

static FILE *is_memstream(FILE *file, const void **functions)
{
    if (file != NULL)
        *functions = ((struct memstream *)file)->functions;
    return file;
}

PL_EXPOSE(FILE *, open_memstream, (char **at, size_t *size))
{
    return is_memstream(PL_FALLBACK(open_memstream)(at, size), &narrow);
}

PL_EXPOSE(FILE *, open_wmemstream, (wchar_t * *at, size_t *size))
{
    return is_memstream(PL_FALLBACK(open_wmemstream)(at, size), &wide);
}

void pl_memstream_touched(FILE *file, bool says, struct pl_call who)
{
    const struct memstream *m = (const struct memstream *)file;
    const char *buffer = file->_IO_buf_base;

    if (!pl_call_wanted(who))
        return;
    pl_thread_self()->call.stream_pc = who.pc;
    if (says && m->functions != NULL && (m->functions == narrow || m->functions == wide)) {
        pl_call_touches(m->at, sizeof(*m->at), true, who);
        pl_call_touches(m->size, sizeof(*m->size), true, who);
    } else if ((file->_flags & OWN_BUFFER) != 0 && buffer != NULL &&
               (buffer < (const char *)file || buffer >= (const char *)(file + 1))) {
        pl_call_touches(buffer, (uint64_t)(file->_IO_buf_end - buffer), true, who);
    }
}

/* ---- fmemopen() ---- */

struct wrapped {
    FILE *own;
    char *buffer;
    size_t size;
    bool appends;
};

/* What is left from where it is; all of it where the end decides. */
static void touch(const struct wrapped *w, size_t n, bool write)
{
    struct pl_call who = {.pc = pl_on() ? pl_thread_self()->call.stream_pc : 0};
    long at = PL_FALLBACK(ftell)(w->own);

    if (who.pc == 0 || pl_inside() || !pl_call_wanted(who) || at < 0 || (size_t)at > w->size)
        return;
    if (w->appends && write)
        at = 0, n = w->size;
    if (n > w->size - (size_t)at)
        n = w->size - (size_t)at;
    pl_call_touches(w->buffer + at, n, write, who);
}

static ssize_t read_memory(void *cookie, char *to, size_t n)
{
    const struct wrapped *w = cookie;

    touch(w, n, false);
    return (ssize_t)PL_FALLBACK(fread)(to, 1, n, w->own);
}

/* There may be a zero behind it. */
static ssize_t write_memory(void *cookie, const char *from, size_t n)
{
    const struct wrapped *w = cookie;

    touch(w, n + 1, true);
    return (ssize_t)PL_FALLBACK(fwrite)(from, 1, n, w->own);
}

static int seek_memory(void *cookie, off64_t *to, int whence)
{
    const struct wrapped *w = cookie;
    int rc = PL_FALLBACK(fseeko64)(w->own, *to, whence);

    *to = rc == 0 ? PL_FALLBACK(ftello64)(w->own) : *to;
    return rc;
}

static int close_memory(void *cookie)
{
    struct wrapped *w = cookie;
    int rc = PL_FALLBACK(fclose)(w->own);

    free(w);
    return rc;
}

PL_EXPOSE(FILE *, fmemopen, (void *buffer, size_t size, const char *mode))
{
    const cookie_io_functions_t calls = {read_memory, write_memory, seek_memory, close_memory};
    FILE *own = PL_FALLBACK(fmemopen)(buffer, size, mode), *file = NULL;

    if (own == NULL || buffer == NULL || !pl_active || pl_native || pl_free)
        return own;
    struct wrapped *w = malloc(sizeof(*w));

    if (w != NULL) {
        *w = (struct wrapped){own, buffer, size, mode[0] == 'a'};
        PL_FALLBACK(setvbuf)(own, NULL, _IONBF, 0);
        file = PL_FALLBACK(fopencookie)(w, mode, calls);
    }
    if (file == NULL) {
        PL_FALLBACK(fclose)(own);
        free(w);
    }
    return file;
}
