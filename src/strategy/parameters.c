/* SPDX-License-Identifier: MIT */
/* See parameters.h. */
#include "strategy/parameters.h"

#include "base/text.h"

bool pl_parameter_number(const char *parameters, const char *key, uint64_t most, uint64_t *value)
{
    const char *p = parameters;
    uint64_t n = 0;

    if (*p == '\0')
        return true;
    if (pl_text_starts(p, key) && p[pl_text_length(key)] == '=')
        p += pl_text_length(key) + 1;
    const char *digits = p;

    for (; *p >= '0' && *p <= '9' && n <= most; p++)
        n = n * 10 + (uint64_t)(*p - '0');
    if (p == digits || *p != '\0' || n > most)
        return false;
    *value = n;
    return true;
}
