/* SPDX-License-Identifier: MIT */
/*
 * printf() and scanf() with all their forms that work on the program's memory: what they read and
 * write stands in their format.  Those that print to a stream are in libc_stdio.c.
 *
 * scanf() stores into copies (apart.h), one conversion after the other.  Where nobody knows how
 * long a text may be that it takes from a stream, it stores into the program's memory: the first
 * byte is announced before, the rest then.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/memory.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_stdio.h"

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
    LIBC(int, __isoc99_vfscanf, (FILE *, const char *, va_list))                           \
    LIBC(int, vswscanf, (const wchar_t *, const wchar_t *, va_list))                       \
    LIBC(int, __isoc99_vswscanf, (const wchar_t *, const wchar_t *, va_list))              \
    LIBC(int, vfwscanf, (FILE *, const wchar_t *, va_list))                                \
    LIBC(int, __isoc99_vfwscanf, (FILE *, const wchar_t *, va_list))

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
    unsigned position;          /* of its argument, from 1 on; 0: the next one */
    int64_t width, precision;
    unsigned width_position, precision_position; /* of those that are arguments */
    unsigned size;                               /* of an integer */
    bool longer;                                 /* 'l' or 'L' was there */
    bool widest;                                 /* 'L' was */
    bool grouped;                                /* '\'', or 'I' for other digits */
    unsigned letter;
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

static int64_t digits(struct format *f)
{
    int64_t n = NUMBER_NONE;

    for (; peek(f) >= '0' && peek(f) <= '9' && n < INT32_MAX; f->at++)
        n = (n < 0 ? 0 : n * 10) + (peek(f) - '0');
    return n;
}

/* The position of an argument that is named by it, as in "2$"; 0: there is none. */
static unsigned position(struct format *f)
{
    struct format ahead = *f;
    int64_t n = digits(&ahead);

    if (n <= 0 || peek(&ahead) != '$')
        return 0;
    f->at = ahead.at + 1;
    return (unsigned)n;
}

static int64_t number(struct format *f, unsigned *argument)
{
    if (peek(f) != '*')
        return digits(f);
    f->at++;
    *argument = position(f);
    return NUMBER_ARGUMENT;
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
            c->widest |= peek(f) == 'L';
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
        c->position = position(f);
        if (scans && peek(f) == '*') {
            c->suppressed = true;
            f->at++;
        }
        for (; !scans && is_one_of(peek(f), "-+ #0'I"); f->at++)
            c->grouped |= is_one_of(peek(f), "'I");
        c->width = number(f, &c->width_position);
        if (!scans && peek(f) == '.') {
            f->at++;
            c->precision = number(f, &c->precision_position);
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

/* The locale says how characters become wide ones, and what numbers with a point look like. */
static bool is_by_locale(const struct conversion *c, bool wide)
{
    return c->grouped || is_one_of(c->letter, "eEfFgGaA") ||
           (is_one_of(c->letter, "sc[") && c->longer != wide) ||
           (is_one_of(c->letter, "SC") && !wide);
}

static void look_at_locale(struct format f, bool scans, struct pl_call who)
{
    struct conversion c;
    bool looks = false;

    while (!looks && next_conversion(&f, scans, &c))
        looks = is_by_locale(&c, f.wide);
    if (looks)
        pl_call_locale(who);
}

/* ---- printf ---- */

static struct pl_text text_of(const struct conversion *c)
{
    uint64_t most = c->precision < 0 ? UINT64_MAX : (uint64_t)c->precision;

    return c->letter == 'S' || c->longer ? PL_TEXT_WIDE_OF(most) : PL_TEXT_OF(most);
}

/* Whether a conversion has read what an earlier one with the same argument did. */
static bool reads_the_same(const void *copy, const void *earlier, struct pl_text t)
{
    uint64_t size = pl_text_size(copy, t);

    return size == pl_text_size(earlier, t) && pl_memory_compare(copy, earlier, size) == 0;
}

/*
 * A text that is printed: what was read of it is put in its place for libc.  That is one place for
 * all conversions that name the argument, though libc reads the text for each.
 */
static void print_string(struct pl_formatted *p, const struct conversion *c, uint64_t *slot,
                         uint64_t value)
{
    enum { SLOTS = sizeof(p->slots) / sizeof(p->slots[0]) };

    if (value == 0)
        return;
    struct pl_text t = text_of(c);
    void *copy = pl_apart_text(&p->apart, (const void *)value, t);
    unsigned i = 0;

    while (i < p->n && p->slots[i].at != slot)
        i++;
    if ((uint64_t)copy == value || i == SLOTS)
        return;
    if (i == p->n) {
        p->slots[p->n].at = slot;
        p->slots[p->n].most = t.most;
        p->slots[p->n++].was = value;
        *slot = (uint64_t)copy;
        return;
    }
    bool alike = t.most == p->slots[i].most;

    if (!alike || !reads_the_same(copy, (const void *)*slot, t))
        pl_unmodelled("printf with one text twice", PL_UNMODELLED_FUNCTION, p->apart.who.pc);
    if (!alike) /* what is there may be too little */
        *slot = value;
}

/* What an argument of printf() is passed as. */
enum passed { AS_WORD, AS_DOUBLE, AS_LONG_DOUBLE };

static enum passed passed_as(const struct conversion *c)
{
    if (!is_one_of(c->letter, "eEfFgGaA"))
        return AS_WORD;
    return c->widest ? AS_LONG_DOUBLE : AS_DOUBLE;
}

/* The next argument; of a number with a point nothing is of interest. */
static uint64_t next_argument(va_list args, enum passed as)
{
    if (as == AS_WORD)
        return va_arg(args, uint64_t);
    if (as == AS_DOUBLE)
        (void)va_arg(args, double);
    else
        (void)va_arg(args, long double);
    return 0;
}

/* Where the next argument that is a word is, as the ABI of x86-64 has it. */
static uint64_t *next_slot(va_list args)
{
    enum { WORDS = 6 * 8 };

    return args->gp_offset < WORDS ? (uint64_t *)((char *)args->reg_save_area + args->gp_offset)
                                   : (uint64_t *)args->overflow_arg_area;
}

enum { NUMBERED_MOST = 64 };

struct numbered {
    uint64_t value, *slot;
};

/* The arguments, in their order, as a format names them by number; how many, 0: too many. */
static unsigned numbered(struct format f, va_list args, struct numbered values[NUMBERED_MOST])
{
    uint8_t as[NUMBERED_MOST] = {AS_WORD};
    unsigned n = 0;
    struct conversion c;

    while (next_conversion(&f, false, &c)) {
        unsigned last = c.position > c.width_position ? c.position : c.width_position;

        last = last > c.precision_position ? last : c.precision_position;
        if (c.position == 0 || last > NUMBERED_MOST)
            return 0;
        as[c.position - 1] = (uint8_t)passed_as(&c);
        n = last > n ? last : n;
    }
    for (unsigned i = 0; i < n; i++) {
        values[i].slot = next_slot(args);
        values[i].value = next_argument(args, (enum passed)as[i]);
    }
    return n;
}

/* The argument at a position, or the next one. */
static uint64_t argument(va_list args, const struct numbered *values, unsigned at, enum passed as)
{
    return at != 0 ? values[at - 1].value : next_argument(args, as);
}

/* Goes over the arguments; announces what is read, or what is written. */
static void go_over_printed(struct pl_formatted *p, struct format f, va_list args, bool writes)
{
    struct numbered values[NUMBERED_MOST];
    struct format ahead = f;
    struct conversion c;

    if (next_conversion(&ahead, false, &c) && c.position != 0 && numbered(f, args, values) == 0)
        return;
    while (next_conversion(&f, false, &c) && is_one_of(c.letter, "diouxXcCeEfFgGaAsSnp")) {
        if (c.width == NUMBER_ARGUMENT)
            argument(args, values, c.width_position, AS_WORD);
        if (c.precision == NUMBER_ARGUMENT)
            c.precision = (int)argument(args, values, c.precision_position, AS_WORD);
        uint64_t *slot = c.position == 0 ? next_slot(args) : values[c.position - 1].slot;
        uint64_t value = argument(args, values, c.position, passed_as(&c));

        if (is_one_of(c.letter, "sS") && !writes)
            print_string(p, &c, slot, value);
        else if (c.letter == 'n' && writes)
            pl_call_touches((const void *)value, c.size, true, p->apart.who);
    }
}

static const void *prints(struct pl_formatted *p, const void *format, struct pl_text text,
                          va_list args)
{
    if (!pl_call_wanted(p->apart.who))
        return format;
    format = pl_apart_text(&p->apart, format, text);
    look_at_locale((struct format){format, text.unit > 1, 0}, false, p->apart.who);
    for (int writes = 0; writes <= 1; writes++) {
        va_list copy;

        va_copy(copy, args);
        go_over_printed(p, (struct format){format, text.unit > 1, 0}, copy, writes != 0);
        va_end(copy);
    }
    return format;
}

const wchar_t *pl_format_prints_wide(struct pl_formatted *p, const wchar_t *format, va_list args)
{
    return prints(p, format, PL_TEXT_WIDE, args);
}

const char *pl_format_prints(struct pl_formatted *p, const char *format, va_list args)
{
    return prints(p, format, PL_TEXT_WHOLE, args);
}

void pl_format_printed(struct pl_formatted *p)
{
    for (unsigned i = 0; i < p->n; i++)
        *p->slots[i].at = p->slots[i].was;
    p->n = 0;
    pl_apart_end(&p->apart);
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
    int n = PL_LIBC_OWN(vsnprintf)(NULL, 0, format, copy);

    va_end(copy);
    return n < 0 ? 0 : (uint64_t)n + 1;
}

/*
 * Functions that know how much room there is begin with an end of text, before they look at
 * anything else: who reads meanwhile finds the text empty.
 */
static void clear(void *to, size_t size, struct pl_call who)
{
    if (!pl_call_wanted(who) || to == NULL)
        return;
    pl_call_touches(to, size, true, who);
    pl_memory_fill(to, 0, size);
}

/* Into memory, which has room for n; the check of libc is made if flag is not negative. */
static int print(char *to, size_t n, int flag, const char *format, va_list args, struct pl_call who)
{
    who.unit = sizeof(*to);
    struct pl_fill fill = pl_fill_begin(to, n, who);
    int result = flag >= 0 ? PL_LIBC_OWN(__vsnprintf_chk)(fill.at, n, flag, n, format, args)
                           : PL_LIBC_OWN(vsnprintf)(fill.at, n, format, args);

    pl_fill_end(&fill, result < 0 ? 0 : smaller((uint64_t)result + 1, n), who);
    return result;
}

static int print_all(char *to, const char *format, va_list args, struct pl_call who)
{
    PL_FORMAT_PRINTED(printed, who);

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(vsprintf)(to, format, args);
    format = pl_format_prints(&printed, format, args);
    uint64_t n = measure(format, args);

    return n == 0 ? PL_LIBC_OWN(vsprintf)(to, format, args) : print(to, n, -1, format, args, who);
}

static int print_all_checked(char *to, int flag, size_t room, const char *format, va_list args,
                             struct pl_call who)
{
    PL_FORMAT_PRINTED(printed, who);

    if (pl_call_wanted(who)) {
        clear(to, room > 0 ? 1 : 0, who);
        format = pl_format_prints(&printed, format, args);
    }
    uint64_t n = pl_call_wanted(who) ? measure(format, args) : 0;

    if (n == 0 || n > room)
        return PL_LIBC_OWN(__vsprintf_chk)(to, flag, room, format, args);
    return print(to, n, flag, format, args, who);
}

static int print_some(char *to, size_t n, const char *format, va_list args, struct pl_call who)
{
    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(vsnprintf)(to, n, format, args);
    PL_FORMAT_PRINTED(printed, who);
    clear(to, n > 0 ? 1 : 0, who);
    format = pl_format_prints(&printed, format, args);
    return print(to, n, -1, format, args, who);
}

static int print_some_checked(char *to, size_t n, int flag, size_t room, const char *format,
                              va_list args, struct pl_call who)
{
    if (!pl_call_wanted(who) || n > room)
        return PL_LIBC_OWN(__vsnprintf_chk)(to, n, flag, room, format, args);
    PL_FORMAT_PRINTED(printed, who);
    clear(to, n > 0 ? 1 : 0, who);
    format = pl_format_prints(&printed, format, args);
    return print(to, n, flag, format, args, who);
}

static int print_wide(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *format,
                      va_list args, struct pl_call who)
{
    bool wanted = pl_call_wanted(who);

    who.unit = sizeof(*to);
    PL_FORMAT_PRINTED(printed, who);

    clear(to, n > 0 ? sizeof(*to) : 0, who);
    format = pl_format_prints_wide(&printed, format, args);
    struct pl_fill fill =
        wanted ? pl_fill_begin(to, n * sizeof(wchar_t), who) : (struct pl_fill){to, to, 0};
    int result = flag >= 0 ? PL_LIBC_OWN(__vswprintf_chk)(fill.at, n, flag, room, format, args)
                           : PL_LIBC_OWN(vswprintf)(fill.at, n, format, args);

    if (wanted)
        pl_fill_end(&fill, result < 0 ? 0 : ((uint64_t)result + 1) * sizeof(wchar_t), who);
    return result;
}

/* Into memory that libc allocates. */
static int print_new(char **out, int flag, const char *format, va_list args, struct pl_call who)
{
    PL_FORMAT_PRINTED(printed, who);

    format = pl_format_prints(&printed, format, args);
    if (pl_call_wanted(who))
        pl_call_touches(out, sizeof(*out), true, who);
    return flag >= 0 ? PL_LIBC_OWN(__vasprintf_chk)(out, flag, format, args)
                     : PL_LIBC_OWN(vasprintf)(out, format, args);
}

static int print_to_descriptor(int fd, int flag, const char *format, va_list args,
                               struct pl_call who)
{
    PL_FORMAT_PRINTED(printed, who);

    format = pl_format_prints(&printed, format, args);
    return flag >= 0 ? PL_LIBC_OWN(__vdprintf_chk)(fd, flag, format, args)
                     : PL_LIBC_OWN(vdprintf)(fd, format, args);
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

/* Whether it stores a text of a length that is not known before. */
static bool is_text(const struct conversion *c)
{
    return is_one_of(c->letter, "sS[") && !c->allocates;
}

static uint64_t unit_of(const struct conversion *c)
{
    return c->letter == 'S' || c->letter == 'C' || c->longer ? sizeof(wchar_t) : 1;
}

/* What one conversion stores, as far as that is known. */
static uint64_t stored(const struct conversion *c)
{
    if (c->allocates || c->letter == 'p')
        return sizeof(void *);
    if (is_one_of(c->letter, "diouxXn"))
        return c->size;
    if (is_one_of(c->letter, "eEfFgGaA"))
        return c->widest ? 10 : c->longer ? sizeof(double) : sizeof(float);
    if (is_one_of(c->letter, "cC"))
        return unit_of(c) * (c->width > 0 ? (uint64_t)c->width : 1);
    return unit_of(c);
}

/*
 * A list of arguments that are all pointers.  As the ABI of x86-64 has it they follow one another
 * where no register is left.
 */
struct pointers {
    void *at[NUMBERED_MOST];
    va_list list;
};

static void make_list(struct pointers *p)
{
    enum { NO_WORDS_LEFT = 6 * 8, NO_VECTORS_LEFT = NO_WORDS_LEFT + 8 * 16 };

    p->list->gp_offset = NO_WORDS_LEFT;
    p->list->fp_offset = NO_VECTORS_LEFT;
    p->list->overflow_arg_area = p->at;
    p->list->reg_save_area = NULL;
}

/* A call of scanf(): what it scans has `most` characters, or nobody knows how many. */
struct scan {
    struct format format;
    uint64_t most;
    struct pl_apart apart;
    struct pointers given, apart_from;
    struct pl_call who;
};

enum { UNBOUNDED = 0 };

/* How much room the conversion needs if it is to be made somewhere else; 0: nobody knows. */
static uint64_t room_of(const struct scan *s, const struct conversion *c)
{
    if (!is_text(c))
        return stored(c);
    if (s->most == UNBOUNDED && c->width <= 0)
        return 0;
    uint64_t n = c->width > 0 && (s->most == UNBOUNDED || (uint64_t)c->width < s->most)
                     ? (uint64_t)c->width
                     : s->most;

    return (n + 1) * unit_of(c);
}

/* Each conversion that stores something: what it is, and the place of its argument. */
static bool next_stored(struct format *f, struct conversion *c, unsigned *next, unsigned *at)
{
    do {
        if (!next_conversion(f, true, c) || !is_one_of(c->letter, "diouxXneEfFgGaApsScC["))
            return false;
    } while (c->suppressed);
    *at = c->position != 0 ? c->position - 1 : (*next)++;
    return *at < NUMBERED_MOST;
}

/* Characters are stored one after the other. */
static enum pl_apart_kind kind_of(const struct conversion *c)
{
    bool characters = is_text(c) || (is_one_of(c->letter, "cC") && !c->allocates);

    return !characters ? PL_APART_OUT : unit_of(c) > 1 ? PL_APART_WIDE : PL_APART_CHARACTERS;
}

/* Everything that has a known length is kept apart; of a text without one, its first is announced.
 */
static void scan_begins(struct scan *s, va_list args)
{
    struct format f = s->format;
    struct conversion c;
    unsigned next = 0, at;
    va_list rest;

    va_copy(rest, args);
    for (unsigned i = 0; i < NUMBERED_MOST; i++)
        s->given.at[i] = s->apart_from.at[i] = NULL;
    for (unsigned n = 0; next_stored(&f, &c, &next, &at);) {
        for (; n <= at; n++)
            s->given.at[n] = s->apart_from.at[n] = va_arg(rest, void *);
        uint64_t room = room_of(s, &c);

        if (room > 0)
            s->apart_from.at[at] = pl_apart(&s->apart, s->given.at[at], room, kind_of(&c));
        else
            pl_call_touches(s->given.at[at], stored(&c), true, s->who);
    }
    va_end(rest);
    make_list(&s->apart_from);
}

/* n conversions have stored something: how much that was, and the rest of what was not apart. */
static void scan_ends(struct scan *s, int n)
{
    struct format f = s->format;
    struct conversion c;
    unsigned next = 0, at;

    while (next_stored(&f, &c, &next, &at)) {
        const char *to = s->apart_from.at[at];
        bool counts = c.letter != 'n', done = n > 0 || (!counts && n == 0);
        uint64_t size = !done             ? 0
                        : !is_text(&c)    ? stored(&c)
                        : unit_of(&c) > 1 ? pl_call_wide_size((const wchar_t *)to)
                                          : pl_call_text_size(to);

        if (to != s->given.at[at])
            pl_apart_shorten(&s->apart, to, size);
        else if (is_text(&c) && size > 0)
            pl_call_touches(to + stored(&c), size - stored(&c), true, s->who);
        n -= counts;
    }
    pl_apart_end(&s->apart);
}

/* `call` is libc's function, whose result says how many conversions stored something. */
#define SCAN(format_, is_wide, most_, who_, call)                                    \
    ({                                                                               \
        int n_;                                                                      \
        if (!pl_call_wanted(who_)) {                                                 \
            n_ = call(args);                                                         \
        } else {                                                                     \
            struct scan scan_;                                                       \
            scan_.format = (struct format){format_, is_wide, 0};                     \
            scan_.most = most_;                                                      \
            scan_.who = who_;                                                        \
            pl_apart_begin(&scan_.apart, who_);                                      \
            pl_text_announce(format_, is_wide ? PL_TEXT_WIDE : PL_TEXT_WHOLE, who_); \
            look_at_locale(scan_.format, true, who_);                                \
            scan_begins(&scan_, args);                                               \
            n_ = call(scan_.apart_from.list);                                        \
            scan_ends(&scan_, n_);                                                   \
        }                                                                            \
        n_;                                                                          \
    })

static int scan_text(const char *s, const char *format, va_list args,
                     int (*real)(const char *, const char *, va_list), struct pl_call who)
{
    PL_APART(read, who);

    if (pl_call_wanted(who))
        s = pl_apart_text(&read, s, PL_TEXT_WHOLE);
#define CALL(list) real(s, format, list)
    return SCAN(format, false, pl_call_text_size(s), who, CALL);
#undef CALL
}

static int scan_wide_text(const wchar_t *s, const wchar_t *format, va_list args,
                          int (*real)(const wchar_t *, const wchar_t *, va_list),
                          struct pl_call who)
{
    PL_APART(read, who);

    if (pl_call_wanted(who))
        s = pl_apart_text(&read, s, PL_TEXT_WIDE);
#define CALL(list) real(s, format, list)
    return SCAN(format, true, pl_call_wide_size(s), who, CALL);
#undef CALL
}

static int scan_stream(FILE *f, const char *format, va_list args,
                       int (*real)(FILE *, const char *, va_list), struct pl_call who)
{
    PL_STREAM_OF(stream, f, PL_STREAM_CHANGES, who);
#define CALL(list) real(f, format, list)
    int n = SCAN(format, false, UNBOUNDED, who, CALL);
#undef CALL

    pl_stream_moved(&stream, n > 0);
    return n;
}

static int scan_wide_stream(FILE *f, const wchar_t *format, va_list args,
                            int (*real)(FILE *, const wchar_t *, va_list), struct pl_call who)
{
    PL_STREAM_OF(stream, f, PL_STREAM_CHANGES, who);
#define CALL(list) real(f, format, list)
    int n = SCAN(format, true, UNBOUNDED, who, CALL);
#undef CALL

    pl_stream_moved(&stream, n > 0);
    return n;
}

/* From a text, from a stream, from standard input: each as C89 and as C99 has it. */
#define PL_SCANS(prefix, of_text, of_stream, of_input, letter, v_text, v_stream, scan_t, scan_s) \
    PL_FORMATTED(prefix##of_text, prefix##v##of_text,                                            \
                 (const letter *s, const letter *format, ...),                                   \
                 (const letter *s, const letter *format, va_list args),                          \
                 scan_t(s, format, args, PL_LIBC_OWN(prefix##v_text), who))                      \
    PL_FORMATTED(prefix##of_stream, prefix##v##of_stream, (FILE * f, const letter *format, ...), \
                 (FILE * f, const letter *format, va_list args),                                 \
                 scan_s(f, format, args, PL_LIBC_OWN(prefix##v_stream), who))                    \
    PL_FORMATTED(prefix##of_input, prefix##v##of_input, (const letter *format, ...),             \
                 (const letter *format, va_list args),                                           \
                 scan_s(stdin, format, args, PL_LIBC_OWN(prefix##v_stream), who))

PL_SCANS(, sscanf, fscanf, scanf, char, vsscanf, vfscanf, scan_text, scan_stream)
PL_SCANS(__isoc99_, sscanf, fscanf, scanf, char, vsscanf, vfscanf, scan_text, scan_stream)
PL_SCANS(, swscanf, fwscanf, wscanf, wchar_t, vswscanf, vfwscanf, scan_wide_text, scan_wide_stream)
PL_SCANS(__isoc99_, swscanf, fwscanf, wscanf, wchar_t, vswscanf, vfwscanf, scan_wide_text,
         scan_wide_stream)
