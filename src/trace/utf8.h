/* SPDX-License-Identifier: MIT */
/*
 * UTF-8, just enough to pass valid text on and to keep everything else off a
 * terminal.  Text in schedules comes from programs, compilers and other
 * people's files, so nothing is trusted.
 */
#ifndef PL_TRACE_UTF8_H
#define PL_TRACE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode the character at s, a terminated string.  Returns its length in bytes,
 * or 0 when s is at its end or does not start with a valid sequence (overlong
 * forms and surrogates are invalid).
 */
static inline size_t pl_utf8_decode(const char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)s[0];
    size_t n = c < 0x80 ? 1 : (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : 4;

    if (c == '\0' || (c >= 0x80 && c < 0xc2) || c > 0xf4)
        return 0;
    *code = n == 1 ? c : c & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
        return 0;
    return n;
}

/* Control characters, and those that turn the direction of writing. */
static inline bool pl_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

#endif /* PL_TRACE_UTF8_H */
