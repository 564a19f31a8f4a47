/* SPDX-License-Identifier: MIT */
/*
 * mem*() and str*(): libc's code is not instrumented, so what these functions
 * read and write for the program is announced here, as one range each, or made
 * here in pieces (access/pieces.h): what is read, as a view that libc's function is given.  The
 * length of a string is looked up before it is announced and again after.
 */
#include "runtime/system/libc_memory.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/access/pieces.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/place.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/wide.h"
#include "runtime/system/apart.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* libc's own, once they have been looked up. */
#define LIBC_FUNCTIONS                                       \
    LIBC(void *, memcpy, (void *, const void *, size_t))     \
    LIBC(void *, memmove, (void *, const void *, size_t))    \
    LIBC(void *, memset, (void *, int, size_t))              \
    LIBC(int, memcmp, (const void *, const void *, size_t))  \
    LIBC(void *, memchr, (const void *, int, size_t))        \
    LIBC(size_t, strlen, (const char *))                     \
    LIBC(size_t, strnlen, (const char *, size_t))            \
    LIBC(int, strcmp, (const char *, const char *))          \
    LIBC(int, strncmp, (const char *, const char *, size_t)) \
    LIBC(int, strcasecmp, (const char *, const char *))      \
    LIBC(char *, strchr, (const char *, int))                \
    LIBC(char *, strrchr, (const char *, int))               \
    LIBC(char *, strstr, (const char *, const char *))       \
    LIBC(char *, strcpy, (char *, const char *))             \
    LIBC(char *, stpcpy, (char *, const char *))             \
    LIBC(char *, strncpy, (char *, const char *, size_t))    \
    LIBC(char *, strcat, (char *, const char *))             \
    LIBC(char *, strncat, (char *, const char *, size_t))    \
    LIBC(size_t, wcslen, (const wchar_t *))                  \
    LIBC(size_t, wcsnlen, (const wchar_t *, size_t))         \
    LIBC(wchar_t *, wcsncat, (wchar_t *, const wchar_t *, size_t))

static struct {
#define LIBC(ret, name, params) ret(*name##_) params;
    LIBC_FUNCTIONS
#undef LIBC
} libc;

void pl_libc_memory_init(void)
{
#define LIBC(ret, name, params) *(void **)&libc.name##_ = pl_real_find(#name);
    LIBC_FUNCTIONS
#undef LIBC
    PL_ASSERT(libc.memchr_ != NULL && libc.strnlen_ != NULL);
}

static size_t length(const char *s)
{
    return libc.strlen_ != NULL ? libc.strlen_(s) : pl_text_length(s);
}

void __chk_fail(void) __attribute__((noreturn)); /* of libc: a buffer is too small */

/* The fortified forms end the program before they write behind a buffer. */
static void check_room(uint64_t n, size_t room)
{
    if (n > room)
        __chk_fail();
}

#define READS(p, n) pl_access_range(p, n, false, entry)
#define WRITES(p, n) pl_access_range(p, n, true, entry)
/* Save the entry first: a point in between runs other threads. */
#define ENTER const uint64_t *entry = pl_entry()

/* What a function is to read: where it is, or what was read of it in pieces, or a copy. */
struct view {
    const char *at;
    char *copy;
    size_t n;
    char near[64];
};

static struct view view(const void *p, size_t n, const uint64_t *entry)
{
    char *copy = pl_pieces_read(p, n, entry[6], entry);

    if (copy == NULL)
        READS(p, n);
    return (struct view){.at = copy != NULL ? copy : p, .copy = copy, .n = n};
}

/* Up to a byte, or so many. */
static struct view view_until(const char *s, int end, size_t most, const uint64_t *entry)
{
    if (!pl_access_wanted(entry[6]) && !pl_native)
        return (struct view){.at = s, .n = most};
    struct pl_call who = {.pc = entry[6], .entry = entry};
    struct pl_text_view v = pl_text_read(s, PL_TEXT_UNTIL(end, most), who);

    return (struct view){.at = v.at, .copy = v.copy, .n = v.size};
}

static struct view view_text_of(const char *s, size_t most, const uint64_t *entry)
{
    return view_until(s, 0, most, entry);
}

static struct view view_text(const char *s, const uint64_t *entry)
{
    return view_text_of(s, SIZE_MAX, entry);
}

/* Before something else is read: what was read stays as it was. */
static void keep(struct view *v, const uint64_t *entry)
{
    if (v->copy != NULL || v->at == v->near || !pl_access_wanted(entry[6]) || pl_free ||
        pl_stage->n_unjoined <= 1 || pl_place_is_constant((uint64_t)v->at))
        return;
    if (v->n > sizeof(v->near)) {
        v->copy = pl_heap_allocate(v->n, 16, entry[6]);
        PL_ASSERT(v->copy != NULL);
    }
    v->at = pl_memory_copy(v->copy != NULL ? v->copy : v->near, v->at, v->n);
}

static void close_view(const struct view *v, const uint64_t *entry)
{
    if (v->copy != NULL)
        pl_heap_free(v->copy, entry[6]);
}

/* Where something that was found in the view is. */
static void *place(const struct view *v, const void *s, const char *found)
{
    return found != NULL ? (char *)(uintptr_t)s + (found - v->at) : NULL;
}

/* As strncpy() where it `fills` all n bytes, or the text, which has fewer. */
static void put_text(char *to, const char *from, size_t n, bool fills)
{
    size_t l = libc.strnlen_(from, n - 1);

    if (fills) {
        libc.strncpy_(to, from, n);
        return;
    }
    pl_memory_copy(to, from, l);
    to[l] = '\0';
}

static void write_text(char *to, const char *from, size_t n, bool fills, const uint64_t *entry)
{
    if (pl_access_wanted(entry[6]) && pl_pieces_wanted(pl_thread_self(), (uint64_t)to, n)) {
        char *bytes = pl_heap_allocate(n, 16, entry[6]);

        PL_ASSERT(bytes != NULL);
        put_text(bytes, from, n, fills);
        bool done = pl_pieces_store(to, bytes, n, entry[6], entry);

        pl_heap_free(bytes, entry[6]);
        if (done)
            return;
    }
    WRITES(to, n);
    if (n > 0)
        put_text(to, from, n, fills);
}

/* Declared under other names: memcpy and three others are redirected to the above. */
PL_INTERPOSE(void *, memcpy, (void *to, const void *from, size_t n))
{
    ENTER;

    if (pl_pieces_copy(to, from, n, entry[6], entry))
        return to;
    READS(from, n);
    WRITES(to, n);
    return libc.memcpy_ != NULL ? libc.memcpy_(to, from, n) : pl_memory_copy(to, from, n);
}

PL_INTERPOSE(void *, mempcpy, (void *to, const void *from, size_t n))
{
    return (char *)pl_in_memcpy(to, from, n) + n;
}

PL_INTERPOSE(void *, __memcpy_chk, (void *to, const void *from, size_t n, size_t room))
{
    check_room(n, room);
    return pl_in_memcpy(to, from, n);
}

PL_INTERPOSE(void *, memmove, (void *to, const void *from, size_t n))
{
    ENTER;

    if (pl_pieces_move(to, from, n, entry[6], entry))
        return to;
    READS(from, n);
    WRITES(to, n);
    return libc.memmove_ != NULL ? libc.memmove_(to, from, n) : pl_memory_move(to, from, n);
}

PL_INTERPOSE(void *, __memmove_chk, (void *to, const void *from, size_t n, size_t room))
{
    check_room(n, room);
    return pl_in_memmove(to, from, n);
}

PL_INTERPOSE(void, bcopy, (const void *from, void *to, size_t n))
{
    pl_in_memmove(to, from, n);
}

PL_INTERPOSE(void *, memset, (void *to, int byte, size_t n))
{
    ENTER;

    if (pl_pieces_fill(to, byte, n, entry[6], entry))
        return to;
    WRITES(to, n);
    return libc.memset_ != NULL ? libc.memset_(to, byte, n) : pl_memory_fill(to, byte, n);
}

PL_INTERPOSE(void *, __memset_chk, (void *to, int byte, size_t n, size_t room))
{
    check_room(n, room);
    return pl_in_memset(to, byte, n);
}

PL_INTERPOSE(void, bzero, (void *to, size_t n))
{
    pl_in_memset(to, 0, n);
}

PL_INTERPOSE(int, memcmp, (const void *a, const void *b, size_t n))
{
    ENTER;

    struct view x = view(a, n, entry);

    keep(&x, entry);
    struct view y = view(b, n, entry);
    int order =
        libc.memcmp_ != NULL ? libc.memcmp_(x.at, y.at, n) : pl_memory_compare(x.at, y.at, n);

    close_view(&x, entry);
    close_view(&y, entry);
    return order;
}

PL_INTERPOSE(int, bcmp, (const void *a, const void *b, size_t n))
{
    return pl_in_memcmp(a, b, n);
}

PL_INTERPOSE(void *, memchr, (const void *s, int byte, size_t n))
{
    ENTER;
    struct view v = view_until(s, byte, n, entry);
    void *result = place(&v, s, libc.memchr_(v.at, byte, v.n));

    close_view(&v, entry);
    return result;
}

PL_INTERPOSE(size_t, strlen, (const char *s))
{
    ENTER;

    struct view v = view_text(s, entry);
    size_t l = length(v.at);

    close_view(&v, entry);
    return l;
}

PL_INTERPOSE(size_t, strnlen, (const char *s, size_t n))
{
    ENTER;

    struct view v = view_text_of(s, n, entry);
    size_t l = libc.strnlen_(v.at, n);

    close_view(&v, entry);
    return l;
}

PL_INTERPOSE(int, strcmp, (const char *a, const char *b))
{
    ENTER;

    struct view x = view_text(a, entry);

    keep(&x, entry);
    struct view y = view_text(b, entry);
    int order = libc.strcmp_(x.at, y.at);

    close_view(&x, entry);
    close_view(&y, entry);
    return order;
}

PL_INTERPOSE(int, strncmp, (const char *a, const char *b, size_t n))
{
    ENTER;

    struct view x = view_text_of(a, n, entry);

    keep(&x, entry);
    struct view y = view_text_of(b, n, entry);
    int order = libc.strncmp_(x.at, y.at, n);

    close_view(&x, entry);
    close_view(&y, entry);
    return order;
}

PL_INTERPOSE(int, strcasecmp, (const char *a, const char *b))
{
    ENTER;

    struct view x = view_text(a, entry);

    keep(&x, entry);
    struct view y = view_text(b, entry);
    int order = libc.strcasecmp_(x.at, y.at);

    close_view(&x, entry);
    close_view(&y, entry);
    return order;
}

PL_INTERPOSE(char *, strchr, (const char *s, int c))
{
    ENTER;

    struct view v = view_text(s, entry);
    char *found = place(&v, s, libc.strchr_(v.at, c));

    close_view(&v, entry);
    return found;
}

PL_INTERPOSE(char *, strrchr, (const char *s, int c))
{
    ENTER;

    struct view v = view_text(s, entry);
    char *found = place(&v, s, libc.strrchr_(v.at, c));

    close_view(&v, entry);
    return found;
}

PL_INTERPOSE(char *, strstr, (const char *s, const char *part))
{
    ENTER;

    struct view v = view_text(s, entry);

    keep(&v, entry);
    struct view p = view_text(part, entry);
    char *found = place(&v, s, libc.strstr_(v.at, p.at));

    close_view(&v, entry);
    close_view(&p, entry);
    return found;
}

static char *copy_text(char *to, const char *from, size_t room)
{
    ENTER;
    struct view v = view_text(from, entry);
    size_t n = length(v.at) + 1;

    check_room(n, room);
    write_text(to, v.at, n, false, entry);
    close_view(&v, entry);
    return to + libc.strnlen_(to, n);
}

PL_INTERPOSE(char *, stpcpy, (char *to, const char *from))
{
    return copy_text(to, from, SIZE_MAX);
}

PL_INTERPOSE(char *, strcpy, (char *to, const char *from))
{
    copy_text(to, from, SIZE_MAX);
    return to;
}

PL_INTERPOSE(char *, __strcpy_chk, (char *to, const char *from, size_t room))
{
    copy_text(to, from, room);
    return to;
}

PL_INTERPOSE(char *, strncpy, (char *to, const char *from, size_t n))
{
    ENTER;

    struct view v = view_text_of(from, n, entry);

    write_text(to, v.at, n, true, entry);
    close_view(&v, entry);
    return to;
}

PL_INTERPOSE(char *, __strncpy_chk, (char *to, const char *from, size_t n, size_t room))
{
    check_room(n, room);
    return pl_in_strncpy(to, from, n);
}

/* At most n characters are added. */
static char *add_text(char *to, const char *from, size_t n, size_t room)
{
    ENTER;

    struct view had = view_text(to, entry);
    size_t l = length(had.at);

    close_view(&had, entry);
    struct view v = view_text_of(from, n, entry);
    size_t added = libc.strnlen_(v.at, n);

    check_room(l + added + 1, room);
    write_text(to + l, v.at, added + 1, false, entry);
    close_view(&v, entry);
    return to;
}

PL_INTERPOSE(char *, strcat, (char *to, const char *from))
{
    return add_text(to, from, SIZE_MAX, SIZE_MAX);
}

PL_INTERPOSE(char *, __strcat_chk, (char *to, const char *from, size_t room))
{
    return add_text(to, from, SIZE_MAX, room);
}

PL_INTERPOSE(char *, strncat, (char *to, const char *from, size_t n))
{
    return add_text(to, from, n, SIZE_MAX);
}

PL_INTERPOSE(char *, __strncat_chk, (char *to, const char *from, size_t n, size_t room))
{
    return add_text(to, from, n, room);
}

/* glibc adds one character after the other. */
static wchar_t *add_wide(wchar_t *to, const wchar_t *from, size_t n, size_t room,
                         struct pl_call who)
{
    if (!pl_call_wanted(who))
        return libc.wcsncat_(to, from, n);
    pl_text_announce(to, PL_TEXT_WIDE, who);
    size_t l = libc.wcslen_(to);
    struct pl_text_view v = pl_text_read(from, PL_TEXT_WIDE_OF(n), who);
    size_t added = libc.wcsnlen_(v.at, n), size = (added + 1) * sizeof(*to);
    wchar_t *text = pl_heap_allocate(size, 16, who.pc);

    PL_ASSERT(text != NULL);
    pl_memory_copy(text, v.at, added * sizeof(*to));
    text[added] = 0;
    pl_text_close(&v, who);
    check_room(l + added + 1, room);
    pl_apart_print(to + l, text, size, sizeof(*to), who);
    pl_heap_free(text, who.pc);
    return to;
}

PL_INTERPOSE(wchar_t *, wcscat, (wchar_t * to, const wchar_t *from))
{
    return add_wide(to, from, SIZE_MAX, SIZE_MAX, PL_CALL_ENTERED);
}

PL_INTERPOSE(wchar_t *, __wcscat_chk, (wchar_t * to, const wchar_t *from, size_t room))
{
    return add_wide(to, from, SIZE_MAX, room, PL_CALL_ENTERED);
}

PL_INTERPOSE(wchar_t *, wcsncat, (wchar_t * to, const wchar_t *from, size_t n))
{
    return add_wide(to, from, n, SIZE_MAX, PL_CALL_ENTERED);
}

PL_INTERPOSE(wchar_t *, __wcsncat_chk, (wchar_t * to, const wchar_t *from, size_t n, size_t room))
{
    return add_wide(to, from, n, room, PL_CALL_ENTERED);
}

PL_INTERPOSE(char *, strdup, (const char *s))
{
    ENTER;

    struct view v = view_text(s, entry);
    size_t n = length(v.at) + 1;
    char *copy = pl_heap_allocate(n, 16, entry[6]);

    if (copy != NULL)
        pl_memory_copy(copy, v.at, n);
    close_view(&v, entry);
    return copy;
}

PL_INTERPOSE(char *, strndup, (const char *s, size_t most))
{
    ENTER;

    struct view v = view_text_of(s, most, entry);
    size_t n = libc.strnlen_(v.at, most);
    char *copy = pl_heap_allocate(n + 1, 16, entry[6]);

    if (copy != NULL) {
        pl_memory_copy(copy, v.at, n);
        copy[n] = '\0';
    }
    close_view(&v, entry);
    return copy;
}
