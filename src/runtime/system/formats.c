/* SPDX-License-Identifier: MIT */
/*
 * printf() and scanf() with all their forms that work on the program's memory: what they read and
 * write stands in their format.  Those that print to a stream are in libc_stdio.c.
 *
 * A format with numbered arguments (%1$s) is read like any other text; what its arguments point to
 * is not announced.  How long a text is that a scanf() conversion without a width stores is not
 * known before; its first byte stands for it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/system/functions.h"

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* glibc would define some of them in its header */
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#define LIBC_FUNCTIONS                                                                     \
    LIBC(int, vsnprintf, (char *, size_t, const char *, va_list))                          \
    LIBC(int, vsprintf, (char *, const char *, va_list))                                   \
    LIBC(int, __vsprintf_chk, (char *, int, size_t, const char *, va_list))                \
    LIBC(int, __vsnprintf_chk, (char *, size_t, int, size_t, const char *, va_list))       \
    LIBC(int, vasprintf, (char **, const char *, va_list))                                 \
    LIBC(int, __vasprintf_chk, (char **, int, const char *, va_list))                      \
    LIBC(int, vdprintf, (int, const char *, va_list))                                      \
    LIBC(int, __vdprintf_chk, (int, int, const char *, va_list))                           \
    LIBC(int, vswprintf, (wchar_t *, size_t, const wchar_t *, va_list))                    \
    LIBC(int, __vswprintf_chk, (wchar_t *, size_t, int, size_t, const wchar_t *, va_list)) \
    LIBC(int, vsscanf, (const char *, const char *, va_list))                              \
    LIBC(int, __isoc99_vsscanf, (const char *, const char *, va_list))                     \
    LIBC(int, vfscanf, (FILE *, const char *, va_list))                                    \
    LIBC(int, __isoc99_vfscanf, (FILE *, const char *, va_list))

static struct {
#define LIBC(ret, name, params) ret(*name##_) params;
    LIBC_FUNCTIONS
#undef LIBC
} libc;

void pl_formats_init(void)
{
#define LIBC(ret, name, params) *(void **)&libc.name##_ = pl_real_find(#name);
    LIBC_FUNCTIONS
#undef LIBC
}

#define REAL(name)                       \
    (libc.name##_ != NULL ? libc.name##_ \
                          : (*(void **)&libc.name##_ = pl_real_find(#name), libc.name##_))

/* ---- conversions of a format ---- */

struct format {
    const void *text; /* of characters or wide characters */
    bool wide;
    size_t at;
};

/* A number in a conversion: there is none, it is an argument, or it is itself. */
enum { NUMBER_NONE = -1, NUMBER_ARGUMENT = -2 };

struct conversion {
    bool suppressed, allocates; /* of scanf(): '*' and 'm' */
    int64_t width, precision;
    unsigned size;   /* of an integer */
    bool longer;     /* 'l' or 'L' was there */
    unsigned letter; /* 0: numbered arguments, about which nothing is known */
};

static unsigned peek(const struct format *f)
{
    return f->wide ? (unsigned)((const wchar_t *)f->text)[f->at]
                   : ((const unsigned char *)f->text)[f->at];
}

static bool is_one_of(unsigned c, const char *set)
{
    for (; c != 0 && *set != '\0'; set++) {
        if (c == (unsigned char)*set)
            return true;
    }
    return false;
}

static int64_t number(struct format *f)
{
    int64_t n = NUMBER_NONE;

    if (peek(f) == '*') {
        f->at++;
        return NUMBER_ARGUMENT;
    }
    for (; peek(f) >= '0' && peek(f) <= '9' && n < INT32_MAX; f->at++)
        n = (n < 0 ? 0 : n * 10) + (peek(f) - '0');
    return n;
}

static void size_letters(struct format *f, struct conversion *c)
{
    c->size = sizeof(int);
    for (; is_one_of(peek(f), "hlqLjzZtm"); f->at++) {
        switch (peek(f)) {
        case 'h':
            c->size /= 2;
            break;
        case 'm':
            if (f->text != NULL &&
                is_one_of(f->wide ? 0 : ((const char *)f->text)[f->at + 1], "sScC[l"))
                c->allocates = true;
            else
                return;
            break;
        default:
            c->size = sizeof(long);
            c->longer = true;
        }
    }
}

static void skip_set(struct format *f)
{
    if (peek(f) == '^')
        f->at++;
    if (peek(f) == ']')
        f->at++;
    while (peek(f) != 0 && peek(f) != ']')
        f->at++;
    if (peek(f) != 0)
        f->at++;
}

/* The next conversion that has to do with arguments; false at the end. */
static bool next_conversion(struct format *f, bool scans, struct conversion *c)
{
    for (;;) {
        while (peek(f) != 0 && peek(f) != '%')
            f->at++;
        if (peek(f) == 0)
            return false;
        f->at++;
        *c = (struct conversion){.width = NUMBER_NONE, .precision = NUMBER_NONE};
        if (scans && peek(f) == '*') {
            c->suppressed = true;
            f->at++;
        }
        while (!scans && is_one_of(peek(f), "-+ #0'I"))
            f->at++;
        c->width = number(f);
        if (peek(f) == '$')
            return true;
        if (!scans && peek(f) == '.') {
            f->at++;
            c->precision = number(f);
            c->precision = c->precision == NUMBER_NONE ? 0 : c->precision;
        }
        size_letters(f, c);
        c->letter = peek(f);
        if (c->letter == 0)
            return false;
        f->at++;
        if (scans && c->letter == '[')
            skip_set(f);
        if (c->letter != '%' && !(c->letter == 'm' && !scans))
            return true;
    }
}

/* ---- printf ---- */

static void print_string(const struct conversion *c, const void *s, struct pl_call who)
{
    bool wide = c->letter == 'S' || c->longer;
    bool whole = c->precision < 0;

    if (s == NULL)
        return;
    pl_call_touches(
        s,
        wide ? (whole ? pl_call_wide_size(s) : pl_call_wide_size_of(s, (uint64_t)c->precision))
             : (whole ? pl_call_text_size(s) : pl_call_text_size_of(s, (uint64_t)c->precision)),
        false, who);
}

/* Goes over the arguments; announces what is read, or what is written. */
static void go_over_printed(struct format f, va_list args, bool writes, struct pl_call who)
{
    struct conversion c;

    while (next_conversion(&f, false, &c) && c.letter != 0) {
        if (c.width == NUMBER_ARGUMENT)
            (void)va_arg(args, int);
        if (c.precision == NUMBER_ARGUMENT)
            c.precision = va_arg(args, int);
        if (is_one_of(c.letter, "diouxXcC") && c.size > sizeof(int))
            (void)va_arg(args, long);
        else if (is_one_of(c.letter, "diouxXcC"))
            (void)va_arg(args, int);
        else if (is_one_of(c.letter, "eEfFgGaA") && c.longer && f.at >= 2 &&
                 is_one_of(f.wide ? (unsigned)((const wchar_t *)f.text)[f.at - 2]
                                  : (unsigned char)((const char *)f.text)[f.at - 2],
                           "L"))
            (void)va_arg(args, long double);
        else if (is_one_of(c.letter, "eEfFgGaA"))
            (void)va_arg(args, double);
        else if (is_one_of(c.letter, "sS") && !writes)
            print_string(&c, va_arg(args, const void *), who);
        else if (c.letter == 'n' && writes)
            pl_call_touches(va_arg(args, const void *), c.size, true, who);
        else if (is_one_of(c.letter, "sSnp"))
            (void)va_arg(args, const void *);
        else
            return;
    }
}

static void announce_printed(struct format f, va_list args, struct pl_call who)
{
    for (int writes = 0; writes <= 1; writes++) {
        va_list copy;

        va_copy(copy, args);
        go_over_printed(f, copy, writes != 0, who);
        va_end(copy);
    }
}

void pl_format_prints(const char *format, va_list args, struct pl_call who)
{
    if (!pl_call_wanted(who))
        return;
    pl_call_touches(format, pl_call_text_size(format), false, who);
    announce_printed((struct format){format, false, 0}, args, who);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How much there will be, with its end; 0 when that is an error. */
static uint64_t measure(const char *format, va_list args)
{
    va_list copy;

    va_copy(copy, args);
    int n = REAL(vsnprintf)(NULL, 0, format, copy);

    va_end(copy);
    return n < 0 ? 0 : (uint64_t)n + 1;
}

/* Into memory, which has room for n; the check of libc is made if flag is not negative. */
static int print(char *to, size_t n, int flag, const char *format, va_list args, struct pl_call who)
{
    pl_format_prints(format, args, who);
    struct pl_fill fill = pl_fill_begin(to, n, who);
    int result = flag >= 0 ? REAL(__vsnprintf_chk)(fill.at, n, flag, n, format, args)
                           : REAL(vsnprintf)(fill.at, n, format, args);

    pl_fill_end(&fill, result < 0 ? 0 : smaller((uint64_t)result + 1, n), who);
    return result;
}

static int print_all(char *to, const char *format, va_list args, struct pl_call who)
{
    if (!pl_call_wanted(who))
        return REAL(vsprintf)(to, format, args);
    uint64_t n = measure(format, args);

    return n == 0 ? REAL(vsprintf)(to, format, args) : print(to, n, -1, format, args, who);
}

static int print_all_checked(char *to, int flag, size_t room, const char *format, va_list args,
                             struct pl_call who)
{
    uint64_t n = pl_call_wanted(who) ? measure(format, args) : 0;

    return n == 0 || n > room ? REAL(__vsprintf_chk)(to, flag, room, format, args)
                              : print(to, n, flag, format, args, who);
}

static int print_some(char *to, size_t n, const char *format, va_list args, struct pl_call who)
{
    return pl_call_wanted(who) ? print(to, n, -1, format, args, who)
                               : REAL(vsnprintf)(to, n, format, args);
}

static int print_some_checked(char *to, size_t n, int flag, size_t room, const char *format,
                              va_list args, struct pl_call who)
{
    return pl_call_wanted(who) && n <= room
               ? print(to, n, flag, format, args, who)
               : REAL(__vsnprintf_chk)(to, n, flag, room, format, args);
}

static int print_wide(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *format,
                      va_list args, struct pl_call who)
{
    bool wanted = pl_call_wanted(who);

    if (wanted) {
        pl_call_touches(format, pl_call_wide_size(format), false, who);
        announce_printed((struct format){format, true, 0}, args, who);
    }
    struct pl_fill fill =
        wanted ? pl_fill_begin(to, n * sizeof(wchar_t), who) : (struct pl_fill){to, to};
    int result = flag >= 0 ? REAL(__vswprintf_chk)(fill.at, n, flag, room, format, args)
                           : REAL(vswprintf)(fill.at, n, format, args);

    if (wanted)
        pl_fill_end(&fill, result < 0 ? 0 : ((uint64_t)result + 1) * sizeof(wchar_t), who);
    return result;
}

/* Into memory that libc allocates. */
static int print_new(char **out, int flag, const char *format, va_list args, struct pl_call who)
{
    pl_format_prints(format, args, who);
    if (pl_call_wanted(who))
        pl_call_touches(out, sizeof(*out), true, who);
    return flag >= 0 ? REAL(__vasprintf_chk)(out, flag, format, args)
                     : REAL(vasprintf)(out, format, args);
}

static int print_to_descriptor(int fd, int flag, const char *format, va_list args,
                               struct pl_call who)
{
    pl_format_prints(format, args, who);
    return flag >= 0 ? REAL(__vdprintf_chk)(fd, flag, format, args)
                     : REAL(vdprintf)(fd, format, args);
}

/* A function with its arguments in a list, and the same with the arguments themselves. */
#define PL_FORMATTED(name, vname, params, vparams, call) \
    PL_EXPOSE(int, vname, vparams)                       \
    {                                                    \
        struct pl_call who = PL_CALL_EXPOSED;            \
        return call;                                     \
    }                                                    \
    PL_EXPOSE(int, name, params)                         \
    {                                                    \
        struct pl_call who = PL_CALL_EXPOSED;            \
        va_list args;                                    \
        va_start(args, format);                          \
        int result_ = call;                              \
        va_end(args);                                    \
        return result_;                                  \
    }

PL_FORMATTED(sprintf, vsprintf, (char *to, const char *format, ...),
             (char *to, const char *format, va_list args), print_all(to, format, args, who))
PL_FORMATTED(__sprintf_chk, __vsprintf_chk,
             (char *to, int flag, size_t room, const char *format, ...),
             (char *to, int flag, size_t room, const char *format, va_list args),
             print_all_checked(to, flag, room, format, args, who))
PL_FORMATTED(snprintf, vsnprintf, (char *to, size_t n, const char *format, ...),
             (char *to, size_t n, const char *format, va_list args),
             print_some(to, n, format, args, who))
PL_FORMATTED(__snprintf_chk, __vsnprintf_chk,
             (char *to, size_t n, int flag, size_t room, const char *format, ...),
             (char *to, size_t n, int flag, size_t room, const char *format, va_list args),
             print_some_checked(to, n, flag, room, format, args, who))
PL_FORMATTED(asprintf, vasprintf, (char **out, const char *format, ...),
             (char **out, const char *format, va_list args), print_new(out, -1, format, args, who))
PL_FORMATTED(__asprintf_chk, __vasprintf_chk, (char **out, int flag, const char *format, ...),
             (char **out, int flag, const char *format, va_list args),
             print_new(out, flag, format, args, who))
PL_FORMATTED(dprintf, vdprintf, (int fd, const char *format, ...),
             (int fd, const char *format, va_list args),
             print_to_descriptor(fd, -1, format, args, who))
PL_FORMATTED(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format, ...),
             (int fd, int flag, const char *format, va_list args),
             print_to_descriptor(fd, flag, format, args, who))
PL_FORMATTED(swprintf, vswprintf, (wchar_t * to, size_t n, const wchar_t *format, ...),
             (wchar_t * to, size_t n, const wchar_t *format, va_list args),
             print_wide(to, n, -1, n, format, args, who))
PL_FORMATTED(__swprintf_chk, __vswprintf_chk,
             (wchar_t * to, size_t n, int flag, size_t room, const wchar_t *format, ...),
             (wchar_t * to, size_t n, int flag, size_t room, const wchar_t *format, va_list args),
             print_wide(to, n, flag, room, format, args, who))

/* ---- scanf ---- */

/* What one conversion stores, as far as that is known. */
static uint64_t stored(const struct conversion *c, const struct format *f)
{
    uint64_t unit = c->letter == 'S' || c->letter == 'C' || c->longer ? sizeof(wchar_t) : 1;
    bool is_long_double = f->at >= 2 && ((const char *)f->text)[f->at - 2] == 'L';

    if (c->allocates || c->letter == 'p')
        return sizeof(void *);
    if (is_one_of(c->letter, "diouxXn"))
        return c->size;
    if (is_one_of(c->letter, "eEfFgGaA"))
        return is_long_double ? 10 : c->longer ? sizeof(double) : sizeof(float);
    if (is_one_of(c->letter, "cC"))
        return unit * (c->width > 0 ? (uint64_t)c->width : 1);
    return unit;
}

static void announce_scanned(const char *format, va_list args, struct pl_call who)
{
    struct format f = {format, false, 0};
    struct conversion c;
    va_list copy;

    pl_call_touches(format, pl_call_text_size(format), false, who);
    va_copy(copy, args);
    while (next_conversion(&f, true, &c) && is_one_of(c.letter, "diouxXneEfFgGaApsScC[")) {
        if (!c.suppressed)
            pl_call_touches(va_arg(copy, const void *), stored(&c, &f), true, who);
    }
    va_end(copy);
}

static int scan_text(const char *s, const char *format, va_list args,
                     int (*real)(const char *, const char *, va_list), struct pl_call who)
{
    if (pl_call_wanted(who)) {
        pl_call_touches(s, pl_call_text_size(s), false, who);
        announce_scanned(format, args, who);
    }
    return real(s, format, args);
}

static int scan_stream(FILE *f, const char *format, va_list args,
                       int (*real)(FILE *, const char *, va_list), struct pl_call who)
{
    if (pl_call_wanted(who))
        announce_scanned(format, args, who);
    return real(f, format, args);
}

PL_FORMATTED(sscanf, vsscanf, (const char *s, const char *format, ...),
             (const char *s, const char *format, va_list args),
             scan_text(s, format, args, REAL(vsscanf), who))
PL_FORMATTED(__isoc99_sscanf, __isoc99_vsscanf, (const char *s, const char *format, ...),
             (const char *s, const char *format, va_list args),
             scan_text(s, format, args, REAL(__isoc99_vsscanf), who))
PL_FORMATTED(fscanf, vfscanf, (FILE * f, const char *format, ...),
             (FILE * f, const char *format, va_list args),
             scan_stream(f, format, args, REAL(vfscanf), who))
PL_FORMATTED(__isoc99_fscanf, __isoc99_vfscanf, (FILE * f, const char *format, ...),
             (FILE * f, const char *format, va_list args),
             scan_stream(f, format, args, REAL(__isoc99_vfscanf), who))
PL_FORMATTED(scanf, vscanf, (const char *format, ...), (const char *format, va_list args),
             scan_stream(stdin, format, args, REAL(vfscanf), who))
PL_FORMATTED(__isoc99_scanf, __isoc99_vscanf, (const char *format, ...),
             (const char *format, va_list args),
             scan_stream(stdin, format, args, REAL(__isoc99_vfscanf), who))
