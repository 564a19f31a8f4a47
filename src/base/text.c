/* SPDX-License-Identifier: MIT */
/* See text.h.  Nothing here calls anything. */
#include "base/text.h"

#include <stdint.h>

size_t pl_text_length(const char *s)
{
    size_t n = 0;

    while (((const volatile char *)s)[n] != '\0') /* volatile: gcc must not make it strlen() */
        n++;
    return n;
}

bool pl_text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool pl_text_starts(const char *s, const char *prefix)
{
    while (*prefix != '\0') {
        if (*s++ != *prefix++)
            return false;
    }
    return true;
}

bool pl_text_contains(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        if (pl_text_starts(text, part))
            return true;
    }
    return false;
}

size_t pl_text_copy(char *to, size_t size, const char *from)
{
    size_t n = 0;

    if (size == 0)
        return 0;
    while (n + 1 < size && from[n] != '\0') {
        ((volatile char *)to)[n] = from[n];
        n++;
    }
    to[n] = '\0';
    return n;
}

struct out {
    char *to;
    size_t size, n;
};

static void put(struct out *o, char c)
{
    if (o->n + 1 < o->size)
        o->to[o->n++] = c;
}

struct spec {
    bool left, zero;
    unsigned width, longs;
};

static void put_padded(struct out *o, const struct spec *sp, const char *s, size_t n)
{
    size_t pad = sp->width > n ? sp->width - n : 0;
    char fill = sp->zero && !sp->left ? '0' : ' ';

    if (!sp->left) {
        for (; pad > 0; pad--)
            put(o, fill);
    }
    for (size_t i = 0; i < n; i++)
        put(o, s[i]);
    for (; pad > 0; pad--)
        put(o, ' ');
}

static void put_number(struct out *o, const struct spec *sp, uint64_t v, unsigned base, bool minus)
{
    char digits[24];
    size_t i = sizeof(digits);

    do {
        digits[--i] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v != 0);
    struct spec rest = *sp;

    if (minus && sp->zero && !sp->left) { /* the sign stands before the zeros */
        put(o, '-');
        rest.width -= rest.width > 0;
    } else if (minus) {
        digits[--i] = '-';
    }
    put_padded(o, &rest, digits + i, sizeof(digits) - i);
}

static const char *parse_spec(const char *f, struct spec *sp)
{
    *sp = (struct spec){0};
    for (; *f == '-' || *f == '0'; f++) {
        if (*f == '-')
            sp->left = true;
        else
            sp->zero = true;
    }
    while (*f >= '0' && *f <= '9')
        sp->width = sp->width * 10 + (unsigned)(*f++ - '0');
    for (; *f == 'l' || *f == 'z'; f++)
        sp->longs++;
    return f;
}

size_t pl_text_vformat(char *to, size_t size, const char *f, va_list args)
{
    struct out o = {to, size, 0};
    struct spec sp;

    for (; *f != '\0'; f++) {
        if (*f != '%') {
            put(&o, *f);
            continue;
        }
        f = parse_spec(f + 1, &sp);
        switch (*f) {
        case 's': {
            const char *s = va_arg(args, const char *);

            s = s ? s : "(null)";
            put_padded(&o, &sp, s, pl_text_length(s));
            break;
        }
        case 'c': {
            char c = (char)va_arg(args, int);

            put_padded(&o, &sp, &c, 1);
            break;
        }
        case 'd': {
            int64_t v = sp.longs ? va_arg(args, long) : va_arg(args, int);

            put_number(&o, &sp, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 10, v < 0);
            break;
        }
        case 'u':
            put_number(&o, &sp, sp.longs ? va_arg(args, unsigned long) : va_arg(args, unsigned), 10,
                       false);
            break;
        case 'x':
            put_number(&o, &sp, sp.longs ? va_arg(args, unsigned long) : va_arg(args, unsigned), 16,
                       false);
            break;
        case 'p':
            put(&o, '0'); /* no width: addresses are never put in columns */
            put(&o, 'x');
            sp.width = 0;
            put_number(&o, &sp, (uintptr_t)va_arg(args, void *), 16, false);
            break;
        case '\0':
            f--;
            break;
        default:
            put(&o, *f);
        }
    }
    if (size > 0)
        to[o.n] = '\0';
    return o.n;
}

size_t pl_text_format(char *to, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    size_t n = pl_text_vformat(to, size, format, args);
    va_end(args);
    return n;
}

const char *pl_text_word(const char *s, unsigned n)
{
    for (; n > 0; n--) {
        while (*s != ' ' && *s != '\0')
            s++;
        while (*s == ' ')
            s++;
    }
    return s;
}

const char *pl_text_hex(const char *p, uint64_t *out)
{
    *out = 0;
    for (;; p++) {
        unsigned digit = (unsigned)(*p >= 'a' ? *p - 'a' + 10 : *p - '0');

        if (digit > 15)
            return p;
        *out = *out << 4 | digit;
    }
}
