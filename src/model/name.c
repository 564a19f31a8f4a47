/* SPDX-License-Identifier: MIT */
/* Reading thread paths; the text comes from files, so nothing is trusted. */
#include "model/name.h"

#include "base/assert.h"

uint64_t pl_name_parse(const char *path)
{
    uint64_t name = PL_NAME_MAIN;
    const char *p = path;

    PL_ASSERT(path != 0);
    if (*p++ != '0')
        return 0;
    while (*p == '.') {
        uint64_t n = 0;
        const char *start = ++p;

        while (*p >= '0' && *p <= '9' && n < UINT32_MAX / 10)
            n = n * 10 + (uint64_t)(*p++ - '0');
        if (p == start || n == 0)
            return 0;
        name = pl_name_child(name, (uint32_t)n);
    }
    return *p == '\0' ? name : 0;
}
